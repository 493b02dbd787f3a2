"""A partition grows: leaves that hold too many of a sample of people are cut; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel
from linkrisk.learning.boxes.kernels import NARROW
from linkrisk.learning.boxes.state_kernels import LEAST
from linkrisk.learning.large.push_kernels import SLACK, Tree, add_slope, ends, most_of

FIRST_CUT, DEEP_CUT, DEEP = 0.1, 1e-3, 1e-6
"""Where [0, h] is cut, as parts of h; nearer to 0 once h is small. Other sides are cut at the geometric mean."""

LOOKED = 128
"""People in doubt in a box by whom its axis is chosen."""

DEEPEST = 100
"""Cuts one inside the other, at most."""


class Sample(NamedTuple):
    """Rows of some people: those of record r from ``start[r]`` on; its worth is ``worth[r]`` units."""

    rows: FloatArray
    start: IntArray
    worth: IntArray


class Parts(NamedTuple):
    """New boxes, with numbers of their own: ``first`` of a box that is cut is among them, too.

    ``held`` is what a box holds of the sample, in units, ``origin`` the leaf that it is in. The leaf ``cut_leaf[c]``
    was cut along ``cut_axis[c]`` into ``cut_first[c]`` and the next one.
    """

    low: FloatArray
    high: FloatArray
    axis: IntArray
    first: IntArray
    held: IntArray
    level: IntArray
    origin: IntArray
    cut_leaf: IntArray
    cut_axis: IntArray
    cut_first: IntArray


class Listed(NamedTuple):
    """People in doubt in boxes inside of each other, each list behind that of the box around.

    ``person[e]`` has its rows in doubt in ``row`` from ``begin[e]`` up to ``begin[e + 1]``.
    """

    person: IntArray
    begin: IntArray
    row: IntArray


@lean_kernel
def cut_of(low: float, high: float) -> float:
    """Return where a side is cut: geometrically, as weights are."""
    if low == 0.0:
        return high * (FIRST_CUT if high > DEEP else DEEP_CUT)
    cut = np.sqrt(low * high)
    return cut if low < cut < high else 0.5 * (low + high)


@kernel
def sift(
    sample: Sample, listed: Listed, begin: int, end: int, low: FloatArray, high: FloatArray, slope: IntArray
) -> tuple[int, int, int]:
    """List who is in doubt in a box, out of those of the box around it, behind them; find their ``slope`` together.

    Return where the list ends, its worth, and that of people who are sure.
    """
    last, doubt, sure = end + 1, 0, 0
    row_last = listed.begin[end]
    listed.begin[last] = row_last
    slope[:] = 0
    for e in range(begin, end):
        worth = sample.worth[listed.person[e]]
        best, least, lowest, is_lost = -1, 0.0, 0.0, False
        for place in range(listed.begin[e], listed.begin[e + 1]):
            s = listed.row[place]
            up, down = ends(sample.rows, s, low, high)
            if up <= -SLACK:
                is_lost = True
                break
            if down <= SLACK:
                listed.row[row_last] = s
                row_last += 1
                middle = (up + down) / (SLACK - down) if down < 0.0 else 0.0
                if middle < least:
                    best, least, lowest = s, middle, down
        if is_lost:
            row_last = listed.begin[last]
        elif row_last == listed.begin[last]:
            sure += worth
        else:
            if best >= 0:
                add_slope(sample.rows, best, lowest, worth, slope)
            listed.person[last] = listed.person[e]
            doubt += worth
            last += 1
            listed.begin[last] = row_last
    return last, doubt, sure


@kernel
def list_everybody(sample: Sample, n_lists: int) -> Listed:
    """List all people with all their rows, with room for more lists behind them."""
    n_people, n_rows = len(sample.worth), len(sample.rows)
    listed = Listed(
        np.empty(n_lists * (n_people + 1), dtype=np.int32),
        np.empty(n_lists * (n_people + 1) + 1, dtype=np.int64),
        np.empty(n_lists * n_rows, dtype=np.int32),
    )
    for r in range(n_people):
        listed.person[r], listed.begin[r] = r, sample.start[r]
    listed.begin[n_people] = n_rows
    for s in range(n_rows):
        listed.row[s] = s
    return listed


@kernel
def held_by(sample: Sample, low: FloatArray, high: FloatArray) -> int:
    """Return what a box holds of a sample."""
    slope = np.empty(len(low), dtype=np.int64)
    _, doubt, sure = sift(sample, list_everybody(sample, 2), 0, len(sample.worth), low, high, slope)
    return sure + doubt + most_of(slope, low, high)


@kernel
def choose_axis(sample: Sample, listed: Listed, begin: int, end: int, low: FloatArray, high: FloatArray) -> int:
    """Return the axis along which both parts of a box lose most of the people in doubt; -1 if it is too small.

    Where a cut loses nobody, the axis that most of the doubt is due to.
    """
    n = len(low)
    lost, share, width = np.zeros((n, 2)), np.zeros(n), np.empty((n, 2))
    for k in range(n):
        cut = cut_of(low[k], high[k])
        width[k, 0], width[k, 1] = high[k] - cut, cut - low[k]
    is_lost = np.empty((n, 2), dtype=np.bool_)
    for e in range(begin, end, max(1, (end - begin) // LOOKED)):
        is_lost[:] = False
        for place in range(listed.begin[e], listed.begin[e + 1]):
            s = listed.row[place]
            up, down = ends(sample.rows, s, low, high)
            for k in range(n):
                value = sample.rows[s, k]
                share[k] += abs(value) * (high[k] - low[k]) / (up - down)
                if value > 0.0:
                    is_lost[k, 0] = is_lost[k, 0] or up - value * width[k, 0] <= -SLACK
                else:
                    is_lost[k, 1] = is_lost[k, 1] or up + value * width[k, 1] <= -SLACK
        for k in range(n):
            lost[k, 0] += is_lost[k, 0]
            lost[k, 1] += is_lost[k, 1]
    total = max(share.sum(), LEAST)
    best, axis = -1.0, -1
    for k in range(n):
        if high[k] - low[k] > NARROW * high[k] and high[k] > LEAST:
            own = share[k] / total
            score = (lost[k, 0] + own) * (lost[k, 1] + own)
            if score > best:
                best, axis = score, k
    return axis


@lean_kernel
def add_parts(parts: Parts, first: int, low: FloatArray, high: FloatArray, axis: int, level: int) -> None:
    """Write both parts of a box that is cut along an axis."""
    for part in range(first, first + 2):
        for k in range(len(low)):
            parts.low[part, k], parts.high[part, k] = low[k], high[k]
        parts.axis[part], parts.first[part], parts.level[part] = -1, -1, level
    cut = cut_of(low[axis], high[axis])
    parts.high[first, axis] = cut
    parts.low[first + 1, axis] = cut


@inlined_kernel
def push_box(stack: IntArray, top: int, values: tuple[int, int, int, int, int, int, int]) -> None:
    """Put a box on the stack of those to be looked at."""
    for place in range(len(values)):
        stack[top, place] = values[place]


@kernel
def grow_from(
    sample: Sample,
    tree: Tree,
    entry: int,
    entry_level: int,
    goes: BoolArray,
    target: FloatArray,
    parts: Parts,
    n_visits: IntArray,
) -> tuple[int, int]:
    """Cut the leaves below a box that hold more of a sample than their ``target``, until their parts do not.

    A target that is infinite belongs to a box that is not cut. Return how many boxes there are in ``parts``, which may
    be full before all is done, and how many leaves were cut; ``n_visits[0]`` counts looks at a record in a box.
    """
    listed, n_people = list_everybody(sample, DEEPEST + 3), len(sample.worth)
    slope = np.empty(tree.low.shape[1], dtype=np.int64)
    stack = np.empty((2 * DEEPEST + 4, 7), dtype=np.int64)
    push_box(stack, 0, (entry, 0, 0, n_people, entry_level, 0, -1))
    top, n_parts, n_cut = 1, 0, 0
    while top > 0:
        top -= 1
        box, is_new, begin, end = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        level, sure, origin = stack[top, 4], stack[top, 5], stack[top, 6]
        low, high = (parts.low[box], parts.high[box]) if is_new else (tree.low[box], tree.high[box])
        n_visits[0] += end - begin
        last, doubt, more = sift(sample, listed, begin, end, low, high, slope)
        sure += more
        if is_new or tree.axis[box] < 0:
            holds = sure + doubt + most_of(slope, low, high)
            origin = origin if is_new else box
            first = n_parts
            if is_new:
                parts.held[box], parts.origin[box] = holds, origin
            if holds <= target[origin] or last == end + 1 or level >= DEEPEST or n_parts + 2 > len(parts.axis):
                continue
            axis = choose_axis(sample, listed, end + 1, last, low, high)
            if axis < 0:
                continue
            add_parts(parts, first, low, high, axis, level + 1)
            n_parts += 2
            if is_new:
                parts.axis[box], parts.first[box] = axis, first
            else:
                parts.cut_leaf[n_cut], parts.cut_axis[n_cut], parts.cut_first[n_cut] = box, axis, first
                n_cut += 1
            for part in range(first, first + 2):
                push_box(stack, top, (part, 1, end + 1, last, level + 1, sure, origin))
                top += 1
            continue
        for part in range(tree.first[box], tree.first[box] + 2):
            if goes[part]:
                push_box(stack, top, (part, 0, end + 1, last, level + 1, sure, -1))
                top += 1
    return n_parts, n_cut
