"""The k nearest points of each query, compiled; for one-to-one linkage."""

from __future__ import annotations

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel
from linkrisk.link.search_kernels import BLOCK, SLACK, least_distance, measure_block


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
def search_candidates(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    columns: FloatArray,
    ranges: IntArray,
    children: IntArray,
    low: FloatArray,
    high: FloatArray,
    holes: IntArray,
    theta: FloatArray,
    subsets: IntArray,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    near: FloatArray,
    who: IntArray,
) -> None:
    """Fill the rows of ``near`` and ``who`` with the nearest points of each query, nearest first."""
    n = queries.shape[1]
    d = np.empty((n, BLOCK))
    values = np.empty(BLOCK)
    scratch = np.empty(n)
    order = np.empty(n, np.int64)
    stack = np.empty(256, np.int64)
    bounds = np.empty(256)
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
                    measure_block(
                        rule, is_plain, queries, i, columns, start, stop, theta, subsets, measures, settings, table,
                        places, d, values, scratch, order,
                    )  # fmt: skip
                    for j in range(stop - start):
                        if values[j] < near[i, last]:
                            insert_sorted(values[j], start + j, near, who, i)
                continue
            least_distance(
                rule, is_plain, queries, i, low, high, holes, child, theta, subsets, measures, settings, d, values,
                scratch, order,
            )  # fmt: skip
            is_first_nearer = values[0] <= values[1]
            nearer, farther = values[0] * SLACK, values[1] * SLACK
            if not is_first_nearer:
                nearer, farther = farther, nearer
            top += 1
            stack[top] = child + 1 if is_first_nearer else child
            bounds[top] = farther
            top += 1
            stack[top] = child if is_first_nearer else child + 1
            bounds[top] = nearer
