"""Rows of a record against its rivals, and the leaves of a partition in which none of them rules it out; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

ROUNDING = 2.0**-48
"""Of a row's entry, relative to the two features it is the difference of; and of sums of up to 8 products."""


class Tree(NamedTuple):
    """A partition: boxes of theta, roots first; ``children[b]`` are the parts of box b, -1 where it is a leaf."""

    low: FloatArray
    high: FloatArray
    children: IntArray
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


@kernel
def make_rows(
    files: Files, query: FloatArray, own: int, rivals: IntArray, columns: FloatArray, d: FloatArray, rows: FloatArray
) -> int:
    """Write upper bounds of the rows of a record against its rivals, and return how many there are.

    ``rivals`` are sorted. Rows are those of the definition, rounded upward, so that whatever rules the record out by
    them does so by the true ones; twins are left out unless they count, and so is whoever could be one.

    *Guarantee* (docs/mathematics.md#partition): each row written is at least the true row in every entry.
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
            is_twin = is_twin and abs(other - mine) <= ROUNDING * (other + mine)
            value = files.near * other - mine
            rows[kept, k] = value + ROUNDING * (other + mine)
        if not is_twin or files.keeps_twins:
            kept += 1
    return keep_least(rows, kept)


@inlined_kernel
def rules_out(rows: FloatArray, s: int, low: FloatArray, high: FloatArray) -> bool:
    """Whether a row is positive nowhere in a box.

    *Guarantee* (docs/mathematics.md#partition): then no theta of the box links the record.
    """
    gain, loss = 0.0, 0.0
    for k in range(len(low)):
        value = rows[s, k]
        if value > 0.0:
            gain += value * high[k]
        else:
            loss -= value * low[k]
    return gain * (1.0 + ROUNDING) <= loss * (1.0 - ROUNDING)


@inlined_kernel
def holds_everywhere(rows: FloatArray, s: int, low: FloatArray, high: FloatArray) -> bool:
    """Whether a row is positive in all of a box, as far as floating point can tell."""
    least = 0.0
    for k in range(len(low)):
        value = rows[s, k]
        least += value * (low[k] if value > 0.0 else high[k])
    return least > 0.0


@kernel
def filter_alive(rows: FloatArray, low: FloatArray, high: FloatArray, alive: IntArray, begin: int, end: int) -> int:
    """Keep the rows that may fail somewhere in a box, behind ``end``; return where they end, -1: the record is lost."""
    last = end
    for place in range(begin, end):
        s = alive[place]
        if rules_out(rows, s, low, high):
            return -1
        if not holds_everywhere(rows, s, low, high):
            alive[last] = s
            last += 1
    return last


@kernel
def push_records(
    files: Files,
    tree: Tree,
    depth: int,
    queries: FloatArray,
    own: IntArray,
    weight: FloatArray,
    rivals: IntArray,
    held: FloatArray,
) -> None:
    """Add the weight of each record to the boxes that hold it: leaves where it is in doubt, others where it is sure.

    A record is held by a box where none of its rivals rules it out, and by none of the boxes inside where one does.
    """
    n, width = queries.shape[1], rivals.shape[1]
    columns, d = np.empty((n, width + 1)), np.empty((n, width + 1))
    rows = np.empty((width + 1, n))
    alive = np.empty((depth + 2) * (width + 1), dtype=np.int64)
    stack = np.empty((2 * depth + tree.n_roots + 2, 3), dtype=np.int64)
    for r in range(len(queries)):
        if weight[r] == 0.0:
            continue
        count = make_rows(files, queries[r], own[r], rivals[r], columns, d, rows)
        for s in range(count):
            alive[s] = s
        top = 0
        for root in range(tree.n_roots):
            stack[top, 0], stack[top, 1], stack[top, 2] = root, 0, count
            top += 1
        while top > 0:
            top -= 1
            box, begin, end = stack[top, 0], stack[top, 1], stack[top, 2]
            last = filter_alive(rows, tree.low[box], tree.high[box], alive, begin, end)
            if last < 0:
                continue
            if last == end or tree.children[box, 0] < 0:
                held[box] += weight[r]
                continue
            for side in range(2):
                stack[top, 0], stack[top, 1], stack[top, 2] = tree.children[box, side], end, last
                top += 1


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


@kernel
def filter_box(
    values: FloatArray,
    weight: FloatArray,
    low: FloatArray,
    high: FloatArray,
    record: IntArray,
    first: IntArray,
    row: IntArray,
    new_record: IntArray,
    new_first: IntArray,
    new_row: IntArray,
    share: FloatArray,
) -> tuple[int, float, float]:
    """Keep the undecided records of a box with their rows, out of those of the box that holds it.

    Return how many there are, their weight, and that of records which are sure. ``share`` is how much each coordinate
    has to do with the indecision.
    """
    count, last, doubt, sure = 0, 0, 0.0, 0.0
    new_first[0] = 0
    share[:] = 0.0
    for e in range(len(record)):
        begin = last
        is_lost = False
        for place in range(first[e], first[e + 1]):
            s = row[place]
            if rules_out(values, s, low, high):
                is_lost = True
                break
            if not holds_everywhere(values, s, low, high):
                new_row[last] = s
                last += 1
        if is_lost:
            last = begin
            continue
        if last == begin:
            sure += weight[record[e]]
            continue
        for place in range(begin, last):
            add_shares(values, new_row[place], low, high, share)
        new_record[count] = record[e]
        doubt += weight[record[e]]
        count += 1
        new_first[count] = last
    return count, doubt, sure


@lean_kernel
def add_shares(values: FloatArray, s: int, low: FloatArray, high: FloatArray, share: FloatArray) -> None:
    """Add to each coordinate its part of how far a row ranges over a box."""
    total = 0.0
    for k in range(len(low)):
        total += abs(values[s, k]) * (high[k] - low[k])
    if total > 0.0:
        for k in range(len(low)):
            share[k] += abs(values[s, k]) * (high[k] - low[k]) / total
