"""A kd-tree over the protected records, compiled: distinct points, boxes, halves."""

from __future__ import annotations

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel


@kernel
def hash_rows(values: FloatArray) -> IntArray:
    """Mix each row into one integer; equal rows get equal integers (holes count as equal)."""
    n_rows, n_columns = values.shape
    result = np.empty(n_rows, np.int64)
    one = np.empty(1, np.float64)
    bits = one.view(np.int64)
    for row in range(n_rows):
        state = np.int64(-3750763034362895579)
        for column in range(n_columns):
            value = values[row, column]
            if np.isnan(value):
                bits[0] = np.int64(0x7FF8000000000000)
            else:
                one[0] = value + 0.0  # -0.0 becomes 0.0
            state = (state ^ bits[0]) * np.int64(1099511628211)
            state ^= state >> np.int64(29)
        result[row] = state
    return result


@kernel
def same_row(values: FloatArray, first: int, second: int) -> bool:
    """Whether two rows are equal, holes included."""
    for column in range(values.shape[1]):
        x = values[first, column]
        y = values[second, column]
        if x != y and not (np.isnan(x) and np.isnan(y)):
            return False
    return True


@kernel
def number_distinct(values: FloatArray, by_hash: IntArray) -> IntArray:
    """Give each distinct row a number, from an order in which equal rows are neighbours.

    Two different rows with one hash may stand between equal ones; then equal rows get two numbers, which costs
    time; they are still counted as twins, by their differences.
    """
    labels = np.empty(by_hash.size, np.int64)
    label = -1
    for place in range(by_hash.size):
        if place == 0 or not same_row(values, by_hash[place - 1], by_hash[place]):
            label += 1
        labels[by_hash[place]] = label
    return labels


@kernel
def bound_box(
    points: FloatArray, order: IntArray, start: int, stop: int, low: FloatArray, high: FloatArray, holes: IntArray
) -> None:
    """Write the least and greatest known value of each column, and whether some (1) or all (2) are missing."""
    for column in range(points.shape[1]):
        least = np.inf
        greatest = -np.inf
        missing = 0
        for place in range(start, stop):
            value = points[order[place], column]
            if np.isnan(value):
                missing += 1
            else:
                least = min(least, value)
                greatest = max(greatest, value)
        low[column] = least
        high[column] = greatest
        holes[column] = 0 if missing == 0 else (2 if missing == stop - start else 1)


@kernel
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
def sort_key(points: FloatArray, row: int, column: int) -> float:
    """Value by which a point is sorted: holes come last."""
    value = points[row, column]
    return np.inf if np.isnan(value) else value


@kernel
def split_value(points: FloatArray, order: IntArray, start: int, stop: int, column: int) -> None:
    """Reorder order[start:stop] so that its lower half by one column comes first (holes last): quickselect."""
    middle = (start + stop) // 2
    left = start
    right = stop - 1
    while left < right:
        pivot = sort_key(points, order[(left + right) // 2], column)
        i = left
        j = right
        while i <= j:
            while sort_key(points, order[i], column) < pivot:
                i += 1
            while sort_key(points, order[j], column) > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            break


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
    """Fill the arrays of a tree and return the number of nodes.

    Node v holds the points order[ranges[v, 0]:ranges[v, 1]]; children[v] is -1 for a leaf, else its first
    child, the second follows it.
    """
    ranges[0, 0] = 0
    ranges[0, 1] = order.size
    n_nodes = 1
    node = 0
    while node < n_nodes:
        start = ranges[node, 0]
        stop = ranges[node, 1]
        bound_box(points, order, start, stop, low[node], high[node], holes[node])
        children[node] = -1
        if stop - start > leaf_size:
            column = widest(low[node], high[node], holes[node], spread)
            if column >= 0:
                split_value(points, order, start, stop, column)
                middle = (start + stop) // 2
                children[node] = n_nodes
                ranges[n_nodes, 0] = start
                ranges[n_nodes, 1] = middle
                ranges[n_nodes + 1, 0] = middle
                ranges[n_nodes + 1, 1] = stop
                n_nodes += 2
        node += 1
    return n_nodes
