"""The assignment of the least total cost on a full matrix, up to a negligible share of it."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.scipy_parts import linear_sum_assignment

FINEST = 1e-4
"""Last step of the bids, as a share of what rows cost at least, on average."""

COARSEST = 0.1
"""First step of the bids, as a share of what lies between a row's least and greatest cost, usually."""

MOST_STEPS = 2.0**40
"""Steps up to which the greatest cost can be told from one that is a step greater, with much to spare."""

FEW, MANY_MORE = 64, 1.5
"""Rows up to which, and how many times as many columns from which, an auction is of no use."""


def assign_full(cost: FloatArray) -> IntArray:
    """Assign every row of a matrix a column of its own, at nearly the least total cost; return the columns.

    Rows bid for columns in smaller and smaller steps (an auction with scaling). Where there are more columns than rows,
    others that cost nothing take the rest. Few rows, half as many columns again, and costs too uneven for steps, or nothing at
    least, are left to shortest paths (scipy).

    *Guarantee* (docs/mathematics.md#scaled-auction): the total is above the least one by no more than a ten-thousandth
    of the mean of the rows' least costs (of its absolute value) for each column, up to rounding.

    Ties: of columns as good, those next after the row's own place, so shuffle before. Infinite costs: an error where
    no assignment avoids them. Cost: one to two hundred looks at 16 columns for each row, and a third of them at all
    columns: 0.3 seconds for 2,000 rows. Reference: Bertsekas (1988), https://doi.org/10.1007/BF02186476.

    >>> assign_full(np.array([[4.0, 1.0], [2.0, 3.0]])).tolist()
    [1, 0]
    """
    n_rows, n_columns = cost.shape
    steps = None if n_rows <= FEW or n_columns >= MANY_MORE * n_rows else _steps(cost)
    if steps is None:
        return np.asarray(linear_sum_assignment()(cost)[1], dtype=np.int64)
    from linkrisk.linkage.matching import auction_kernels  # noqa: PLC0415

    chosen, price = np.empty(n_columns, dtype=np.int64), np.zeros(n_columns)
    square = np.vstack([cost, np.zeros((n_columns - n_rows, n_columns))]) if n_rows < n_columns else cost
    auction_kernels.hold_auctions(np.ascontiguousarray(square), *steps, price, chosen)
    return chosen[:n_rows]


def _steps(cost: FloatArray) -> tuple[float, float] | None:
    """Return the first and the last step of an auction; None where costs are too uneven, or nothing at least."""
    least, most = cost.min(axis=1), cost.max(axis=1)
    spread = float(np.median(most - least))
    last = FINEST * abs(float(least.mean()))
    if not 0.0 < max(float(most.max()), -float(least.min())) <= MOST_STEPS * last:
        return None
    return max(COARSEST * spread, last), last
