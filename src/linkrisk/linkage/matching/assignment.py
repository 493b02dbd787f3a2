"""Linking by probabilities: the one-to-one assignment with the most expected links."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.scipy_parts import linear_sum_assignment
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.tree_kernels import order_by_point

MAX_DENSE = 4_000_000
"""Pairs of records up to which the assignment is solved on a full matrix."""


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

    Up to 2,000 x 2,000 records the assignment is solved on a full matrix, beyond that on the pairs listed, by shortest
    augmenting paths. Either way the result is the best one, up to rounding.

    *Guarantee* (docs/mathematics.md#auction): no assignment has more expected links than ``bound``, which is the sum of
    all prices and of what each original record could still gain.

    Ties: between assignments with the same sum one is taken by an order of the records that comes from their
    probabilities, and where these are alike from random numbers with the given seed; never from their place in the
    files, which may tell who is who. Cost: N^3 at worst on full matrices, seconds; on lists at most the pairs for each
    record that must wait, usually much less. References: Crouse (2016), https://doi.org/10.1109/TAES.2016.140952;
    Jonker and Volgenant (1987), https://doi.org/10.1007/BF02278710.

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
        chosen, bound = _bounded(row, column, worth, shape)
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
    matrix, place = np.zeros(shape), np.full(shape, -1, dtype=np.int64)
    matrix[row, column] = worth
    place[row, column] = np.arange(len(worth))
    chosen = place[linear_sum_assignment()(matrix, maximize=True)]
    return chosen[chosen >= 0], None


class Assigned(NamedTuple):
    """Place of each row's pair in the lists, -1 where it has none, and prices of the columns."""

    chosen: IntArray
    price: FloatArray


@dataclass(frozen=True, eq=False)
class PairLists:
    """Pairs put in order by row, then by column: ``column[start[r] : start[r + 1]]`` are the columns of row r.

    ``order`` are the places where the pairs were before.
    """

    order: IntArray
    start: IntArray
    column: IntArray
    n_columns: int

    @classmethod
    def of(cls, row: IntArray, column: IntArray, shape: tuple[int, int]) -> PairLists:
        """Put pairs in order; linear time."""
        by_column = order_by_point(column, shape[1])
        order = by_column[order_by_point(row[by_column], shape[0])]
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))]).astype(np.int64)
        return cls(order, start, column[order], shape[1])

    @overload
    def assign(self, worth: FloatArray, known: Assigned | None = ..., most_paths: None = ...) -> Assigned: ...

    @overload
    def assign(self, worth: FloatArray, known: Assigned | None, most_paths: int) -> Assigned | None: ...

    def assign(
        self, worth: FloatArray, known: Assigned | None = None, most_paths: int | None = None
    ) -> Assigned | None:
        """Assign rows to columns, some to none, with the greatest sum of worths, given as pairs were before.

        At these prices no row can gain by another column, or by none, up to rounding; who has no column costs nothing.
        ``known`` is what was assigned when all worths of a row were less by as much: it is a start. None where paths
        would have to be looked for from more than ``most_paths`` rows.
        """
        from linkrisk.linkage.matching import assignment_kernels  # noqa: PLC0415

        chosen = np.full(len(self.start) - 1, -1, dtype=np.int64) if known is None else known.chosen.copy()
        price = np.zeros(self.n_columns) if known is None else known.price.copy()
        most_paths = len(chosen) if most_paths is None else most_paths
        lists = self.start, self.column, worth[self.order]
        is_done = assignment_kernels.assign_listed(*lists, most_paths, price, chosen)
        return Assigned(chosen, price) if is_done else None

    def places(self, assigned: Assigned) -> IntArray:
        """Return where the pairs assigned were before."""
        return self.order[assigned.chosen[assigned.chosen >= 0]]


def assign_listed(
    row: IntArray, column: IntArray, worth: FloatArray, shape: tuple[int, int]
) -> tuple[IntArray, FloatArray]:
    """Assign rows to columns as `PairLists.assign` does; return places of the pairs, and prices."""
    lists = PairLists.of(row, column, shape)
    assigned = lists.assign(worth)
    return lists.places(assigned), assigned.price


def _bounded(row: IntArray, column: IntArray, worth: FloatArray, shape: tuple[int, int]) -> tuple[IntArray, float]:
    chosen, price = assign_listed(row, column, worth, shape)
    gain = np.zeros(shape[0])
    np.maximum.at(gain, row, worth - price[column])
    return chosen, math.fsum(price.tolist()) + math.fsum(gain.tolist())
