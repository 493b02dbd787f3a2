"""One block of records in machine code: the sum over all its matchings."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.engine.jit import kernel

LEAST_SUM = 1e-250
"""Sum over all matchings below which products that were rounded to 0 may be a part of it that matters."""


@kernel
def sum_matchings(weight: FloatArray, left: FloatArray, is_claimed: BoolArray, probability: FloatArray) -> float:
    """Write down how likely each pair of a block is; return the variance of how many claimed pairs are right.

    A row of ``weight`` for each of the more records, a column for each of the fewer, all of which are matched;
    ``left[row]`` is the weight of a record that is not. Rows are gone through one by one: ``before[row, taken]`` sums
    over the ways in which the rows before this one have taken this set of columns, ``first`` and ``second`` the claimed
    pairs among them and their squares, and ``after[taken]`` sums over the ways in which the others take the rest.
    The variance is nan where the sum over all matchings is so small that what was rounded to 0 may matter.
    """
    n_rows, n_columns = weight.shape
    everybody = (1 << n_columns) - 1
    before = np.zeros((n_rows + 1, everybody + 1))
    first, second = np.zeros(everybody + 1), np.zeros(everybody + 1)
    before[0, 0] = 1.0
    for row in range(n_rows):
        for taken in range(everybody, -1, -1):  # larger sets first: those of the row before are still in place
            total = before[row, taken] * left[row]
            once, squared = first[taken] * left[row], second[taken] * left[row]
            for column in range(n_columns):
                if taken >> column & 1 and weight[row, column] > 0.0:
                    rest = taken ^ (1 << column)
                    ways = before[row, rest] * weight[row, column]
                    links, squares = first[rest] * weight[row, column], second[rest] * weight[row, column]
                    total += ways
                    once += links + ways if is_claimed[row, column] else links
                    squared += squares + 2.0 * links + ways if is_claimed[row, column] else squares
            before[row + 1, taken], first[taken], second[taken] = total, once, squared
    whole = before[n_rows, everybody]
    if not whole > LEAST_SUM:
        return np.nan
    after = np.zeros(everybody + 1)
    after[everybody] = 1.0
    for row in range(n_rows - 1, -1, -1):
        for taken in range(everybody + 1):  # smaller sets first, for the same reason
            total = after[taken] * left[row]
            for column in range(n_columns):
                if not taken >> column & 1 and weight[row, column] > 0.0:
                    ways = after[taken | (1 << column)] * weight[row, column]
                    probability[row, column] += before[row, taken] * ways / whole
                    total += ways
            after[taken] = total
    mean = first[everybody] / whole
    return max(0.0, float(second[everybody] / whole - mean * mean))
