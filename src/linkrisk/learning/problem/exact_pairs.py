"""Features and rows in exact arithmetic: scaled values are floats, and floats are fractions of a power of two.

Everything is a whole number here: differences are multiplied by 2^shift, products by its square, and rows by the
denominator of 1 - t. Common factors change no sign.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.distances.family import Family
from linkrisk.learning.problem.contract import checked_whole
from linkrisk.learning.problem.pairs import Pairs

Whole = list[int]
"""A vector of whole numbers, of which only the direction matters, or which a unit goes with."""

MIN_SHIFT = 80
"""Least shift. Differences of text and ordinal values are floats of 53 bits, at least 2^-107: 160 bits hold them."""


class ExactPairs:
    """Features of pairs of records, and rows, as whole numbers: times ``unit`` they are the rows themselves.

    *Guarantee* (docs/mathematics.md#whole-numbers): nothing is rounded.
    """

    def __init__(self, family: Family, comparison: Comparison, pairs: Pairs, tolerance: float) -> None:
        self.family = family
        self.pairs = pairs
        coordinates = comparison.coordinates
        if family.is_signed:
            _, original, protected = comparison.vectors()
        else:
            original, protected = coordinates.original, coordinates.protected
        self._original, self._protected = original, protected
        self._own = coordinates.own
        is_squared: list[bool] = (coordinates.rules == DifferenceRule.SQUARED).tolist()
        self._is_number = [True] * original.shape[1] if family.is_signed else is_squared
        others = np.concatenate([coordinates.missing_one, coordinates.missing_both])
        self._shift = max(_shift(original), _shift(protected), (_shift(others) + 1) // 2, MIN_SHIFT)
        self._near, self._far = (1 - Fraction(tolerance)).as_integer_ratio()
        self.unit = Fraction(1, self._far << 2 * self._shift)
        self.feature_unit = self.unit * self._far

    def features(self, i: int, j: int) -> Whole:
        """Return phi of original record i and protected record j, in feature units."""
        differences = np.array([[self._difference(i, j, k) for k in range(self._original.shape[1])]], dtype=object)
        return [checked_whole(value, self.family) for value in self.family.features(differences)[0]]

    def row(self, i: int, point: int) -> Whole:
        """Return the row of original record i and a point, in units."""
        other, own = self.features(i, int(self.pairs.row_of[point])), self.features(i, int(self._own[i]))
        return [self._near * a - self._far * b for a, b in zip(other, own, strict=True)]

    def direction(self, i: int, point: int) -> tuple[FloatArray, float]:
        """Return the row of a record and a point, brought to length 1, and its length, each rounded at the end only."""
        row = self.row(i, point)
        largest = max(map(abs, row))
        if largest == 0:
            return np.zeros(len(row)), 0.0
        floats = np.array([value / largest for value in row])
        length = float(np.linalg.norm(floats))
        return floats / length, length * float(largest * self.unit)

    def _difference(self, i: int, j: int, k: int) -> int:
        """Return the difference of attribute k times a power of two: signed, or d_k."""
        x, y = float(self._original[i, k]), float(self._protected[j, k])
        if self._is_number[k] and not (math.isnan(x) or math.isnan(y)):
            delta = _whole(x, self._shift) - _whole(y, self._shift)
            return delta if self.family.is_signed else delta * delta
        return _whole(self.pairs.difference(i, j, k), 2 * self._shift)


def _shift(values: FloatArray) -> int:
    """Power of two that makes all values whole."""
    known = values[np.isfinite(values) & (values != 0.0)]
    if not known.size:
        return 0
    _, exponent = np.frexp(known)
    return max(0, 53 - int(exponent.min()))


def _whole(value: float, shift: int) -> int:
    numerator, denominator = value.as_integer_ratio()
    whole, rest = divmod(numerator << shift, denominator)
    if rest:
        raise ArithmeticError("a value is finer than the scale chosen for it")
    return whole
