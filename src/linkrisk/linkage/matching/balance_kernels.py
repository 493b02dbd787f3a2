"""Sums of exponentials over the pairs of each record, in machine code."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import lean_kernel


@lean_kernel
def log_totals(
    start: IntArray,
    other: IntArray,
    value: FloatArray,
    shift: FloatArray,
    first: int,
    last: int,
    totals: FloatArray,
) -> None:
    """Write, for records ``first`` to ``last``, the logarithm of the sum of exp(value + shift of the other record)."""
    for record in range(first, last):
        top = -np.inf
        for pair in range(start[record], start[record + 1]):
            top = max(top, value[pair] + shift[other[pair]])
        total = 0.0
        for pair in range(start[record], start[record + 1]):
            total += math.exp(value[pair] + shift[other[pair]] - top)
        totals[record] = top + math.log(total) if total > 0.0 else -np.inf


@lean_kernel
def plain_totals(
    start: IntArray,
    other: IntArray,
    weight: FloatArray,
    factor: FloatArray,
    first: int,
    last: int,
    totals: FloatArray,
) -> None:
    """Write, for records ``first`` to ``last``, the sum of weight times the factor of the other record."""
    for record in range(first, last):
        total = 0.0
        for pair in range(start[record], start[record + 1]):
            total += weight[pair] * factor[other[pair]]
        totals[record] = total
