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

UNCLEAR = 0.01
"""Share of the possible pairs up to which equal values at the end of a window do not matter."""

MAX_VALUES = 1_000
"""Different values up to which it is told how much of two ranges of ranks is within a window: a table is kept."""


def add_rank_swap_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Say which pairs are within the window of every attribute and, for the classic form, who must be who besides.

    The released column holds the values of the original one, so ranks are those in the released file, whoever is known.
    Equal values share a range of ranks, in a secret order: of permuted ones a pair is the likelier, the more of the two
    ranges is within the window. If i is j and values changed places in pairs, then the person who had j's value is the
    record that has i's: where both are single, that pair must be possible too, and so on.
    """
    for name in treatment.attributes:
        x, y = known.numbers(name)
        window = window_of(treatment, name, y)
        x_low, x_high = ranks_among(x, y)
        y_low, y_high = ranks_among(y, y)
        terms.add_interval(x_low, x_high, y_low - window, y_high + window)
        if (treatment.parameters.get("variant") or PAIRS) == PAIRS:
            terms.add_swap(*partners(x, y))
        else:
            _add_shares(x, y, window, terms)


def window_of(treatment: Treatment, name: str, released: FloatArray) -> int:
    """Return how many ranks a value may move."""
    return math.floor(float(treatment.value("p", name)) * int((~np.isnan(released)).sum()) / 100.0)


def has_clear_windows(treatment: Treatment, known: Known) -> bool:
    """Whether windows end among equal values of an attribute nowhere, or hardly anywhere (`UNCLEAR`)."""
    return all(_unclear_share(treatment, name, known) <= UNCLEAR for name in treatment.attributes)


def _unclear_share(treatment: Treatment, name: str, known: Known) -> float:
    """Return the share of the possible pairs of values of which some ranks are within the window, and some are not.

    Where it is 0 all that the windows allow is equally likely. Otherwise it is not, and no product over pairs says how
    likely it is: of 0, 0, 0, 1, 1, 1 and a window of one rank, 69 % of the draws change nothing, and at most one 0 and
    one 1 change places.
    """
    released = known.numbers(name)[1]
    values, counts = np.unique(released[~np.isnan(released)], return_counts=True)
    if (counts == 1).all():
        return 0.0
    if len(values) > MAX_VALUES:
        return 1.0
    shares = window_shares(*ranks_among(values, released), window_of(treatment, name, released))
    pairs = np.outer(counts, counts)
    return float(pairs[(shares > 0.0) & (shares < 1.0)].sum() / pairs[shares > 0.0].sum())


def _add_shares(x: FloatArray, y: FloatArray, window: int, terms: TermList) -> None:
    """Add -log of the chance to get a value, where values are equal: one of the ranks within the window has it."""
    values = np.unique(np.concatenate([x[~np.isnan(x)], y[~np.isnan(y)]]))
    low, high = ranks_among(values, y)
    if len(values) > MAX_VALUES or not (high > low).any():
        return
    chances = window_shares(low, high, window) * (high - low + 1.0)
    with np.errstate(divide="ignore"):
        costs = -np.log(chances / chances.sum(axis=1, keepdims=True))
    codes = [np.where(np.isnan(side), -1, np.searchsorted(values, side)) for side in (x, y)]
    terms.add_table(codes[0], codes[1], costs)


def window_shares(low: FloatArray, high: FloatArray, window: int) -> FloatArray:
    """Return for any two ranges of ranks how often one of the first and one of the second are at most a window apart.

    >>> window_shares(np.array([0.0, 3.0]), np.array([2.0, 5.0]), 1).round(3).tolist()
    [[0.778, 0.111], [0.111, 0.778]]
    """
    size = high - low + 1.0

    def at_most(distance: float) -> FloatArray:
        """Count pairs in which the second rank is at most so much above the first."""
        last, first = (end[:, None] + distance - low[None, :] for end in (high + 1.0, low))
        return _sum_of_clipped(last, size) - _sum_of_clipped(first, size)

    within = at_most(window) - at_most(-window - 1.0)
    return np.asarray(within / (size[:, None] * size[None, :]))


def _sum_of_clipped(most: FloatArray, size: FloatArray) -> FloatArray:
    """Return the sum of min(k, size) over k = 1, ..., most; 0 where there is none."""
    inside = np.clip(most, 0.0, size)
    return np.asarray(inside * (inside + 1.0) / 2.0 + size * (np.maximum(most, size) - size))


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
