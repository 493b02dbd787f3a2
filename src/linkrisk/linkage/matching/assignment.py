"""Linking by probabilities: the one-to-one assignment with the most expected links."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.linkage.matching.scores import PairScores

MAX_DENSE = 4_000_000
"""Pairs of records up to which the assignment is solved on a full matrix."""

STEP = 1e-4
"""Least rise of a price in the auction, as a share of the mean probability of the best candidates."""


@dataclass(frozen=True, eq=False, repr=False)
class BestAssignment:
    """An assignment and the links that it is expected to have.

    Parameters
    ----------
    partner
        Protected record of each original one, -1: none.
    pairs
        Places of the chosen pairs in the scores.
    expected
        Expected number of right links: the sum of the probabilities of the chosen pairs.
    bound
        No assignment has more expected links.
    """

    partner: IntArray
    pairs: IntArray
    expected: float
    bound: float

    def __repr__(self) -> str:
        return f"BestAssignment(expected={self.expected:.6g}, bound={self.bound:.6g})"


def assign_pairs(
    scores: PairScores, probability: FloatArray, *, seed: int = 0, max_dense: int = MAX_DENSE
) -> BestAssignment:
    """Choose pairs, each record at most once, with the greatest sum of probabilities.

    Up to 2,000 x 2,000 records the result is the best one. Beyond that pairs are auctioned: rows bid for columns,
    prices rise by at least a ten-thousandth of a usual probability.

    *Guarantee* (docs/mathematics.md#auction): no assignment has more expected links than ``bound``, which is the sum of
    all prices and of what each original record could still gain.

    Ties: between assignments with the same sum one is taken by an order of the records that comes from their
    probabilities, and where these are alike from random numbers with the given seed; never from their place in the
    files, which may tell who is who. Cost: N^3 at worst on full matrices, seconds; auction: usually a few bids per
    record. References: Crouse (2016), https://doi.org/10.1109/TAES.2016.140952; Bertsekas (1988),
    https://doi.org/10.1007/BF02186476.

    >>> scores = PairScores(np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(4), n_original=2)
    >>> best = assign_pairs(scores, np.array([0.1, 0.9, 0.9, 0.1]))
    >>> best.partner.tolist(), best.expected
    ([1, 0], 1.8)
    """
    places = np.flatnonzero(probability > 0.0)
    originals, protecteds = scores.original[places], scores.protected()[places]
    worth = probability[places]
    dice = np.random.default_rng(seed)
    row = _ranks(originals, worth, scores.n_original, dice)[originals]
    column = _ranks(protecteds, worth, scores.n_protected, dice)[protecteds]
    shape = scores.n_original, scores.n_protected
    if shape[0] * shape[1] <= max_dense:
        chosen, bound = _best(row, column, worth, shape)
    else:
        chosen, bound = _auctioned(row, column, worth, shape)
    partner = np.full(scores.n_original, -1, dtype=np.int64)
    partner[originals[chosen]] = protecteds[chosen]
    expected = math.fsum(worth[chosen].tolist())
    return BestAssignment(partner, places[chosen], expected, expected if bound is None else max(bound, expected))


def claim_pairs(scores: PairScores, probability: FloatArray, *, seed: int = 0) -> BestAssignment:
    """Choose the most likely protected record of each original one; several may claim the same.

    Ties: a random one, with the given seed. Cost: linear, and sorting the pairs that are most likely.

    >>> scores = PairScores(np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(4), n_original=2)
    >>> claim_pairs(scores, np.array([0.6, 0.7, 0.4, 0.3])).partner.tolist()
    [0, 0]
    """
    chance = np.random.default_rng(seed).random(len(probability))
    most = np.zeros(scores.n_original)
    np.maximum.at(most, scores.original, probability)
    best = np.flatnonzero((probability > 0.0) & (probability == most[scores.original]))
    order = best[np.lexsort((chance[best], scores.original[best]))]
    pairs = order[np.diff(scores.original[order], prepend=-1) > 0]
    partner = np.full(scores.n_original, -1, dtype=np.int64)
    partner[scores.original[pairs]] = scores.protected()[pairs]
    expected = math.fsum(probability[pairs].tolist())
    return BestAssignment(partner, pairs, expected, expected)


def _ranks(records: IntArray, worth: FloatArray, n_records: int, dice: np.random.Generator) -> IntArray:
    """Put records in the order of their probabilities, those that are alike in a random one."""
    squares = np.bincount(records, weights=worth * worth, minlength=n_records)
    order = np.lexsort((dice.random(n_records), np.round(squares, 9)))
    ranks = np.empty(n_records, dtype=np.int64)
    ranks[order] = np.arange(n_records)
    return ranks


def _best(row: IntArray, column: IntArray, worth: FloatArray, shape: tuple[int, int]) -> tuple[IntArray, None]:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  (slow to import)

    matrix, place = np.zeros(shape), np.full(shape, -1, dtype=np.int64)
    matrix[row, column] = worth
    place[row, column] = np.arange(len(worth))
    chosen = place[linear_sum_assignment(matrix, maximize=True)]
    return chosen[chosen >= 0], None


def auction(
    row: IntArray, column: IntArray, worth: FloatArray, shape: tuple[int, int], step: float
) -> tuple[IntArray, FloatArray]:
    """Let rows bid for columns; return the places of the pairs made, and the prices.

    No row can gain more than ``step`` by another column, or by none, at these prices.
    """
    from linkrisk.linkage.matching.assignment_kernels import bid  # noqa: PLC0415

    order = np.lexsort((column, row))
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))]).astype(np.int64)
    price, chosen = np.zeros(shape[1]), np.empty(shape[0], dtype=np.int64)
    bid(start, column[order], worth[order], step, price, chosen)
    return order[chosen[chosen >= 0]], price


def _auctioned(row: IntArray, column: IntArray, worth: FloatArray, shape: tuple[int, int]) -> tuple[IntArray, float]:
    chosen, price = auction(row, column, worth, shape, STEP * _usual(row, worth, shape[0]))
    gain = np.zeros(shape[0])
    np.maximum.at(gain, row, worth - price[column])
    return chosen, math.fsum(price.tolist()) + math.fsum(gain.tolist())


def _usual(row: IntArray, worth: FloatArray, n_rows: int) -> float:
    """Mean over rows of the greatest probability."""
    best = np.zeros(n_rows)
    np.maximum.at(best, row, worth)
    return float(best.mean()) if n_rows else 0.0
