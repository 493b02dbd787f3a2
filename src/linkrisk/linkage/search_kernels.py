"""Looking for the nearest records, compiled: one record against blocks of others, through the tree or all.

For each original record the kernels keep a row of ``states``: the distance to its own protected version (NaN
when it has none), to the nearest other protected record, and to the second-nearest other, and how far apart rounding
may make ties look; and a row of ``counts``: others nearer than its own, those of them that are no twins, others tied
with it, twins that are nearer or tied, the point that is nearest of the others, and the number of points looked at.
Once a record is beaten by one that is no twin, it is linked under no rule: only the two nearest are still looked for
(unless ranks are asked for), and the other counts stay incomplete.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules
from linkrisk.differences.twin_kernels import is_twin
from linkrisk.distances.kernels import CHOQUET, MOBIUS, WEIGHTED, Metric
from linkrisk.engine.jit import inlined_kernel, kernel
from linkrisk.linkage.distance_kernels import (
    BLOCK,
    SLACK,
    least_distances,
    least_plain_distances,
    least_sums_of_squares,
    make_buffers,
    measure_block,
    measure_plain_block,
    mobius_rounding,
    sum_squares,
)

OWN, FIRST, SECOND, DOUBT = range(4)
NEARER, BEATEN, TIED, TWINS, NEAREST, LOOKED = range(6)

TIE_ROUNDING = 2.0**-42
"""How much two distances that are exactly tied may look apart, relatively, for up to 1,000 attributes."""

DEPTH = 256
"""Nodes that can wait on the stack of a search; a tree over 2^63 points is not as deep."""


class Cloud(NamedTuple):
    """Distinct protected records in the order of a tree, and the tree (see `linkrisk.linkage.points.Points`)."""

    columns: FloatArray
    weights: IntArray
    ranges: IntArray
    children: IntArray
    low: FloatArray
    high: FloatArray
    holes: IntArray


class TwinTest(NamedTuple):
    """By what twins are told: the attributes as they were compared, before an attacker transformed them.

    ``is_apart`` tells that he did, or that his tolerance is below that of differences; then a twin need not be tied.
    Otherwise it is, by docs/mathematics.md#monotone, whatever rounding makes of the distances.
    """

    queries: FloatArray
    columns: FloatArray
    attributes: AttributeRules
    is_apart: bool


class Found(NamedTuple):
    """What a search fills: one row per query, as told above; ``is_ranking`` asks for all that are nearer."""

    states: FloatArray
    counts: IntArray
    is_ranking: bool


@inlined_kernel
def reach(
    own: float, first: float, second: float, doubt: float, beaten: int, tolerance: float, is_ranking: bool
) -> float:
    """Return the distance beyond which no record can change the state any more.

    *Guarantee* (docs/mathematics.md#reach): a farther one is no new nearest other, is neither nearer than the own
    record nor tied with it, is no twin, and is no second-nearest other below the own distance.
    """
    limit = second
    if not np.isnan(own):
        ties = (own + doubt) / (1.0 - tolerance)
        ties += 2.0**-50 * abs(ties)  # the quotient may be rounded down, and a tie just beyond it lost
        limit = max(ties, first)
        if beaten > 0:
            limit = min(own, second)
            if is_ranking:
                limit = max(ties, limit)
    return limit


@inlined_kernel
def current_reach(states: FloatArray, counts: IntArray, i: int, tolerance: float, is_ranking: bool) -> float:
    """Return the reach of query i as its state stands."""
    return reach(
        states[i, OWN],
        states[i, FIRST],
        states[i, SECOND],
        states[i, DOUBT],
        counts[i, BEATEN],
        tolerance,
        is_ranking,
    )


@inlined_kernel
def tie_doubt(rule: int, theta: FloatArray, own_distance: float, d: FloatArray) -> float:
    """Return how far apart rounding may make distances look that are exactly tied with the own one.

    ``d[:, 0]`` are the differences to the own record. Terms of a Möbius sum may cancel: its error is a share of their
    sizes, not of the sum.

    *Guarantee* (docs/mathematics.md#twins-found): twins of a monotone distance are told as tied.
    """
    if rule != MOBIUS:
        return TIE_ROUNDING * abs(own_distance)
    largest = 0.0
    for k in range(d.shape[0]):
        largest = max(largest, d[k, 0])
    return mobius_rounding(theta, largest)


@inlined_kernel
def take(
    test: TwinTest,
    i: int,
    own: int,
    weights: IntArray,
    start: int,
    stop: int,
    values: FloatArray,
    states: FloatArray,
    counts: IntArray,
    tolerance: float,
    is_ranking: bool,
) -> None:
    """Enter the distances of the points start:stop into the state of query i.

    ``weights`` says how many protected records each point stands for.
    """
    own_distance = states[i, OWN]
    first = states[i, FIRST]
    second = states[i, SECOND]
    doubt = states[i, DOUBT]
    limit = reach(own_distance, first, second, doubt, counts[i, BEATEN], tolerance, is_ranking)
    counts[i, LOOKED] += stop - start
    n_near = 0
    for place in range(np.uint64(stop - start)):  # vector instructions; most blocks have nobody within reach
        n_near += 0 if values[place] > limit else 1
    if n_near == 0:
        return
    for place in range(stop - start):
        value = values[place]
        if value > limit:
            continue
        j = start + place
        others = weights[j] - 1 if j == own else weights[j]
        if others == 0:
            continue
        if value < first:
            second = value if others > 1 else first
            first = value
            counts[i, NEAREST] = j
        elif value < second:
            second = value
        if own >= 0 and (1.0 - tolerance) * value <= own_distance + doubt:
            count_rival(test, i, own, j, others, value, own_distance, doubt, tolerance, counts)
        limit = reach(own_distance, first, second, doubt, counts[i, BEATEN], tolerance, is_ranking)
    states[i, FIRST] = first
    states[i, SECOND] = second


@kernel
def count_rival(
    test: TwinTest,
    i: int,
    own: int,
    j: int,
    others: int,
    value: float,
    own_distance: float,
    doubt: float,
    tolerance: float,
    counts: IntArray,
) -> None:
    """Count records that are nearer than query i's own, or tied with it, and whether they are its twins.

    *Guarantee* (docs/mathematics.md#twins-found): twins are told exactly, and where they must be tied, they are.
    """
    is_nearer = value < (1.0 - tolerance) * own_distance
    is_farther = (1.0 - tolerance) * value > own_distance
    may_be_twin = not is_farther if test.is_apart else value >= (1.0 - tolerance) * own_distance - doubt
    is_same = j == own or (may_be_twin and is_twin(test.queries, i, test.columns, j, own, test.attributes))
    if is_same and not test.is_apart:
        is_nearer = False
        is_farther = False
    if is_farther:
        return
    if is_same:
        counts[i, TWINS] += others
    if is_nearer:
        counts[i, NEARER] += others
        if not is_same:
            counts[i, BEATEN] += others
    else:
        counts[i, TIED] += others


@inlined_kernel
def start_state(states: FloatArray, counts: IntArray, i: int, own_distance: float, doubt: float) -> None:
    """Begin with the record's own distance: everything farther is out of reach from the start."""
    states[i, OWN] = own_distance
    states[i, FIRST] = np.inf
    states[i, SECOND] = np.inf
    states[i, DOUBT] = doubt
    counts[i, :] = 0
    counts[i, NEAREST] = -1


@kernel
def search_tree(  # noqa: PLR0912, PLR0915  (one loop, its common cases first: a call here costs more than it does)
    metric: Metric, queries: FloatArray, own: IntArray, cloud: Cloud, test: TwinTest, found: Found
) -> None:
    """Find the nearest records of each query through the tree, nearer half first."""
    # Taken out of their tuples once: numba counts a reference, atomically, whenever an array leaves a tuple.
    columns, weights, ranges, children, low, high, holes = cloud
    states, counts, is_ranking = found
    buffers = make_buffers(queries.shape[1])
    d, padded, _, values, kept, ordered, order = buffers
    rule, _, theta, network, floor, _, tolerance = metric
    is_weighted = metric.is_plain and rule == WEIGHTED
    is_plain = metric.is_plain and rule <= CHOQUET
    stack = np.empty(DEPTH, np.int64)
    bounds = np.empty(DEPTH)
    for i in range(queries.shape[0]):
        values[0] = np.nan
        if own[i] >= 0 and is_weighted:
            sum_squares(theta, queries, i, columns, own[i], own[i] + 1, values)
        elif own[i] >= 0:
            measure_block(metric, queries, i, columns, own[i], own[i] + 1, np.inf, buffers)
        start_state(states, counts, i, values[0], tie_doubt(rule, theta, values[0], d))
        limit = current_reach(states, counts, i, tolerance, is_ranking)
        node = 0
        top = -1
        while True:
            child = children[node]
            if child < 0:
                start = ranges[node, 0]
                while start < ranges[node, 1]:
                    stop = min(start + BLOCK, ranges[node, 1])
                    if is_weighted:
                        sum_squares(theta, queries, i, columns, start, stop, values)
                    elif is_plain:
                        measure_plain_block(
                            rule, theta, network, floor, queries, i, columns, start, stop, limit,
                            d, padded, values, kept, ordered, order,
                        )  # fmt: skip
                    else:
                        measure_block(metric, queries, i, columns, start, stop, limit, buffers)
                    take(test, i, own[i], weights, start, stop, values, states, counts, tolerance, is_ranking)
                    start = stop
                limit = current_reach(states, counts, i, tolerance, is_ranking)
            else:
                if is_weighted:
                    near, far = least_sums_of_squares(theta, queries, i, low, high, child)
                else:
                    if is_plain:
                        least_plain_distances(
                            rule, theta, network, queries, i, low, high, child, d, padded, values, ordered, order
                        )
                    else:
                        least_distances(metric, queries, i, low, high, holes, child, buffers)
                    near, far = values[0], values[1]
                node = child
                other = child + 1
                if far < near:
                    near, far = far, near
                    node, other = other, node
                top = push(other, SLACK * far, limit, stack, bounds, top)
                if SLACK * near <= limit:
                    continue
            top = last_within(limit, bounds, top)
            if top < 0:
                break
            node = stack[top]
            top -= 1


@inlined_kernel
def push(node: int, bound: float, limit: float, stack: IntArray, bounds: FloatArray, top: int) -> int:
    """Put a node on the stack unless it is out of reach; return the new top."""
    if bound <= limit:
        top += 1
        stack[top] = node
        bounds[top] = bound
    return top


@inlined_kernel
def last_within(limit: float, bounds: FloatArray, top: int) -> int:
    """Return the place on the stack of the last node within reach, or -1."""
    while top >= 0 and bounds[top] > limit:
        top -= 1
    return top


@kernel
def search_all(
    metric: Metric, queries: FloatArray, own: IntArray, cloud: Cloud, test: TwinTest, tile: int, found: Found
) -> None:
    """Compare every query with every point, a tile of points at a time so that they stay in the cache."""
    columns, weights = cloud.columns, cloud.weights
    states, counts, is_ranking = found
    buffers = make_buffers(queries.shape[1])
    values = buffers.values
    tolerance = metric.tolerance
    for i in range(queries.shape[0]):
        values[0] = np.nan
        if own[i] >= 0:
            measure_block(metric, queries, i, columns, own[i], own[i] + 1, np.inf, buffers)
        start_state(states, counts, i, values[0], tie_doubt(metric.rule, metric.theta, values[0], buffers.d))
    n_points = columns.shape[1]
    for tile_start in range(0, n_points, tile):
        tile_stop = min(tile_start + tile, n_points)
        for i in range(queries.shape[0]):
            for start in range(tile_start, tile_stop, BLOCK):
                stop = min(start + BLOCK, tile_stop)
                limit = current_reach(states, counts, i, tolerance, is_ranking)
                measure_block(metric, queries, i, columns, start, stop, limit, buffers)
                take(test, i, own[i], weights, start, stop, values, states, counts, tolerance, is_ranking)
