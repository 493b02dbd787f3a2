"""Is a mixture of rows nowhere positive on monotone measures? Decided by flows on the lattice of subsets.

A monotone measure with mu(all) = 1 is a mixture of measures that are 0 or 1; each of these is 1 on a family of sets
closed under adding attributes. W . mu <= 0 for all of them, if and only if the positive W can flow off upwards, from
sets to larger ones, into negative W (the closure problem of Picard 1976, https://doi.org/10.1287/mnsc.22.11.1268).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

UNITS = 1 << 30
"""What all positive entries are rounded to together for a first, approximate flow (scipy's flows are of 32 bits)."""

Flow = dict[tuple[int, int], int]


def has_no_positive_closure(weight: Mapping[int, int], n_attributes: int) -> bool:
    """Whether the sum of weight(A) mu(A) is at most 0 for all monotone measures; weights are by bit mask.

    An approximate flow is found quickly, and completed exactly.

    *Guarantee*: exact. With f(A, A + k) >= 0 and weight(A) + inflow - outflow <= 0 at every set, the sum of
    weight(A) mu(A) is at most the sum of f(A, A + k) (mu(A) - mu(A + k)), which is at most 0. Where no more can be
    sent, the sets reached from what is left over are closed under adding attributes and have a positive sum.

    >>> has_no_positive_closure({1: 1, 3: -1}, 2), has_no_positive_closure({1: -1, 3: 1}, 2)
    (True, False)
    """
    wanted = sum(value for value in weight.values() if value > 0)
    if wanted == 0:
        return True
    if sum(weight.values()) > 0:  # the family of all sets
        return False
    excess = {mask: value * UNITS for mask, value in weight.items()}
    flow = {edge: units * wanted for edge, units in _rounded_flow(weight, wanted, n_attributes).items()}
    for (tail, head), amount in flow.items():
        excess[tail] = excess.get(tail, 0) - amount
        excess[head] = excess.get(head, 0) + amount
    return _Network(excess, flow, n_attributes).is_emptied()


def _rounded_flow(weight: Mapping[int, int], wanted: int, n_attributes: int) -> Flow:
    """Return a flow of whole units of wanted / `UNITS` along the edges of the lattice."""
    starts, heads, fixed = _lattice(n_attributes)
    capacity = fixed.copy()
    size = 1 << n_attributes
    for mask, value in weight.items():
        units = abs(value) * UNITS // wanted
        if value > 0:
            capacity[starts[0] + mask - 1] = units
        else:
            capacity[starts[mask + 1] - 1] = min(units, UNITS)
    graph: Any = csr_array((capacity, heads, starts), shape=(size + 1, size + 1))
    flow = maximum_flow(graph, 0, size).flow.tocoo()
    inner = (flow.data > 0) & (flow.row > 0) & (flow.col < size)
    edges = zip(flow.row[inner].tolist(), flow.col[inner].tolist(), flow.data[inner].tolist(), strict=True)
    return {(tail, head): amount for tail, head, amount in edges}


@cache
def _lattice(n_attributes: int) -> tuple[Any, Any, Any]:
    """Return the network as rows of edges: from the source 0 to every set, up the lattice, and to the sink."""
    size = 1 << n_attributes
    larger = ([mask | 1 << k for k in range(n_attributes) if not mask >> k & 1] for mask in range(1, size))
    rows = [list(range(1, size)), *([*masks, size] for masks in larger)]
    starts = np.cumsum([0, *(len(row) for row in rows), 0])
    heads = np.concatenate([np.array(row) for row in rows])
    capacity = np.full(len(heads), UNITS)
    capacity[heads == size] = 0
    capacity[: size - 1] = 0
    return starts.astype(np.int32), heads.astype(np.int32), capacity.astype(np.int32)


class _Network:
    """The lattice with what is left to send, and where; it goes along paths of fewest sets (Edmonds and Karp 1972)."""

    def __init__(self, excess: Mapping[int, int], flow: Flow, n_attributes: int) -> None:
        self.n_attributes = n_attributes
        self.supply = {mask: value for mask, value in excess.items() if value > 0}
        self.room = {mask: -value for mask, value in excess.items() if value < 0}
        self.flow = flow

    def is_emptied(self) -> bool:
        """Whether all that is left to send can be sent: straight up first, then wherever there is a way."""
        for mask in sorted(self.supply):
            for larger in [other for other in self.room if mask & other == mask]:
                if mask in self.supply:
                    self._send(_upwards(mask, larger))
        while self.supply:
            path = self._path()
            if path is None:
                return False
            self._send(path)
        return True

    def _path(self) -> list[int] | None:
        """Return sets from one with supply to one with room, each reached up the lattice or back along the flow."""
        came_from: dict[int, int | None] = dict.fromkeys(self.supply)
        waiting = deque(came_from)
        while waiting:
            mask = waiting.popleft()
            if mask in self.room:
                return _traced(mask, came_from)
            for k in range(self.n_attributes):
                other = mask ^ (1 << k)
                is_open = other > mask or self.flow.get((other, mask), 0) > 0
                if other and is_open and other not in came_from:
                    came_from[other] = mask
                    waiting.append(other)
        return None

    def _send(self, path: list[int]) -> None:
        """Send as much as goes along a path."""
        backward = [self.flow[head, tail] for tail, head in pairwise(path) if head < tail]
        amount = min([self.supply[path[0]], self.room[path[-1]], *backward])
        _take(self.supply, path[0], amount)
        _take(self.room, path[-1], amount)
        for tail, head in pairwise(path):
            if head > tail:
                self.flow[tail, head] = self.flow.get((tail, head), 0) + amount
            else:
                self.flow[head, tail] -= amount


def _traced(mask: int, came_from: Mapping[int, int | None]) -> list[int]:
    """Return the path that led to a set."""
    path = [mask]
    while (before := came_from[path[-1]]) is not None:
        path.append(before)
    return path[::-1]


def _upwards(mask: int, larger: int) -> list[int]:
    """Return the sets on the way from one to a larger one, an attribute at a time.

    >>> _upwards(1, 7)
    [1, 3, 7]
    """
    path = [mask]
    while path[-1] != larger:
        added = larger & ~path[-1]
        path.append(path[-1] | (added & -added))
    return path


def _take(amounts: dict[int, int], mask: int, amount: int) -> None:
    """Take an amount away from what a set has; one that has nothing left is forgotten."""
    amounts[mask] -= amount
    if not amounts[mask]:
        del amounts[mask]
