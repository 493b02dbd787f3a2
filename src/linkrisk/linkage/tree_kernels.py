"""A kd-tree over the protected records, compiled: distinct points, boxes, halves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

MOST_UNEVEN = 64
"""Levels of a tree on which boxes are cut at the middle of their range; below they are halved."""


@inlined_kernel
def mixed(state: np.uint64) -> np.uint64:
    """Let every bit of a hash depend on every other (the last step of MurmurHash3)."""
    shift = np.uint64(33)
    state = (state ^ (state >> shift)) * np.uint64(0xFF51AFD7ED558CCD)
    state = (state ^ (state >> shift)) * np.uint64(0xC4CEB9FE1A85EC53)
    return state ^ (state >> shift)


@kernel
def hash_rows(values: FloatArray) -> NDArray[np.uint64]:
    """Mix each row into one integer; equal rows get equal integers (holes count as equal)."""
    n_rows, n_columns = values.shape
    result = np.empty(n_rows, np.uint64)
    one = np.empty(1, np.float64)
    bits = one.view(np.uint64)
    for row in range(n_rows):
        state = np.uint64(0xCBF29CE484222325)
        for column in range(n_columns):
            value = values[row, column]
            one[0] = value + 0.0  # -0.0 becomes 0.0
            if np.isnan(value):
                bits[0] = np.uint64(0x7FF8000000000000)
            state = (state ^ bits[0]) * np.uint64(1099511628211)
            state ^= state >> np.uint64(29)
        result[row] = mixed(state)
    return result


@lean_kernel
def same_row(values: FloatArray, first: int, second: int) -> bool:
    """Whether two rows are equal, holes included."""
    for column in range(values.shape[1]):
        x = values[first, column]
        y = values[second, column]
        if x != y and not (np.isnan(x) and np.isnan(y)):
            return False
    return True


@kernel
def number_distinct(values: FloatArray, labels: IntArray, firsts: IntArray, lasts: IntArray, sizes: IntArray) -> int:
    """Give each distinct row a number, in the order they appear, and return how many there are.

    ``labels`` receives the number of each row; ``firsts``, ``lasts`` and ``sizes`` the first and last row of each
    number and how many rows have it. A table of hashes: linear time.
    """
    hashes = hash_rows(values)
    n_slots = 2
    while n_slots < 2 * len(values):
        n_slots *= 2
    slots = np.full(n_slots, -1, np.int64)
    last_slot = np.uint64(n_slots - 1)
    n_distinct = 0
    for row in range(len(values)):
        slot = hashes[row] & last_slot
        label = slots[slot]
        while label >= 0 and not (hashes[firsts[label]] == hashes[row] and same_row(values, firsts[label], row)):
            slot = (slot + np.uint64(1)) & last_slot
            label = slots[slot]
        if label < 0:
            label = n_distinct
            slots[slot] = label
            firsts[label] = row
            sizes[label] = 0
            n_distinct += 1
        labels[row] = label
        lasts[label] = row
        sizes[label] += 1
    return n_distinct


@kernel
def order_by_point(own: IntArray, n_points: int) -> IntArray:
    """Sort records by their point (-1: none), in linear time; equal ones stay in order."""
    starts = np.zeros(n_points + 2, np.int64)
    for i in range(own.size):
        starts[own[i] + 2] += 1
    for point in range(1, n_points + 2):
        starts[point] += starts[point - 1]
    order = np.empty(own.size, np.int64)
    for i in range(own.size):
        order[starts[own[i] + 1]] = i
        starts[own[i] + 1] += 1
    return order


@inlined_kernel
def bound_box(
    points: FloatArray, start: int, stop: int, node: int, low: FloatArray, high: FloatArray, holes: IntArray
) -> None:
    """Write the least and greatest known value of each column, and whether some (1) or all (2) are missing."""
    n = np.uint64(points.shape[1])
    box = np.uint64(node)
    for column in range(n):
        low[box, column] = np.inf
        high[box, column] = -np.inf
        holes[box, column] = 0
    for row in range(np.uint64(start), np.uint64(stop)):
        for column in range(n):
            value = points[row, column]
            low[box, column] = value if value < low[box, column] else low[box, column]
            high[box, column] = value if value > high[box, column] else high[box, column]
            holes[box, column] += 0 if value == value else 1  # noqa: PLR0124  (NaN is not equal to itself)
    for column in range(n):
        missing = holes[box, column]
        holes[box, column] = 0 if missing == 0 else (2 if missing == stop - start else 1)


@lean_kernel
def widest(low: FloatArray, high: FloatArray, holes: IntArray, spread: FloatArray) -> int:
    """Return the column that is worth splitting most, or -1 when all points of the box coincide."""
    best = -1
    best_width = 0.0
    for column in range(low.size):
        width = (high[column] - low[column]) * spread[column] if high[column] > low[column] else 0.0
        if holes[column] == 1:
            width = max(width, spread[column])
        if width > best_width:
            best = column
            best_width = width
    return best


@inlined_kernel
def sort_key(value: float) -> float:
    """Value by which a point is sorted: holes come last."""
    return np.inf if np.isnan(value) else value


@inlined_kernel
def exchange(points: FloatArray, order: IntArray, i: int, j: int) -> None:
    """Exchange two points."""
    order[i], order[j] = order[j], order[i]
    for column in range(np.uint64(points.shape[1])):
        points[i, column], points[j, column] = points[j, column], points[i, column]


@lean_kernel
def split_points(points: FloatArray, order: IntArray, start: int, stop: int, column: int, middle: int) -> None:
    """Reorder the points start:stop by one column: the lowest come before ``middle``, holes last (quickselect)."""
    left = start
    right = stop - 1
    while left < right:
        pivot = sort_key(points[(left + right) // 2, column])
        i = left
        j = right
        while i <= j:
            while sort_key(points[i, column]) < pivot:
                i += 1
            while sort_key(points[j, column]) > pivot:
                j -= 1
            if i <= j:
                exchange(points, order, i, j)
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            break


@lean_kernel
def middle_of_range(points: FloatArray, start: int, stop: int, column: int, low: float, high: float, few: int) -> int:
    """Return where the points start:stop, sorted by one column, are to be cut: at the middle of its range.

    Where fewer than ``few`` would be on one side, that many are; where all known values are equal, holes are cut off.
    """
    cut = low + 0.5 * (high - low) if high > low else np.inf
    middle = start
    for row in range(start, stop):
        middle += 1 if points[row, column] < cut else 0
    return min(max(middle, start + few), stop - few)


@kernel
def build_tree(
    points: FloatArray,
    spread: FloatArray,
    leaf_size: int,
    order: IntArray,
    ranges: IntArray,
    children: IntArray,
    low: FloatArray,
    high: FloatArray,
    holes: IntArray,
) -> int:
    """Bring the points (and ``order`` with them) into the order of a tree, fill its arrays, and count its nodes.

    Node v holds the points ranges[v, 0]:ranges[v, 1]; children[v] is -1 for a leaf, else its first child, the second
    follows it.

    A box is cut in the middle of its widest column, so that a few far values do not leave it as wide as it was, but
    neither part gets fewer points than half a leaf; beyond `MOST_UNEVEN` levels into halves, so that a tree is never
    deeper than a search can go. Cost: N log N, and at worst N times these levels.
    """
    levels = np.zeros(children.size, np.int64)
    ranges[0, 0] = 0
    ranges[0, 1] = order.size
    n_nodes = 1
    node = 0
    while node < n_nodes:
        start = ranges[node, 0]
        stop = ranges[node, 1]
        bound_box(points, start, stop, node, low, high, holes)
        children[node] = -1
        if stop - start > leaf_size:
            column = widest(low[node], high[node], holes[node], spread)
            if column >= 0:
                middle = (start + stop) // 2
                if levels[node] < MOST_UNEVEN:
                    middle = middle_of_range(
                        points, start, stop, column, low[node, column], high[node, column], leaf_size // 2
                    )
                split_points(points, order, start, stop, column, middle)
                levels[n_nodes : n_nodes + 2] = levels[node] + 1
                children[node] = n_nodes
                ranges[n_nodes, 0] = start
                ranges[n_nodes, 1] = middle
                ranges[n_nodes + 1, 0] = middle
                ranges[n_nodes + 1, 1] = stop
                n_nodes += 2
        node += 1
    return n_nodes
