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
    Sieve,
    SiftedQueries,
    measure_sum,
    measured_at_once,
    sift_blocks,
    sift_points,
    units_within,
)


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

    *Guarantee* (docs/mathematics.md#sieve): a point passed over is farther than those listed.
    """
    columns = cloud.columns
    codes, kinds, caps, starts, _, _, _, _, unit = sieve
    query_codes, costs, base = sifted
    theta, rules = metric.theta, metric.attributes
    d, values = np.empty((queries.shape[1], BLOCK)), np.empty(BLOCK)
    bounds = np.empty(starts.size - 1, np.uint16)
    sums = np.empty(BLOCK, np.uint16)
    last = near.shape[1] - 1
    for i in range(queries.shape[0]):
        near[i, :] = np.inf
        who[i, :] = -1
        within = MOST
        sift_blocks(sieve, query_codes, costs, i, bounds)
        for b in np.argsort(bounds):
            if bounds[b] > within:
                break
            start, stop = starts[b], starts[b + 1]
            sift_points(codes, kinds, caps, query_codes, costs, i, start, stop, sums)
            step = measured_at_once(sums, stop - start, within)
            if step == 0:
                continue
            for first in range(start, stop, step):
                if step == 1 and sums[first - start] > within:
                    continue
                measure_sum(theta, rules, queries, i, columns, first, first + step, d, values)
                for j in range(step):
                    if values[j] < near[i, last]:
                        insert_sorted(values[j], first + j, near, who, i)
                within = units_within(near[i, last], unit, base[i])
