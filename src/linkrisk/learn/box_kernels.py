"""Branch and bound over boxes of parameters, compiled.

A box holds the theta with low <= theta <= high. In it a row whose largest value is not positive loses its record, a row
whose least value is positive is dropped; a record without rows left is linked everywhere in the box, and what is
neither is undecided. The records not lost bound the links any theta of the box can make.

Boxes are searched depth first. An open box remembers where in ``Lists`` its parent's undecided rows stand; its own are
written behind them, over those of boxes that are done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel
from linkrisk.learn.line_kernels import holds_clearly

ROUNDING = 2.0**-48
"""Share of the sum of its terms' sizes that a sum of up to thirty products may err by."""

NARROW = 1e-7
"""Relative width below which a side is not split any more."""

OPEN, SURE, FROM, TO = range(4)
BEST, LEFT, BOXES, UNSETTLED, UNSETTLED_BOUND = range(5)


class Problem(NamedTuple):
    """Rows with their records, and what is gained at least when links are gained at all."""

    values: FloatArray
    start: IntArray
    weight: FloatArray
    gain: float


class Stack(NamedTuple):
    """Open boxes: their sides, bound, sure links, and where the undecided records of their parents stand."""

    low: FloatArray
    high: FloatArray
    bound: FloatArray
    sure: FloatArray
    span: IntArray


class Lists(NamedTuple):
    """Undecided records, the span of each one's undecided rows, and the rows."""

    record: IntArray
    span: IntArray
    row: IntArray


@inlined_kernel
def is_hopeless(bound: float, best: float, gain: float) -> bool:
    """Whether no more than the best can be linked."""
    return bound < best + gain


@kernel
def filter_records(
    problem: Problem, lists: Lists, begin: int, end: int, low: FloatArray, high: FloatArray, spread: FloatArray
) -> tuple[int, float, float]:
    """Write the records undecided in the box behind ``end``; return their end, and the weights sure and undecided.

    Guarantee: a record left out without being counted is linked by no theta of the box, in exact arithmetic: the
    largest value of one of its rows is below zero by more than the rounding error of its sum.
    """
    values, _, weight, _ = problem
    record, span, row = lists
    n = len(low)
    free = end
    next_row = span[end - 1, 1]
    sure = undecided = 0.0
    spread[:] = 0.0
    for e in range(begin, end):
        first = next_row
        is_lost = False
        for t in range(span[e, 0], span[e, 1]):
            s = row[t]
            top = bottom = size = 0.0
            for k in range(n):
                x = values[s, k]
                at_low, at_high = x * low[k], x * high[k]
                top += max(at_low, at_high)
                bottom += min(at_low, at_high)
                size += abs(at_high)
            if top <= -ROUNDING * size:
                is_lost = True
                break
            if bottom <= 0.0:
                row[next_row] = s
                next_row += 1
        r = record[e]
        if is_lost:
            next_row = first
        elif next_row == first:
            sure += weight[r]
        else:
            record[free] = r
            span[free, 0], span[free, 1] = first, next_row
            undecided += weight[r]
            free += 1
            for t in range(first, next_row):
                for k in range(n):
                    spread[k] += abs(values[row[t], k]) * (high[k] - low[k])
    return free, sure, undecided


@kernel
def count_in_box(problem: Problem, lists: Lists, begin: int, end: int, theta: FloatArray, allowed: float) -> float:
    """Weight of the undecided records that theta does not link clearly; counting stops beyond ``allowed``."""
    missed = 0.0
    for e in range(begin, end):
        for t in range(lists.span[e, 0], lists.span[e, 1]):
            if not holds_clearly(problem.values[lists.row[t]], theta):
                missed += problem.weight[lists.record[e]]
                break
        if missed > allowed:
            break
    return missed


@kernel
def search_slice(
    problem: Problem, stack: Stack, lists: Lists, state: FloatArray, candidate: FloatArray, max_boxes: int
) -> bool:
    """Search up to ``max_boxes`` open boxes; return False if the lists must be longer to go on.

    ``state`` holds the best links, the number of open boxes, of boxes searched, of boxes left unsettled and the
    greatest bound of those. A theta that seems better than the best is put in ``candidate``, and the slice ends.
    """
    n = stack.low.shape[1]
    spread, theta, low, high = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for _ in range(max_boxes):
        left = int(state[LEFT])
        if left == 0:
            break
        top = left - 1
        begin, end = stack.span[top]
        if 2 * end - begin > len(lists.record) or 2 * lists.span[end - 1, 1] - lists.span[begin, 0] > len(lists.row):
            return False
        if left + 1 > len(stack.bound):
            return False
        low[:], high[:] = stack.low[top], stack.high[top]
        sure = stack.sure[top]
        state[LEFT] = top
        state[BOXES] += 1
        if is_hopeless(stack.bound[top], state[BEST], problem.gain):
            continue
        free, more, undecided = filter_records(problem, lists, begin, end, low, high, spread)
        sure += more
        bound = sure + undecided
        if is_hopeless(bound, state[BEST], problem.gain):
            continue
        for k in range(n):
            theta[k] = np.sqrt(low[k] * high[k]) if low[k] > 0.0 else 0.5 * high[k]
        missed = count_in_box(problem, lists, end, free, theta, bound - state[BEST] - problem.gain)
        if not is_hopeless(bound - missed, state[BEST], problem.gain):
            candidate[:] = theta
            stack.bound[top] = bound
            state[LEFT] = left
            return True
        k = np.argmax(spread)
        if high[k] - low[k] < NARROW * high[k] or high[k] < 1e-12 or free == end:
            state[UNSETTLED] += 1
            state[UNSETTLED_BOUND] = max(state[UNSETTLED_BOUND], bound)
            continue
        cut = np.sqrt(low[k] * high[k]) if low[k] > 0.0 else 0.1 * high[k]
        for child in range(2):
            stack.low[top + child], stack.high[top + child] = low, high
            stack.bound[top + child], stack.sure[top + child] = bound, sure
            stack.span[top + child, 0], stack.span[top + child, 1] = end, free
        stack.high[top, k] = cut
        stack.low[top + 1, k] = cut
        state[LEFT] = top + 2
    return True
