"""Names as labels of a chart: short, told apart, and harmless where they come from a file."""

from __future__ import annotations

from collections.abc import Iterable

from linkrisk.printable import printable

MOST = 24
"""Longest label, in characters."""

_CUT = "…"


def labels_of(names: Iterable[str], most: int = MOST) -> list[str]:
    """Return a label for each name, the same for the same name; long names are cut in the middle.

    No two names have the same label: where cutting would make them alike, labels are numbered.

    >>> labels_of(["age", "income of the household, 2019", "income of the household, 2029", "age"], 13)
    ['age', 'income…, 2019', 'income…, 2029', 'age']
    >>> labels_of(["one " * 9 + "end", "one " * 8 + "end"], 9)
    ['one …end', 'one …d 2']
    """
    known: dict[str, str] = {}
    taken: set[str] = set()
    result = []
    for name in names:
        if name not in known:
            known[name] = _unused(printable(name), taken, most)
            taken.add(known[name])
        result.append(known[name])
    return result


def _unused(name: str, taken: set[str], most: int) -> str:
    label, number = shortened(name, most), 1
    while label in taken:
        number += 1
        label = f"{shortened(name, most - len(str(number)) - 1)} {number}"
    return label


def shortened(name: str, most: int = MOST) -> str:
    """Return a name, cut in the middle if it is too long.

    >>> shortened("annual gross income", 12)
    'annual…ncome'
    """
    if len(name) <= most:
        return name
    kept = most - len(_CUT)
    head = name[: kept - kept // 2].rstrip()
    return f"{head}{_CUT}{name[len(name) - kept // 2 :].lstrip()}"
