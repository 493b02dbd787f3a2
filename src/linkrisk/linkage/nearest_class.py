"""The class an intruder's link ends in: the protected records that are equally near to somebody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.differences.rules import chunk_size
from linkrisk.distances.distance import Distance
from linkrisk.engine import interrupt
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.link import TIED
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.points import Points, make_points
from linkrisk.linkage.search import distances, search_apart

MAX_MATRIX = 1 << 22
"""Distances kept at a time while the members of classes are listed (32 MB)."""


class Members(NamedTuple):
    """Some original records, ascending, each with the groups of equal protected records that are nearest to it."""

    original: IntArray
    group: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class NearestClasses:
    """The protected records that are nearest to each original record; arrays have one entry per original record.

    nearest, following
        Distance to the nearest protected record, and to the nearest one whose values differ from that one's (inf:
        there is none). Of scores: to the next that is less likely.
    is_alike
        Whether nobody can tell those apart that are as near as the nearest: they are twins of it. False for a record
        without any candidate.
    is_single
        Whether one protected record is nearest, and no other is as near, not even an equal one.
    """

    nearest: FloatArray
    following: FloatArray
    is_alike: BoolArray
    is_single: BoolArray

    @property
    def group_of(self) -> IntArray:
        """A number for each protected record, the same for those that are equal."""
        raise NotImplementedError

    def members(self) -> Iterator[Members]:
        """List who is nearest, some original records at a time; who has no candidate is not listed."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class DistanceClasses(NearestClasses):
    """Classes by a distance.

    ``first`` is a nearest protected record of each original one (-1: none); for those in ``is_spread`` others with
    other values are as near.
    """

    distance: Distance
    first: IntArray
    is_spread: BoolArray

    @cached_property
    def _points(self) -> Points:
        return make_points(self.distance)

    @property
    def group_of(self) -> IntArray:
        """A number for each protected record, the same for those that are equal."""
        return self._points.point_of

    def members(self) -> Iterator[Members]:
        """List who is nearest; only for those in ``is_spread`` all distances are computed once more."""
        single = np.flatnonzero(~self.is_spread & (self.first >= 0))
        yield Members(single, self.group_of[self.first[single]])
        spread = np.flatnonzero(self.is_spread)
        distinct = self.distance.with_candidates(self._points.row_of)
        step = max(1, min(chunk_size(distinct.coordinates), MAX_MATRIX // max(self._points.n_points, 1)))
        for start in range(0, len(spread), step):
            interrupt.check()
            rows = spread[start : start + step]
            far = distances(distinct, rows)
            # As `Distance.tolerance` says: farther only if (1 - tolerance) times the distance exceeds the least one.
            row, group = np.nonzero((1.0 - distinct.tolerance) * far <= far.min(axis=1, keepdims=True))
            yield Members(rows[row], group)


@dataclass(frozen=True, eq=False, repr=False)
class ScoredClasses(NearestClasses):
    """Classes by probabilities of pairs, which are listed in ``pairs``."""

    pairs: Members
    n_protected: int

    @property
    def group_of(self) -> IntArray:
        """A number for each protected record: pairs are listed one by one."""
        return np.arange(self.n_protected)

    def members(self) -> Iterator[Members]:
        """List who is likeliest, all at once."""
        yield self.pairs


def nearest_classes(distance: Distance, linkage: Linkage, *, threads: int | None = None) -> DistanceClasses:
    """Tell which protected records are nearest to each original one, given what `nearest` has found.

    Ties: all within the tolerance of the distance belong to the class. Missing values count as the distance says. Cost:
    nothing where one record is strictly nearest; otherwise one more search, among distinct records.

    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import mean_distance
    >>> from linkrisk.linkage.search import nearest
    >>> files = pair_files(np.array([[1.0], [2.0], [9.0]]), np.array([[1.5], [1.5], [9.0]]))
    >>> distance = mean_distance(make_comparison(files, "original"))
    >>> found = nearest_classes(distance, nearest(distance))
    >>> found.is_alike.tolist(), [len(members.original) for members in found.members()]
    ([True, True, True], [3])
    """
    own, near = distance.coordinates.own, linkage.nearest
    first = np.where(linkage.own <= linkage.nearest_other, own, linkage.other)
    following = linkage.second_nearest.copy()
    is_alike = first >= 0
    is_spread = np.zeros(len(first), dtype=bool)
    with np.errstate(invalid="ignore"):  # inf - inf: nobody is near
        is_tied = is_alike & ~(following - near > distance.tolerance * np.abs(following))
    rows = np.flatnonzero(is_tied)
    if len(rows):
        apart = search_apart(distance, rows, first[rows], threads=threads)
        following[rows] = apart.following
        is_alike[rows] = apart.strangers == 0
        is_spread[rows] = apart.twins + apart.strangers > 0
    is_single = (first >= 0) & ~is_tied
    return DistanceClasses(near, following, is_alike, is_single, distance, first, is_spread)


def likeliest_classes(scores: PairScores, logarithms: FloatArray) -> ScoredClasses:
    """Tell which protected records are likeliest to be each original one; distances are -log of the probabilities.

    Ties: those that `link_scores` takes for equal. Nobody can tell them apart, so all of them are alike.

    >>> scores = PairScores(np.array([0, 1, 2]), np.array([0, 0]), np.zeros(2), 2)
    >>> found = likeliest_classes(scores, np.log([0.5, 0.5]))
    >>> found.pairs.group.tolist(), found.is_alike.tolist(), found.following.tolist()
    ([0, 1], [True, False], [inf, inf])
    """
    order, start = scores.by_original()
    far = np.maximum(-logarithms[order], 0.0)
    person = np.repeat(np.arange(scores.n_original), np.diff(start))
    is_possible = np.isfinite(far)
    person, far, group = person[is_possible], far[is_possible], scores.protected()[order][is_possible]
    near, following = np.full(scores.n_original, np.inf), np.full(scores.n_original, np.inf)
    np.minimum.at(near, person, far)
    is_near = far - near[person] <= TIED * (1.0 + near[person])
    np.minimum.at(following, person[~is_near], far[~is_near])
    pairs = Members(person[is_near], group[is_near])
    is_single = np.bincount(pairs.original, minlength=scores.n_original) == 1
    return ScoredClasses(near, following, np.isfinite(near), is_single, pairs, scores.n_protected)
