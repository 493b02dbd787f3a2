"""Tests that hold in exact arithmetic though they are made in floating point, compiled.

Products and sums are split into what floating point gives and the error it makes (Dekker 1971, Knuth), and the errors
are added to the result. Where nothing is rounded, as with small whole numbers, the result is exact.
"""

from __future__ import annotations

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import lean_kernel

SPLITTER = 2.0**27 + 1.0

UNDERFLOW = 1e-270
"""Products below this may have errors that cannot be represented, of 1e-300 at most."""


@lean_kernel
def split_product(x: float, y: float) -> tuple[float, float]:
    """Return the rounded product and a bound on the size of its error, which is exact unless it underflows."""
    product = x * y
    shifted = SPLITTER * x
    x_high = shifted - (shifted - x)
    shifted = SPLITTER * y
    y_high = shifted - (shifted - y)
    x_low, y_low = x - x_high, y - y_high
    error = abs(((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low)
    if abs(product) < UNDERFLOW and x != 0.0 and y != 0.0:
        error += 1e-300
    return product, error


@lean_kernel
def split_sum(x: float, y: float) -> tuple[float, float]:
    """Return the rounded sum and the size of its error."""
    total = x + y
    part = total - x
    return total, abs((x - (total - part)) + (y - part))


@lean_kernel
def is_never_positive(
    values: FloatArray, row: IntArray, multiplier: FloatArray, size: int, low: FloatArray, high: FloatArray
) -> bool:
    """Whether the combination of rows is positive nowhere in the box.

    *Guarantee* (docs/mathematics.md#exact-kernels): True only if it is so in exact arithmetic: the errors of all
    products and sums are added up.
    """
    top = error = 0.0
    for k in range(len(low)):
        entry = entry_error = 0.0
        for i in range(size):
            product, product_error = split_product(multiplier[i], values[row[i], k])
            entry, sum_error = split_sum(entry, product)
            entry_error += product_error + sum_error
        product, product_error = split_product(entry, high[k] if entry > 0.0 else low[k])
        top, sum_error = split_sum(top, product)
        error += product_error + sum_error + entry_error * high[k]
    return top + 1.001 * error <= 0.0


@lean_kernel
def is_row_never_positive(values: FloatArray, s: int, low: FloatArray, high: FloatArray) -> bool:
    """Whether a row is positive nowhere in the box.

    *Guarantee* (docs/mathematics.md#exact-kernels): True only if it is so in exact arithmetic.
    """
    top = error = 0.0
    for k in range(len(low)):
        product, product_error = split_product(values[s, k], high[k] if values[s, k] > 0.0 else low[k])
        top, sum_error = split_sum(top, product)
        error += product_error + sum_error
    return top + 1.001 * error <= 0.0
