"""Pairs of records that are near each other, from which one-to-one linkage chooses, without regard to file order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.rules import chunk_size
from linkrisk.distances.distance import Distance
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import SHORT, for_chunks
from linkrisk.linkage.agreement import agreement_candidates
from linkrisk.linkage.candidate_kernels import search_candidates, sift_candidates
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search import distances, with_metric
from linkrisk.linkage.sieve import make_sifter

MAX_LISTED = 250_000
"""Pairs up to which all are listed: 500 records against 500."""

CANDIDATES = 24
"""Beyond that, candidates listed for each record of either file."""


@dataclass(frozen=True, eq=False)
class Shuffled:
    """A distance between the same records in an order that tells nothing.

    Row r of the distance is original record ``original[r]``, and protected record ``protected[r]``; who belongs to whom
    is lost.
    """

    distance: Distance
    original: IntArray
    protected: IntArray


def shuffled(distance: Distance, seed: int = 0) -> Shuffled:
    """Put the records of both files in the order of their values, and then in a random one.

    Where candidates are as near, whoever chooses takes one by its place; two files are often in the same order, and
    the first place would be the right one. The order is made from values and random numbers alone: it is the same
    however the protected file was sorted, except among records that are alike.

    >>> from linkrisk.differences.coordinates import numeric_coordinates
    >>> from linkrisk.distances.distance import Rule
    >>> files = numeric_coordinates(np.array([[1.0], [2.0]]), np.array([[5.0], [4.0]]), np.arange(2))
    >>> found = shuffled(Distance(Rule.WEIGHTED, np.ones(1), files, importance=np.ones(1)))
    >>> sorted(found.protected.tolist())
    [0, 1]
    """
    dice = np.random.default_rng(seed)
    compared = distance.attributes_compared
    rows = dice.permutation(np.lexsort(compared.original.T[::-1]))
    columns = dice.permutation(np.lexsort(compared.protected.T[::-1]))
    moved = replace(distance, compared=None).exchanged().with_candidates(rows).exchanged().with_candidates(columns)
    return Shuffled(moved, rows, columns)


@dataclass(frozen=True, eq=False)
class NearPairs:
    """Pairs of records that are near each other, listed by protected record, original ones ascending.

    ``reach`` are two arrays, for original and protected records: a record is at least so far from each record of the
    other file with which it is not listed (infinite where it is listed with everybody).
    """

    original: IntArray
    protected: IntArray
    distance: FloatArray
    reach: tuple[FloatArray, FloatArray]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of original and of protected records."""
        return len(self.reach[0]), len(self.reach[1])

    def exchanged(self) -> NearPairs:
        """Return the same pairs with the two files exchanged."""
        order = np.lexsort((self.protected, self.original))
        back = self.reach[1], self.reach[0]
        return NearPairs(self.protected[order], self.original[order], self.distance[order], back)


def near_pairs(
    distance: Distance,
    *,
    n_candidates: int = CANDIDATES,
    max_listed: int = MAX_LISTED,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> NearPairs:
    """List the nearest records of each record of either file; all pairs where there are few.

    Ties at the end of a list: those that are looked at first, so shuffle before. Infinite distances are left out. Cost:
    twice that of `nearest` or more; memory grows with records times candidates.
    """
    n_original, n_protected = len(distance.coordinates.original), len(distance.coordinates.protected)
    if n_original * n_protected <= max_listed:
        original, protected = np.indices((n_original, n_protected)).reshape(2, -1)
        reach = np.full(n_original, np.inf), np.full(n_protected, np.inf)
        return _listed(original, protected, distances(distance).ravel(), reach)
    near, who = Candidates(distance, threads, progress).nearest(n_candidates)
    back, whom = Candidates(distance.exchanged(), threads, progress).nearest(n_candidates)
    original = np.concatenate([np.repeat(np.arange(n_original), near.shape[1]), whom.ravel()])
    protected = np.concatenate([who.ravel(), np.repeat(np.arange(n_protected), back.shape[1])])
    measured = np.concatenate([near.ravel(), back.ravel()])
    return _listed(original, protected, measured, (_reach(near, n_protected), _reach(back, n_original)))


def _listed(
    original: IntArray, protected: IntArray, measured: FloatArray, reach: tuple[FloatArray, FloatArray]
) -> NearPairs:
    """Put pairs in order, each once, without those that are infinitely far."""
    kept = np.isfinite(measured)
    code = protected[kept] * len(reach[0]) + original[kept]
    place, first = np.unique(code, return_index=True)
    columns, rows = np.divmod(place, len(reach[0]))
    return NearPairs(rows, columns, measured[kept][first], reach)


def _reach(near: FloatArray, n_others: int) -> FloatArray:
    return np.full(len(near), np.inf) if near.shape[1] == n_others else near[:, -1]


class Candidates:
    """All protected records, equal ones apart, asked for lists of nearest candidates.

    They are in a tree; or, for sums of weighted differences that are not all of plain numbers, behind a sieve.
    """

    def __init__(self, distance: Distance, threads: int | None = None, progress: Progress = no_progress) -> None:
        self._distance = distance
        self._sifter = None if distance.coordinates.is_plain else make_sifter(distance, is_merging=False)
        self._points = make_points(distance, is_merging=False) if self._sifter is None else self._sifter.points
        self._threads = threads
        self._progress = progress
        self._cloud = self._points.cloud
        if not distance.is_monotone:  # no bounds: one leaf with everybody
            everybody = np.array([[0, self._points.n_points]], dtype=np.int64)
            self._cloud = self._cloud._replace(ranges=everybody, children=np.array([-1], dtype=np.int64))

    def nearest(self, length: int) -> tuple[FloatArray, IntArray]:
        """Return distances and rows of the nearest protected records of every original one, nearest first."""
        coordinates = self._distance.coordinates
        return self.find(np.arange(len(coordinates.original)), min(length, len(coordinates.protected)))

    def find(self, rows: IntArray, length: int) -> tuple[FloatArray, IntArray]:
        """Return distances and rows of the nearest protected records of some original ones, nearest first."""
        near = np.empty((len(rows), length))
        who = np.empty((len(rows), length), dtype=np.int64)

        def work(piece: slice) -> None:
            if isinstance(self._distance, AgreementDistance):
                agreement_candidates(self._distance, rows[piece], self._points.row_of, near[piece], who[piece])
                return
            queries, metric = with_metric(self._distance, rows[piece])
            if self._sifter is not None:
                known = self._cloud, self._sifter.sieve, self._sifter.sifted(rows[piece])
                sift_candidates(metric, queries, *known, near[piece], who[piece])
                return
            search_candidates(metric, queries, self._cloud, near[piece], who[piece])

        size = chunk_size(self._distance.coordinates)
        is_short = len(rows) * self._points.n_points <= SHORT
        for_chunks(work, len(rows), size, threads=self._threads, progress=self._progress, is_short=is_short)
        return near, self._points.row_of[who]
