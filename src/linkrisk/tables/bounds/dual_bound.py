"""Bounds proven by the multipliers of a linear programme, in whole numbers."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.tables.bounds.cells import CellGroups

DENOMINATORS = (720_720, 5_040, 60, 1)
"""Multipliers are rounded to fractions with the first of these that fits; for sums of cells they seldom are others."""

LARGEST = 2**62


def proven_minimum(
    cost: IntArray,
    multipliers: FloatArray,
    groups: CellGroups,
    rows: tuple[IntArray, IntArray],
    cells: tuple[IntArray, IntArray],
) -> int:
    """Return a lower bound, a whole number, of the sum of cost times x over all whole x within their bounds.

    For any multipliers y of the sums, cost x = y (A x) + (cost - y A) x, and each term is at least what its bounds
    allow (weak duality; Neumaier and Shcherbina 2004). Optimal multipliers give the optimum of the linear programme.

    *Guarantee* (docs/mathematics.md#dual-bound): the bound holds for any multipliers. They are rounded to fractions
    with one denominator, and everything else is done in 64-bit integers that cannot overflow, so that the tolerances of
    the solver do not matter. Because x is whole, the bound is rounded up.

    Parameters
    ----------
    cost
        Whole numbers, one per cell.
    multipliers
        One per sum.
    groups
        The cells of each sum.
    rows, cells
        Least and largest values of the sums and of the cells.
    """
    (low, high), (least, largest) = rows, cells
    reach = int(max(np.abs(low).max(initial=0), np.abs(high).max(initial=0), np.abs(largest).max(initial=0), 1))
    y = np.where(np.isfinite(multipliers), multipliers, 0.0)
    per_cell = np.bincount(groups.members, np.repeat(np.abs(y), np.diff(groups.starts)), len(cost)) + np.abs(cost)
    size = (float(np.abs(y).sum()) + float(per_cell.sum()) + len(groups.members) + 1.0) * reach
    fitting = [d for d in DENOMINATORS if size * d < LARGEST / 4]
    if not fitting:
        return int(np.where(cost > 0, cost * least, cost * largest).sum())
    scale = fitting[0]
    whole = np.rint(y * scale).astype(np.int64)
    spread = np.zeros(len(cost), dtype=np.int64)
    np.add.at(spread, groups.members, np.repeat(whole, np.diff(groups.starts)))
    rest = cost * scale - spread
    total = int(np.where(whole > 0, whole * low, whole * high).sum())
    total += int(np.where(rest > 0, rest * least, rest * largest).sum())
    return -(-total // scale)
