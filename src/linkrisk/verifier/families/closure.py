"""Is a row positive for no monotone measure? Decided by flows on the lattice of subsets.

A monotone measure with mu(all) = 1 is a mixture of measures with values 0 and 1 only; each of these is 1 on a family of
sets that is closed under adding attributes. W . mu <= 0 for all of them if and only if all positive entries of W can
flow upwards, from sets to larger sets, into negative entries (the closure problem of Picard 1976,
https://doi.org/10.1287/mnsc.22.11.1268).
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
"""Sum of the positive entries, as rounded for a first, approximate flow (flows of scipy are of 32 bits)."""

MOST_STEPS = 1 << 22
"""Sets that are looked at, at most, to complete a flow; a few dozen are usual."""

Flow = dict[tuple[int, int], int]


def has_no_positive_closure(weight: Mapping[int, int], n_attributes: int) -> bool:
    """Tell whether the sum of weight(A) mu(A) is at most 0 for all monotone measures; sets A are bit masks.

    An approximate flow is found quickly, and then completed exactly.

    *Guarantee* (docs/mathematics.md#polar-measures): exact, but False where that takes more than `MOST_STEPS`. If a
    flow f(A, A + k) >= 0 has weight(A) + inflow - outflow <= 0 at every set, the sum of weight(A) mu(A) is at most the
    sum of f(A, A + k) (mu(A) - mu(A + k)), which is at most 0. If no more can be sent and some supply is left, the sets
    that can be reached from it are closed under adding attributes, and their weights have a positive sum.

    >>> has_no_positive_closure({1: 1, 3: -1}, 2), has_no_positive_closure({1: -1, 3: 1}, 2)
    (True, False)
    """
    wanted = sum(value for value in weight.values() if value > 0)
    if wanted == 0:
        return True
    if sum(weight.values()) > 0:  # the family of all sets
        return False
    rounded, sent = _rounded_flow(weight, wanted, n_attributes)
    if sent < UNITS - len(weight):  # rounding takes less than a unit from each set
        return False
    excess = {mask: value * UNITS for mask, value in weight.items()}
    flow = {edge: units * wanted for edge, units in rounded.items()}
    for (tail, head), amount in flow.items():
        excess[tail] = excess.get(tail, 0) - amount
        excess[head] = excess.get(head, 0) + amount
    return _Network(excess, flow, n_attributes).is_emptied()


def _rounded_flow(weight: Mapping[int, int], wanted: int, n_attributes: int) -> tuple[Flow, int]:
    """Return a flow along the edges of the lattice, in whole units of wanted / `UNITS`, and how much it sends."""
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
    found = maximum_flow(graph, 0, size)
    flow = found.flow.tocoo()
    inner = (flow.data > 0) & (flow.row > 0) & (flow.col < size)
    edges = zip(flow.row[inner].tolist(), flow.col[inner].tolist(), flow.data[inner].tolist(), strict=True)
    return {(tail, head): amount for tail, head, amount in edges}, int(found.flow_value)


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
    """The lattice, with the supply left to send and the room for it; paths have fewest sets (Edmonds and Karp 1972)."""

    def __init__(self, excess: Mapping[int, int], flow: Flow, n_attributes: int) -> None:
        self.n_attributes = n_attributes
        self.supply = {mask: value for mask, value in excess.items() if value > 0}
        self.room = {mask: -value for mask, value in excess.items() if value < 0}
        self.flow = flow
        self.n_steps = 0

    def is_emptied(self) -> bool:
        """Tell whether all supply can be sent: first straight up the lattice, then along any path."""
        for mask in sorted(self.supply):
            self.n_steps += 1 + len(self.room) // 16
            if self.n_steps > MOST_STEPS:
                return False
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
        """Return a path from a set with supply to a set with room, up the lattice or back along the flow."""
        came_from: dict[int, int | None] = dict.fromkeys(self.supply)
        waiting = deque(came_from)
        while waiting:
            mask = waiting.popleft()
            self.n_steps += 1
            if self.n_steps > MOST_STEPS:
                return None
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
        """Send as much as possible along a path."""
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
    """Return the sets on the way from a set to a larger one, adding one attribute at a time.

    >>> _upwards(1, 7)
    [1, 3, 7]
    """
    path = [mask]
    while path[-1] != larger:
        added = larger & ~path[-1]
        path.append(path[-1] | (added & -added))
    return path


def _take(amounts: dict[int, int], mask: int, amount: int) -> None:
    """Subtract an amount from what a set has; remove the set if nothing is left."""
    amounts[mask] -= amount
    if not amounts[mask]:
        del amounts[mask]
