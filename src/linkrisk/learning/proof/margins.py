"""By how much a record is nearer to its own version than to others: in floating point with an error, or exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.distances.bilinear import form_matrix
from linkrisk.distances.polar import whole_row
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.problem.sources import FormRows
from linkrisk.learning.proof.exact import ExactRows
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.ties import Ties

UNDERFLOW = 2.0**-1000
"""Entries of theta below this share of the largest may be lost when theta is rounded to floats."""

CHUNK = 256
"""Original records that are compared with all points at a time."""

TIED = 2.0**-39
"""Distances closer than this share may be those of twins, which are tied up to 2^-40."""

SUBNORMAL = 2.0**-1000
"""Larger than the error of a sum of products that underflow."""


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
        divisor = math.gcd(*self.wholes) or 1
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

        With p = S x the form is x.p - 2 p.y + y.S y; pairs for which that is not clearly positive are looked at again.
        """
        x, y = self.problem.comparison.vectors()[1:]
        y = y[self.problem.pairs.row_of]
        matrix = form_matrix(theta.floats, x.shape[1])
        for first in range(0, len(x), CHUNK):
            values, errors = forms(x[first : first + CHUNK], y, matrix, self._rounding)
            for row, point in np.argwhere(values <= errors).tolist():
                i = first + row
                if (x[i] != y[point]).any() and self._is_negative(i, point, theta):
                    return i, point
        return None

    def _linked_by_form(self, theta: ExactTheta) -> BoolArray:
        """Tell which records a form links, exactly: all points at once where rounding leaves no doubt."""
        x, y = self.problem.comparison.vectors()[1:]
        pairs, records = self.problem.pairs, self.problem.records
        y = y[pairs.row_of]
        matrix = form_matrix(theta.floats, x.shape[1])
        linked = np.zeros(len(records), dtype=bool)
        for first in range(0, len(records), CHUNK):
            part = records[first : first + CHUNK]
            values, errors = forms(x[part], y, matrix, self._rounding)
            rows = np.arange(len(part))
            own = pairs.own[part]
            margins = self._near * values - values[rows, own][:, None]
            doubts = errors + errors[rows, own][:, None] + 8.0 * 2.0**-53 * (np.abs(values) + np.abs(margins))
            for row in rows.tolist():
                margins[row, self._dropped(first + row)] = np.inf
            is_linked = (margins > doubts).all(axis=1) & self._has_no_copy(part)
            is_lost = (margins < -doubts).any(axis=1)
            for row in np.flatnonzero(~is_linked & ~is_lost).tolist():
                is_linked[row] = self.is_linked(first + row, theta)
            linked[first : first + CHUNK] = is_linked
        return linked

    def _dropped(self, place: int) -> IntArray:
        """Return the points that do not count against a record, its own among them."""
        source, pairs = self.problem.source, self.problem.pairs
        is_seen = place < len(self.problem.records) - self.problem.n_unseen
        if is_seen and isinstance(source, FormRows):
            return source.dropped[source.dropped_start[place] : source.dropped_start[place + 1]]
        i = int(self.problem.records[place])
        return np.flatnonzero(pairs.dropped(i, pairs.differences(i), self.problem.ties))

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


def forms(x: FloatArray, y: FloatArray, matrix: FloatArray, rounding: float) -> tuple[FloatArray, FloatArray]:
    """Return a form of all pairs of vectors, and what it may be off by if each term is off by that rounding."""
    squares, sizes = _squares(y, matrix)
    own_squares, own_sizes = _squares(x, matrix)
    values = own_squares[:, None] - 2.0 * (x @ matrix) @ y.T + squares
    mixed = 2.0 * (np.abs(x) @ np.abs(matrix)) @ np.abs(y).T
    return values, 4.0 * rounding * (own_sizes[:, None] + sizes + mixed) + SUBNORMAL


def _squares(vectors: FloatArray, matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return y.S y for rows y, and the sizes of the terms."""
    sizes = np.abs(vectors)
    return np.einsum("ik,kl,il->i", vectors, matrix, vectors), np.einsum("ik,kl,il->i", sizes, np.abs(matrix), sizes)
