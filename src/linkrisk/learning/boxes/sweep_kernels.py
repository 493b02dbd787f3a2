"""Cutting off the parts of a box, along its coordinates, where too few records can be linked, compiled."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.exact_kernels import is_row_never_positive
from linkrisk.learning.boxes.log_kernels import Log, log_division, log_loss, log_node
from linkrisk.learning.boxes.state_kernels import LEAST, Ends, Lists, Memory, Problem, Units


@kernel
def sort_ends(at: FloatArray, weight: FloatArray, size: int) -> None:
    """Sort the first places of ``at``, and the weights with them."""
    if size > 40:
        order = np.argsort(at[:size])
        at[:size], weight[:size] = at[order], weight[order]
        return
    for i in range(1, size):
        x, w = at[i], weight[i]
        j = i
        while j > 0 and at[j - 1] > x:
            at[j], weight[j] = at[j - 1], weight[j - 1]
            j -= 1
        at[j], weight[j] = x, w


@lean_kernel
def find_hull(
    ends: Ends, n_opening: int, n_closing: int, low: float, high: float, depth: float, need: float
) -> tuple[float, float]:
    """Return the least stretch from low to high outside of which less than ``need`` can be linked.

    ``depth`` is what can be linked at low. Where there is no such stretch, its end lies before its beginning.
    """
    opening, opening_weight, closing, closing_weight = ends
    sort_ends(opening, opening_weight, n_opening)
    sort_ends(closing, closing_weight, n_closing)
    first = low if depth >= need else np.inf
    last = low
    opened = closed = 0
    while opened < n_opening or closed < n_closing:
        if closed < n_closing and (opened >= n_opening or closing[closed] <= opening[opened]):
            if depth >= need:
                last = closing[closed]
            depth -= closing_weight[closed]
            closed += 1
        else:
            depth += opening_weight[opened]
            if depth >= need:
                first = min(first, opening[opened])
            opened += 1
    return first, high if depth >= need else last


@lean_kernel
def hull_along(
    lower: FloatArray,
    upper: FloatArray,
    units: Units,
    ends: Ends,
    n_records: int,
    n_units: int,
    k: int,
    low: float,
    high: float,
    linkable: float,
    need: float,
) -> tuple[float, float]:
    """Return the least stretch of coordinate k outside of which less than ``need`` can be linked.

    A unit can be linked from where the first of its records can to where the last can.
    """
    unit, unit_weight, unit_first, unit_last, _ = units  # taken out of the tuple once: each access counts references
    opening, opening_weight, closing, closing_weight = ends
    for u in range(n_units):
        unit_first[u], unit_last[u] = np.inf, -np.inf
    for i in range(n_records):
        if lower[i, k] < upper[i, k]:
            u = unit[i]
            unit_first[u] = min(unit_first[u], lower[i, k])
            unit_last[u] = max(unit_last[u], upper[i, k])
    n_opening = n_closing = 0
    never = late = early = 0.0
    for u in range(n_units):
        first, last, w = unit_first[u], unit_last[u], unit_weight[u]
        if first >= last:
            never += w
            continue
        if first > low:
            opening[n_opening], opening_weight[n_opening] = first, w
            late += w
            n_opening += 1
        if last < high:
            closing[n_closing], closing_weight[n_closing] = last, w
            early += w
            n_closing += 1
    depth = linkable - never - late
    if depth - early >= need:
        return low, high
    return find_hull(ends, n_opening, n_closing, low, high, depth, need)


@lean_kernel
def cut_off(
    problem: Problem,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    n_units: int,
    linkable: float,
    need: float,
) -> tuple[float, int]:
    """Cut off the box where less than ``need`` can be linked; return the greatest part cut off, and the node left.

    *Guarantee* (docs/mathematics.md#cut-off): no theta cut off links ``need`` of the undecided records, since along
    some coordinate it lies outside the intervals of too many of them (see `filter_rows`). The part is 1 where nothing
    is left.
    """
    low, high, lower, upper = memory.low, memory.high, memory.lower, memory.upper
    greatest = 0.0
    for k in range(len(low)):
        width = high[k] - low[k]
        if width <= 0.0:
            continue
        first, last = hull_along(
            lower, upper, memory.units, memory.ends, end - begin, n_units, k, low[k], high[k], linkable, need
        )
        first = first if first > LEAST else low[k]  # nothing so small is cut off: its products would underflow
        last = max(last, min(high[k], LEAST))
        if node >= 0:
            node = log_slabs(problem, lists, memory, log, node, begin, end, n_units, k, min(first, high[k]), need)
        if first > last:
            return 1.0, node
        low[k] = first
        if node >= 0:
            node = log_slabs_down(problem, lists, memory, log, node, begin, end, n_units, k, last, need)
        high[k] = last
        part = (last - first) / width
        memory.share[k] *= part
        greatest = max(greatest, 1.0 - part)
    return greatest, node


@lean_kernel
def find_lost_row(values: FloatArray, row: IntArray, first: int, last: int, low: FloatArray, high: FloatArray) -> int:
    """Return a row that is positive nowhere in the box, or -1."""
    for t in range(first, last):
        if is_row_never_positive(values, row[t], low, high):
            return int(row[t])
    return -1


@kernel
def log_lost_units(
    problem: Problem,
    lists: Lists,
    log: Log,
    units: Units,
    begin: int,
    end: int,
    n_units: int,
    is_lost: IntArray,
    low: FloatArray,
    high: FloatArray,
    need: float,
) -> None:
    """Tell the records of lost units until less than ``need`` is linkable."""
    linkable = 0.0
    for u in range(n_units):
        linkable += units.weight[u]
    is_told = np.zeros(n_units, np.int64)
    for u in range(n_units):
        if linkable < need:
            break
        if is_lost[u] > 0:
            is_told[u] = 1
            linkable -= units.weight[u]
    for i in range(end - begin):
        if is_told[units.of[i]] > 0:
            first, last = lists.span[begin + i, 0], lists.span[begin + i, 1]
            row = find_lost_row(problem.values, lists.row, first, last, low, high)
            log_loss(log, lists.record[begin + i], row)


@lean_kernel
def farthest_end(
    lower: FloatArray,
    upper: FloatArray,
    units: Units,
    ends: Ends,
    n_records: int,
    n_units: int,
    k: int,
    start: float,
    stop: float,
    need: float,
    is_lost: IntArray,
) -> float:
    """Return how far from ``start`` to ``stop`` less than ``need`` can be linked, all along; marks units lost there.

    A record is lost from start to there if it can be linked only beyond, or only before start.
    """
    is_upward = stop > start
    reach = units.first
    reach[:n_units] = np.inf
    for i in range(n_records):
        first, last = (lower[i, k], upper[i, k]) if is_upward else (-upper[i, k], -lower[i, k])
        if last > (start if is_upward else -start):
            reach[units.of[i]] = min(reach[units.of[i]], first)
    linkable = 0.0
    for u in range(n_units):
        ends.opening[u], ends.opening_weight[u] = reach[u], units.weight[u]
        linkable += units.weight[u]
    sort_ends(ends.opening, ends.opening_weight, n_units)
    end = stop if is_upward else -stop
    for u in range(n_units - 1, -1, -1):
        end = min(end, ends.opening[u])
        linkable -= ends.opening_weight[u]
        if linkable < need:
            break
    for u in range(n_units):
        is_lost[u] = 1 if reach[u] >= end else 0
    return end if is_upward else -end


@kernel
def log_slabs(
    problem: Problem,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    n_units: int,
    k: int,
    stop: float,
    need: float,
) -> int:
    """Tell the part of the box from its low side up to ``stop`` in slabs, leaves each; return the node left."""
    low, high = memory.low.copy(), memory.high.copy()
    is_lost = np.empty(n_units, np.int64)
    while low[k] < stop:
        high[k] = farthest_end(
            memory.lower, memory.upper, memory.units, memory.ends, end - begin, n_units, k, low[k], stop, need, is_lost
        )
        leaf = node
        if high[k] < memory.high[k]:
            log_division(log, node, k, high[k])
            leaf = log_node(log, node, 0)
        log_lost_units(problem, lists, log, memory.units, begin, end, n_units, is_lost, low, high, need)
        if high[k] < memory.high[k]:
            node = log_node(log, node, 1)
        if leaf < 0 or node < 0 or high[k] <= low[k]:
            break
        low[k] = high[k]
    return node


@kernel
def log_slabs_down(
    problem: Problem,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    n_units: int,
    k: int,
    stop: float,
    need: float,
) -> int:
    """Tell the part of the box from its high side down to ``stop`` in slabs, leaves each; return the node left."""
    low, high = memory.low.copy(), memory.high.copy()
    is_lost = np.empty(n_units, np.int64)
    while high[k] > stop:
        low[k] = farthest_end(
            memory.lower, memory.upper, memory.units, memory.ends, end - begin, n_units, k, high[k], stop, need, is_lost
        )
        log_division(log, node, k, low[k])
        leaf = log_node(log, node, 1)
        log_lost_units(problem, lists, log, memory.units, begin, end, n_units, is_lost, low, high, need)
        node = log_node(log, node, 0)
        if leaf < 0 or node < 0 or high[k] <= low[k]:
            break
        high[k] = low[k]
    return node
