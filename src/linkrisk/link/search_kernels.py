"""Looking for the nearest records, compiled: one record against blocks of others, through the tree or all.

For each original record the kernels keep a row of ``states``: the distance to its own protected version (NaN
when it has none), to the nearest other protected record, and to the second-nearest other; and a row of
``counts``: others nearer than its own, others tied with it, twins among those, the point that is nearest of the
others, and the number of points looked at.

Points are stored attribute by attribute (``columns[k, j]``), and kernels pass whole arrays with row numbers: a
view of a row costs numba two atomic operations, more than a distance.
"""

from __future__ import annotations

import numpy as np

from linkrisk.aggregate.kernels import KERNEL, WEIGHTED, aggregate
from linkrisk.compare.kernels import fill_differences, least_difference
from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel

OWN, FIRST, SECOND = range(3)
NEARER, TIED, TWINS, NEAREST, LOOKED = range(5)

BLOCK = 64
"""Candidates treated at once; leaves of the tree are no larger."""

SLACK = 1.0 - 2.0**-44
"""A box is passed over only if its bound, lowered by this factor, is out of reach: rounding loses no link."""


@kernel
def measure_block(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    start: int,
    stop: int,
    theta: FloatArray,
    subsets: IntArray,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    d: FloatArray,
    values: FloatArray,
    scratch: FloatArray,
    order: IntArray,
) -> None:
    """Write the distances between query i and the points start:stop to ``values``."""
    n = np.uint64(d.shape[0])
    first = np.uint64(start)
    size = np.uint64(stop - start)
    if is_plain and rule == WEIGHTED:
        for j in range(size):
            values[j] = 0.0
        for k in range(n):
            x = queries[i, k]
            weight = theta[k]
            for j in range(size):
                delta = x - columns[k, first + j]
                values[j] += weight * (delta * delta)
    elif rule >= KERNEL:
        for k in range(n):
            x = queries[i, k]
            for j in range(size):
                d[k, j] = x - columns[k, first + j]
    elif is_plain:
        for k in range(n):
            x = queries[i, k]
            for j in range(size):
                delta = x - columns[k, first + j]
                d[k, j] = delta * delta
    else:
        for k in range(d.shape[0]):
            fill_differences(queries[i, k], columns, k, start, stop, measures, settings, table, places, d)
    if rule != WEIGHTED or not is_plain:
        aggregate(rule, queries, i, d, stop - start, theta, subsets, values, scratch, order)


@inlined_kernel
def least_distance(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    i: int,
    low: FloatArray,
    high: FloatArray,
    holes: IntArray,
    node: int,
    theta: FloatArray,
    subsets: IntArray,
    measures: IntArray,
    settings: FloatArray,
    d: FloatArray,
    values: FloatArray,
    scratch: FloatArray,
    order: IntArray,
) -> None:
    """Write lower bounds of the distance between query i and the boxes of node and node + 1 to ``values``.

    *Guarantee*: for the monotone rules the distance of the smallest differences bounds all distances; for
    `kernel`, the part of degree one of the polynomial alone is degree times the Euclidean distance.
    """
    n = np.uint64(d.shape[0])
    first = np.uint64(node)
    if is_plain and rule == WEIGHTED:
        for j in range(np.uint64(2)):
            total = 0.0
            for k in range(n):
                x = queries[i, k]
                gap = max(low[first + j, k] - x, x - high[first + j, k], 0.0)
                total += theta[k] * (gap * gap)
            values[j] = total
    elif is_plain:
        for j in range(np.uint64(2)):
            for k in range(n):
                x = queries[i, k]
                gap = max(low[first + j, k] - x, x - high[first + j, k], 0.0)
                d[k, j] = gap * gap
    else:
        for j in range(2):
            for k in range(d.shape[0]):
                d[k, j] = least_difference(
                    queries[i, k], low[node + j, k], high[node + j, k], holes[node + j, k], k, measures, settings
                )
    if rule == KERNEL:
        for j in range(2):
            values[j] = 0.0
            for k in range(d.shape[0]):
                values[j] += theta[0] * d[k, j]
    elif rule != WEIGHTED or not is_plain:
        aggregate(rule, queries, i, d, 2, theta, subsets, values, scratch, order)


@inlined_kernel
def reach(own: float, first: float, second: float, nearer: int, tolerance: float, is_ranking: bool) -> float:
    """Return the distance beyond which no record can change the state any more."""
    limit = second
    if not np.isnan(own):
        ties = own / (1.0 - tolerance)
        limit = max(ties, first)
        if nearer > 0:
            limit = min(own, second)
            if is_ranking:
                limit = max(ties, limit)
    return limit


@kernel
def is_twin(
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    j: int,
    own: int,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    tolerance: float,
) -> bool:
    """Whether point j differs from query i by the same d_k as its own point on every attribute."""
    n = columns.shape[0]
    there = np.empty((n, 1))
    here = np.empty((n, 1))
    for k in range(n):
        x = queries[i, k]
        fill_differences(x, columns, k, j, j + 1, measures, settings, table, places, there)
        fill_differences(x, columns, k, own, own + 1, measures, settings, table, places, here)
        if (1.0 - tolerance) * there[k, 0] > here[k, 0] or (1.0 - tolerance) * here[k, 0] > there[k, 0]:
            return False
    return True


@inlined_kernel
def take(
    rule: int,
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    weights: IntArray,
    start: int,
    stop: int,
    own: int,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    tolerance: float,
    is_ranking: bool,
    values: FloatArray,
    states: FloatArray,
    counts: IntArray,
) -> None:
    """Enter the distances of the points start:stop into the state of query i.

    ``weights`` says how many protected records each point stands for.
    """
    near = 1.0 - tolerance
    own_distance = states[i, OWN]
    first = states[i, FIRST]
    second = states[i, SECOND]
    nearer = counts[i, NEARER]
    limit = reach(own_distance, first, second, nearer, tolerance, is_ranking)
    for place in range(np.uint64(stop - start)):
        value = values[place]
        if value > limit:
            continue
        j = start + np.int64(place)
        others = weights[j] - 1 if j == own else weights[j]
        if others == 0:
            continue
        if value < first:
            second = value if others > 1 else first
            first = value
            counts[i, NEAREST] = j
        elif value < second:
            second = value
        if own >= 0 and near * value <= own_distance:
            if value < near * own_distance:
                nearer += others
            else:
                counts[i, TIED] += others
                if j == own or (
                    rule < KERNEL and is_twin(queries, i, columns, j, own, measures, settings, table, places, tolerance)
                ):
                    counts[i, TWINS] += others
        limit = reach(own_distance, first, second, nearer, tolerance, is_ranking)
    states[i, FIRST] = first
    states[i, SECOND] = second
    counts[i, NEARER] = nearer
    counts[i, LOOKED] += stop - start


@inlined_kernel
def start_state(i: int, own_distance: float, states: FloatArray, counts: IntArray) -> None:
    """Begin with the record's own distance: everything farther is out of reach from the start."""
    states[i, OWN] = own_distance
    states[i, FIRST] = np.inf
    states[i, SECOND] = np.inf
    counts[i, NEARER] = 0
    counts[i, TIED] = 0
    counts[i, TWINS] = 0
    counts[i, NEAREST] = -1
    counts[i, LOOKED] = 0


@kernel
def search_tree(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    own: IntArray,
    columns: FloatArray,
    weights: IntArray,
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
    tolerance: float,
    is_ranking: bool,
    states: FloatArray,
    counts: IntArray,
) -> None:
    """Find the nearest records of each query through the tree, nearer half first."""
    n = queries.shape[1]
    d = np.empty((n, BLOCK))
    values = np.empty(BLOCK)
    scratch = np.empty(n)
    order = np.empty(n, np.int64)
    stack = np.empty(256, np.int64)
    bounds = np.empty(256)
    for i in range(queries.shape[0]):
        own_distance = np.nan
        if own[i] >= 0:
            measure_block(
                rule, is_plain, queries, i, columns, own[i], own[i] + 1, theta, subsets, measures, settings, table,
                places, d, values, scratch, order,
            )  # fmt: skip
            own_distance = values[0]
        start_state(i, own_distance, states, counts)
        top = 0
        stack[0] = 0
        bounds[0] = -np.inf
        while top >= 0:
            node = stack[top]
            bound = bounds[top]
            top -= 1
            limit = reach(own_distance, states[i, FIRST], states[i, SECOND], counts[i, NEARER], tolerance, is_ranking)
            if bound > limit:
                continue
            child = children[node]
            if child < 0:
                start = ranges[node, 0]
                while start < ranges[node, 1]:
                    stop = min(start + BLOCK, ranges[node, 1])
                    measure_block(
                        rule, is_plain, queries, i, columns, start, stop, theta, subsets, measures, settings, table,
                        places, d, values, scratch, order,
                    )  # fmt: skip
                    take(
                        rule, queries, i, columns, weights, start, stop, own[i], measures, settings, table, places,
                        tolerance, is_ranking, values, states, counts,
                    )  # fmt: skip
                    start = stop
                continue
            least_distance(
                rule, is_plain, queries, i, low, high, holes, child, theta, subsets, measures, settings, d, values,
                scratch, order,
            )  # fmt: skip
            near = values[0] * SLACK
            far = values[1] * SLACK
            nearer = child
            farther = child + 1
            if far < near:
                near, far = far, near
                nearer, farther = farther, nearer
            if far <= limit:
                top += 1
                stack[top] = farther
                bounds[top] = far
            if near <= limit:
                top += 1
                stack[top] = nearer
                bounds[top] = near


@kernel
def search_all(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    own: IntArray,
    columns: FloatArray,
    weights: IntArray,
    tile: int,
    theta: FloatArray,
    subsets: IntArray,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    tolerance: float,
    is_ranking: bool,
    states: FloatArray,
    counts: IntArray,
) -> None:
    """Compare every query with every point, a tile of points at a time so that they stay in the cache."""
    n = queries.shape[1]
    d = np.empty((n, BLOCK))
    values = np.empty(BLOCK)
    scratch = np.empty(n)
    order = np.empty(n, np.int64)
    for i in range(queries.shape[0]):
        own_distance = np.nan
        if own[i] >= 0:
            measure_block(
                rule, is_plain, queries, i, columns, own[i], own[i] + 1, theta, subsets, measures, settings, table,
                places, d, values, scratch, order,
            )  # fmt: skip
            own_distance = values[0]
        start_state(i, own_distance, states, counts)
    n_points = columns.shape[1]
    for tile_start in range(0, n_points, tile):
        for i in range(queries.shape[0]):
            for start in range(tile_start, min(tile_start + tile, n_points), BLOCK):
                stop = min(start + BLOCK, tile_start + tile, n_points)
                measure_block(
                    rule, is_plain, queries, i, columns, start, stop, theta, subsets, measures, settings, table,
                    places, d, values, scratch, order,
                )  # fmt: skip
                take(
                    rule, queries, i, columns, weights, start, stop, own[i], measures, settings, table, places,
                    tolerance, is_ranking, values, states, counts,
                )  # fmt: skip


@kernel
def measure_all(
    rule: int,
    is_plain: bool,
    queries: FloatArray,
    columns: FloatArray,
    theta: FloatArray,
    subsets: IntArray,
    measures: IntArray,
    settings: FloatArray,
    table: FloatArray,
    places: IntArray,
    result: FloatArray,
) -> None:
    """Write the distances between every query and every point to ``result``."""
    n = queries.shape[1]
    d = np.empty((n, BLOCK))
    values = np.empty(BLOCK)
    scratch = np.empty(n)
    order = np.empty(n, np.int64)
    for i in range(queries.shape[0]):
        for start in range(0, columns.shape[1], BLOCK):
            stop = min(start + BLOCK, columns.shape[1])
            measure_block(
                rule, is_plain, queries, i, columns, start, stop, theta, subsets, measures, settings, table, places,
                d, values, scratch, order,
            )  # fmt: skip
            for j in range(stop - start):
                result[i, start + j] = values[j]
