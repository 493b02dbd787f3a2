"""Distances of one record to a block of others, and bounds of its distance to boxes of them, compiled.

Points are stored attribute by attribute (``columns[k, j]``), and kernels pass whole arrays with row numbers: a
view of a row costs numba two atomic operations, more than a distance.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import fill_differences, largest_difference, least_difference
from linkrisk.distances.kernels import (
    CHOQUET,
    FEW,
    KERNEL,
    MOBIUS,
    ORDERED,
    WEIGHTED,
    Buffers,
    Metric,
    aggregate,
    aggregate_differences,
    least_kernel_distance,
)
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

BLOCK = 128
"""Candidates treated at once; leaves of the tree are no larger."""

WORTH_SIFTING = 0.3
"""Floor, relative to that of the plain mean, from which candidates are sifted before they are aggregated."""

SLACK = 1.0 - 2.0**-44
"""A box is passed over only if its bound, lowered by this factor, is out of reach: rounding loses no link."""


@kernel
def make_buffers(n_attributes: int) -> Buffers:
    """Make room for one thread to work in."""
    cells = np.zeros(max(n_attributes, FEW) * BLOCK)
    return Buffers(
        cells[: n_attributes * BLOCK].reshape(n_attributes, BLOCK),
        cells.reshape(cells.size // BLOCK, BLOCK),
        np.empty((3, BLOCK)),
        np.empty(BLOCK),
        np.empty(BLOCK, np.int64),
        np.empty(n_attributes),
        np.empty(n_attributes, np.int64),
    )


@lean_kernel
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
    d, padded, _, values, kept, ordered, order = buffers
    if metric.is_plain and metric.rule <= CHOQUET:
        measure_plain_block(
            metric.rule, metric.theta, metric.subsets, metric.floor, queries, i, columns, start, stop, limit,
            d, padded, values, kept, ordered, order,
        )  # fmt: skip
        return
    if metric.rule >= KERNEL:
        first = np.uint64(start)
        for k in range(np.uint64(d.shape[0])):
            x = queries[i, k]
            for j in range(np.uint64(stop - start)):
                d[k, j] = x - columns[k, first + j]
    else:
        for k in range(d.shape[0]):
            fill_differences(queries[i, k], columns, k, start, stop, metric.attributes, d)
    if is_worth_sifting(metric.rule, metric.floor, d.shape[0]) and limit < np.inf:
        n_kept = sift(metric.floor, stop - start, limit, d, values, kept)
        aggregate(metric, queries, i, n_kept, buffers)
        spread_out(n_kept, stop - start, values, kept)
    else:
        aggregate(metric, queries, i, stop - start, buffers)


@inlined_kernel
def measure_plain_block(
    rule: int,
    theta: FloatArray,
    network: IntArray,
    floor: float,
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    start: int,
    stop: int,
    limit: float,
    d: FloatArray,
    padded: FloatArray,
    values: FloatArray,
    kept: IntArray,
    ordered: FloatArray,
    order: IntArray,
) -> None:
    """As `measure_block`, for numbers without holes and the first three rules: the commonest case, without detours."""
    if rule == WEIGHTED:
        sum_squares(theta, queries, i, columns, start, stop, values)
        return
    first = np.uint64(start)
    for k in range(np.uint64(d.shape[0])):
        x = queries[i, k]
        for j in range(np.uint64(stop - start)):
            delta = x - columns[k, first + j]
            d[k, j] = delta * delta
    n_kept = stop - start
    is_sifting = is_worth_sifting(rule, floor, d.shape[0]) and limit < np.inf
    if is_sifting:
        n_kept = sift(floor, stop - start, limit, d, values, kept)
    aggregate_differences(rule, theta, network, n_kept, d, padded, values, ordered, order)
    if is_sifting:
        spread_out(n_kept, stop - start, values, kept)


@inlined_kernel
def is_worth_sifting(rule: int, floor: float, n_attributes: int) -> bool:
    """Tell whether candidates are sifted before they are aggregated.

    A low floor sifts out next to nothing and costs a pass over the block; sorting few differences costs no more.
    """
    return floor * n_attributes > WORTH_SIFTING and not (rule == ORDERED and n_attributes <= FEW)


@inlined_kernel
def sift(floor: float, size: int, limit: float, d: FloatArray, values: FloatArray, kept: IntArray) -> int:
    """Move the candidates of a block that may be within the limit to its front; return how many they are.

    *Guarantee* (docs/mathematics.md#reach): a candidate left out is farther than the limit.
    """
    block = np.uint64(size)
    for j in range(block):
        values[j] = 0.0
    for k in range(np.uint64(d.shape[0])):
        for j in range(block):
            values[j] += d[k, j]
    n_kept = 0
    for j in range(size):
        if floor * SLACK * values[j] <= limit:
            kept[n_kept] = j
            for k in range(d.shape[0]):
                d[k, n_kept] = d[k, j]
            n_kept += 1
    return n_kept


@inlined_kernel
def spread_out(n_kept: int, size: int, values: FloatArray, kept: IntArray) -> None:
    """Put the distances of the candidates that were kept back to their places, and inf to the others."""
    place = n_kept - 1
    for j in range(size - 1, -1, -1):
        if place >= 0 and kept[place] == j:
            values[j] = values[place]
            place -= 1
        else:
            values[j] = np.inf


@inlined_kernel
def sum_squares(
    theta: FloatArray, queries: FloatArray, i: int, columns: FloatArray, start: int, stop: int, values: FloatArray
) -> None:
    """Write the weighted sums of squared differences between query i and the points start:stop."""
    first = np.uint64(start)
    size = np.uint64(stop - start)
    n = np.uint64(columns.shape[0])
    one = np.uint64(1)
    two = np.uint64(2)
    for j in range(size):
        values[j] = 0.0
    for half in range(n // two):  # two attributes at a time: the sums are fetched and put back half as often
        k = two * half
        x = queries[i, k]
        weight = theta[k]
        next_x = queries[i, k + one]
        next_weight = theta[k + one]
        for j in range(size):
            delta = x - columns[k, first + j]
            next_delta = next_x - columns[k + one, first + j]
            values[j] = (values[j] + weight * (delta * delta)) + next_weight * (next_delta * next_delta)
    if n % two == one:
        x = queries[i, n - one]
        weight = theta[n - one]
        for j in range(size):
            delta = x - columns[n - one, first + j]
            values[j] += weight * (delta * delta)


@inlined_kernel
def plain_gap(x: float, low: float, high: float) -> float:
    """Distance of a number to an interval."""
    below = low - x
    above = x - high
    gap = below if below > above else above
    return gap if gap > 0.0 else 0.0


@inlined_kernel
def least_sums_of_squares(
    theta: FloatArray, queries: FloatArray, i: int, low: FloatArray, high: FloatArray, node: int
) -> tuple[float, float]:
    """Lower bounds of the weighted sum of squared differences between query i and the boxes of node and node + 1."""
    row = np.uint64(node)
    next_row = row + np.uint64(1)
    first = 0.0
    second = 0.0
    for k in range(np.uint64(low.shape[1])):
        x = queries[i, k]
        gap = plain_gap(x, low[row, k], high[row, k])
        first += theta[k] * (gap * gap)
        gap = plain_gap(x, low[next_row, k], high[next_row, k])
        second += theta[k] * (gap * gap)
    return first, second


@inlined_kernel
def least_plain_distances(
    rule: int,
    theta: FloatArray,
    network: IntArray,
    queries: FloatArray,
    i: int,
    low: FloatArray,
    high: FloatArray,
    node: int,
    d: FloatArray,
    padded: FloatArray,
    values: FloatArray,
    ordered: FloatArray,
    order: IntArray,
) -> None:
    """As `least_distances`, for numbers without holes and the first three rules."""
    if rule == WEIGHTED:
        values[0], values[1] = least_sums_of_squares(theta, queries, i, low, high, node)
        return
    first = np.uint64(node)
    for j in range(np.uint64(2)):
        for k in range(np.uint64(d.shape[0])):
            gap = plain_gap(queries[i, k], low[first + j, k], high[first + j, k])
            d[k, j] = gap * gap
    aggregate_differences(rule, theta, network, 2, d, padded, values, ordered, order)


@lean_kernel
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

    *Guarantee* (docs/mathematics.md#least-distance): for the monotone rules the distance of the smallest differences
    bounds all distances; for `kernel` see `least_kernel_distance`.
    """
    d, padded, _, values, _, ordered, order = buffers
    if metric.is_plain and metric.rule <= CHOQUET:
        least_plain_distances(
            metric.rule, metric.theta, metric.subsets, queries, i, low, high, node, d, padded, values, ordered, order
        )
        return
    if metric.rule == KERNEL:
        for j in range(2):
            values[j] = least_kernel_distance(queries, i, low, high, node + j, metric.theta[0])
        return
    for j in range(2):
        for k in range(d.shape[0]):
            d[k, j] = least_difference(
                queries[i, k], low[node + j, k], high[node + j, k], holes[node + j, k], k, metric.attributes
            )
    aggregate(metric, queries, i, 2, buffers)
    if metric.rule == MOBIUS:
        for j in range(2):
            largest = 0.0
            for k in range(d.shape[0]):
                difference = largest_difference(
                    queries[i, k], low[node + j, k], high[node + j, k], holes[node + j, k], k, metric.attributes
                )
                largest = max(largest, difference)
            values[j] -= mobius_rounding(metric.theta, largest)


@inlined_kernel
def mobius_rounding(theta: FloatArray, largest: float) -> float:
    """Return by how much rounding may change one Möbius sum against another, for differences up to ``largest``.

    Terms of both signs can cancel, so that it is a share of their sizes, and no small share of the sum.

    *Guarantee* (docs/mathematics.md#mobius-bound): two computed sums whose exact values are in order are in order, once
    this is taken off the smaller one.
    """
    size = 0.0
    for term in range(theta.size):
        size += abs(theta[term])
    return 2.0**-50 * (theta.size + 4.0) * size * largest


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
