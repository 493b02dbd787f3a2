"""Twins, compiled: the rule of `linkrisk.differences.twins`, decided exactly.

In floating point where the error cannot change the answer, otherwise by error-free transformations: a sum or a product
of two floats is the sum of two floats (Dekker 1971), and the sign of a sum of many is that of the largest part once
they are made not to overlap (Shewchuk 1997, https://doi.org/10.1007/PL00009321, Theorem 10). Scaled values have limits
(`linkrisk.differences.limits`), so that none of it underflows or overflows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.differences.twins import TOLERANCE
from linkrisk.engine.jit import inlined_kernel, kernel

NEAR = 1.0 - TOLERANCE

FILTER = 2.0**-49
"""Error of (1 - 2^-40) a - b relative to a + b, at most: three roundings of each square, one of the product, one of the
difference make 5 units of 2^-53; this is 16."""

SPLITTER = 2.0**27 + 1.0
"""Cuts a float into two of at most 26 digits, whose products are exact."""

PARTS = 6
"""Floats that the exact square of a difference of two floats is the sum of."""


@inlined_kernel
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return the rounded sum of two floats and its error, exactly."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


@inlined_kernel
def two_product(a: float, b: float) -> tuple[float, float]:
    """Return the rounded product of two floats and its error, exactly (sizes far from the limits of floats)."""
    product = a * b
    wide = SPLITTER * a
    a_high = wide - (wide - a)
    a_low = a - a_high
    wide = SPLITTER * b
    b_high = wide - (wide - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inlined_kernel
def fill_square(x: float, y: float, otherwise: float, parts: FloatArray) -> None:
    """Write floats whose exact sum is (x - y)^2, or d_k itself where y is missing."""
    parts[:] = 0.0
    if np.isnan(y):
        parts[0] = otherwise
        return
    delta, error = two_sum(x, -y)
    parts[0], parts[1] = two_product(delta, delta)
    parts[2], parts[3] = two_product(2.0 * delta, error)
    parts[4], parts[5] = two_product(error, error)


@inlined_kernel
def grow(expansion: FloatArray, size: int, value: float) -> int:
    """Add a float to a sum of floats that do not overlap, smallest first; return how many there are now."""
    carried = value
    for place in range(size):
        carried, expansion[place] = two_sum(carried, expansion[place])
    expansion[size] = carried
    return size + 1


@kernel
def is_exactly_above(there: FloatArray, here: FloatArray) -> bool:
    """Whether (1 - 2^-40) a > b, where a and b are the exact sums of some floats."""
    expansion = np.empty(3 * PARTS)
    size = 0
    for place in range(PARTS):
        size = grow(expansion, size, there[place])
        size = grow(expansion, size, -TOLERANCE * there[place])
        size = grow(expansion, size, -here[place])
    while size > 0:
        size -= 1
        if expansion[size] != 0.0:
            return bool(expansion[size] > 0.0)
    return False


@kernel
def is_same_exactly(x: float, y: float, z: float, there: float, here: float) -> bool:
    """Whether the exact d_k of a known number x and y, and of x and z, are the same."""
    parts = np.empty((2, PARTS))
    fill_square(x, y, there, parts[0])
    fill_square(x, z, here, parts[1])
    return not is_exactly_above(parts[0], parts[1]) and not is_exactly_above(parts[1], parts[0])


@inlined_kernel
def is_same_float(there: float, here: float) -> bool:
    """Whether two d_k that are floats are the same: their difference is exact where one is not half the other."""
    larger = max(there, here)
    smaller = min(there, here)
    return smaller >= 0.5 * larger and larger - smaller <= TOLERANCE * larger


@inlined_kernel
def is_same_difference(x: float, y: float, z: float, there: float, here: float, is_number: bool) -> bool:
    """Whether d_k of x and y, computed as ``there``, and d_k of x and z, computed as ``here``, are the same.

    *Guarantee* (docs/mathematics.md#ties): exact, as `linkrisk.differences.twins.is_same`. ``is_number``: d_k is the
    exact square of the exact difference, unless a value is missing; otherwise it is the float computed.
    """
    if not is_number or np.isnan(x):
        return is_same_float(there, here)
    error = FILTER * (there + here)
    gap = max(NEAR * there - here, NEAR * here - there)
    if gap > error:
        return False
    return gap < -error or y == z or is_same_exactly(x, y, z, there, here)


@kernel
def is_twin(queries: FloatArray, i: int, columns: FloatArray, j: int, own: int, rules: AttributeRules) -> bool:
    """Whether point j differs from query i by the same d_k as its own point on every attribute, exactly."""
    there = np.empty((columns.shape[0], 1))
    here = np.empty((columns.shape[0], 1))
    for k in range(columns.shape[0]):
        x = queries[i, k]
        fill_differences(x, columns, k, j, j + 1, rules, there)
        fill_differences(x, columns, k, own, own + 1, rules, here)
        is_number = rules.kinds[k] == 0
        if not is_same_difference(x, columns[k, j], columns[k, own], there[k, 0], here[k, 0], is_number):
            return False
    return True


@kernel
def mark_twins(
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    own: int,
    rules: AttributeRules,
    d: FloatArray,
    marks: NDArray[np.bool_],
) -> None:
    """Tell of all points whether they differ from query i as its own point does; d[j, k] are the computed d_k."""
    n_points, n_attributes = d.shape
    for j in range(n_points):
        is_same = True
        for k in range(n_attributes):
            is_number = rules.kinds[k] == 0
            x = queries[i, k]
            if not is_same_difference(x, columns[k, j], columns[k, own], d[j, k], d[own, k], is_number):
                is_same = False
                break
        marks[j] = is_same
