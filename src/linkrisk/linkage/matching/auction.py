"""Assignments of the least total cost, up to a negligible share of it, by auctions with scaling."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.scipy_parts import linear_sum_assignment
from linkrisk.linkage.matching.assignment import PairLists

FINEST = 1e-4
"""Last step of the bids on full matrices, as a share of what rows cost at least, on average."""

COARSEST = 0.1
"""First step of the bids, as a share of what lies between a row's least and greatest cost, usually."""

MOST_STEPS = 2.0**40
"""Steps up to which the greatest cost can be told from one that is a step greater, with much to spare."""

FEW, MANY_MORE = 64, 1.5
"""Rows up to which, and how many times as many columns from which, an auction is of no use."""


def assign_full(cost: FloatArray) -> IntArray:
    """Assign every row of a matrix a column of its own, at nearly the least total cost; return the columns.

    Rows bid for columns in smaller and smaller steps (an auction with scaling). Where there are more columns than rows,
    others that cost nothing take the rest. Few rows, half as many columns again, and costs too uneven for steps, or
    nothing at least, are left to shortest paths (scipy).

    *Guarantee* (docs/mathematics.md#assignment): the total is above the least one by no more than a ten-thousandth
    of the mean of the rows' least costs (of its absolute value) for each column, up to rounding.

    Ties: of columns as good, those next after the row's own place, so shuffle before. Infinite costs: an error where
    no assignment avoids them. Cost: one to two hundred looks at 16 columns for each row, and a third of them at all
    columns: 0.3 seconds for 2,000 rows. Reference: Bertsekas (1988), https://doi.org/10.1007/BF02186476.

    >>> assign_full(np.array([[4.0, 1.0], [2.0, 3.0]])).tolist()
    [1, 0]
    """
    n_rows, n_columns = cost.shape
    if n_rows <= FEW or n_columns >= MANY_MORE * n_rows:
        return _by_paths(cost)
    least = cost.min(axis=1)
    steps = _between(least, cost.max(axis=1), FINEST * abs(float(least.mean())))
    if steps is None:
        return _by_paths(cost)
    from linkrisk.linkage.matching import auction_kernels  # noqa: PLC0415

    chosen = np.empty(n_columns, dtype=np.int64)
    square = np.vstack([cost, np.zeros((n_columns - n_rows, n_columns))]) if n_rows < n_columns else cost
    if auction_kernels.hold_auctions(np.ascontiguousarray(square), *steps, chosen):
        return chosen[:n_rows]
    return _by_paths(cost)


def _by_paths(cost: FloatArray) -> IntArray:
    return np.asarray(linear_sum_assignment()(cost)[1], dtype=np.int64)


def assign_or_leave(
    row: IntArray, column: IntArray, cost: FloatArray, outside: FloatArray, shape: tuple[int, int], step: float
) -> IntArray | None:
    """Assign rows listed columns, or none at the cost ``outside``, at nearly the least total; return places of pairs.

    None where costs are too uneven for an auction with such last steps. For the auction every row has a column of its
    own that it takes when it has none, and every column a row that takes it, or the column of one of its rows that has
    another: so there are as many rows as columns, all of them assigned.

    *Guarantee* (docs/mathematics.md#assignment): the total, with what being outside costs, is above the least one
    by no more than ``step`` for each row and column, up to rounding.

    Ties: of columns as good, the first one, so shuffle before. Cost: a hundred looks at each list.

    >>> row, column, cost = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 2.0, 1.5])
    >>> assign_or_leave(row, column, cost, np.full(2, 9.0), (2, 2), 0.1).tolist()
    [1, 2]
    """
    n_rows, n_columns = shape
    least = outside.copy()
    np.minimum.at(least, row, cost)
    steps = _between(least, outside, step)
    if steps is None:
        return None
    from linkrisk.linkage.matching import auction_kernels  # noqa: PLC0415

    rows, columns = np.arange(n_rows), np.arange(n_columns)
    both = n_rows + n_columns
    lists = PairLists.of(
        np.concatenate([row, n_rows + column, rows, n_rows + columns]),
        np.concatenate([column, n_columns + row, n_columns + rows, columns]),
        (both, both),
    )
    costs = np.concatenate([cost, np.zeros(len(cost)), outside, np.zeros(n_columns)])
    chosen = np.empty(both, dtype=np.int64)
    if not auction_kernels.hold_listed_auctions(lists.start, lists.column, costs[lists.order], *steps, chosen):
        return None
    places = lists.order[chosen[:n_rows]]
    return places[places < len(row)]


def _between(least: FloatArray, most: FloatArray, last: float) -> tuple[float, float] | None:
    """Return the first and the last step of an auction; None where costs are too uneven for it, or it is 0."""
    if not 0.0 < max(float(most.max()), -float(least.min())) <= MOST_STEPS * last:
        return None
    return max(COARSEST * float(np.median(most - least)), last), last
