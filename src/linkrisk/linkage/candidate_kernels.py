"""The k nearest points of each query, compiled; for one-to-one linkage."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.kernels import Metric
from linkrisk.engine.jit import inlined_kernel, kernel
from linkrisk.linkage.distance_kernels import BLOCK, SLACK, least_distances, make_buffers, measure_block
from linkrisk.linkage.search_kernels import DEPTH, Cloud, push
from linkrisk.linkage.sieve_kernels import (
    MOST,
    Codes,
    Sieve,
    SiftedQueries,
    measure_sum,
    sift_blocks,
    sift_points,
    units_within,
)

LIKELY = 16
"""Blocks of which all points are sifted before any is measured."""


@inlined_kernel
def insert_sorted(value: float, point: int, near: FloatArray, who: IntArray, i: int) -> None:
    """Insert a distance into the sorted row i, dropping the largest; equal distances keep the earlier point."""
    place = near.shape[1] - 1
    while place > 0 and near[i, place - 1] > value:
        near[i, place] = near[i, place - 1]
        who[i, place] = who[i, place - 1]
        place -= 1
    near[i, place] = value
    who[i, place] = point


@kernel
def search_candidates(metric: Metric, queries: FloatArray, cloud: Cloud, near: FloatArray, who: IntArray) -> None:
    """Fill the rows of ``near`` and ``who`` with the nearest points of each query, nearest first."""
    columns, _, ranges, children, low, high, holes = cloud
    buffers = make_buffers(queries.shape[1])
    values = buffers.values
    stack = np.empty(DEPTH, np.int64)
    bounds = np.empty(DEPTH)
    last = near.shape[1] - 1
    for i in range(queries.shape[0]):
        near[i, :] = np.inf
        who[i, :] = -1
        top = 0
        stack[0] = 0
        bounds[0] = -np.inf
        while top >= 0:
            node = stack[top]
            bound = bounds[top]
            top -= 1
            if bound > near[i, last]:
                continue
            child = children[node]
            if child < 0:
                for start in range(ranges[node, 0], ranges[node, 1], BLOCK):
                    stop = min(start + BLOCK, ranges[node, 1])
                    measure_block(metric, queries, i, columns, start, stop, near[i, last], buffers)
                    for j in range(stop - start):
                        if values[j] < near[i, last]:
                            insert_sorted(values[j], start + j, near, who, i)
                continue
            least_distances(metric, queries, i, low, high, holes, child, buffers)
            first = SLACK * values[0]
            second = SLACK * values[1]
            limit = near[i, last]
            if first <= second:
                top = push(child + 1, second, limit, stack, bounds, top)
                top = push(child, first, limit, stack, bounds, top)
            else:
                top = push(child, first, limit, stack, bounds, top)
                top = push(child + 1, second, limit, stack, bounds, top)


@kernel
def sift_candidates(
    metric: Metric,
    queries: FloatArray,
    cloud: Cloud,
    sieve: Sieve,
    sifted: SiftedQueries,
    near: FloatArray,
    who: IntArray,
) -> None:
    """Fill the rows of ``near`` and ``who`` as `search_candidates` does, from what a sieve leaves, likely blocks first.

    Of the likeliest blocks as many points are measured first as are to be listed, or somewhat more, by their units:
    then it is known how far the others may be, and most are never measured.

    *Guarantee* (docs/mathematics.md#sieve): a point passed over is farther than those listed.
    """
    columns = cloud.columns
    codes, kinds, caps, starts, _, _, _, _, unit = sieve
    query_codes, costs, base = sifted
    theta, rules = metric.theta, metric.attributes
    d, values = np.empty((queries.shape[1], 2 * BLOCK)), np.empty(2 * BLOCK)
    gathered, points = np.empty(d.shape), np.empty(2 * BLOCK, np.int64)
    n_blocks = starts.size - 1
    n_likely = min(LIKELY, n_blocks)
    bounds = np.empty(n_blocks, np.uint16)
    sums = np.full((n_likely + 1, BLOCK), np.uint16(MOST))
    last = near.shape[1] - 1
    few = 0
    for i in range(queries.shape[0]):
        near[i, :] = np.inf
        who[i, :] = -1
        sift_blocks(sieve, query_codes, costs, i, bounds)
        order = np.argsort(bounds)
        for place in range(n_likely):
            start, stop = starts[order[place]], starts[order[place] + 1]
            sift_points(codes, kinds, caps, query_codes, costs, i, start, stop, sums[place])
            sums[place, stop - start :] = MOST
        few = units_of_few(sums[:n_likely].ravel(), last + 1, few)
        n_gathered = 0
        for turn in range(n_likely + n_blocks):
            if turn == n_likely or n_gathered >= BLOCK:
                measure_sum(theta, rules, queries, i, gathered, 0, n_gathered, d, values)
                insert_all(values, points, n_gathered, near, who, i)
                n_gathered = 0
            is_first = turn < n_likely
            place = turn if is_first else turn - n_likely
            within = few if is_first else units_within(near[i, last], unit, base[i])
            if bounds[order[place]] > within:
                continue
            start, stop = starts[order[place]], starts[order[place] + 1]
            if place >= n_likely:
                sift_points(codes, kinds, caps, query_codes, costs, i, start, stop, sums[n_likely])
            done = few if not is_first and place < n_likely else -1
            n_gathered = gather_within(
                columns, start, stop, sums, min(place, n_likely), done, within, gathered, points, n_gathered
            )
        measure_sum(theta, rules, queries, i, gathered, 0, n_gathered, d, values)
        insert_all(values, points, n_gathered, near, who, i)


@inlined_kernel
def gather_within(
    columns: FloatArray,
    start: int,
    stop: int,
    sums: Codes,
    row: int,
    done: int,
    within: int,
    gathered: FloatArray,
    points: IntArray,
    size: int,
) -> int:
    """Copy the points of a block with more than ``done`` units and up to ``within``; return how many there are now.

    A point measured on its own costs as much as half a block.
    """
    for j in range(stop - start):
        if done < sums[row, j] <= within:
            points[size] = start + j
            for k in range(columns.shape[0]):
                gathered[k, size] = columns[k, start + j]
            size += 1
    return size


@inlined_kernel
def insert_all(values: FloatArray, points: IntArray, size: int, near: FloatArray, who: IntArray, i: int) -> None:
    """Insert so many points that are near enough into the sorted row i."""
    for j in range(size):
        if values[j] < near[i, near.shape[1] - 1]:
            insert_sorted(values[j], points[j], near, who, i)


@inlined_kernel
def units_of_few(sums: Codes, length: int, guess: int) -> int:
    """Return a number of units that so many points have at most, or up to twice as many, if there is one."""
    low, high, units = -1, MOST, guess
    while high - low > 1:
        n_near = 0
        for j in range(np.uint64(sums.size)):
            n_near += 1 if sums[j] <= units else 0
        if length <= n_near <= 2 * length:
            return units
        if n_near < length:
            low = units
        else:
            high = units
        units = (low + high) // 2
        if low == guess:  # near the last one, most likely
            units = min(units, low + low // 4 + 8)
        elif high == guess:
            units = max(units, high - high // 4 - 8)
    return high
