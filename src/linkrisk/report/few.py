"""Numbers of people in what is handed on: few are not told apart, nor all but few."""

from __future__ import annotations

import re
from collections.abc import Iterable

SMALLEST = 10
"""Fewest people in a number that may be shown to others."""

_OF_RECORDS = re.compile(r"\b([\d,]+) of ([\d,]+)(?= (?:original |protected )?(?:records|people|ones))")


def is_told(n_people: float, n_all: int) -> bool:
    """Whether a number of people may be told: all of them are enough, and it is none, all, or enough on either side.

    So of people of whom a number is told, or who are left when it is taken from all, there are 0, or at least
    `SMALLEST`.

    >>> [is_told(n, 100) for n in (0, 9, 10, 90, 91, 100)], is_told(3, 3)
    ([True, False, True, True, False, True], False)
    """
    return n_all >= SMALLEST and (n_people in {0, n_all} or SMALLEST <= n_people <= n_all - SMALLEST)


def share_of(n_people: float, n_all: int) -> str:
    """Return a share of people in words; one that only few make up, or lack, is told as a limit.

    >>> share_of(25, 100), share_of(3, 100), share_of(95, 100), share_of(1, 12)
    ('25.0%', 'below 10.0%', 'above 90.0%', 'a hidden share')
    """
    if is_told(n_people, n_all):
        return f"{n_people / n_all:.1%}"
    if n_all <= 2 * SMALLEST:
        return "a hidden share"
    if n_people < SMALLEST:
        return f"below {SMALLEST / n_all:.1%}"
    return f"above {(n_all - SMALLEST) / n_all:.1%}" if n_people > n_all - SMALLEST else f"{n_people / n_all:.1%}"


def without_few(text: str) -> str:
    """Return a sentence in which few records of all, or all but few, are not told apart.

    >>> without_few("3 of 60 records are there, 2 of 8 attributes; 57 of 60 people, 30 of 60 people")
    'fewer than 10 of 60 records are there, 2 of 8 attributes; nearly all of 60 people, 30 of 60 people'
    """

    def told(found: re.Match[str]) -> str:
        n_people, n_all = (int(number.replace(",", "")) for number in found.groups())
        if is_told(n_people, n_all) or n_people == n_all:
            return found[0]
        return f"fewer than {SMALLEST} of {found[2]}" if n_people < SMALLEST else f"nearly all of {found[2]}"

    return _OF_RECORDS.sub(told, text)


def tell_no_figures(sentences: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences that tell no number and quote nothing, except names: others may count few, or quote a cell.

    >>> tell_no_figures(["V1 is constant.", "1 record is odd.", "'x' lies among them."], ["V1"])
    ('V1 is constant.', 'Notes that tell figures or quote values are left out here: 2. The owner of the data has them.')
    """
    told, known = list(sentences), sorted(names, key=len, reverse=True)
    kept = [sentence for sentence in told if not _says_figures(sentence, known)]
    n_left_out = len(told) - len(kept)
    rest = f"Notes that tell figures or quote values are left out here: {n_left_out}. The owner of the data has them."
    return (*kept, *([rest] if n_left_out else []))


def _says_figures(sentence: str, names: Iterable[str]) -> bool:
    for name in names:
        sentence = sentence.replace(name, "")
    return re.search(r"""[\d"']""", sentence) is not None
