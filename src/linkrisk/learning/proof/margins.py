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
from linkrisk.learning.proof.exact import ExactRows
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.ties import Ties

UNDERFLOW = 2.0**-1000
"""Entries of theta below this share of the largest may be lost when theta is rounded to floats."""

CHUNK = 256
"""Original records that are compared with all points at a time."""

TIED = 2.0**-39
"""Distances closer than this share may be those of twins, which are tied up to 2^-40."""

FAR_BEYOND = 1e-9
"""The linkage transforms vectors for forms; the rounding of its distances is below this share of their terms."""


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
        terms = sizes @ np.abs(theta) + UNDERFLOW * sizes.sum(axis=1)
        own = int(pairs.own[i])
        rows = self._near * phi[points] - phi[own]
        return points, rows @ theta, self._rounding * (terms[points] + terms[own]), np.linalg.norm(rows, axis=1)

    def exact(self, place: int, point: int, theta: ExactTheta) -> int:
        """Return theta . v of a record and a point, times a positive number."""
        return theta.times(self.rows.row(place, point))

    def is_linked(self, place: int, theta: ExactTheta) -> bool:
        """Tell whether theta links a record, exactly."""
        points, values, errors, _ = self.of(place, theta.floats)
        if (values < -errors).any():
            return False
        return all(self.exact(place, point, theta) > 0 for point in points[values <= errors].tolist())

    def linked(self, theta: ExactTheta, linkage: Linkage | None = None) -> BoolArray:
        """Tell which records theta links, exactly; ``linkage``, that of theta or near it, spares most of the work.

        *Guarantee* (docs/mathematics.md#recount): exact.
        """
        n_records = len(self.problem.records)
        if linkage is None or self._may_cancel(theta.floats):
            return np.array([self.is_linked(place, theta) for place in range(n_records)], dtype=bool)
        linked = linkage.is_linked(self.problem.ties)[self.problem.records]
        for place in self._doubtful(linkage, theta.floats).tolist():
            linked[place] = self.is_linked(place, theta)
        return np.asarray(linked)

    def negative_pair(self, theta: ExactTheta) -> tuple[int, int] | None:
        """Return an original record and a point whose distance by a form is negative, exactly; None if there is none.

        With p = S x the form is x.p - 2 p.y + y.S y; pairs for which that is not clearly positive are looked at again.
        """
        x, y = self.problem.comparison.vectors()[1:]
        y = y[self.problem.pairs.row_of]
        matrix = form_matrix(theta.floats, x.shape[1])
        squares, sizes = _squares(y, matrix)
        for first in range(0, len(x), CHUNK):
            part = x[first : first + CHUNK]
            own_squares, own_sizes = _squares(part, matrix)
            values = own_squares[:, None] - 2.0 * (part @ matrix) @ y.T + squares
            errors = 4.0 * self._rounding * (own_sizes[:, None] + sizes)  # the mixed term is no larger
            for row, point in np.argwhere(values <= errors).tolist():
                if (part[row] != y[point]).any() and self._is_negative(first + row, point, theta):
                    return first + row, point
        return None

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
        return not self.problem.family.is_signed and bool((theta < 0.0).any())

    def _doubtful(self, linkage: Linkage, theta: FloatArray) -> IntArray:
        """Return the places of the records that the rounding of the linkage could decide.

        It is enough to look at the nearest other; where twins do not count, one that is as near as the own record, or
        nearer by a form, may be a twin, and hide the next.
        """
        records = self.problem.records
        own, other = linkage.own[records], linkage.nearest_other[records]
        sizes = own + other
        share = FAR_BEYOND if self.problem.family.is_signed else self._rounding
        if self.problem.family.is_signed:
            sizes = self._sizes(records, self.problem.pairs.own_row[records], theta)
            sizes += self._sizes(records, linkage.other[records], theta)
        is_near = np.abs(self._near * other - own) <= share * sizes
        if self.problem.ties is not Ties.UNIQUE:
            is_near |= np.abs(other - own) <= max(share, TIED) * sizes
            is_near |= self.problem.family.is_signed & (other < own)
        return np.flatnonzero(is_near & np.isfinite(other))

    def _sizes(self, records: IntArray, rows: IntArray, theta: FloatArray) -> FloatArray:
        """Return the sizes of the terms that forms of records and protected rows are summed from."""
        _, x, y = self.problem.comparison.vectors()
        return np.asarray(self.problem.family.features(np.abs(x[records] - y[rows])) @ np.abs(theta))


def _squares(vectors: FloatArray, matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return y.S y for rows y, and the sizes of the terms."""
    sizes = np.abs(vectors)
    return np.einsum("ik,kl,il->i", vectors, matrix, vectors), np.einsum("ik,kl,il->i", sizes, np.abs(matrix), sizes)
