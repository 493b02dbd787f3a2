"""Exact nearest records for any attacker: through a tree or a sieve where they prune, otherwise against everybody."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.rules import CHUNK, attribute_rules, chunk_size, rules_for
from linkrisk.differences.twins import TOLERANCE
from linkrisk.distances.distance import Distance
from linkrisk.distances.kernels import Metric
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import SHORT, for_chunks
from linkrisk.errors import ParameterError
from linkrisk.linkage.agreement import agreement_distances, search_agreement
from linkrisk.linkage.distance_kernels import BLOCK, measure_all
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.points import Points, make_points
from linkrisk.linkage.search_kernels import (
    BEATEN,
    DOUBT,
    FIRST,
    LOOKED,
    NEARER,
    NEAREST,
    OWN,
    SECOND,
    TIED,
    TWINS,
    Found,
    TwinTest,
    search_all,
    search_tree,
)
from linkrisk.linkage.sieve import Sifter, make_sifter
from linkrisk.linkage.sieve_kernels import search_sieve
from linkrisk.linkage.tree_kernels import order_by_point

N_STATES, N_COUNTS = DOUBT + 1, LOOKED + 1
"""Columns of states and counts the search keeps for each record."""

TILE = 4 * BLOCK
"""Points compared with a chunk of records before the next ones are fetched."""

PILOT = 64
"""Records tried first, to see whether the tree prunes."""

PRUNES = 0.5
"""Share of the points a record may look at before comparing it with all of them is faster."""


def nearest(
    distance: Distance,
    *,
    is_ranking: bool = False,
    threads: int | None = None,
    progress: Progress = no_progress,
    method: str = "auto",
) -> Linkage:
    """Find for every original record the nearest protected records, exactly.

    ``method`` is ``"tree"``, ``"sieve"`` (sums of weighted differences only), ``"all"`` (every pair) or ``"auto"``:
    the sieve where it can be used and not all attributes are numbers without holes; otherwise the tree, unless a first
    look at some records shows that it does not prune. All give the same result. ``is_ranking`` also counts how many
    others are nearer than a record's own, which takes longer.

    Ties: two distances within a relative 2^-40 are equal. Cost: about N log N where the tree prunes (10^5 records of 7
    attributes in under a second) and N^2 where it does not; N^2 / 100 with the sieve, which compares a record with
    blocks of others first (10^5 records of 8 categories in a second). Memory grows with N. Missing values count as the
    distance says.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import mean_distance
    >>> files = pair_files(np.array([[1.0], [2.0], [4.0]]), np.array([[4.0], [2.0], [1.0]]))
    >>> nearest(mean_distance(make_comparison(files))).links()
    1.0
    """
    interrupt.check()
    search = _prepared(distance, is_ranking, method)

    def work(piece: slice) -> None:
        search.run(search.order[piece])

    is_short = len(search.order) * search.points.n_points <= SHORT
    for_chunks(work, len(search.order), search.chunk, threads=threads, progress=progress, is_short=is_short)
    return search.linkage()


class Apart(NamedTuple):
    """Who else is near some original records, sets of equal protected records taken for one.

    ``following`` is the distance to the nearest record with other values than the nearest one (inf: there is none);
    ``twins`` and ``strangers`` count those that are as near, twins of it or not.
    """

    following: FloatArray
    twins: IntArray
    strangers: IntArray


def search_apart(distance: Distance, rows: IntArray, first: IntArray, *, threads: int | None = None) -> Apart:
    """Search again for some original records ``rows``, of which the nearest protected records ``first`` are known.

    Ties, missing values and cost are those of `nearest`.
    """
    interrupt.check()
    search = _prepared(distance, is_ranking=False)
    own = np.full(len(search.own), -1, dtype=np.int64)
    own[rows] = search.points.point_of[first]
    cloud = search.points.cloud._replace(weights=np.ones(search.points.n_points, dtype=np.int64))
    search = replace(search, own=own, points=replace(search.points, cloud=cloud))

    def work(piece: slice) -> None:
        search.run(rows[piece])

    is_short = len(rows) * search.points.n_points <= SHORT
    for_chunks(work, len(rows), search.chunk, threads=threads, is_short=is_short)
    states, counts = search.states[rows], search.counts[rows]
    return Apart(states[:, FIRST], counts[:, TWINS], counts[:, NEARER] + counts[:, TIED] - counts[:, TWINS])


def distances(distance: Distance, rows: IntArray | None = None) -> FloatArray:
    """All distances between some original records (all by default) and every protected record.

    Memory: one number for each pair.

    >>> from linkrisk.attackers import Mean
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> import numpy as np
    >>> files = pair_files(np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [1.0], [2.0]]))
    >>> distances(Mean().distance(make_comparison(files))).tolist()
    [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    n_original = len(distance.coordinates.original)
    chosen = np.arange(n_original) if rows is None else rows
    n_protected = len(distance.coordinates.protected)
    columns = np.ascontiguousarray(distance.coordinates.protected.T)
    result = np.empty((len(chosen), n_protected))
    for start in range(0, len(chosen), chunk_size(distance.coordinates)):
        piece = chosen[start : start + chunk_size(distance.coordinates)]
        if isinstance(distance, AgreementDistance):
            result[start : start + len(piece)] = agreement_distances(distance, piece, np.arange(n_protected))
            continue
        queries, metric = with_metric(distance, piece)
        measure_all(metric, queries, columns, result[start : start + len(piece)])
    return result


METHODS = ("auto", "tree", "sieve", "all")


def _prepared(distance: Distance, is_ranking: bool, method: str = "auto") -> _Search:
    """Return a search that is ready to run, by the method asked for, or the one that is likely to be the fastest."""
    if method not in METHODS:
        raise ParameterError(f"method must be 'auto', 'tree', 'sieve' or 'all', not {method!r}")
    if method == "sieve" or (method == "auto" and not distance.coordinates.is_plain):
        sifter = make_sifter(distance)
        if sifter is not None:
            return _Search.of(distance, sifter.points, is_ranking, sifter)
        if method == "sieve":
            raise ParameterError(
                "method 'sieve' is for sums of weighted differences that are not all of texts; use 'auto'"
            )
    search = _Search.of(distance, make_points(distance), is_ranking)
    if method == "tree" and distance.is_monotone:
        return replace(search, is_tree=True)
    if method == "all" or not distance.is_monotone or search.points.n_points <= 4 * BLOCK:
        return search
    return replace(search, is_tree=replace(search, is_tree=True).does_prune())


@dataclass(frozen=True)
class _Search:
    """A search under way: the points, what the kernels need besides, and the arrays they fill.

    ``is_tree``: through the tree; ``sifter``: through a sieve; with neither, every pair is compared.
    """

    distance: Distance
    points: Points
    own: IntArray
    order: IntArray
    is_ranking: bool
    states: FloatArray
    counts: IntArray
    is_tree: bool = False
    sifter: Sifter | None = None

    @classmethod
    def of(cls, distance: Distance, points: Points, is_ranking: bool, sifter: Sifter | None = None) -> _Search:
        coordinates = distance.coordinates
        own = np.where(coordinates.own >= 0, points.point_of[coordinates.own], -1)
        n_original = len(own)
        return cls(
            distance=distance,
            points=points,
            own=own,
            # Neighbours in the tree search the same leaves: keep them together in the cache.
            order=order_by_point(own, points.n_points),
            is_ranking=is_ranking,
            states=np.empty((n_original, N_STATES)),
            counts=np.empty((n_original, N_COUNTS), dtype=np.int64),
            sifter=sifter,
        )

    @property
    def chunk(self) -> int:
        return min(CHUNK, chunk_size(self.distance.coordinates))

    def does_prune(self) -> bool:
        """Whether the tree passes over most points, for a few records."""
        step = max(1, len(self.order) // PILOT)
        pilot = np.sort(self.order[::step][:PILOT])
        for start in range(0, len(pilot), self.chunk):
            self.run(pilot[start : start + self.chunk])
        return bool(self.counts[pilot, LOOKED].mean() <= PRUNES * self.points.n_points)

    def twin_test(self, queries: FloatArray, metric: Metric, rows: IntArray) -> TwinTest:
        """Return what tells twins of the given original records."""
        compared = self.distance.compared
        if compared is None:
            is_apart = self.distance.tolerance < TOLERANCE
            return TwinTest(queries, self.points.cloud.columns, metric.attributes, is_apart)
        original = np.ascontiguousarray(compared.original[rows])
        return TwinTest(original, self.compared_columns, attribute_rules(compared), is_apart=True)

    @cached_property
    def compared_columns(self) -> FloatArray:
        """Attributes of the points as they were compared."""
        return np.ascontiguousarray(self.distance.attributes_compared.protected[self.points.row_of].T)

    def run(self, rows: IntArray) -> None:
        """Search for the given original records and store what was found."""
        states = np.empty((len(rows), N_STATES))
        counts = np.empty((len(rows), N_COUNTS), dtype=np.int64)
        found = Found(states, counts, self.is_ranking)
        self._fill(rows, found)
        self.states[rows] = states
        self.counts[rows] = counts

    def _fill(self, rows: IntArray, found: Found) -> None:
        cloud, own = self.points.cloud, self.own[rows]
        if isinstance(self.distance, AgreementDistance):
            search_agreement(self.distance, rows, own, self.points.row_of, cloud.weights, found)
            return
        queries, metric = with_metric(self.distance, rows)
        test = self.twin_test(queries, metric, rows)
        if self.is_tree:
            search_tree(metric, queries, own, cloud, test, found)
        elif self.sifter is not None:
            search_sieve(metric, queries, own, cloud, test, self.sifter.sieve, self.sifter.sifted(rows), found)
        else:
            search_all(metric, queries, own, cloud, test, TILE, found)

    def others(self) -> IntArray:
        """Row of a nearest other record; among copies of the own record, one that is not the own."""
        point = self.counts[:, NEAREST]
        row = self.points.row_of[point]
        row = np.where(row == self.distance.coordinates.own, self.points.last_row_of[point], row)
        return np.asarray(np.where(point >= 0, row, -1))

    def linkage(self) -> Linkage:
        """Put together what was found."""
        if not np.isfinite(self.states[self.own >= 0, OWN]).all():
            raise ParameterError(
                "a distance is too large to be computed: some values are too far apart for this attacker; use another "
                "scale or a lower degree"
            )
        states, counts = self.states, self.counts
        is_beaten, is_lost = counts[:, NEARER] > 0, counts[:, BEATEN] > 0
        linkage = Linkage(
            own=states[:, OWN].copy(),
            nearest_other=states[:, FIRST].copy(),
            second_other=states[:, SECOND].copy(),
            other=self.others(),
            is_beaten=is_beaten,
            tied=np.where(is_lost, 0, counts[:, TIED]),
            twins=np.where(is_lost, 0, counts[:, TWINS]),
            strangers=counts[:, NEARER] + counts[:, TIED] - counts[:, TWINS],
            has_counterpart=self.own >= 0,
            rank=np.where(self.own >= 0, counts[:, NEARER] + 1, 0) if self.is_ranking else None,
        )
        if self.distance.is_nonnegative and float(np.nanmin(linkage.nearest, initial=0.0)) < 0.0:
            raise ParameterError("bilinear: the matrix gives negative distances on these files; use bilinear_free")
        return linkage


def with_metric(distance: Distance, rows: IntArray) -> tuple[FloatArray, Metric]:
    """Coordinates of some original records, and the distance as the kernels read it.

    For text the differences of their strings to all protected strings are computed now, into one table; in the
    returned coordinates a text code is the row of its string in the table.
    """
    coordinates = distance.coordinates
    queries, rules = rules_for(coordinates, coordinates.original[rows])
    is_plain = coordinates.is_plain
    return queries, Metric(
        int(distance.rule), is_plain, distance.theta, distance.subsets, distance.floor, rules, distance.tolerance
    )


def expected_chance(n_pairs: int, n_protected: int) -> float:
    """Links an intruder makes who picks protected records blindly.

    >>> expected_chance(400, 400)
    1.0
    """
    return n_pairs / n_protected if n_protected else math.nan
