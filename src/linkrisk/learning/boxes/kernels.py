"""Branch and bound over boxes of parameters, compiled.

A box holds the theta with low <= theta <= high. In it a row whose largest value is not positive loses its record, a row
whose least value is positive is dropped; a record without rows left is linked everywhere in the box, and what is
neither is undecided (`filter_kernels`). Records that are in conflict are counted once (`conflict_kernels`). A
row also tells for each coordinate beyond which value it cannot hold, wherever in the box the others are: where too few
records can be linked along a coordinate, the box is cut off (`sweep_kernels`). What is left is divided, or settled
(`settle_kernels`).

Boxes are searched depth first. An open box remembers where in ``Lists`` its parent's undecided rows stand; its own are
written behind them, over those of boxes that are done.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.conflict_kernels import join_groups
from linkrisk.learning.boxes.filter_kernels import filter_records, gather_units
from linkrisk.learning.boxes.log_kernels import AGAIN, FACE, OVERFLOW, Log, log_division, log_node, take_back
from linkrisk.learning.boxes.settle_kernels import LINKABLE, SETTLED, UNKNOWN, settle
from linkrisk.learning.boxes.state_kernels import (
    BEST,
    BOXES,
    CORNER,
    CORNER_ROWS,
    LEAST,
    LEFT,
    ROWS,
    UNSETTLED,
    UNSETTLED_BOUND,
    Lists,
    Memory,
    Problem,
    Stack,
)
from linkrisk.learning.boxes.sweep_kernels import cut_off
from linkrisk.learning.lines.kernels import count_clear_links, holds_clearly

NARROW = 1e-9
"""Relative width below which a side is not split any more."""

CONFLICT_SHARE = 0.3
"""Conflicts are looked for where excluding at most this share of the linkable weight would settle the box."""

PAIRS_PER_ROW, FIRST_PAIRS_PER_ROW = 2, 64
"""Pairs of records tried for a conflict, per undecided row of a box; more in the first boxes, which serve all."""

SOME_CORES, MANY_CORES = 6, 1000
"""Cores looked for when one or two may settle a box, and when it cannot be divided."""

WORTH_REPEATING = 0.5
"""A box that lost more than this part of a side is filtered again before it is divided."""

DONE, WORKED, FULL, FOUND = range(4)
"""Why a slice ended: no open boxes, enough rows looked at, no room, a better theta."""


@kernel
def centre_of(memory: Memory) -> FloatArray:
    """Return the centre of the box at hand, on a logarithmic scale where there is one."""
    theta = np.empty(len(memory.low))
    for k in range(len(theta)):
        low, high = memory.low[k], memory.high[k]
        theta[k] = np.sqrt(low * high) if low > 0.0 else 0.5 * high
    return theta


@kernel
def take_if_better(problem: Problem, memory: Memory, theta: FloatArray) -> bool:
    """Take theta as the best if it is, beyond rounding."""
    links = count_clear_links(problem.given, problem.start, problem.weight, theta)
    if links < memory.figures[BEST] + problem.gain:
        return False
    memory.figures[BEST] = links
    memory.theta[:] = theta
    return True


@kernel
def try_centre(problem: Problem, lists: Lists, memory: Memory, begin: int, end: int, need: float) -> bool:
    """Take the centre of the box as the best theta if it is, linking ``need`` of the undecided records at least."""
    theta = centre_of(memory)
    values, weight = problem.values, problem.weight
    record, _, span, row = lists
    linked = 0.0
    for e in range(begin, end):
        linked += weight[record[e]]
    for e in range(begin, end):
        for t in range(span[e, 0], span[e, 1]):
            if not holds_clearly(values, row[t], theta):
                linked -= weight[record[e]]
                break
        if linked < need:
            return False
    return take_if_better(problem, memory, theta)


@lean_kernel
def leave_unsettled(memory: Memory, bound: float) -> None:
    """Count the box at hand as one that cannot be settled."""
    memory.counts[UNSETTLED] += 1
    memory.figures[UNSETTLED_BOUND] = max(memory.figures[UNSETTLED_BOUND], bound)


@kernel
def take_decided(problem: Problem, memory: Memory, sure: float) -> bool:
    """Take the centre of a box in which nothing is undecided as the best theta if it is."""
    if sure < memory.figures[BEST] + problem.gain:
        return False
    if take_if_better(problem, memory, centre_of(memory)):
        return True
    leave_unsettled(memory, sure)
    return False


@lean_kernel
def choose_cut(memory: Memory) -> tuple[int, float]:
    """Return the coordinate most of the indecision is due to, and where to cut it; -1 if the box is too small."""
    chosen, greatest = -1, -1.0
    for k in range(len(memory.low)):
        low, high = memory.low[k], memory.high[k]
        if high - low > NARROW * high and high > LEAST and memory.share[k] > greatest:
            chosen, greatest = k, memory.share[k]
    if chosen < 0:
        return -1, 0.0
    low, high = memory.low[chosen], memory.high[chosen]
    if low == 0.0:
        return chosen, high * (0.1 if high > 1e-6 else 1e-3)
    cut = np.sqrt(low * high)
    return chosen, cut if low < cut < high else 0.5 * (low + high)


@kernel
def push(
    stack: Stack, memory: Memory, sure: float, linkable: float, begin: int, end: int, node: int, side: int
) -> None:
    """Put the box at hand on the stack, its undecided records at ``begin`` to ``end``."""
    at = memory.counts[LEFT]
    stack.low[at], stack.high[at] = memory.low, memory.high
    stack.sure[at], stack.linkable[at] = sure, linkable
    stack.span[at, 0], stack.span[at, 1] = begin, end
    stack.origin[at, 0], stack.origin[at, 1] = node, side
    memory.counts[LEFT] = at + 1


@lean_kernel
def divide(
    stack: Stack, memory: Memory, log: Log, sure: float, linkable: float, begin: int, end: int, node: int
) -> bool:
    """Put the two parts of the box at hand on the stack, unless it is too small.

    *Guarantee* (docs/mathematics.md#faces): every theta of the box is in one of the two parts.
    """
    k, cut = choose_cut(memory)
    if k < 0:
        return False
    log_division(log, node, k, cut)
    low, high = memory.low[k], memory.high[k]
    memory.high[k] = cut
    push(stack, memory, sure, linkable, begin, end, node, 0)
    memory.low[k], memory.high[k] = cut, high
    push(stack, memory, sure, linkable, begin, end, node, 1)
    memory.low[k] = low
    return True


@kernel
def divide_or_settle(
    problem: Problem,
    stack: Stack,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    n_units: int,
    sure: float,
    linkable: float,
) -> bool:
    """Settle the box at hand if that seems easy, else divide it if it can be; return whether theta got better."""
    need = memory.figures[BEST] + problem.gain - sure
    theta, told = np.empty(len(memory.low)), log.counts.copy()
    max_cores = SOME_CORES if linkable - need < problem.greatest else 0
    while True:
        outcome = UNKNOWN
        if max_cores > 0:
            outcome = settle(problem, lists, memory, log, node, begin, end, n_units, need, max_cores, theta)
        if outcome == SETTLED:
            return False
        take_back(log, told, node)
        if outcome == LINKABLE and take_if_better(problem, memory, theta):
            return True
        if max_cores < MANY_CORES and divide(stack, memory, log, sure, linkable, begin, end, node):
            return False
        if max_cores == MANY_CORES:
            leave_unsettled(memory, sure + linkable)
            return False
        max_cores = MANY_CORES


@lean_kernel
def search_undecided(
    problem: Problem,
    stack: Stack,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    sure: float,
    is_first: bool,
) -> bool:
    """Bound the box at hand by its undecided records; return whether a better theta was found."""
    need = memory.figures[BEST] + problem.gain - sure
    n_units, linkable = gather_units(problem, lists, memory, begin, end)
    if linkable < need:
        return False
    if try_centre(problem, lists, memory, begin, end, need):
        return True
    part, node = cut_off(problem, lists, memory, log, node, begin, end, n_units, linkable, need)
    if part > WORTH_REPEATING:
        if part < 1.0:
            log_division(log, node, AGAIN, 0.0)
            push(stack, memory, sure, linkable, begin, end, node, 0)
        return False
    if is_first or linkable - need < CONFLICT_SHARE * linkable + problem.greatest:
        max_pairs = (FIRST_PAIRS_PER_ROW if is_first else PAIRS_PER_ROW) * (
            lists.span[end - 1, 1] - lists.span[begin, 0]
        )
        linkable = join_groups(problem, lists, memory, log, begin, end, n_units, linkable, need, max_pairs, is_first)
        if linkable < need:
            return False
    return divide_or_settle(problem, stack, lists, memory, log, node, begin, end, n_units, sure, linkable)


@kernel
def search_box(problem: Problem, stack: Stack, lists: Lists, memory: Memory, log: Log) -> bool:
    """Search the open box put on the stack last; return whether a better theta was found, and the box is open still."""
    top = memory.counts[LEFT] - 1
    memory.counts[LEFT] = top
    memory.counts[BOXES] += 1
    begin, end = stack.span[top, 0], stack.span[top, 1]
    memory.counts[ROWS] += lists.span[end - 1, 1] - lists.span[begin, 0]
    sure, linkable = stack.sure[top], stack.linkable[top]
    memory.low[:], memory.high[:] = stack.low[top], stack.high[top]
    node = log_node(log, stack.origin[top, 0], stack.origin[top, 1])
    need = memory.figures[BEST] + problem.gain - sure
    if linkable < need:
        return False
    free, more = filter_records(problem, lists, memory, log, begin, end, linkable, need)
    if free < 0:
        return False
    if free == end:
        is_better = take_decided(problem, memory, sure + more)
    else:
        is_first = stack.origin[top, 0] == FACE
        is_better = search_undecided(problem, stack, lists, memory, log, node, end, free, sure + more, is_first)
    if is_better:
        memory.counts[LEFT] = top + 1  # untouched
    return is_better


@lean_kernel
def has_room(stack: Stack, lists: Lists, memory: Memory) -> bool:
    """Whether the next box, its records and rows fit in."""
    top = memory.counts[LEFT] - 1
    begin, end = stack.span[top, 0], stack.span[top, 1]
    first, last = lists.span[begin, 0], lists.span[end - 1, 1]
    return bool(
        top + 2 <= len(stack.sure) and 2 * end - begin <= len(lists.record) and 2 * last - first <= len(lists.row)
    )


@kernel
def search_and_tell(problem: Problem, stack: Stack, lists: Lists, memory: Memory, log: Log) -> bool:
    """Search the open box put on the stack last; if the log has no room for what to tell of it, it stays open."""
    top = memory.counts[LEFT] - 1
    counts, told = memory.counts.copy(), log.counts.copy()
    low, high, span, origin = (
        stack.low[top].copy(),
        stack.high[top].copy(),
        stack.span[top].copy(),
        stack.origin[top].copy(),
    )
    sure, linkable = stack.sure[top], stack.linkable[top]
    is_better = search_box(problem, stack, lists, memory, log)
    if log.counts[OVERFLOW] > 0:
        memory.counts[:], log.counts[:OVERFLOW] = counts, told[:OVERFLOW]
        stack.low[top], stack.high[top], stack.span[top], stack.origin[top] = low, high, span, origin
        stack.sure[top], stack.linkable[top] = sure, linkable
    return is_better


@lean_kernel
def search_slice(problem: Problem, stack: Stack, lists: Lists, memory: Memory, log: Log, n_rows: int) -> int:
    """Search open boxes until some rows have been looked at; return why it ended."""
    counts, high = memory.counts, stack.high  # out of their tuples once: each access counts references
    until = counts[ROWS] + n_rows
    is_telling = len(log.parent) > 0
    while counts[LEFT] > 0:
        if counts[ROWS] >= until:
            return WORKED
        if not has_room(stack, lists, memory):
            return FULL
        before, is_in_corner, top = counts[ROWS], False, counts[LEFT] - 1
        for k in range(high.shape[1]):
            is_in_corner = is_in_corner or high[top, k] < CORNER
        if is_telling:
            is_better = search_and_tell(problem, stack, lists, memory, log)
        else:
            is_better = search_box(problem, stack, lists, memory, log)
        if log.counts[OVERFLOW] > 0:
            return FULL
        if is_in_corner:
            counts[CORNER_ROWS] += counts[ROWS] - before
        if is_better:
            return FOUND
    return DONE
