"""Names as labels of a chart: short, told apart, and harmless where they come from a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import zip_longest

from linkrisk.printable import printable

MOST = 24
"""Longest label, in characters."""

BEFORE = 4
"""Characters shown before the place where names differ, if there is room."""

_CUT = "…"


def labels_of(names: Iterable[str], most: int = MOST) -> list[str]:
    """Return a label for each name, the same for the same name; long names are cut in the middle.

    No two names have the same label: names that would be cut alike show where they differ, or are numbered.

    >>> labels_of(["age", "income of the household 2019 (net)", "income of the household 2029 (net)", "age"], 14)
    ['age', 'inc…d 2019 (n…', 'inc…d 2029 (n…', 'age']
    >>> labels_of(["a" * 20, "a" * 30], 8)
    ['aa…aaaaa', 'aa…aaaa…']
    """
    asked = list(names)
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(asked):
        alike.setdefault(shortened(printable(name), most), []).append(name)
    labels: dict[str, str] = {}
    for label, group in alike.items():
        place = _first_difference(group)
        for name in group:
            shown = label if len(group) == 1 else around(printable(name), place, most)
            labels[name] = _unused(shown, set(labels.values()), most)
    return [labels[name] for name in asked]


def shortened(name: str, most: int = MOST) -> str:
    """Return a name, cut in the middle if it is too long.

    >>> shortened("annual gross income", 12)
    'annual…ncome'
    """
    name = name.strip()
    if len(name) <= most:
        return name
    kept = most - len(_CUT)
    head = name[: kept - kept // 2].rstrip()
    return f"{head}{_CUT}{name[len(name) - kept // 2 :].lstrip()}"


def around(name: str, place: int, most: int = MOST) -> str:
    """Return a name, cut so that its beginning is seen and what stands at a place; the place where others differ.

    >>> around("income of the household 2019 (net)", 26, 14)
    'inc…d 2019 (n…'
    """
    name = name.strip()
    if len(name) <= most:
        return name
    head = name[: most // 4].rstrip()
    room = most - len(head) - len(_CUT)
    start = min(max(place - BEFORE, len(head)), len(name) - room)
    tail = name[start : start + room]
    return f"{head}{_CUT}{tail}" if start + room >= len(name) else f"{head}{_CUT}{tail[:-1]}{_CUT}"


def _first_difference(names: Collection[str]) -> int:
    """Return the first place at which names differ."""
    columns = zip_longest(*map(printable, names))
    return next((place for place, signs in enumerate(columns) if len(set(signs)) > 1), 0)


def _unused(label: str, taken: Collection[str], most: int) -> str:
    """Return a label, with a number where it is taken."""
    number, unused = 1, label
    while unused in taken:
        number += 1
        ending = f" {number}"
        unused = f"{shortened(label, most - len(ending))}{ending}"
    return unused
