"""Assignments the obvious way: every one of them, for a handful of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations


def least_total(cost: Sequence[Sequence[float]]) -> float:
    """Return the least total cost of giving every row a column of its own; there are no more rows than columns."""
    columns = range(len(cost[0]))
    return min(sum(map(lambda row, j: row[j], cost, chosen)) for chosen in permutations(columns, len(cost)))


def least_total_or_outside(cost: Sequence[Sequence[float]], outside: Sequence[float]) -> float:
    """Return the least total where rows may have no column, at a cost: each gets one of its own for that."""
    far = float("inf")
    own = [[outside[i] if i == j else far for j in range(len(cost))] for i in range(len(cost))]
    return least_total([[*row, *more] for row, more in zip(cost, own, strict=True)])
