"""One-to-one linkage: every protected record is claimed once, at the least total distance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.distance import Distance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.scipy_parts import linear_sum_assignment
from linkrisk.linkage.candidates import MAX_LISTED, NearPairs, Shuffled, near_pairs, shuffled
from linkrisk.linkage.linkage import shared_chances
from linkrisk.linkage.matching.assignment import Assigned, PairLists
from linkrisk.linkage.matching.auction import assign_full, assign_or_leave
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search import distances
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

OUTSIDE = 16.0
"""Who gets none of his candidates loses so many times what lies between his nearest and farthest one."""

MAX_COMPARED, ROWS = 4_000_000, 256
"""Pairs up to which all are compared with the prices, and original records that are at a time."""

MAX_LEFT = 12_500_000
"""Pairs of records left over that are assigned at once (100 MB)."""

MAX_PATHS = 200
"""Records that wait up to which paths through the lists take less time than an auction."""

STEP, LEAST_SHARE = 0.005, 1e-4
"""Last step of an auction: this share of how much farther the second candidate usually is, and of the mean distance of
nearest ones at most. Ten times coarser steps lose one link in 200."""

MOSTLY_TIED = 0.875
"""Share of records with two nearest candidates above which there is no auction: among equals paths are short."""

NEGLIGIBLE = 2.0**20
"""Candidates farther than the nearest by so many of these differences are none: keys tell them apart."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """A one-to-one linkage.

    ``partner[i]`` is the protected row assigned to original record i, or -1 when there are more original
    records than protected ones. ``total`` is the sum of distances; no assignment has less than ``bound``.
    ``copies[i]`` counts the protected records equal to i's own on every attribute used (itself included, 0
    without counterpart); ``is_class[i]`` tells whether i was given one of them.
    """

    partner: IntArray
    own: IntArray
    total: float
    bound: float
    copies: IntArray
    is_class: NDArray[np.bool_]

    @property
    def gap(self) -> float:
        """How far the total may be above the least one, relative to the total."""
        excess = self.total - self.bound
        return 0.0 if excess <= 0.0 else excess / max(abs(self.total), math.ulp(1.0))

    def links(self, ties: Ties | str = DEFAULT_TIES) -> float:
        """Count correct links, by the same tie rules as `Linkage.links`, equal protected records being twins.

        Between assignments of equal total the one found counts.
        """
        if Ties(ties) is Ties.UNIQUE:
            return int((self.is_class & (self.copies == 1)).sum())
        if Ties(ties) is Ties.CLASS:
            return int(self.is_class.sum())
        return math.fsum((1.0 / self.copies[self.is_class]).tolist())

    def chances(self, ties: Ties | str = DEFAULT_TIES) -> FloatArray:
        """Return how likely each record is linked rightly; they add up to `links`."""
        is_linked = self.is_class & (self.copies == 1) if Ties(ties) is Ties.UNIQUE else self.is_class
        return shared_chances(is_linked, np.maximum(self.copies, 1) - 1, ties)


def assign(
    distance: Distance,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
    max_dense: int = MAX_LISTED,
    max_compared: int = MAX_COMPARED,
) -> Assignment:
    """Assign original to protected records one to one, at the least total distance (linear sum assignment).

    Up to 500 records against 500 the assignment is the best one. Beyond that each record of either file lists its
    nearest candidates, and the best assignment of these is taken (`PairLists.assign`); beyond 2,000 records, where many
    compete, one that is nearly as good (`assign_or_leave`). Who gets none is given what is left over, nearly the best
    way (`assign_full`). ``gap`` states how far the result may be from the best of all pairs: by prices held against all
    pairs up to 2,000 records, against those listed beyond.

    *Guarantee* (docs/mathematics.md#assignment): no assignment has a total below ``bound``, which follows from prices
    of the protected records and from how far away candidates are that are not listed.

    Ties: where several assignments have the least total, one of them is taken by an order of the records that is made
    of values and random numbers with the given seed, never by their place in the files, which may tell who is who.
    Cost: N^3 at worst on full matrices, milliseconds; beyond that the lists, and for each record that must wait a path
    through them, or where many wait a hundred bids for each: 0.1 to 0.5 seconds for 5,000 records. Missing values count
    as the distance says. References: Crouse (2016), https://doi.org/10.1109/TAES.2016.140952; Jonker and Volgenant
    (1987), https://doi.org/10.1007/BF02278710; Bertsekas (1988), https://doi.org/10.1007/BF02186476.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import mean_distance
    >>> files = pair_files(np.array([[1.0], [2.0], [4.0]]), np.array([[4.0], [2.0], [1.0]]))
    >>> assign(mean_distance(make_comparison(files))).partner.tolist()
    [2, 1, 0]
    """
    known = shuffled(distance, seed)
    pairs = near_pairs(known.distance, max_listed=max_dense, threads=threads, progress=progress)
    return assign_near(distance, known, pairs, max_dense=max_dense, max_compared=max_compared)


def assign_near(
    distance: Distance,
    known: Shuffled,
    pairs: NearPairs,
    *,
    max_dense: int = MAX_LISTED,
    max_compared: int = MAX_COMPARED,
) -> Assignment:
    """Assign one to one, as `assign` does, from pairs that are known to be near."""
    n_original, n_protected = pairs.shape
    if n_original * n_protected <= max_dense:
        found, total = _dense(distances(known.distance))
        bound = total
    elif n_original <= n_protected:
        found, total, bound = _listed_best(known.distance, pairs, max_compared)
    else:
        claimed, total, bound = _listed_best(known.distance.exchanged(), pairs.exchanged(), max_compared)
        found = np.full(n_original, -1, dtype=np.int64)
        found[claimed] = np.arange(n_protected)
    partner = np.full(n_original, -1, dtype=np.int64)
    partner[known.original] = np.where(found >= 0, known.protected[found], -1)
    return _counted(distance, partner, total, bound)


def _counted(distance: Distance, partner: IntArray, total: float, bound: float) -> Assignment:
    own = distance.coordinates.own
    points = make_points(distance)
    has_own = own >= 0
    own_point = np.where(has_own, points.point_of[own], -1)
    partner_point = np.where(partner >= 0, points.point_of[partner], -2)
    copies = np.where(has_own, points.cloud.weights[own_point], 0)
    return Assignment(partner, own, total, bound, copies, own_point == partner_point)


def _dense(matrix: FloatArray) -> tuple[IntArray, float]:
    rows, columns = linear_sum_assignment()(matrix)
    partner = np.full(matrix.shape[0], -1, dtype=np.int64)
    partner[rows] = columns
    return partner, math.fsum(matrix[rows, columns].tolist())


def _listed_best(distance: Distance, pairs: NearPairs, max_compared: int) -> tuple[IntArray, float, float]:
    """Assign every original record, nearly the best way among the pairs listed; return partners, total and bound."""
    first, usual, tied = _nearest_two(pairs)
    limit = first + NEGLIGIBLE * usual
    kept = pairs.distance <= limit[pairs.original]
    row, column, far = pairs.original[kept], pairs.protected[kept], pairs.distance[kept]
    farthest = first.copy()
    np.maximum.at(farthest, row, far)
    least = np.minimum(pairs.reach[0], limit)
    outside = np.maximum(first + OUTSIDE * (farthest - first) + usual, least)
    lists = PairLists.of(row, column, pairs.shape)
    if pairs.shape[0] * pairs.shape[1] <= max_compared:
        assigned = lists.assign(outside[row] - far)
        chosen, price = lists.places(assigned), assigned.price
        least = _least(distance, price)
    else:
        bounding = lists.assign(least[row] - far)
        step = 0.0 if tied > MOSTLY_TIED else min(STEP * usual, LEAST_SHARE * abs(float(first.mean())) or math.inf)
        chosen, price = _chosen(lists, row, column, far, outside, bounding, step), bounding.price
        np.minimum.at(least, row, far + price[column])
    partner = np.full(pairs.shape[0], -1, dtype=np.int64)
    partner[row[chosen]] = column[chosen]
    bound = math.fsum(least.tolist()) - math.fsum(price.tolist())
    return _completed(distance, partner, max(bound, math.fsum(first.tolist())))  # nobody is nearer than the nearest


def _chosen(
    lists: PairLists,
    row: IntArray,
    column: IntArray,
    far: FloatArray,
    outside: FloatArray,
    known: Assigned,
    step: float,
) -> IntArray:
    """Choose pairs, by paths from what is known where few rows wait, otherwise by an auction (not with a step of 0)."""
    worth = outside[row] - far
    assigned = lists.assign(worth, known, MAX_PATHS)
    if assigned is None:
        chosen = assign_or_leave(row, column, far, outside, (len(outside), lists.n_columns), step)
        if chosen is not None:
            return chosen
        assigned = lists.assign(worth, known)
    return lists.places(assigned)


def _least(distance: Distance, price: FloatArray) -> FloatArray:
    """Return the least sum of distance and price over all protected records, for each original one."""
    n_original = len(distance.coordinates.original)
    pieces = (np.arange(start, min(start + ROWS, n_original)) for start in range(0, n_original, ROWS))
    return np.concatenate([(distances(distance, rows) + price).min(axis=1) for rows in pieces])


def _nearest_two(pairs: NearPairs) -> tuple[FloatArray, float, float]:
    """Return how far each original record's nearest candidate is, how much farther the second usually is, and ties.

    The last is the share of records whose second candidate is as near as the first.
    """
    from linkrisk.linkage.matching.assignment_kernels import nearest_two  # noqa: PLC0415

    first, second = np.empty(pairs.shape[0]), np.empty(pairs.shape[0])
    nearest_two(pairs.original, pairs.distance, first, second)
    has_two = np.isfinite(second)
    apart = second[has_two] - first[has_two]
    tied = float((apart == 0.0).mean()) if len(apart) else 0.0
    apart = apart[apart > 0.0]
    return np.where(np.isfinite(first), first, 0.0), float(np.median(apart)) if len(apart) else 1.0, tied


def _completed(distance: Distance, partner: IntArray, bound: float) -> tuple[IntArray, float, float]:
    """Give the records left outside the partners that are left over, nearly the best way (`assign_full`)."""
    n_protected = len(distance.coordinates.protected)
    outside = np.flatnonzero(partner < 0)
    free = np.setdiff1d(np.arange(n_protected), partner)
    while len(outside):
        size = max(1, MAX_LEFT // len(free))
        piece, outside = outside[:size], outside[size:]
        choice = assign_full(distances(distance.with_candidates(free), piece))
        partner[piece] = free[choice]
        free = np.delete(free, choice)
    total = math.fsum(_pair_distances(distance, partner).tolist())
    return partner, total, min(bound, total)


def _pair_distances(distance: Distance, partner: IntArray) -> FloatArray:
    result = np.empty(len(partner))
    step = max(1, min(256, (1 << 24) // max(len(distance.coordinates.protected), 1)))
    for start in range(0, len(partner), step):
        rows = np.arange(start, min(start + step, len(partner)))
        some = partner[rows]
        result[rows] = distances(distance.with_candidates(some), rows).diagonal()
    return result
