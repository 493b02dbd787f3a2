"""Looking for the original records that a protected one can be: the likeliest, of all that share its key.

Original records are put in order of their key, and within a key by one coordinate, the primary one. A protected record
is held against those near it in that order, farther and farther away, until the primary term alone costs too much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel
from linkrisk.informed.term_kernels import Terms, cost_of

ALL, GAUSSIAN, INTERVAL = range(3)
"""Kinds of the primary coordinate: none, so that all of a key are looked at; a normal one; an interval."""

MAX_NODES = 48
"""Pairs that are followed from one pair to the next through swapped values; so many that fit do so by no chance."""


TIED = 1e-9
"""Costs that differ by less, relatively, count as equal."""


class Order(NamedTuple):
    """Original records in the order of the search.

    ``key_start[key]`` is where those of a key begin in ``original``; ``primary`` is their coordinate, ascending within
    a key, and ``kind`` and ``column`` tell which.
    """

    original: IntArray
    key_start: IntArray
    primary: FloatArray
    kind: int
    column: int


@kernel
def scan_costs(
    terms: Terms,
    order: Order,
    first: int,
    negligible: float,
    originals: IntArray,
    costs: FloatArray,
    counts: IntArray,
    possible: IntArray,
) -> None:
    """Write the originals of least cost for each protected record from ``first`` on: a row of each array.

    As many as a row holds; those that cost more than the best by ``negligible`` are left out, and so are those that
    cost as much as one for which there was no place: which of them stay would depend on the order of the records.
    Also written is how many of those looked at are possible.
    """
    for row in range(counts.size):
        j = first + row
        low, high = reach(terms, order, j)
        place = middle(terms, order, j, low, high)
        below, above = place - 1, place
        count, left = 0, np.inf
        while below >= low or above < high:
            worst = costs[row, 0] if count == costs.shape[1] else np.inf
            take_above = above < high and (
                below < low or order.kind != GAUSSIAN or gap(terms, order, j, above) <= gap(terms, order, j, below)
            )
            at = above if take_above else below
            if order.kind == GAUSSIAN and 0.5 * gap(terms, order, j, at) ** 2 > worst:
                break
            i = order.original[at]
            cost = cost_of(terms, i, j, worst)
            possible[row] += cost < np.inf
            left = min(left, worst if cost < worst else cost)
            if cost < worst:
                count = put(originals[row], costs[row], count, i, cost)
            if take_above:
                above += 1
            else:
                below -= 1
        counts[row] = settle(originals[row], costs[row], count, left, negligible)


@kernel
def scan_components(
    terms: Terms,
    order: Order,
    has: IntArray,
    had: IntArray,
    gain: float,
    first: int,
    negligible: float,
    originals: IntArray,
    costs: FloatArray,
    counts: IntArray,
    possible: IntArray,
) -> None:
    """Do the same where values changed places in pairs: a pair counts with all pairs that it implies."""
    nodes = np.empty((MAX_NODES, 2), np.int64)
    for row in range(counts.size):
        j = first + row
        low, high = reach(terms, order, j)
        count, left = 0, np.inf
        for at in range(low, high):
            i = order.original[at]
            worst = costs[row, 0] if count == costs.shape[1] else np.inf
            if cost_of(terms, i, j, np.inf) == np.inf:
                continue
            cost = component_cost(terms, has, had, gain, i, j, nodes)
            possible[row] += cost < np.inf
            left = min(left, worst if cost < worst else cost)
            if cost < worst:
                count = put(originals[row], costs[row], count, i, cost)
        counts[row] = settle(originals[row], costs[row], count, left, negligible)


@kernel
def component_cost(terms: Terms, has: IntArray, had: IntArray, gain: float, i: int, j: int, nodes: IntArray) -> float:
    """Return the cost of all pairs that are true if i is j, less ``gain`` for each; infinite if one is impossible.

    *Guarantee* (docs/mathematics.md#implied-pairs): if values changed places in pairs, and i is j, then had[j] is
    has[i] in every attribute. So all these pairs are true together, or none is.
    """
    nodes[0, 0], nodes[0, 1] = i, j
    count, done = 1, 0
    total = 0.0
    while done < count:
        a, b = nodes[done]
        done += 1
        cost = cost_of(terms, a, b, np.inf)
        if cost == np.inf:
            return np.inf
        total += cost - gain
        for k in range(has.shape[1]):
            g, h = has[a, k], had[b, k]
            if g == -1:
                return np.inf
            if g < 0 or h < 0:
                continue
            is_known = False
            for q in range(count):
                if nodes[q, 0] == h or nodes[q, 1] == g:
                    if nodes[q, 0] != h or nodes[q, 1] != g:
                        return np.inf
                    is_known = True
            if not is_known and count < MAX_NODES:
                nodes[count, 0], nodes[count, 1] = h, g
                count += 1
    return total


@kernel
def reach(terms: Terms, order: Order, j: int) -> tuple[int, int]:
    """Return where the originals begin and end that protected record j is held against."""
    key = terms.y_key[j]
    if key + 1 >= order.key_start.size:
        return 0, 0
    low, high = order.key_start[key], order.key_start[key + 1]
    if order.kind == INTERVAL:
        high = low + np.searchsorted(order.primary[low:high], terms.y_high[j, order.column], side="right")
        while low < high and terms.x_high[order.original[low], order.column] < terms.y_low[j, order.column]:
            step = 1
            while (
                low + 2 * step < high
                and terms.x_high[order.original[low + 2 * step], order.column] < terms.y_low[j, order.column]
            ):
                step *= 2
            low += step
    return low, high


@kernel
def middle(terms: Terms, order: Order, j: int, low: int, high: int) -> int:
    """Return where a search outwards begins."""
    if order.kind != GAUSSIAN or np.isnan(terms.y[j, order.column]):
        return low
    return int(low + np.searchsorted(order.primary[low:high], terms.y[j, order.column]))


@kernel
def gap(terms: Terms, order: Order, j: int, at: int) -> float:
    """Return how far the primary coordinate is, 0 where one is missing."""
    difference = abs(order.primary[at] - terms.y[j, order.column])
    return 0.0 if np.isnan(difference) else difference


@kernel
def put(originals: IntArray, costs: FloatArray, count: int, i: int, cost: float) -> int:
    """Put an original into a heap, its largest cost first; the largest leaves where the heap is full."""
    if count < costs.size:
        place = count
        count += 1
        while place > 0 and costs[(place - 1) // 2] < cost:
            costs[place], originals[place] = costs[(place - 1) // 2], originals[(place - 1) // 2]
            place = (place - 1) // 2
    else:
        place = 0
        while True:
            child = 2 * place + 1
            if child >= count:
                break
            if child + 1 < count and costs[child + 1] > costs[child]:
                child += 1
            if costs[child] <= cost:
                break
            costs[place], originals[place] = costs[child], originals[child]
            place = child
    costs[place], originals[place] = cost, i
    return count


@kernel
def settle(originals: IntArray, costs: FloatArray, count: int, left: float, negligible: float) -> int:
    """Leave out what is negligible, or as costly as what found no place; put the rest in order of the originals."""
    if count == 0:
        return 0
    most = costs[:count].min() + negligible
    if left < np.inf:
        most = min(most, left - TIED * (1.0 + abs(left)))
    kept = 0
    for place in range(count):
        if costs[place] <= most:
            costs[kept], originals[kept] = costs[place], originals[place]
            kept += 1
    by_original = np.argsort(originals[:kept])
    originals[:kept] = originals[:kept][by_original]
    costs[:kept] = costs[:kept][by_original]
    return kept
