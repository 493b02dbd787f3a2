"""The numbers a column can hold: its own decimals and range, and digits that give noise away.

What is released looks like what was there: noise and means keep the decimals of a column (whole numbers stay whole) and
do not leave its range, unless ``continuous`` is asked for. Otherwise rounding to the values that a column can have
would take the noise off again, and a sex of 0.97 or an age of -3 would tell that it is noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.protection.values.columns import Column

MOST_DECIMALS = 9
"""Decimals that the numbers of a column have at most; with more they count as continuous."""

EXACT = 2.0**52
"""Whole numbers below this are written without loss."""

LOOK = 500
"""Values looked at first: enough to see that most columns have no fixed decimals."""

_DIGITS = 7
_SMALLEST_EXPONENT = -300


def decimals_of(values: FloatArray) -> int | None:
    """Return how many decimals numbers are written with, at most `MOST_DECIMALS`; None if there is no such number.

    >>> decimals_of(np.array([0.25, 3.0])), decimals_of(np.array([1 / 3]))
    (2, None)
    """
    if values.size > LOOK and decimals_of(values[:LOOK]) is None:
        return None
    largest = float(np.abs(values).max(initial=0.0))
    for decimals in range(MOST_DECIMALS + 1):
        if largest * 10.0**decimals >= EXACT:
            return None
        if (np.abs(np.round(values, decimals) - values) <= 1e-15 * np.abs(values)).all():
            return decimals
    return None


@dataclass(frozen=True)
class Resolution:
    """Where the released values of a column lie: on multiples of 10^exponent, from ``low`` to ``high``.

    ``exponent`` is None where all digits are kept. The range is open (infinite) where it is not kept.
    """

    exponent: int | None
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def of(cls, column: Column, *, continuous: bool) -> Resolution:
        """Return the decimals and the range of a column's known values; none of either if it counts as continuous.

        >>> from linkrisk.data.attributes import Kind
        >>> Resolution.of(Column("price", Kind.NUMERIC, np.array([0.25, 3.0, np.nan])), continuous=False)
        Resolution(exponent=-2, low=0.25, high=3.0)
        """
        known = column.values[~column.is_missing]
        if continuous or known.size == 0:
            return cls(None)
        decimals = decimals_of(known)
        return cls(None if decimals is None else -decimals, float(known.min()), float(known.max()))

    def with_noise(self, deviation: float) -> Resolution:
        """Return the grid of values with noise: at least as coarse as `noise_exponent` says."""
        least = noise_exponent(deviation)
        exponent = least if self.exponent is None else max(self.exponent, least)
        return Resolution(exponent, self.low, self.high)

    def rounded(self, values: FloatArray) -> FloatArray:
        """Round to the grid, halves to even, and stay within the range; NaN stays."""
        if self.exponent is None:
            return values
        return np.clip(round_to(values, self.exponent), self.low, self.high)

    def off_codes(self, values: FloatArray, codes: tuple[float, ...], towards: FloatArray | float) -> FloatArray:
        """Move values that are codes for missing towards others, by one step of the grid, or until they are none.

        Where all digits are kept nothing is moved. The ends of the range are values of the file, and so no codes.

        >>> Resolution(0, 0.0, 300.0).off_codes(np.array([99.0, 99.0, 7.0]), (99.0,), np.array([80.0, 250.0, 9.0]))
        array([ 98., 100.,   7.])
        """
        if self.exponent is None or not codes:
            return values
        step = np.where(np.asarray(towards) > values, 1.0, -1.0) * 10.0**self.exponent
        for _ in range(len(codes)):
            values = np.where(np.isin(values, codes), self.rounded(values + step), values)
        return values

    def is_within(self, values: FloatArray) -> BoolArray:
        """Tell which values are in the range once they are rounded to the grid; missing ones are."""
        whole = values if self.exponent is None else round_to(values, self.exponent)
        return np.asarray(~((whole < self.low) | (whole > self.high)))

    def folded(self, values: FloatArray) -> FloatArray:
        """Reflect values at the ends of the range, as often as it takes, and round them to the grid.

        The mirrors stand half a step outside of the range, where the cells of its ends do, so that every grid point has
        as much room as another. NaN stays.

        >>> Resolution(0, 1.0, 3.0).folded(np.array([0.6, 0.4, -0.7, 3.4, 3.6, 9.0])).tolist()
        [1.0, 1.0, 2.0, 3.0, 3.0, 3.0]
        """
        if not (math.isfinite(self.low) and self.high > self.low):
            return self.rounded(values)
        half = 0.0 if self.exponent is None else 0.5 * 10.0**self.exponent
        low, width = self.low / 8 - half / 8, self.high / 8 - self.low / 8 + half / 4  # no overflow
        places = np.mod(values / 8 - low, 2 * width)
        mirrored = 8 * (low + np.where(places > width, 2 * width - places, places))
        is_outside = (values < self.low - half) | (values > self.high + half)
        return self.rounded(np.where(is_outside, mirrored, values))


def noise_exponent(deviation: float) -> int:
    """Return the power of ten that is 10^-7 to 10^-8 of the noise's standard deviation, to which noise is rounded.

    Random numbers have 53 bits, and so has float64: of all the numbers between two noisy values that a file can hold,
    only some are a given original plus a draw. Whoever knows the deviation can try, and rules out more than half of the
    wrong originals by the last digits alone. On a grid this coarse every value can come from every original, as
    probably as it should: near the middle a step holds at least 10^7 of the possible draws, five deviations away still
    more than a hundred.

    Reference: Mironov (2012), On significance of the least significant bits for differential privacy, ACM CCS.

    >>> noise_exponent(250.0)
    -5
    """
    return max(math.floor(math.log10(deviation)) - _DIGITS, _SMALLEST_EXPONENT)


def round_to(values: FloatArray, exponent: int) -> FloatArray:
    """Round to multiples of 10^exponent, halves to even; zero is written without a sign, NaN stays.

    >>> round_to(np.array([1234.567890123, -0.000001]), -5).tolist()
    [1234.56789, 0.0]
    """
    if exponent >= 0:
        return np.asarray(np.rint(values / 10.0**exponent) * 10.0**exponent + 0.0)
    with np.errstate(over="ignore"):
        wholes = values * 10.0**-exponent
    is_coarse = np.abs(wholes) < EXACT  # beyond it the values themselves are coarser than the grid
    return np.where(is_coarse, np.rint(wholes) / 10.0**-exponent + 0.0, values)
