"""Sums of exponentials over the pairs of each record, in machine code."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel


@kernel
def log_totals(start: IntArray, order: IntArray, value: FloatArray, shift: FloatArray, totals: FloatArray) -> None:
    """Write the logarithm of the sum of exp(value + shift) over the pairs of each record; -inf where there is none."""
    for record in range(len(totals)):
        top = -np.inf
        for place in range(start[record], start[record + 1]):
            pair = order[place]
            top = max(top, value[pair] + shift[pair])
        total = 0.0
        for place in range(start[record], start[record + 1]):
            pair = order[place]
            total += math.exp(value[pair] + shift[pair] - top)
        totals[record] = top + math.log(total) if total > 0.0 else -np.inf
