"""Numbers as whole numbers: every finite float is a whole number divided by a power of two.

Rows are sparse: they hold the entries that are not zero, by their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from linkrisk.arrays import FloatArray

Number = int | float
"""A number of a certificate that is used as it is: a float, or a whole number of any size."""

Row = dict[int, int]
"""A row of whole numbers by place, without zeros; the code that makes it tells by which unit it is multiplied."""

ROUNDING = 2.0**-53
"""Largest relative error of one operation in float64."""

TINY = 2.0**-1040
"""Larger than the error of a product or square that underflows."""

LEAST = 2.0**-1074
"""The smallest float: at most this is lost where a single number underflows."""


def shift_of(values: FloatArray | Sequence[float]) -> int:
    """Return some s >= 0 such that every finite value times 2^s is whole; not always the least, but found quickly.

    >>> shift_of([0.5]) >= 1 and shift_of([0.0, 4.0]) == 0
    True
    """
    array = np.asarray(values, dtype=np.float64)
    known = array[np.isfinite(array) & (array != 0.0)]
    if not known.size or (known == np.rint(known)).all():
        return 0
    return max(0, 53 - int(np.frexp(known)[1].min()))


def whole(value: Number, shift: int) -> int:
    """Return value times 2^shift, which must be a whole number.

    >>> whole(0.75, 3), whole(10**400, 1) == 2 * 10**400
    (6, True)
    """
    numerator, denominator = value.as_integer_ratio()
    missing = shift - (denominator.bit_length() - 1)
    if missing < 0:
        raise ArithmeticError("a value times the chosen power of two is not whole")
    return numerator << missing


def wholes(values: Sequence[Number]) -> tuple[list[int], int]:
    """Return values times a power of two, as whole numbers, and the exponent of that power."""
    shift = shift_of([value for value in values if isinstance(value, float)])
    return [whole(value, shift) for value in values], shift


def nearest_floats(values: Sequence[int]) -> FloatArray:
    """Return whole numbers divided by a power of two that brings the largest of them to below 1, each rounded once.

    *Guarantee* (docs/mathematics.md#exact-signs): each is off by at most `ROUNDING` of itself, plus `LEAST`.

    >>> nearest_floats([1, -(2**2000)]).tolist()
    [0.0, -0.5]
    """
    divisor = 1 << max((value.bit_length() for value in values), default=0)
    return np.array([value / divisor for value in values], dtype=np.float64)


def mixture(rows: Iterable[Mapping[int, int]], multipliers: Iterable[int]) -> Row:
    """Return the sum of the rows, each times its multiplier.

    >>> mixture([{0: 1, 1: 2}, {1: -1}], [1, 2])
    {0: 1}
    """
    total: Row = {}
    for row, multiplier in zip(rows, multipliers, strict=True):
        if multiplier:
            for place, value in row.items():
                total[place] = total.get(place, 0) + multiplier * value
    return {place: value for place, value in total.items() if value}


def product(theta: Sequence[int], row: Mapping[int, int]) -> int:
    """Return theta . row."""
    return sum(theta[place] * value for place, value in row.items())
