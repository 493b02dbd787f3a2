"""What a box decides about rows and records, compiled."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.exact_kernels import is_row_never_positive
from linkrisk.learning.boxes.log_kernels import Log, log_loss
from linkrisk.learning.boxes.state_kernels import ROUNDING, SINGLE, Lists, Memory, Problem

SAFETY = 2.0**-46
"""Before a row is solved for a coordinate, this share of the sum of its terms' sizes is added to it."""


@lean_kernel
def measure_row(values: FloatArray, s: int, low: FloatArray, high: FloatArray) -> tuple[float, float, float]:
    """Return the greatest and the least value of a row in the box, and the size of the terms."""
    top = bottom = size = 0.0
    for k in range(len(low)):
        at_low, at_high = values[s, k] * low[k], values[s, k] * high[k]
        top += max(at_low, at_high)
        bottom += min(at_low, at_high)
        size += abs(at_high)
    return top, bottom, size


@lean_kernel
def narrow_by_row(
    values: FloatArray,
    s: int,
    low: FloatArray,
    high: FloatArray,
    top: float,
    per_width: float,
    lower: FloatArray,
    upper: FloatArray,
    i: int,
    share: FloatArray,
) -> None:
    """Narrow the intervals of the i-th record by a row, and add each coordinate's part in the row's width.

    *Guarantee* (docs/mathematics.md#box-intervals): where coordinate k is at most ``lower[i, k]`` or at least
    ``upper[i, k]``, a row is not positive, wherever in the box the other coordinates are. ``top`` must exceed the row's
    greatest value by more than solving for a coordinate errs.
    """
    for k in range(len(low)):
        x = values[s, k]
        reach = abs(x) * (high[k] - low[k])
        share[k] += reach * per_width
        if reach > top:
            if x > 0.0:
                lower[i, k] = max(lower[i, k], high[k] - top / x)
            else:
                upper[i, k] = min(upper[i, k], low[k] - top / x)


@lean_kernel
def filter_rows(
    values: FloatArray,
    row: IntArray,
    first: int,
    last: int,
    free: int,
    low: FloatArray,
    high: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    i: int,
    share: FloatArray,
) -> tuple[int, int, int]:
    """Write the undecided rows of a record behind ``free``; return their end, a row that is lost or -1, the tightest.

    The tightest row is the one negative in most of the box, to go by its middle.

    *Guarantee* (docs/mathematics.md#row-in-a-box): a row returned as lost is positive for no theta of the box, in exact
    arithmetic: ROUNDING is above the error of its greatest value, SAFETY above that and the error of solving for a
    coordinate.
    """
    tightest, least = -1, np.inf
    for k in range(len(low)):
        lower[i, k], upper[i, k], share[k] = low[k], high[k], 0.0
    for t in range(first, last):
        s = row[t]
        top, bottom, size = measure_row(values, s, low, high)
        if top <= ROUNDING * size and (top <= -ROUNDING * size or is_row_never_positive(values, s, low, high)):
            return free, s, s
        if bottom > 0.0:
            continue
        row[free] = s
        free += 1
        per_width = 1.0 / (top - bottom) if top > bottom else 0.0
        if (top + bottom) * per_width < least:
            least, tightest = (top + bottom) * per_width, s
        narrow_by_row(values, s, low, high, top + SAFETY * size, per_width, lower, upper, i, share)
    return free, -1, tightest


@kernel
def filter_records(
    problem: Problem, lists: Lists, memory: Memory, log: Log, begin: int, end: int, linkable: float, need: float
) -> tuple[int, float]:
    """Write the records undecided in the box behind ``end``; return their end, and the weight that is sure.

    Stops with an end of -1 as soon as less than ``need`` can be linked of what was ``linkable`` in the parent.

    *Guarantee* (docs/mathematics.md#row-in-a-box): a record left out without being sure is linked by no theta of the
    box (see `filter_rows`).
    """
    values, weight = problem.values, problem.weight  # out of their tuples once: each access counts references
    record, group, span, row = lists
    low, high, lower, upper, share = memory.low, memory.high, memory.lower, memory.upper, memory.share
    tightest, own = memory.tightest, np.empty(len(memory.share))
    free, free_row = end, span[end - 1, 1]
    sure = 0.0
    share[:] = 0.0
    for e in range(begin, end):
        r, i = record[e], free - end
        last, lost, tightest[i] = filter_rows(
            values, row, span[e, 0], span[e, 1], free_row, low, high, lower, upper, i, own
        )
        if lost >= 0:
            log_loss(log, r, lost)
            if group[e] == SINGLE:
                linkable -= weight[r]
                if linkable < need:
                    return -1, sure
        elif last == free_row and group[e] == SINGLE:
            sure += weight[r]
        else:  # a sure record of a group excludes the others: it stays in the list, without rows
            for k in range(len(share)):
                share[k] += own[k] / max(last - free_row, 1)
            record[free], group[free], span[free, 0], span[free, 1] = r, group[e], free_row, last
            free += 1
            free_row = last
    return free, sure


@lean_kernel
def gather_units(problem: Problem, lists: Lists, memory: Memory, begin: int, end: int) -> tuple[int, float]:
    """Gather the undecided records in units; return the number of units, and the weight that they can link at most.

    *Guarantee* (docs/mathematics.md#conflicts): no theta of the box links more of them: of each unit one record at
    most.
    """
    weight, record, group = problem.weight, lists.record, lists.group
    unit, unit_weight, _, _, home = memory.units
    n_units = 0
    for e in range(begin, end):
        w = weight[record[e]]
        u = -1 if group[e] == SINGLE else home[group[e]]
        if u < 0:
            u = n_units
            n_units += 1
            unit_weight[u] = w
            if group[e] != SINGLE:
                home[group[e]] = u
        else:
            unit_weight[u] = max(unit_weight[u], w)
        unit[e - begin] = u
    linkable = 0.0
    for u in range(n_units):
        linkable += unit_weight[u]
    for e in range(begin, end):
        if group[e] != SINGLE:
            home[group[e]] = -1
    return n_units, linkable
