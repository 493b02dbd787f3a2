"""Differences of two records: in floating point with a bound on the error, and exactly, in whole numbers.

For numbers and dates d_k is the exact square of the exact difference of two floats. Where a value is missing, and for
other kinds of attribute, it is the float that the comparison gives. Forms use the signed differences of vectors.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.differences.text import text_differences
from linkrisk.differences.twins import TOLERANCE, is_same
from linkrisk.verifier.exact.rationals import ROUNDING, TINY, shift_of, whole

TWIN_NEARNESS = 1.0 - TOLERANCE
"""Two differences count as the same if neither is less than this number times the other: see `is_same`."""


class Differences(Protocol):
    """Differences of two records, one per attribute; features of exact ones are multiplied by 2^feature_shift."""

    n_attributes: int
    feature_shift: int

    def floats(self, i: int) -> FloatArray:
        """Return the differences of original record i and each protected one, one row each, up to 3 roundings."""

    def exact(self, i: int, j: int) -> list[int]:
        """Return the differences of original record i and protected record j."""


class SquaredDifferences:
    """d_k of every kind of attribute; exact ones are multiplied by 2^feature_shift."""

    def __init__(self, coordinates: Coordinates) -> None:
        self.coordinates = coordinates
        self.n_attributes = coordinates.n_attributes
        self._files = (coordinates.original, coordinates.protected)
        self._is_number = coordinates.rules == DifferenceRule.SQUARED
        self._tables = [
            None if pair is None else text_differences(pair.original, pair.protected) for pair in coordinates.texts
        ]
        numbers = [values[:, self._is_number].ravel() for values in (coordinates.original, coordinates.protected)]
        self._shift = max(shift_of(np.concatenate(numbers)), (shift_of(self._other_values()) + 1) // 2)
        self.feature_shift = 2 * self._shift
        self._x = _whole_columns(coordinates.original, self._is_number, self._shift)
        self._y = _whole_columns(coordinates.protected, self._is_number, self._shift)

    def floats(self, i: int) -> FloatArray:
        """Return d of original record i and each protected one, with a relative error of at most 3 roundings."""
        x, y = self._files
        return np.column_stack([self._column(np.full(len(y), x[i, k]), y[:, k], k) for k in range(self.n_attributes)])

    def pairs(self, i: IntArray, j: IntArray) -> FloatArray:
        """Return d of pairs of records, one row per pair, with the same error."""
        x, y = self._files
        return np.column_stack([self._column(x[i, k], y[j, k], k) for k in range(self.n_attributes)])

    def exact(self, i: int, j: int) -> list[int]:
        """Return d of original record i and protected record j."""
        return [self._exact(i, j, k) for k in range(self.n_attributes)]

    def is_twin(self, i: int) -> NDArray[np.bool_]:
        """Tell which protected records have the same d_k from original record i as its own on every attribute.

        *Guarantee* (docs/mathematics.md#exact-signs): the decision is exact; floating point is used only where its
        error cannot change it.
        """
        own = int(self.coordinates.own[i])
        d = self.floats(i)
        values = self.coordinates.protected
        is_copy = (values == values[own]) | (np.isnan(values) & np.isnan(values[own]))
        with np.errstate(all="ignore"):
            error = 16.0 * ROUNDING * (d + d[own]) + TINY
            gap = np.maximum(TWIN_NEARNESS * d - d[own], TWIN_NEARNESS * d[own] - d)
        is_sure = is_copy | (gap < -error)
        in_doubt = ~is_sure & ~(gap > error)
        is_candidate = (is_sure | in_doubt).all(axis=1)
        for j, k in np.argwhere(in_doubt & is_candidate[:, None]).tolist():
            is_sure[j, k] = is_same(self._exact(i, j, k), self._exact(i, own, k))
        return np.asarray(is_sure.all(axis=1))

    def _column(self, x: FloatArray, y: FloatArray, k: int) -> FloatArray:
        """Return d_k of pairs of values of attribute k."""
        coordinates = self.coordinates
        is_hole, is_both = np.isnan(x) | np.isnan(y), np.isnan(x) & np.isnan(y)
        known = self._known(np.where(is_hole, 0.0, x), np.where(is_hole, 0.0, y), k)
        missing = np.where(is_both, float(coordinates.missing_both[k]), float(coordinates.missing_one[k]))
        return np.where(is_hole, missing, known)

    def _known(self, x: FloatArray, y: FloatArray, k: int) -> FloatArray:
        """Return d_k where nothing is missing."""
        rule = self.coordinates.rules[k]
        if rule == DifferenceRule.SQUARED:
            with np.errstate(all="ignore"):
                return np.asarray((x - y) ** 2)
        if rule == DifferenceRule.EQUAL:
            return np.where(x == y, 0.0, 1.0)
        if rule == DifferenceRule.ORDERED:
            return np.asarray((np.abs(x - y) + self.coordinates.offset[k]) / self.coordinates.divisor[k])
        table = self._tables[k]
        if table is None or not table.size:  # every value is missing in one of the files
            return np.zeros(len(x))
        return np.asarray(table[x.astype(np.int64), y.astype(np.int64)])

    def _exact(self, i: int, j: int, k: int) -> int:
        x, y = self._x[i][k], self._y[j][k]
        if x is not None and y is not None:
            return (x - y) ** 2
        original, protected = self._files
        d = self._column(original[i, k : k + 1], protected[j, k : k + 1], k)
        return whole(float(d[0]), self.feature_shift)

    def _other_values(self) -> FloatArray:
        """Return every d_k that can occur and is not the square of a difference."""
        coordinates = self.coordinates
        values = [coordinates.missing_one, coordinates.missing_both]
        values += [table.ravel() for table in self._tables if table is not None]
        for k in np.flatnonzero(coordinates.rules == DifferenceRule.ORDERED).tolist():
            steps = np.arange(coordinates.divisor[k] + 1.0)
            values.append((steps + coordinates.offset[k]) / coordinates.divisor[k])
        return np.concatenate(values)


class VectorDifferences:
    """Signed differences of the numeric and date attributes; missing values are replaced by the mean of their file.

    Exact ones are multiplied by 2^shift, so that their products are multiplied by 2^feature_shift.
    """

    def __init__(self, comparison: Comparison) -> None:
        numeric, self.x, self.y = comparison.vectors()
        self.n_attributes = numeric.n_attributes
        shift = max(shift_of(self.x), shift_of(self.y))
        self.feature_shift = 2 * shift
        self._x = [[whole(value, shift) for value in row] for row in self.x.tolist()]
        self._y = [[whole(value, shift) for value in row] for row in self.y.tolist()]

    def floats(self, i: int) -> FloatArray:
        """Return the differences of original record i and each protected one, up to one rounding."""
        return np.asarray(self.x[i] - self.y)

    def exact(self, i: int, j: int) -> list[int]:
        """Return the differences of original record i and protected record j."""
        return [a - b for a, b in zip(self._x[i], self._y[j], strict=True)]


def _whole_columns(values: FloatArray, is_number: NDArray[np.bool_], shift: int) -> list[list[int | None]]:
    """Return the known numbers of each record times 2^shift, None for everything else."""
    is_known = is_number & ~np.isnan(values)
    return [
        [whole(value, shift) if known else None for value, known in zip(row, mask, strict=True)]
        for row, mask in zip(values.tolist(), is_known.tolist(), strict=True)
    ]
