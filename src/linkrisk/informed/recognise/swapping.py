"""Rank swapping: the released column holds the same values, each with another person."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.informed.methods.rank_swap import ranks_among
from linkrisk.informed.recognise.true_pairs import TruePairs
from linkrisk.informed.terms import significant

PAIRS, PERMUTATION = "pairs", "permutation"
"""The variants: two values change places with each other, or many do in a circle."""


def is_swapped(pairs: TruePairs, name: str) -> bool:
    """Whether the released column holds the values of the originals.

    Where everybody is known, both columns must hold the same values equally often. Otherwise nobody known may have a
    value that is rarer in the release than among those known who are in it. Missing values take no part.
    """
    x, y = (np.sort(significant(side)) for side in pairs.numbers(name))
    if x.size < 2:
        return False
    if pairs.is_whole:
        return bool((x == y).all())
    return _is_part(x, significant(pairs.released(name)))


def largest_move(pairs: TruePairs, name: str) -> int:
    """Return how many ranks of the release a value moved at most; of ranges that equal values share, the nearest count.

    The window of the method was no smaller: equal values may hide longer moves.
    """
    x, y = pairs.numbers(name)
    released = pairs.released(name)
    x_low, x_high = ranks_among(x, released)
    y_low, y_high = ranks_among(y, released)
    return int(np.maximum(np.maximum(x_low - y_high, y_low - x_high), 0.0).max(initial=0.0))


def swap_percentage(pairs: TruePairs, name: str) -> float | None:
    """Return the p with fewest decimals whose window, floor(p n / 100), is the largest move; None without a pair."""
    n_values = int((~np.isnan(pairs.columns(name)[1])).sum())
    if pairs.numbers(name)[0].size == 0:
        return None
    return percentage_of_window(largest_move(pairs, name), n_values)


def percentage_of_window(window: int, n_values: int) -> float:
    """Return the p with fewest decimals for which floor(p n / 100) is a given window.

    >>> percentage_of_window(216, 1080), percentage_of_window(215, 1080)
    (20.0, 19.91)
    """
    exact = 100.0 * window / n_values
    for decimals in range(17):
        p = math.ceil(exact * 10**decimals - 1e-9) / 10**decimals
        if math.floor(p * n_values / 100.0) == window:
            return float(p)
    return 100.0 * (window + 0.5) / n_values


def swap_variant(pairs: TruePairs, name: str) -> str:
    """Return whether values changed places in pairs, or otherwise.

    Where everybody is known they did so just if as many people with value a got b as people with b got a, for all a and
    b. Otherwise values that are single are looked at: if i got the value of a known person, that one must have got the
    value of i; pairs of which only one side is known say nothing. Where a value is missing on one side only, or not
    written with all its digits, partners cannot be followed: that is no variant in pairs.
    """
    x, y = pairs.numbers(name)
    if pairs.has_holes(name) or not _is_part(x, pairs.released(name)):
        return PERMUTATION
    if pairs.is_whole:
        values, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
        a, b = codes[: x.size].astype(np.int64), codes[x.size :].astype(np.int64)
        is_mutual = bool((np.sort(a * values.size + b) == np.sort(b * values.size + a)).all())
    else:
        is_mutual = _is_mutual_where_single(x, y, pairs.released(name))
    return PAIRS if is_mutual else PERMUTATION


def _is_part(values: FloatArray, column: FloatArray) -> bool:
    """Whether a column holds each value at least as often."""
    ordered = np.sort(column)
    distinct, counts = np.unique(values, return_counts=True)
    there = np.searchsorted(ordered, distinct, side="right") - np.searchsorted(ordered, distinct, side="left")
    return bool((counts <= there).all())


def _is_mutual_where_single(x: FloatArray, y: FloatArray, released: FloatArray) -> bool:
    values, counts = np.unique(released, return_counts=True)
    single = values[counts == 1]
    is_single = np.isin(x, single) & np.isin(y, single)
    if not is_single.any():
        return True
    order = np.argsort(x, kind="stable")
    giver = order[np.minimum(np.searchsorted(x[order], y), x.size - 1)]
    is_known = is_single & (x[giver] == y)
    return bool((y[giver] == x)[is_known].all())
