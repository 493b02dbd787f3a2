"""Rows of a record against its rivals, and the boxes of a partition in which none of them rules it out; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.differences.twins import TOLERANCE
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

ROUNDING = 2.0**-48
"""Of a row's entry, relative to the two features it is the difference of; and of sums of up to 8 products."""


SLACK = 2.0**-42
"""What a row whose entries add up to 1 must be beyond 0 in a box before its sign is believed."""


UNIT = 2.0**20
"""Worths of people, and slopes, are whole numbers of this part of 1, so that sums are exact in any order."""

STEEPEST = 2.0**36
"""Slopes of one person, in these units, that are still used."""


class Tree(NamedTuple):
    """A partition: boxes of theta, roots first. Box b is cut along ``axis[b]`` into ``first[b]`` and the next one.

    ``axis`` is -1 where a box is a leaf. The lower part of a box comes first.
    """

    low: FloatArray
    high: FloatArray
    axis: IntArray
    first: IntArray
    n_roots: int


class Files(NamedTuple):
    """What rows are made of: protected records, how attributes are compared, and what a row is of two features.

    ``near``: 1 less the tolerance. ``is_ordered``: features are differences from large to small. ``keeps_twins``: who
    differs as the own record does counts against a record.
    """

    protected: FloatArray
    rules: AttributeRules
    near: float
    is_ordered: bool
    keeps_twins: bool


@lean_kernel
def sort_falling(d: FloatArray, s: int) -> None:
    """Sort the differences of a rival from large to small."""
    for k in range(1, d.shape[0]):
        value = d[k, s]
        at = k
        while at > 0 and d[at - 1, s] < value:
            d[at, s] = d[at - 1, s]
            at -= 1
        d[at, s] = value


@kernel
def keep_least(rows: FloatArray, count: int) -> int:
    """Leave out rows that are nowhere below another one, or positive everywhere; return how many are left.

    Whatever rules a record out by a row left out does so by the other. Those with the least sums come first: they are
    the ones that rule it out in most boxes.
    """
    n = rows.shape[1]
    sums = np.empty(count)
    for s in range(count):
        total = 0.0
        for k in range(n):
            total += rows[s, k]
        sums[s] = total
    order = np.argsort(sums)
    sorted_rows = np.empty((count, n))
    kept = 0
    for place in range(count):
        s = order[place]
        is_idle = True
        for k in range(n):
            is_idle = is_idle and rows[s, k] > 0.0
        for other in range(kept):
            if is_idle:
                break
            is_above = True
            for k in range(n):
                is_above = is_above and rows[s, k] >= sorted_rows[other, k]
            is_idle = is_above
        if not is_idle:
            for k in range(n):
                sorted_rows[kept, k] = rows[s, k]
            kept += 1
    for s in range(kept):
        for k in range(n):
            rows[s, k] = sorted_rows[s, k]
    return kept


@lean_kernel
def scale_rows(rows: FloatArray, count: int) -> None:
    """Divide each row by the sum of the sizes of its entries; one that is positive nowhere gets entries all alike.

    *Guarantee* (docs/mathematics.md#partition): no entry is then below that of the row divided.
    """
    n = rows.shape[1]
    for s in range(count):
        size, is_positive = 0.0, False
        for k in range(n):
            size += abs(rows[s, k])
            is_positive = is_positive or rows[s, k] > 0.0
        for k in range(n):
            share = rows[s, k] / size if is_positive else -1.0 / n
            rows[s, k] = share + abs(share) * ROUNDING if is_positive else share


@kernel
def make_rows(
    files: Files, query: FloatArray, own: int, rivals: IntArray, columns: FloatArray, d: FloatArray, rows: FloatArray
) -> int:
    """Write upper bounds of the rows of a record against its rivals, scaled, and return how many there are.

    ``rivals`` are sorted. Rows are those of the definition, rounded upward, so that whatever rules the record out by
    them does so by the true ones; twins are left out unless they count, and so is whoever could be one.

    *Guarantee* (docs/mathematics.md#partition): each row written is at least the true one, scaled, in every entry.
    """
    n = len(query)
    count = 0
    for s in range(len(rivals)):
        j = rivals[s]
        if j == own or (s > 0 and rivals[s - 1] == j):
            continue
        for k in range(n):
            columns[k, count] = files.protected[j, k]
        count += 1
    for k in range(n):
        columns[k, count] = files.protected[own, k]
        fill_differences(query[k], columns, k, 0, count + 1, files.rules, d)
    if files.is_ordered:
        for s in range(count + 1):
            sort_falling(d, s)
    kept = 0
    for s in range(count):
        is_twin = True
        for k in range(n):
            other, mine = d[k, s], d[k, count]
            is_twin = is_twin and abs(other - mine) <= TOLERANCE * (other + mine)  # twice what the rule allows
            value = files.near * other - mine
            rows[kept, k] = value + ROUNDING * (other + mine)
        if not is_twin or files.keeps_twins:
            kept += 1
    kept = keep_least(rows, kept)
    scale_rows(rows, kept)
    return kept


@inlined_kernel
def ends(rows: FloatArray, s: int, low: FloatArray, high: FloatArray) -> tuple[float, float]:
    """Return the largest and the smallest value of a row in a box."""
    up, down = 0.0, 0.0
    for k in range(len(low)):  # without a branch, which nobody could predict
        value = rows[s, k]
        gain = max(value, 0.0)
        up += gain * high[k] + (value - gain) * low[k]
        down += gain * low[k] + (value - gain) * high[k]
    return up, down


class Doubt(NamedTuple):
    """Rows of one record that may fail somewhere in each of the boxes inside of each other that it is in.

    Box by box: ``n_rows`` rows ``row`` with their largest and smallest values there, ``up`` and ``down``. There is a
    place for both parts of the box that is looked at on each level: that of level l and side s is 2 l + s.
    """

    n_rows: IntArray
    row: IntArray
    up: FloatArray
    down: FloatArray


@kernel
def look_at_root(rows: FloatArray, count: int, low: FloatArray, high: FloatArray, doubt: Doubt) -> int:
    """Find the rows in doubt in a box that is in no other; -1: one is positive nowhere, 1: none is in doubt.

    *Guarantee* (docs/mathematics.md#partition): where it is -1, no theta of the box links the record.
    """
    last = 0
    for s in range(count):
        up, down = ends(rows, s, low, high)
        if up <= -SLACK:
            return -1
        if down <= SLACK:
            doubt.row[0, last], doubt.up[0, last], doubt.down[0, last] = s, up, down
            last += 1
    doubt.n_rows[0] = last
    return 1 if last == 0 else 0


@inlined_kernel
def look_at_parts(
    rows: FloatArray, k: int, less: float, more: float, place: int, to: int, doubt: Doubt
) -> tuple[int, int]:
    """As `look_at_root`, for both parts of a box.

    Along k the first ends ``less`` lower than the box, the second begins ``more`` higher. ``place`` is that of the box,
    ``to`` and the next one those of its parts.
    """
    last_below, last_above, is_lost_below, is_lost_above = 0, 0, False, False
    for each in range(doubt.n_rows[place]):
        s, up, down = doubt.row[place, each], doubt.up[place, each], doubt.down[place, each]
        value = rows[s, k]
        gain = max(value, 0.0)
        loss = gain - value
        up_below, up_above = up - gain * less, up - loss * more
        is_lost_below = is_lost_below or up_below <= -SLACK
        is_lost_above = is_lost_above or up_above <= -SLACK
        if is_lost_below and is_lost_above:
            return -1, -1
        down_below, down_above = down + loss * less, down + gain * more
        doubt.row[to, last_below], doubt.up[to, last_below], doubt.down[to, last_below] = s, up_below, down_below
        last_below += down_below <= SLACK
        to_above = to + 1
        doubt.row[to_above, last_above], doubt.up[to_above, last_above] = s, up_above
        doubt.down[to_above, last_above] = down_above
        last_above += down_above <= SLACK
    doubt.n_rows[to], doubt.n_rows[to + 1] = last_below, last_above
    below = -1 if is_lost_below else int(last_below == 0)
    return below, -1 if is_lost_above else int(last_above == 0)


@lean_kernel
def add_slope(rows: FloatArray, s: int, down: float, worth: int, slope: IntArray) -> None:
    """Add to a box how fast a link is lost there by a row, rounded upward, unless that is too steep.

    Where the row is at least -m in the box, theta links the record no more than 1 + theta . v / m times: a link makes
    the row positive, and without one the row is not below -m.

    *Guarantee* (docs/mathematics.md#slopes): worth x (1 + theta . slope added) is at least what theta links of it.
    """
    factor = worth / (SLACK - down)
    if factor <= STEEPEST:
        for k in range(len(slope)):
            slope[k] += int(np.ceil(rows[s, k] * factor)) + 1


@lean_kernel
def most_of(slope: IntArray, low: FloatArray, high: FloatArray) -> int:
    """Return the largest value of a slope in a box, rounded upward, at most 0: what a box holds is so much less."""
    most, size = 0.0, 0.0
    for k in range(len(low)):
        value = float(slope[k])
        most += value * (high[k] if value > 0.0 else low[k])
        size += abs(value) * high[k]
    return min(0, int(np.ceil(most + size * ROUNDING)) + 1)


@kernel
def cuts_of(tree: Tree) -> FloatArray:
    """Return what visits of boxes ask, side by side in memory: axis, first part, and how much less each part is."""
    cuts = np.empty((len(tree.axis), 4))
    for box in range(len(cuts)):
        k, first = tree.axis[box], tree.first[box]
        cuts[box, 0], cuts[box, 1] = k, first
        if k >= 0:
            cuts[box, 2] = tree.high[box, k] - tree.high[first, k]
            cuts[box, 3] = tree.low[first + 1, k] - tree.low[box, k]
    return cuts


@inlined_kernel
def add_doubt(rows: FloatArray, place: int, doubt: Doubt, worth: int, slope: IntArray) -> None:
    """Add the slope of the row in doubt that fails in most of a box, if it fails in more than half of it."""
    best, least = -1, 0.0
    for each in range(doubt.n_rows[place]):
        down = doubt.down[place, each]
        middle = (doubt.up[place, each] + down) / (SLACK - down)
        if down < 0.0 and middle < least:
            best, least = each, middle
    if best >= 0:
        add_slope(rows, doubt.row[place, best], doubt.down[place, best], worth, slope)


class Visited(NamedTuple):
    """What visits of boxes ask and add to: which boxes are visited (``goes``) and get anything (``counts``).

    ``cuts`` is what `cuts_of` says of the tree. Boxes get worths (``held``) and slopes.
    """

    goes: BoolArray
    counts: BoolArray
    cuts: FloatArray
    held: IntArray
    slope: IntArray


@inlined_kernel
def settle(visited: Visited, box: int, found: int, rows: FloatArray, place: int, worth: int, doubt: Doubt) -> int:
    """Add the worth of a record to a box where it need not be looked at in its parts; return 1 where it must be."""
    if found < 0 or not visited.goes[box]:
        return 0
    if found == 0 and visited.cuts[box, 0] >= 0.0:
        return 1
    if visited.counts[box]:
        visited.held[box] += worth
        if found == 0:
            add_doubt(rows, place, doubt, worth, visited.slope[box])
    return 0


@kernel
def push_record(
    tree: Tree, visited: Visited, rows: FloatArray, count: int, worth: int, doubt: Doubt, stack: IntArray
) -> int:
    """Add the worth of one record to the boxes that hold it; return how many were visited."""
    n_visits = 0
    for root in range(tree.n_roots):
        if not visited.goes[root]:
            continue
        n_visits += 1
        top = settle(
            visited, root, look_at_root(rows, count, tree.low[root], tree.high[root], doubt), rows, 0, worth, doubt
        )
        stack[0, 0], stack[0, 1] = root, 0
        while top > 0:
            top -= 1
            box, place = stack[top, 0], stack[top, 1]
            first, to = int(visited.cuts[box, 1]), place - place % 2 + 2
            less, more = visited.cuts[box, 2], visited.cuts[box, 3]
            n_visits += 2
            below, above = look_at_parts(rows, int(visited.cuts[box, 0]), less, more, place, to, doubt)
            stack[top, 0], stack[top, 1] = first, to
            top += settle(visited, first, below, rows, to, worth, doubt)
            stack[top, 0], stack[top, 1] = first + 1, to + 1
            top += settle(visited, first + 1, above, rows, to + 1, worth, doubt)
    return n_visits


@kernel
def push_records(
    files: Files,
    tree: Tree,
    depth: int,
    visited: Visited,
    queries: FloatArray,
    own: IntArray,
    worth: IntArray,
    rivals: IntArray,
) -> int:
    """Add the worth of each record to the boxes that hold it: leaves where it is in doubt, others where it is sure.

    Where it is in doubt, its row that fails in most of a leaf, if it is more than half, adds to the slope of it. A
    record is held by a box where none of its rivals rules it out, and by none of the boxes inside where one does.
    Return how often a record was looked at in a box.

    *Guarantee* (docs/mathematics.md#partition): a record that some theta of a leaf links is held by it, or by a box
    that it is in.
    """
    n, width = queries.shape[1], rivals.shape[1]
    columns, d = np.empty((n, width + 1)), np.empty((n, width + 1))
    rows = np.empty((width + 1, n))
    size = (2 * depth + 2, width + 2)
    doubt = Doubt(np.empty(size[0], dtype=np.int64), np.empty(size, dtype=np.int64), np.empty(size), np.empty(size))
    stack = np.empty((depth + 3, 2), dtype=np.int64)
    n_visits = 0
    for r in range(len(queries)):
        if worth[r] > 0:
            count = make_rows(files, queries[r], own[r], rivals[r], columns, d, rows)
            n_visits += push_record(tree, visited, rows, count, worth[r], doubt, stack)
    return n_visits


@kernel
def list_rows(
    files: Files, queries: FloatArray, own: IntArray, rivals: IntArray, values: FloatArray, start: IntArray
) -> None:
    """Write the rows of some records one after the other, those of record r from ``start[r]`` on."""
    n, width = queries.shape[1], rivals.shape[1]
    columns, d = np.empty((n, width + 1)), np.empty((n, width + 1))
    rows = np.empty((width + 1, n))
    for r in range(len(queries)):
        count = make_rows(files, queries[r], own[r], rivals[r], columns, d, rows)
        begin = start[r]
        for s in range(count):
            for k in range(n):
                values[begin + s, k] = rows[s, k]
        start[r + 1] = begin + count
