"""One-to-one linkage: every protected record is claimed once, at the least total distance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.rules import CHUNK, chunk_size
from linkrisk.distances.distance import Distance
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import for_chunks
from linkrisk.linkage.agreement import agreement_candidates
from linkrisk.linkage.candidate_kernels import search_candidates
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search import distances, with_metric
from linkrisk.linkage.ties import Ties

MAX_DENSE = 16_000_000
"""Pairs up to which all distances are kept at once (128 MB)."""

FIRST_CANDIDATES = 16
MAX_ROUNDS = 4
"""Lists start with so many candidates and are doubled, where they prove too short, at most so often."""


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

    def links(self, ties: Ties | str = Ties.UNIQUE) -> float:
        """Count correct links, by the same tie rules as `Linkage.links`, equal protected records being twins.

        Between assignments of equal total the one found counts.
        """
        if Ties(ties) is Ties.UNIQUE:
            return int((self.is_class & (self.copies == 1)).sum())
        if Ties(ties) is Ties.CLASS:
            return int(self.is_class.sum())
        return math.fsum((1.0 / self.copies[self.is_class]).tolist())


def assign(
    distance: Distance,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
    max_dense: int = MAX_DENSE,
) -> Assignment:
    """Assign original to protected records one to one, at the least total distance (linear sum assignment).

    Up to 4,000 records all distances are used. Beyond that each record gets a list of nearest candidates, which
    is lengthened for the records that do not find a partner on it; ``gap`` states how far the result may be from
    the best.

    *Guarantee* (docs/mathematics.md#assignment): ``bound`` is the optimum of a relaxation in which each record may also
    take an extra partner of its own, at the distance of its farthest candidate; no record off the list is nearer.

    Cost: N^3 at worst, for few thousand records seconds; memory 128 MB, or N times the length of the lists. Ties: where
    several assignments have the least total, one of them is returned. Missing values count as the distance says.
    Reference: Crouse (2016), https://doi.org/10.1109/TAES.2016.140952, as scipy implements it.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import mean_distance
    >>> files = pair_files(np.array([[1.0], [2.0], [4.0]]), np.array([[4.0], [2.0], [1.0]]))
    >>> assign(mean_distance(make_comparison(files))).partner.tolist()
    [2, 1, 0]
    """
    coordinates = distance.coordinates
    n_original, n_protected = len(coordinates.original), len(coordinates.protected)
    if n_original * n_protected <= max_dense:
        partner, total = _dense(distances(distance))
        bound = total
    elif n_original <= n_protected:
        partner, total, bound = _sparse(distance, threads, progress)
    else:
        claimed, total, bound = _sparse(distance.exchanged(), threads, progress)
        partner = np.full(n_original, -1, dtype=np.int64)
        partner[claimed] = np.arange(n_protected)
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
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  (slow to import, rarely needed)

    rows, columns = linear_sum_assignment(matrix)
    partner = np.full(matrix.shape[0], -1, dtype=np.int64)
    partner[rows] = columns
    return partner, math.fsum(matrix[rows, columns].tolist())


def _sparse(distance: Distance, threads: int | None, progress: Progress) -> tuple[IntArray, float, float]:
    """Assign every original record on candidate lists that grow where they are too short."""
    n_original, n_protected = len(distance.coordinates.original), len(distance.coordinates.protected)
    lists = _Candidates(distance, threads, progress)
    rows = np.arange(n_original)
    length = min(FIRST_CANDIDATES, n_protected)
    parts: list[_Part] = [(rows, *lists.find(rows, length))]
    lengths = np.full(n_original, length)
    for _ in range(MAX_ROUNDS):
        partner, bound = _relaxed(parts, lengths, n_protected)
        outside = np.flatnonzero(partner < 0)
        if outside.size == 0 or lengths[outside].min() == n_protected:
            break
        # A record that stays outside has too few candidates, and so have those that hold the places it would take.
        short = np.union1d(outside, _holders(parts, outside, partner, n_protected))
        short = short[lengths[short] < n_protected]
        length = min(2 * int(lengths[short].max()), n_protected)
        parts = [_without(part, short) for part in parts] + [(short, *lists.find(short, length))]
        lengths[short] = length
    return _completed(distance, partner, bound)


def _holders(parts: list[_Part], rows: IntArray, partner: IntArray, n_protected: int) -> IntArray:
    """Find the records that were assigned a candidate of the given ones."""
    holder = np.full(n_protected, -1, dtype=np.int64)
    inside = np.flatnonzero(partner >= 0)
    holder[partner[inside]] = inside
    wanted = np.concatenate([who[np.isin(part_rows, rows)].ravel() for part_rows, _, who in parts])
    return np.unique(holder[wanted][holder[wanted] >= 0])


_Part = tuple[IntArray, FloatArray, IntArray]


def _without(part: _Part, rows: IntArray) -> _Part:
    kept = ~np.isin(part[0], rows)
    return part[0][kept], part[1][kept], part[2][kept]


def _relaxed(parts: list[_Part], lengths: IntArray, n_protected: int) -> tuple[IntArray, float]:
    """Best assignment where a record may also stay outside, at the cost of the distance to its farthest candidate."""
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    n_rows = len(lengths)
    row_list = [np.repeat(rows, near.shape[1]) for rows, near, _ in parts]
    column_list = [who.ravel() for _, _, who in parts]
    value_list = [near.ravel() for _, near, _ in parts]
    for rows, near, _ in parts:
        outside = lengths[rows] < n_protected
        row_list.append(rows[outside])
        column_list.append(n_protected + rows[outside])
        value_list.append(near[outside, -1])
    values = np.concatenate(value_list)
    # The solver takes a stored zero for a missing edge; every record is matched once, so a constant is harmless.
    lift = 1.0 - min(0.0, float(values.min()))
    indices = np.concatenate(row_list), np.concatenate(column_list)
    graph = csr_array((values + lift, indices), shape=(n_rows, n_protected + n_rows))
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph)
    partner = np.full(n_rows, -1, dtype=np.int64)
    is_inside = matched_columns < n_protected
    partner[matched_rows[is_inside]] = matched_columns[is_inside]
    bound = math.fsum(np.asarray(graph[matched_rows, matched_columns]).ravel().tolist()) - lift * n_rows
    return partner, bound


def _completed(distance: Distance, partner: IntArray, bound: float) -> tuple[IntArray, float, float]:
    """Give the records left outside the partners that are left over, best first among themselves."""
    n_protected = len(distance.coordinates.protected)
    outside = np.flatnonzero(partner < 0)
    free = np.setdiff1d(np.arange(n_protected), partner)
    for start in range(0, len(outside), CHUNK):
        piece = outside[start : start + CHUNK]
        choice, _ = _dense(distances(distance, piece)[:, free])
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


class _Candidates:
    """The tree over all protected records, equal ones apart, asked for lists of nearest candidates."""

    def __init__(self, distance: Distance, threads: int | None, progress: Progress) -> None:
        self._distance = distance
        self._points = make_points(distance, is_merging=False)
        self._threads = threads
        self._progress = progress
        self._cloud = self._points.cloud
        if not distance.is_monotone:  # no bounds: one leaf with everybody
            everybody = np.array([[0, self._points.n_points]], dtype=np.int64)
            self._cloud = self._cloud._replace(ranges=everybody, children=np.array([-1], dtype=np.int64))

    def find(self, rows: IntArray, length: int) -> tuple[FloatArray, IntArray]:
        """Return distances and rows of the nearest protected records of some original ones, nearest first."""
        near = np.empty((len(rows), length))
        who = np.empty((len(rows), length), dtype=np.int64)

        def work(piece: slice) -> None:
            if isinstance(self._distance, AgreementDistance):
                agreement_candidates(self._distance, rows[piece], self._points.row_of, near[piece], who[piece])
                return
            queries, metric = with_metric(self._distance, rows[piece])
            search_candidates(metric, queries, self._cloud, near[piece], who[piece])

        size = chunk_size(self._distance.coordinates)
        for_chunks(work, len(rows), size, threads=self._threads, progress=self._progress)
        return near, self._points.row_of[who]
