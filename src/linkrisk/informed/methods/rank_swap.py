"""Rank swapping: a released value is at most w ranks away, and in the classic form values change places in pairs."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList, significant

PAIRS, PERMUTATION = "pairs", "permutation"
"""The variant in which values change places in pairs, and the one in which they are permuted within windows."""


def add_rank_swap_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Say which pairs are within the window of every attribute and, for the classic form, who must be who besides.

    The released column holds the values of the original one, so ranks are those in the released file, whoever is known.
    Equal values share a range of ranks. If i is j and values changed places in pairs, then the person who had j's value
    is the record that has i's: where both are single, that pair must be possible too, and so on.
    """
    for name in treatment.attributes:
        x, y = known.numbers(name)
        window = math.floor(float(treatment.value("p", name)) * int((~np.isnan(y)).sum()) / 100.0)
        x_low, x_high = ranks_among(x, y)
        y_low, y_high = ranks_among(y, y)
        terms.add_interval(x_low, x_high, y_low - window, y_high + window)
        if (treatment.parameters.get("variant") or PAIRS) == PAIRS:
            terms.add_swap(*partners(x, y))


def ranks_among(values: FloatArray, column: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest rank of each value among those of a column; everything if it is missing.

    >>> [part.tolist() for part in ranks_among(np.array([2.0, 5.0]), np.array([1.0, 2.0, 2.0, 9.0]))]
    [[1.0, 3.0], [2.0, 3.0]]
    """
    ordered = np.sort(column[~np.isnan(column)])
    low = np.searchsorted(ordered, values, side="left").astype(np.float64)
    high = np.maximum(low, np.searchsorted(ordered, values, side="right") - 1.0)
    is_missing = np.isnan(values)
    return np.where(is_missing, -np.inf, low), np.where(is_missing, np.inf, high)


def partners(x: FloatArray, y: FloatArray) -> tuple[IntArray, IntArray]:
    """Return who has the value of each original record, and who had that of each released one, as `TermList` wants."""
    x, y = significant(x), significant(y)
    return _holders(x, y, absent=-1), _holders(y, x, single=y, absent=-1)


def _holders(values: FloatArray, column: FloatArray, *, absent: int, single: FloatArray | None = None) -> IntArray:
    """Return for each value the row of the column that holds it: ``absent`` if none does, -2 if it is not single."""
    single = column if single is None else single
    known = np.flatnonzero(~np.isnan(column))
    order = known[np.argsort(column[known], kind="stable")]
    ordered = np.append(column[order], np.inf)
    place = np.searchsorted(ordered, values, side="right") - 1  # of equal ones the last, as of several who hold a value
    is_held = (place >= 0) & (ordered[place] == values)
    ordered_single = np.sort(single[~np.isnan(single)])
    counts = np.searchsorted(ordered_single, values, side="right") - np.searchsorted(ordered_single, values)
    held = np.where(counts == 1, np.append(order, -1)[place], -2)
    return np.where(np.isnan(values), -2, np.where(is_held, held, absent)).astype(np.int64)
