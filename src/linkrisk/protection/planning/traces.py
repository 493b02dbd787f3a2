"""What no method takes away, and a release should be told with: the order of the records, and where values are missing.

The records of a protected file are in the order of the original, and missing values stay missing. Whoever has the
original in the same order needs no other attack; who has not learns something where the order is that of an attribute.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.protection.values.columns import Name, list_names

_CHANCE = 1e-6
"""An order that a random one is less probable than this to be is no chance."""


def is_in_order(values: FloatArray) -> bool:
    """Whether numbers rise, or fall, all along a file, and not by chance; NaN is passed over.

    Of n numbers with c equal ones of each kind, a random order rises or falls with probability 2 (c! c! ...) / n!.

    >>> is_in_order(np.array([1, 2, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144.0])), is_in_order(np.array([1, 2, 3.0]))
    (True, False)
    """
    known = values[~np.isnan(values)]
    before, after = known[:-1], known[1:]  # compared, not subtracted: a difference may overflow
    if not ((before <= after).all() or (before >= after).all()):
        return False
    return _is_no_chance(math.log(2.0), _runs(known)[1])


def is_in_groups(cells: NDArray[Any]) -> bool:
    """Whether equal categories stand together all along a file, and not by chance; none may be missing.

    Of n values in d categories with c in each, a random order has d runs with probability d! (c! c! ...) / n!.

    >>> cells = np.repeat(np.array(["b", "a"], dtype=object), 15)
    >>> is_in_groups(cells), is_in_groups(np.concatenate([cells, cells])), is_in_groups(np.unique(cells))
    (True, False, False)
    """
    starts, lengths = _runs(cells)
    if len(set(cells[starts])) < len(starts):
        return False
    return _is_no_chance(math.lgamma(len(starts) + 1.0), lengths)


def _runs(cells: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return where runs of equal cells start, and their lengths."""
    if cells.size == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.concatenate([[0], 1 + np.flatnonzero(cells[1:] != cells[:-1])])
    return starts, np.diff(np.append(starts, cells.size))


def _is_no_chance(log_orders: float, counts: IntArray) -> bool:
    log_probability = log_orders + math.fsum(map(math.lgamma, counts + 1.0)) - math.lgamma(float(counts.sum()) + 1.0)
    return log_probability < math.log(_CHANCE)


def order_notes(ordered: Iterable[Name]) -> list[str]:
    """Return a sentence about protected columns that the file is in the order of."""
    names = list_names(ordered)
    if not names:
        return []
    told = f"the records are in the order of {names}, which tells what the method is to hide"
    return [f"{told}; put them into a random order before you protect and release them."]


def missing_notes(is_missing: BoolArray) -> list[str]:
    """Return a sentence about records that no other equals in where values are missing; one row per record.

    >>> missing_notes(np.array([[False, False], [False, True], [False, False]]))[0][:51]
    '1 record has a pattern of missing values of its own'
    """
    if not is_missing.any():
        return []
    n_alone = int((np.bincount(_numbered(is_missing)) == 1).sum())
    if n_alone == 0:
        return []
    have = "1 record has" if n_alone == 1 else f"{n_alone:,} records have each"
    return [f"{have} a pattern of missing values of its own, and it stays: whoever knows the pattern finds the record."]


def _numbered(rows: BoolArray) -> IntArray:
    """Return a number for each row, the same for equal rows; 64 columns at a time, as whole numbers."""
    width = -(-rows.shape[1] // 64) * 64
    padded = np.zeros((len(rows), width), dtype=bool)
    padded[:, : rows.shape[1]] = rows
    numbers = np.zeros(len(rows), dtype=np.int64)
    for word in np.packbits(padded, axis=1).view(np.uint64).T:
        places = np.unique(word, return_inverse=True)[1]
        numbers = np.unique(numbers * (places.max() + 1) + places, return_inverse=True)[1]
    return numbers
