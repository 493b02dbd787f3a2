"""By how much a record is nearer to its own version than to others: in floating point with an error, or exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.distances.bilinear import form_matrix
from linkrisk.distances.polar import common_factor, negative_direction, whole_row
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.problem.sources import FormRows
from linkrisk.learning.proof.exact import ExactRows
from linkrisk.learning.proof.margin_kernels import (
    LINKED,
    SUBNORMAL,
    UNCLEAR,
    Side,
    make_side,
    mark_linked,
    mark_unclear_signs,
    unclear_signs,
)
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.ties import Ties

UNDERFLOW = 2.0**-1000
"""Entries of theta below this share of the largest may be lost when theta is rounded to floats."""

TIED = 2.0**-39
"""Distances closer than this share may be those of twins, which are tied up to 2^-40."""


@dataclass(frozen=True, eq=False)
class ExactTheta:
    """Parameters without rounding: whole numbers, of which only the direction matters; ``floats`` are near them."""

    wholes: tuple[int, ...]

    @classmethod
    def of(cls, theta: FloatArray) -> ExactTheta:
        """Return the parameters that floats are, exactly.

        >>> ExactTheta.of(np.array([0.5, 1.0])).wholes
        (1, 2)
        """
        return cls(tuple(whole_row(theta)))

    @cached_property
    def floats(self) -> FloatArray:
        """The parameters as floats, each rounded once, the largest being 1 or -1."""
        largest = max(map(abs, self.wholes), default=0) or 1
        return np.array([value / largest for value in self.wholes])

    def reduced(self) -> ExactTheta:
        """Return the same direction in the least whole numbers."""
        divisor = common_factor(self.wholes)
        return ExactTheta(tuple(value // divisor for value in self.wholes))

    def times(self, row: Sequence[int]) -> int:
        """Return theta . row."""
        return sum(a * b for a, b in zip(self.wholes, row, strict=True) if b)


class Margins:
    """theta . v(i, j) for records of a problem and all points that count against them, presolved or not."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = ExactRows(problem)
        self._near = 1.0 - problem.tolerance
        self._vectors = problem.comparison.vectors()[1:] if problem.family.is_signed else None
        # Each term is a product of at most seven roundings, and as many terms are summed as there are parameters.
        self._rounding = (2.0 * problem.parameters.n_parameters + 32.0) * 2.0**-53

    def of(self, place: int, theta: FloatArray) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
        """Return the points that count against a record, theta . v for each, what it may be off by, and |v|.

        *Guarantee* (docs/mathematics.md#float-margins): for theta as floats that differ from the true ones by one
        rounding, and are admissible, the true theta . v differ from those returned by less than the error.
        """
        problem, pairs = self.problem, self.problem.pairs
        i = int(problem.records[place])
        d = pairs.differences(i)
        points = np.flatnonzero(~pairs.dropped(i, d, problem.ties))
        phi = problem.family.features(self._differences(i, d))
        sizes = np.abs(phi)
        terms = sizes @ np.abs(theta) + UNDERFLOW * sizes.sum(axis=1) + SUBNORMAL
        own = int(pairs.own[i])
        rows = self._near * phi[points] - phi[own]
        return points, rows @ theta, self._rounding * (terms[points] + terms[own]), np.linalg.norm(rows, axis=1)

    def exact(self, place: int, point: int, theta: ExactTheta) -> int:
        """Return theta . v of a record and a point, times a positive number."""
        return theta.times(self.rows.row(place, point))

    def is_linked(self, place: int, theta: ExactTheta) -> bool:
        """Tell whether theta links a record, exactly."""
        i, pairs = int(self.problem.records[place]), self.problem.pairs
        if self.problem.ties is Ties.UNIQUE and pairs.copies[pairs.own[i]] > 1:
            return False  # a copy of its own version is as near
        points, values, errors, _ = self.of(place, theta.floats)
        if (values < -errors).any():
            return False
        return all(self.exact(place, point, theta) > 0 for point in points[values <= errors].tolist())

    def linked(self, theta: ExactTheta, linkage: Linkage | None = None) -> BoolArray:
        """Tell which records theta links, exactly; ``linkage``, that of theta, spares most of the work (not for forms).

        *Guarantee* (docs/mathematics.md#recount): exact.
        """
        n_records = len(self.problem.records)
        if self.problem.family.is_signed:
            return self._linked_by_form(theta)
        if linkage is None or self._may_cancel(theta.floats):
            return np.array([self.is_linked(place, theta) for place in range(n_records)], dtype=bool)
        linked = linkage.is_linked(self.problem.ties)[self.problem.records]
        for place in self._doubtful(linkage).tolist():
            linked[place] = self.is_linked(place, theta)
        return np.asarray(linked)

    def negative_pair(self, theta: ExactTheta) -> tuple[int, int] | None:
        """Return an original record and a point whose distance by a form is negative, exactly; None if there is none.

        A semidefinite form makes none. Otherwise records with a point whose distance is not clearly positive are
        looked at again.
        """
        if negative_direction(theta.wholes, self.problem.comparison.n_attributes) is None:
            return None
        x, y = self._sides(theta)
        is_unclear = np.zeros(len(x.norms), dtype=bool)
        mark_unclear_signs(x, y, self._rounding, is_unclear)
        for i in np.flatnonzero(is_unclear).tolist():
            unclear = np.flatnonzero(unclear_signs(x, i, y, self._rounding))
            for point in unclear.tolist():
                if self._is_negative(i, point, theta):
                    return i, point
        return None

    def _linked_by_form(self, theta: ExactTheta) -> BoolArray:
        """Tell which records a form links, exactly: all points at once where rounding leaves no doubt."""
        pairs, records = self.problem.pairs, self.problem.records
        x, y = self._sides(theta, records)
        verdicts = np.empty(len(records), dtype=np.int8)
        mark_linked(x, y, pairs.own[records], *self._dropped(), self._near, self._rounding, verdicts)
        linked = np.asarray((verdicts == LINKED) & self._has_no_copy(records))
        for place in np.flatnonzero(verdicts == UNCLEAR).tolist():
            linked[place] = self.is_linked(place, theta)
        return linked

    def _sides(self, theta: ExactTheta, records: IntArray | None = None) -> tuple[Side, Side]:
        """Return the vectors of the original records (all by default) and of the points, with a form."""
        x, y = self.problem.comparison.vectors()[1:]
        matrix = form_matrix(theta.floats, x.shape[1])
        return make_side(x if records is None else x[records], matrix), make_side(y[self.problem.pairs.row_of], matrix)

    def _dropped(self) -> tuple[IntArray, IntArray]:
        """Return the points that do not count against each record, and where those of each begin (as in `FormRows`)."""
        problem, source, pairs = self.problem, self.problem.source, self.problem.pairs
        if not isinstance(source, FormRows):
            raise TypeError("only forms have vectors")
        n_seen = len(problem.records) - problem.n_unseen
        start = source.dropped_start[: n_seen + 1]
        unseen = [pairs.dropped(i, pairs.differences(i), problem.ties) for i in problem.records[n_seen:].tolist()]
        later = [np.flatnonzero(is_dropped) for is_dropped in unseen]
        ends = start[-1] + np.cumsum(np.array([len(points) for points in later], dtype=np.int64))
        return np.concatenate([source.dropped[: start[-1]], *later]), np.concatenate([start, ends])

    def _has_no_copy(self, records: IntArray) -> BoolArray:
        """Tell which records can be linked although copies of their own version would be as near."""
        pairs = self.problem.pairs
        is_single = pairs.copies[pairs.own[records]] == 1
        return np.asarray(is_single | (self.problem.ties is not Ties.UNIQUE))

    def _is_negative(self, i: int, point: int, theta: ExactTheta) -> bool:
        phi = self.features_of(i, point)
        value, size = float(phi @ theta.floats), float(np.abs(phi) @ np.abs(theta.floats))
        error = self._rounding * size + UNDERFLOW * float(np.abs(phi).sum())
        if abs(value) > error:
            return value < 0.0
        return theta.times(self.rows.features(i, int(self.problem.pairs.row_of[point]))) < 0

    def features_of(self, i: int, point: int) -> FloatArray:
        """Return phi of an original record and a point, for a form."""
        x, y = self.problem.comparison.vectors()[1:]
        return np.asarray(self.problem.family.features((x[i] - y[self.problem.pairs.row_of[point]])[None])[0])

    def _differences(self, i: int, d: FloatArray) -> FloatArray:
        if self._vectors is None:
            return d
        x, y = self._vectors
        return np.asarray(x[i] - y[self.problem.pairs.row_of])

    def _may_cancel(self, theta: FloatArray) -> bool:
        """Whether terms of distances made of the d_k may cancel: then their error is no small share of them."""
        return bool((theta < 0.0).any())

    def _doubtful(self, linkage: Linkage) -> IntArray:
        """Return the places of the records that the rounding of the linkage could decide.

        It is enough to look at the nearest other; where twins do not count, one that is as near as the own record may
        be a twin, and hide the next.
        """
        records = self.problem.records
        own, other = linkage.own[records], linkage.nearest_other[records]
        sizes = own + other
        is_near = np.abs(self._near * other - own) <= self._rounding * sizes
        if self.problem.ties is not Ties.UNIQUE:
            is_near |= np.abs(other - own) <= max(self._rounding, TIED) * sizes
        return np.flatnonzero(is_near & np.isfinite(other))
