"""Digits that give noise away: the last ones, which not every original could have led to, and the first ones."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.columns import Column

_DIGITS = 7
_SMALLEST_EXPONENT = -300


def drop_digits(values: FloatArray, deviation: float) -> FloatArray:
    """Round values with noise to the power of ten that is 10^-7 to 10^-8 of the noise's standard deviation.

    Random numbers have 53 bits, and so has float64: of all the numbers between two noisy values that a file can hold,
    only some are a given original plus a draw. Whoever knows the deviation can try, and rules out more than half of the
    wrong originals by the last digits alone. On a grid this coarse every value can come from every original, as
    probably as it should: near the middle a step holds at least 10^7 of the possible draws, five deviations away still
    more than a hundred. Zero is written without a sign. NaN stays; a deviation of 0 changes nothing.

    Reference: Mironov (2012), On significance of the least significant bits for differential privacy, ACM CCS.

    >>> drop_digits(np.array([1234.567890123, -0.000001]), 250.0).tolist()
    [1234.56789, 0.0]
    """
    if deviation == 0:
        return values
    exponent = max(math.floor(math.log10(deviation)) - _DIGITS, _SMALLEST_EXPONENT)
    if exponent >= 0:
        return np.asarray(np.rint(values / 10.0**exponent) * 10.0**exponent + 0.0)
    with np.errstate(over="ignore"):
        wholes = values * 10.0**-exponent
    is_coarse = np.abs(wholes) < 2.0**52  # beyond it the values themselves are coarser than the grid
    return np.where(is_coarse, np.rint(wholes) / 10.0**-exponent + 0.0, values)


def restoring_notes(column: Column, protected: FloatArray) -> list[str]:
    """Return a sentence if most values of a column come back by rounding to the unit of which all are multiples.

    The unit is the greatest common divisor of the column's values; a column with other than whole numbers has none.

    >>> from linkrisk.data.attributes import Kind
    >>> ages = np.array([30.0, 50.0, 90.0])
    >>> restoring_notes(Column("age", Kind.NUMERIC, ages), ages + [4.0, -3.0, 11.0])
    ['67% of the values of age come back by rounding to multiples of 10, as all of them are; choose a larger p.']
    """
    known = column.values[~column.is_missing]
    if not (np.abs(known) < 2.0**53).all() or (known != np.rint(known)).any():
        return []
    unit = int(np.gcd.reduce(known.astype(np.int64)))
    moved = protected[~column.is_missing]
    if unit == 0 or (moved == known).all():
        return []
    share = float((np.rint(moved / unit) * unit == known).mean())
    if share <= 0.5:
        return []
    back = f"{share:.0%} of the values of {column.name} come back by rounding to multiples of {unit:g}"
    return [f"{back}, as all of them are; choose a larger p."]
