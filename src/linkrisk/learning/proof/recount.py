"""Links counted exactly: where rounding alone decides whether a margin is met, or distances are equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.distance import TOLERANCE, Distance
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.proof.exact import ExactRows
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import distances
from linkrisk.linkage.ties import Ties

ROUNDING = 1e-9
"""The rounding error of a distance is certainly below this share of the sum of its terms' sizes."""


def exactly_linked(problem: Problem, theta: FloatArray, distance: Distance, linkage: Linkage) -> NDArray[np.bool_]:
    """Tell which records of a problem theta links, as a certificate counts them; ``linkage`` is that of ``distance``.

    With the usual tolerance, distances that only grow are far more exact than the tolerance: the linkage is taken as it
    is, as for forms that are repaired afterwards. Otherwise, with a margin, exact ties or terms that may cancel,
    records whose nearest other is in doubt are looked at again.

    *Guarantee* (docs/mathematics.md#recount): what is looked at again is exact. What is taken from the linkage is not,
    where a distance meets the tolerance to the last bits.
    """
    linked = linkage.is_linked(problem.ties)[problem.records]
    is_usual = distance.tolerance == TOLERANCE and not problem.family.is_signed
    if is_usual or distance.tolerance != problem.tolerance:
        return linked
    count = _Recount(problem, theta, distance)
    for place in count.doubtful(linkage).tolist():
        linked[place] = count.is_linked(place)
    return linked


class _Recount:
    """Tells of single records whether they are linked."""

    def __init__(self, problem: Problem, theta: FloatArray, distance: Distance) -> None:
        self.problem = problem
        self.theta = theta
        self.distance = distance
        self.near = 1.0 - distance.tolerance
        self.rows = ExactRows(problem)

    def doubtful(self, linkage: Linkage) -> IntArray:
        """Return the places of the records that rounding could decide, by the nearest other or by one behind a twin."""
        records = self.problem.records
        own, other = linkage.own[records], linkage.nearest_other[records]
        sizes = self._sizes(records, self.problem.pairs.own_row[records], own)
        sizes += self._sizes(records, linkage.other[records], other)
        is_near = np.abs(self.near * other - own) <= ROUNDING * sizes
        if self.problem.ties is not Ties.UNIQUE:
            is_near |= np.abs(other - own) <= ROUNDING * sizes
        return np.flatnonzero(is_near & np.isfinite(other))

    def is_linked(self, place: int) -> bool:
        """Tell whether a record is nearer to its own version than to every point that counts."""
        i, pairs = int(self.problem.records[place]), self.problem.pairs
        values = distances(self.distance, np.array([i]))[0][pairs.row_of]
        sizes = self._sizes(np.full(len(values), i), pairs.row_of, values)
        own = pairs.own[i]
        margin, doubt = self.near * values - values[own], ROUNDING * (sizes + sizes[own])
        counting = ~pairs.dropped(i, pairs.differences(i), self.problem.ties)
        if (counting & (margin < -doubt)).any():
            return False
        return all(self._is_nearer(place, point) for point in np.flatnonzero(counting & (margin <= doubt)).tolist())

    def _sizes(self, records: IntArray, rows: IntArray, values: FloatArray) -> FloatArray:
        """Return what distances of records and protected rows are summed from: the terms of forms may cancel."""
        if not self.problem.family.is_signed:
            return values.copy()
        _, x, y = self.problem.comparison.vectors()
        return np.asarray(self.problem.family.features(np.abs(x[records] - y[rows])) @ np.abs(self.theta))

    def _is_nearer(self, place: int, point: int) -> bool:
        row = self.rows.row(place, point)
        return sum((Fraction(a) * b for a, b in zip(self.theta.tolist(), row, strict=True)), Fraction(0)) > 0
