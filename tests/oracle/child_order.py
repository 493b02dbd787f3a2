"""The order of children, looked up anew at every step: the slow twin of `linkrisk.tables.posterior.child_order`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.tables.posterior.child_order import SUM_STATES, Item


def slowly_ordered(of_child: dict[int, list[int]], items: Sequence[Item]) -> list[int]:
    """Add at every step the child that leaves the fewest states, the first by number where several do."""
    left = set(of_child)
    n_left = [len(item.children) for item in items]
    is_open = [False] * len(items)
    cost = [float(np.log1p(item.statement.drawn if item.statement and item.is_drawn else SUM_STATES)) for item in items]

    def growth(child: int) -> float:
        mine = of_child[child]
        opened = sum(cost[number] for number in mine if not is_open[number] and n_left[number] > 1)
        return opened - sum(cost[number] for number in mine if n_left[number] == 1) - 1e-3 * len(mine)

    order = []
    while left:
        best = min(left, key=lambda child: (growth(child), child))
        order.append(best)
        left.remove(best)
        for number in of_child[best]:
            n_left[number] -= 1
            is_open[number] = n_left[number] > 0
    return order
