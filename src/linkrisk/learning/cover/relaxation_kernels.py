"""Cores that a point violates, and leaves that prove enough, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel


@kernel
def sum_shares(
    members: NDArray[np.int32], start: IntArray, is_asked: NDArray[np.bool_], share: FloatArray
) -> FloatArray:
    """Return the sum of its members' shares for each core asked for, infinity for the others."""
    total = np.full(is_asked.size, np.inf)
    for core in range(is_asked.size):
        if is_asked[core]:
            partial = 0.0
            for place in range(start[core], start[core + 1]):
                partial += share[members[place]]
            total[core] = partial
    return total


@kernel
def are_clear(
    record: IntArray,
    keep: IntArray,
    give: IntArray,
    leaf: IntArray,
    cost: FloatArray,
    value: FloatArray,
    error: FloatArray,
    least: float,
) -> bool:
    """Whether every leaf of a tree proves more than ``least`` wherever it hangs, beyond rounding.

    Node q is a branch about ``record[q]``, or, where that is -1, leaf number ``leaf[q]``. ``cost``, ``value`` and
    ``error`` are those of leaves where nothing is decided.

    *Guarantee* (docs/mathematics.md#cover-tree): True only if each leaf proves it in exact arithmetic; the slow loop
    of `CoverSearch` says so too.
    """
    n_nodes = len(record)
    waiting, depth_of = np.empty(n_nodes + 1, np.int64), np.empty(n_nodes + 1, np.int64)
    path, is_kept = np.empty(n_nodes + 1, np.int64), np.empty(n_nodes + 1, np.bool_)
    sides = np.empty(n_nodes + 1, np.int64)  # the branch a waiting node hangs on, and its side
    waiting[0], depth_of[0], sides[0] = 0, 0, -1
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node, depth, side = waiting[n_waiting], depth_of[n_waiting], sides[n_waiting]
        if side >= 0:
            path[depth - 1], is_kept[depth - 1] = record[side // 2], side % 2 == 0
        if record[node] >= 0:
            if n_waiting + 2 > len(waiting):
                return False
            for q in range(depth):  # a record is decided once along a path
                if path[q] == record[node]:
                    return False
            for child in range(2):
                waiting[n_waiting] = keep[node] if child == 0 else give[node]
                depth_of[n_waiting], sides[n_waiting] = depth + 1, 2 * node + child
                n_waiting += 1
        else:
            total = value[leaf[node]]
            size = abs(total)
            for q in range(depth):
                reduced = cost[leaf[node], path[q]]
                change = -min(reduced, 0.0) if is_kept[q] else max(reduced, 0.0)
                total += change
                size += change
            if not total - error[leaf[node]] - (depth + 2) * 2.0**-52 * size > least:
                return False
    return True
