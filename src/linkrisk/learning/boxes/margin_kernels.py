"""Where in a box all of some rows hold by most, or a combination of them that shows they cannot, compiled.

Centred rows are ``middle[i] + slope[i] . x`` with -1 <= x <= 1. The greatest margin s such that every row is at least s
is found by the simplex method on a dense dictionary: a dozen unknowns, some dozens of rows. At the optimum the
multipliers of the rows make the combination whose maximum over the box is s.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.state_kernels import Centred

TOLERANCE = 1e-11
"""Coefficients below this are taken for zero."""

DANTZIG_STEPS, ALL_STEPS = 60, 200
"""Pivots on the greatest coefficient; pivots in all, the rest on the first (Bland), which cannot cycle."""


@kernel
def make_dictionary(centred: Centred, n_rows: int, n: int) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the dictionary of the first step, with the names of its rows and columns.

    Unknowns 0..n-1 are y = x + 1 >= 0, the next n are 2 - y >= 0, the others the rows less s. Rows of the dictionary
    are those positive at the start, then s itself; columns those at zero, the last is constant.
    """
    table = np.zeros((n + n_rows + 1, n + 2))
    basic, free = np.empty(n + n_rows, np.int64), np.empty(n + 1, np.int64)
    for k in range(n):
        table[k, k], table[k, n + 1] = -1.0, 2.0
        basic[k], free[k] = n + k, k
    tightest = n
    for i in range(n_rows):
        constant = centred.middle[i]
        for k in range(n):
            table[n + i, k] = centred.slope[i, k]
            constant -= centred.slope[i, k]
        table[n + i, n + 1] = constant
        basic[n + i] = 2 * n + i
        if constant < table[tightest, n + 1]:
            tightest = n + i
    objective = table[tightest].copy()
    for i in range(n, n + n_rows):
        table[i] -= objective
        table[i, n] = 1.0
    last = n + n_rows
    table[last] = objective
    table[last, n] = -1.0
    # The tightest row less s is at zero: a column. Its place among the rows is taken by a row that never leaves.
    free[n] = basic[tightest]
    table[tightest] = 0.0
    table[tightest, n + 1] = 1.0
    basic[tightest] = -1
    return table, basic, free


@lean_kernel
def choose_column(table: FloatArray, free: IntArray, is_first: bool) -> int:
    """Return the column with the greatest gain, or the first unknown with any; -1 at the optimum."""
    last = len(table) - 1
    best, chosen = TOLERANCE, -1
    for j in range(len(free)):
        gain = table[last, j]
        if gain > TOLERANCE and is_first and (chosen < 0 or free[j] < free[chosen]):
            chosen = j
        elif gain > best and not is_first:
            best, chosen = gain, j
    return chosen


@lean_kernel
def choose_row(table: FloatArray, basic: IntArray, column: int) -> int:
    """Return the row that first falls to zero as the column grows; the first unknown among equals."""
    constant = table.shape[1] - 1
    least, chosen = np.inf, -1
    for i in range(len(basic)):
        if table[i, column] < -TOLERANCE:
            ratio = -table[i, constant] / table[i, column]
            if ratio < least or (ratio == least and basic[i] < basic[chosen]):
                least, chosen = ratio, i
    return chosen


@lean_kernel
def pivot(table: FloatArray, basic: IntArray, free: IntArray, row: int, column: int) -> None:
    """Exchange the unknowns of a row and a column."""
    width = table.shape[1]
    inverse = -1.0 / table[row, column]
    table[row, column] = -1.0
    for j in range(width):
        table[row, j] *= inverse
    for i in range(len(table)):
        factor = table[i, column]
        if i == row or factor == 0.0:
            continue
        table[i, column] = 0.0
        for j in range(width):
            table[i, j] += factor * table[row, j]
    basic[row], free[column] = free[column], basic[row]


@kernel
def greatest_margin(centred: Centred, n_rows: int, point: FloatArray, multiplier: FloatArray, enough: float) -> float:
    """Return the greatest margin, filling the point x and the rows' multipliers; NaN if it was not found.

    Stops at a margin above ``enough``; then the multipliers mean nothing.
    """
    n = len(point)
    table, basic, free = make_dictionary(centred, n_rows, n)
    last, constant = n + n_rows, n + 1
    is_optimal = False
    for step in range(ALL_STEPS):
        if table[last, constant] > enough:
            break
        column = choose_column(table, free, step >= DANTZIG_STEPS)
        if column < 0:
            is_optimal = True
            break
        row = choose_row(table, basic, column)
        if row < 0:
            return np.nan
        pivot(table, basic, free, row, column)
    margin = table[last, constant]
    if not is_optimal and margin <= enough:
        return np.nan
    point[:] = -1.0
    for i in range(n + n_rows):
        if 0 <= basic[i] < n:
            point[basic[i]] += table[i, constant]
    multiplier[:n_rows] = 0.0
    for j in range(n + 1):
        if free[j] >= 2 * n:
            multiplier[free[j] - 2 * n] = max(0.0, -table[last, j])
    return float(margin)
