"""Sifting, compiled: which protected records can be near at all, told from codes of 16 bits.

Sums of differences in whole *units*, never above the distance in units: a record whose sum is above the reach is
passed over, block by block first, then one by one. Codes of 16 bits are compared sixteen and more at once, so that this
costs a small part of the distances. What is left is measured as ever.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.distances.kernels import WEIGHTED, Metric, weighted_sum
from linkrisk.engine.jit import inlined_kernel, kernel
from linkrisk.linkage.distance_kernels import BLOCK
from linkrisk.linkage.search_kernels import Cloud, Found, TwinTest, current_reach, start_state, take, tie_doubt

Codes = NDArray[np.uint16]

UNEQUAL, SQUARED, LINEAR = range(3)
"""How the codes of an attribute are compared: whether they are equal, by their distance squared, or times a factor."""

MOST = 65535
"""Largest sum of units."""

SIFT_SLACK = 1.0 + 2.0**-20
"""By how much rounding may at most make a sum of units exceed the distance, relatively, with much to spare."""


class Sieve(NamedTuple):
    """Codes of the points and of blocks of them; see `linkrisk.linkage.sieve.make_sifter`.

    ``codes[k, j]`` is the code of point j, ``kinds[k]`` how it is compared, at most ``caps[k]`` units counting. Block b
    holds the points starts[b]:starts[b + 1], whose codes lie within ``low[k, b]`` and ``high[k, b]``; for categories
    ``lacks[places[k] + code % CATEGORIES, b]`` is 1 if none of them has the code. ``unit`` is what a unit is worth.
    """

    codes: Codes
    kinds: IntArray
    caps: Codes
    starts: IntArray
    low: Codes
    high: Codes
    lacks: NDArray[np.uint8]
    places: IntArray
    unit: float


class SiftedQueries(NamedTuple):
    """Codes of some original records, what a difference of codes costs at least, and what every pair costs."""

    codes: Codes
    costs: Codes
    base: IntArray


CATEGORIES = 64
"""Categories told apart in blocks; codes beyond share their places."""

FEW_LEFT = 8
"""Share of a block, one in so many, up to which what is left of it is measured one by one."""


@inlined_kernel
def units_within(limit: float, unit: float, base: int) -> int:
    """Return the largest sum of units, beyond ``base``, that a distance within the limit can have (`MOST`: any)."""
    units = limit / unit * SIFT_SLACK
    return MOST if units >= MOST else int(units) + 1 - base


@inlined_kernel
def apart(x: np.uint16, y: np.uint16) -> np.uint16:
    """Return how far two codes are apart."""
    return np.uint16(max(x, y) - min(x, y))  # here and below: the compiler does sixteen at once, and none by branches


@inlined_kernel
def outside(x: np.uint16, low: np.uint16, high: np.uint16) -> np.uint16:
    """Return how far a code is from an interval of codes."""
    return np.uint16(max(x, high) - high + (max(low, x) - x))


@inlined_kernel
def capped(units: np.uint16, cap: np.uint16) -> np.uint16:
    """Return the smaller of two numbers of units."""
    return np.uint16(min(units, cap))


@inlined_kernel
def squared(gap: np.uint16, highest: np.uint16) -> np.uint16:
    """Return the units of a squared difference of numbers whose codes are ``gap`` apart: at least the steps between."""
    between = capped(np.uint16(max(gap, np.uint16(1)) - np.uint16(1)), highest)
    return np.uint16(between * between)


@inlined_kernel
def sift_points(
    codes: Codes,
    kinds: IntArray,
    caps: Codes,
    query_codes: Codes,
    costs: Codes,
    i: int,
    start: int,
    stop: int,
    sums: Codes,
) -> None:
    """Write the units by which query i and the points start:stop differ at least."""
    first = np.uint64(start)
    size = np.uint64(stop - start)
    for j in range(size):
        sums[j] = 0
    for k in range(np.uint64(codes.shape[0])):
        x = query_codes[i, k]
        cost = costs[i, k]
        cap = caps[k]
        if kinds[k] == UNEQUAL:
            for j in range(size):
                sums[j] += np.uint16(0) if codes[k, first + j] == x else cost
        elif kinds[k] == SQUARED:
            for j in range(size):
                sums[j] += capped(squared(apart(codes[k, first + j], x), cost), cap)
        else:
            for j in range(size):
                sums[j] += capped(np.uint16(apart(codes[k, first + j], x) * cost), cap)


@inlined_kernel
def sift_blocks(sieve: Sieve, query_codes: Codes, costs: Codes, i: int, bounds: Codes) -> None:
    """Write the units by which query i and any point of each block differ at least."""
    _, kinds, caps, _, low, high, lacks, places, _ = sieve
    n_blocks = np.uint64(low.shape[1])
    for b in range(n_blocks):
        bounds[b] = 0
    for k in range(np.uint64(low.shape[0])):
        x = query_codes[i, k]
        cost = costs[i, k]
        cap = caps[k]
        if kinds[k] == UNEQUAL:
            place = np.uint64(places[k] + x % CATEGORIES)
            for b in range(n_blocks):
                bounds[b] += np.uint16(lacks[place, b] * cost)
        elif kinds[k] == SQUARED:
            for b in range(n_blocks):
                bounds[b] += capped(squared(outside(x, low[k, b], high[k, b]), cost), cap)
        else:
            for b in range(n_blocks):
                bounds[b] += capped(np.uint16(outside(x, low[k, b], high[k, b]) * cost), cap)


@inlined_kernel
def measure_sum(
    theta: FloatArray,
    rules: AttributeRules,
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    start: int,
    stop: int,
    d: FloatArray,
    values: FloatArray,
) -> None:
    """Write the distances between query i and the points start:stop, as `measure_block` does, for sums alone."""
    for k in range(d.shape[0]):
        fill_differences(queries[i, k], columns, k, start, stop, rules, d)
    weighted_sum(d, theta, stop - start, values)


@inlined_kernel
def measured_at_once(sums: Codes, size: int, within: int) -> int:
    """Return how many points of a block are measured together: all of them; 1 where few are within; 0 where none is."""
    n_near = 0
    for j in range(np.uint64(size)):
        n_near += 1 if sums[j] <= within else 0
    if n_near == 0:
        return 0
    return 1 if FEW_LEFT * n_near < size else size


@inlined_kernel
def least_place(bounds: Codes) -> int:
    """Return the block with the least bound."""
    best = 0
    for b in range(bounds.size):
        if bounds[b] < bounds[best]:
            best = b
    return best


@kernel
def search_sieve(
    metric: Metric,
    queries: FloatArray,
    own: IntArray,
    cloud: Cloud,
    test: TwinTest,
    sieve: Sieve,
    sifted: SiftedQueries,
    found: Found,
) -> None:
    """Find the nearest records of each query among those that the sieve leaves, the likeliest block first.

    *Guarantee* (docs/mathematics.md#sieve): a point passed over is out of reach.
    """
    columns, weights = cloud.columns, cloud.weights
    states, counts, is_ranking = found
    codes, kinds, caps, starts, _, _, _, _, unit = sieve
    query_codes, costs, base = sifted
    theta, rules, tolerance = metric.theta, metric.attributes, metric.tolerance
    d, values = np.empty((queries.shape[1], BLOCK)), np.empty(BLOCK)
    n_blocks = starts.size - 1
    bounds = np.empty(n_blocks, np.uint16)
    sums = np.empty(BLOCK, np.uint16)
    for i in range(queries.shape[0]):
        values[0] = np.nan
        if own[i] >= 0:
            measure_sum(theta, rules, queries, i, columns, own[i], own[i] + 1, d, values)
        start_state(states, counts, i, values[0], tie_doubt(WEIGHTED, theta, values[0], d))
        sift_blocks(sieve, query_codes, costs, i, bounds)
        likeliest = least_place(bounds)
        limit = current_reach(states, counts, i, tolerance, is_ranking)
        within = units_within(limit, unit, base[i])
        for turn in range(-1, n_blocks):
            b = likeliest if turn < 0 else turn
            if bounds[b] > within or turn == likeliest:
                continue
            start, stop = starts[b], starts[b + 1]
            sift_points(codes, kinds, caps, query_codes, costs, i, start, stop, sums)
            step = measured_at_once(sums, stop - start, within)
            if step == 0:
                continue
            for j in range(start, stop, step):
                if step == 1 and sums[j - start] > within:
                    continue
                measure_sum(theta, rules, queries, i, columns, j, j + step, d, values)
                take(test, i, own[i], weights, j, j + step, values, states, counts, tolerance, is_ranking)
                limit = current_reach(states, counts, i, tolerance, is_ranking)
                within = units_within(limit, unit, base[i])
