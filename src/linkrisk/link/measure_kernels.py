"""Distances of one record to a block of others, and bounds of its distance to boxes of them, compiled.

Points are stored attribute by attribute (``columns[k, j]``), and kernels pass whole arrays with row numbers: a
view of a row costs numba two atomic operations, more than a distance.
"""

from __future__ import annotations

import numpy as np

from linkrisk.aggregate.kernels import KERNEL, MOBIUS, WEIGHTED, Buffers, Metric, aggregate, least_kernel_distance
from linkrisk.compare.kernels import fill_differences, least_difference
from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel

BLOCK = 64
"""Candidates treated at once; leaves of the tree are no larger."""

WORTH_SIFTING = 0.3
"""Floor, relative to that of the plain mean, from which candidates are sifted before they are aggregated."""

SLACK = 1.0 - 2.0**-44
"""A box is passed over only if its bound, lowered by this factor, is out of reach: rounding loses no link."""


@inlined_kernel
def make_buffers(n_attributes: int) -> Buffers:
    """Make room for one thread to work in."""
    return Buffers(
        np.empty((n_attributes, BLOCK)),
        np.empty((3, BLOCK)),
        np.empty(BLOCK),
        np.empty(BLOCK, np.int64),
        np.empty(n_attributes),
        np.empty(n_attributes, np.int64),
    )


@kernel
def measure_block(
    metric: Metric,
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    start: int,
    stop: int,
    limit: float,
    buffers: Buffers,
) -> None:
    """Write the distances between query i and the points start:stop to ``buffers.values``.

    Candidates that are farther than ``limit`` for certain get inf: a sum of differences is cheaper than a sort.
    """
    d = buffers.d
    n = np.uint64(d.shape[0])
    first = np.uint64(start)
    size = np.uint64(stop - start)
    if metric.is_plain and metric.rule == WEIGHTED:
        measure_plain_block(metric.theta, queries, i, columns, start, stop, buffers.values)
        return
    if metric.rule >= KERNEL:
        for k in range(n):
            x = queries[i, k]
            for j in range(size):
                d[k, j] = x - columns[k, first + j]
    elif metric.is_plain:
        for k in range(n):
            x = queries[i, k]
            for j in range(size):
                delta = x - columns[k, first + j]
                d[k, j] = delta * delta
    else:
        for k in range(d.shape[0]):
            fill_differences(queries[i, k], columns, k, start, stop, metric.attributes, d)
    # A low floor sifts out next to nothing and costs a pass over the block.
    if metric.floor * d.shape[0] > WORTH_SIFTING and limit < np.inf:
        n_kept = sift(metric.floor, stop - start, limit, buffers)
        aggregate(metric, queries, i, n_kept, buffers)
        spread_out(n_kept, stop - start, buffers)
    else:
        aggregate(metric, queries, i, stop - start, buffers)


@inlined_kernel
def sift(floor: float, size: int, limit: float, buffers: Buffers) -> int:
    """Move the candidates of a block that may be within the limit to its front; return how many they are."""
    d = buffers.d
    values = buffers.values
    block = np.uint64(size)
    for j in range(block):
        values[j] = 0.0
    for k in range(np.uint64(d.shape[0])):
        for j in range(block):
            values[j] += d[k, j]
    n_kept = 0
    for j in range(size):
        if floor * SLACK * values[j] <= limit:
            buffers.kept[n_kept] = j
            for k in range(d.shape[0]):
                d[k, n_kept] = d[k, j]
            n_kept += 1
    return n_kept


@inlined_kernel
def spread_out(n_kept: int, size: int, buffers: Buffers) -> None:
    """Put the distances of the candidates that were kept back to their places, and inf to the others."""
    values = buffers.values
    place = n_kept - 1
    for j in range(size - 1, -1, -1):
        if place >= 0 and buffers.kept[place] == j:
            values[j] = values[place]
            place -= 1
        else:
            values[j] = np.inf


@inlined_kernel
def measure_plain_block(
    theta: FloatArray, queries: FloatArray, i: int, columns: FloatArray, start: int, stop: int, values: FloatArray
) -> None:
    """Weighted sums of squared differences of numbers: the commonest case, without detours."""
    first = np.uint64(start)
    size = np.uint64(stop - start)
    for j in range(size):
        values[j] = 0.0
    for k in range(np.uint64(columns.shape[0])):
        x = queries[i, k]
        weight = theta[k]
        for j in range(size):
            delta = x - columns[k, first + j]
            values[j] += weight * (delta * delta)


@inlined_kernel
def plain_gap(x: float, low: float, high: float) -> float:
    """Distance of a number to an interval."""
    below = low - x
    above = x - high
    gap = below if below > above else above
    return gap if gap > 0.0 else 0.0


@inlined_kernel
def least_plain_distance(
    theta: FloatArray, queries: FloatArray, i: int, low: FloatArray, high: FloatArray, node: int
) -> float:
    """Lower bound of the weighted sum of squared differences between query i and the box of a node."""
    row = np.uint64(node)
    total = 0.0
    for k in range(np.uint64(low.shape[1])):
        gap = plain_gap(queries[i, k], low[row, k], high[row, k])
        total += theta[k] * (gap * gap)
    return total


@kernel
def least_distances(
    metric: Metric,
    queries: FloatArray,
    i: int,
    low: FloatArray,
    high: FloatArray,
    holes: IntArray,
    node: int,
    buffers: Buffers,
) -> None:
    """Write lower bounds of the distance between query i and the boxes of node and node + 1 to ``buffers.values``.

    *Guarantee*: for the monotone rules the distance of the smallest differences bounds all distances; for
    `kernel` see `least_kernel_distance`.
    """
    d = buffers.d
    if metric.rule == KERNEL:
        for j in range(2):
            buffers.values[j] = least_kernel_distance(queries, i, low, high, node + j, metric.theta[0])
        return
    if metric.is_plain:
        first = np.uint64(node)
        for j in range(np.uint64(2)):
            for k in range(np.uint64(d.shape[0])):
                gap = plain_gap(queries[i, k], low[first + j, k], high[first + j, k])
                d[k, j] = gap * gap
    else:
        for j in range(2):
            for k in range(d.shape[0]):
                d[k, j] = least_difference(
                    queries[i, k], low[node + j, k], high[node + j, k], holes[node + j, k], k, metric.attributes
                )
    aggregate(metric, queries, i, 2, buffers)
    if metric.rule == MOBIUS:
        lower_mobius_bounds(metric.theta, buffers)


@inlined_kernel
def lower_mobius_bounds(theta: FloatArray, buffers: Buffers) -> None:
    """Take off the bounds what rounding may have added: terms of both signs can cancel, so it is no small share."""
    size = 0.0
    for term in range(theta.size):
        size += abs(theta[term])
    for j in range(2):
        largest = 0.0
        for k in range(buffers.d.shape[0]):
            largest = max(largest, buffers.d[k, j])
        buffers.values[j] -= 2.0**-52 * theta.size * size * largest


@kernel
def measure_all(metric: Metric, queries: FloatArray, columns: FloatArray, result: FloatArray) -> None:
    """Write the distances between every query and every point to ``result``."""
    buffers = make_buffers(queries.shape[1])
    for i in range(queries.shape[0]):
        for start in range(0, columns.shape[1], BLOCK):
            stop = min(start + BLOCK, columns.shape[1])
            measure_block(metric, queries, i, columns, start, stop, np.inf, buffers)
            for j in range(stop - start):
                result[i, start + j] = buffers.values[j]
