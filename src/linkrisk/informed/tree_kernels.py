"""Boxes of original records: a tree that is divided where records differ most, and the least cost within a box."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel
from linkrisk.informed.term_kernels import Terms

LEAF = 64
"""Records that are not divided any further."""


class Tree(NamedTuple):
    """Original records in boxes within boxes, a tree for each key.

    ``root[key]`` is the box of all records of a key, -1 where there are none. A box holds the places ``begin`` to
    ``end``; ``child`` is the first of its two parts, the other one comes next, -1 where it is not divided. The record
    at a place is ``original``. ``low`` and ``high`` enclose the gaussian coordinates, then the intervals, then the
    tents of a box; ``least`` is what each released code costs at least, a row for each code of the tables that
    ``bounded`` names: one protected record needs few of its rows, and the next one often the same.
    """

    original: IntArray
    root: IntArray
    begin: IntArray
    end: IntArray
    child: IntArray
    low: FloatArray
    high: FloatArray
    least: FloatArray
    bounded: IntArray


@kernel
def grow(
    columns: FloatArray,
    is_code: BoolArray,
    apart: FloatArray,
    key_start: IntArray,
    place: IntArray,
    root: IntArray,
    begin: IntArray,
    end: IntArray,
    child: IntArray,
) -> int:
    """Divide the records of each key, and these again, until few are left; return the number of boxes.

    A box is divided in the column in which two of its records differ most on average, near the middle; categories, of
    which two cost ``apart`` more than one, stay whole.
    """
    count = 0
    for key in range(root.size):
        root[key] = -1
        if key_start[key] == key_start[key + 1]:
            continue
        root[key] = count
        begin[count], end[count] = key_start[key], key_start[key + 1]
        node = count
        count += 1
        while node < count:
            child[node] = -1
            middle = _divide(columns, is_code, apart, place[begin[node] : end[node]])
            if middle > 0:
                child[node] = count
                begin[count], end[count] = begin[node], begin[node] + middle
                begin[count + 1], end[count + 1] = begin[node] + middle, end[node]
                count += 2
            node += 1
    return count


@kernel
def _divide(columns: FloatArray, is_code: BoolArray, apart: FloatArray, place: IntArray) -> int:
    """Put the records of a box in the order of its widest column; return where its second part begins, 0 if nowhere."""
    if place.size <= LEAF:
        return 0
    widest, column = 0.0, -1
    for c in range(columns.shape[1]):
        width = _codes_apart(columns[:, c], place) * apart[c] if is_code[c] else _variance(columns[:, c], place)
        if width > widest:
            widest, column = width, c
    if column < 0:
        return 0
    values = columns[place, column]
    order = np.argsort(values)
    place[:] = place[order]
    middle = place.size // 2
    if not is_code[column]:
        return middle
    values = values[order]
    below, above = middle, middle
    while below > 0 and values[below - 1] == values[below]:
        below -= 1
    while above < place.size and values[above - 1] == values[above]:
        above += 1
    return below if below > 0 and (above == place.size or middle - below <= above - middle) else above


@lean_kernel
def _variance(column: FloatArray, place: IntArray) -> float:
    mean = 0.0
    for at in place:
        mean += column[at]
    mean /= place.size
    total = 0.0
    for at in place:
        total += (column[at] - mean) ** 2
    return total / place.size


@kernel
def _codes_apart(column: FloatArray, place: IntArray) -> float:
    """Return how often two records of a box have different codes; codes begin with -1."""
    most = 0
    for at in place:
        most = max(most, int(column[at]))
    counts = np.zeros(most + 2)
    for at in place:
        counts[int(column[at]) + 1] += 1.0
    same: float = ((counts / place.size) ** 2).sum()
    return 1.0 - same


@kernel
def enclose(terms: Terms, tree: Tree) -> None:
    """Write the bounds of all boxes, parts before the whole; a missing value is any value.

    The original records of the terms are in the order of their places.
    """
    n_gaussians, n_intervals = terms.x.shape[1], terms.x_low.shape[1]
    for node in range(tree.child.size - 1, -1, -1):
        child = tree.child[node]
        if child >= 0:
            for c in range(tree.low.shape[1]):
                tree.low[node, c] = min(tree.low[child, c], tree.low[child + 1, c])
                tree.high[node, c] = max(tree.high[child, c], tree.high[child + 1, c])
            continue
        tree.low[node], tree.high[node] = np.inf, -np.inf
        for i in range(tree.begin[node], tree.end[node]):
            for k in range(n_gaussians):
                _stretch(tree, node, k, terms.x[i, k], terms.x[i, k])
            for k in range(n_intervals):
                _stretch(tree, node, n_gaussians + k, terms.x_low[i, k], terms.x_high[i, k])
            for k in range(terms.x_tent.shape[1]):
                _stretch(tree, node, n_gaussians + n_intervals + k, terms.x_tent[i, k], terms.x_tent[i, k])
    row = 0
    for k in tree.bounded:
        code = terms.x_code[:, k].copy()
        for y in range(terms.table_height[k]):
            _cheapen(terms.tables, terms.table_start[k] + y * terms.table_width[k], code, tree, tree.least[row])
            row += 1


@lean_kernel
def _stretch(tree: Tree, node: int, column: int, low: float, high: float) -> None:
    tree.low[node, column] = -np.inf if np.isnan(low) else min(tree.low[node, column], low)
    tree.high[node, column] = np.inf if np.isnan(high) else max(tree.high[node, column], high)


@lean_kernel
def _cheapen(tables: FloatArray, start: int, code: IntArray, tree: Tree, least: FloatArray) -> None:
    """Write what one released code, whose costs are those from ``start`` on, costs at least in each box."""
    for node in range(tree.child.size - 1, -1, -1):
        child = tree.child[node]
        if child >= 0:
            least[node] = min(least[child], least[child + 1])
            continue
        least[node] = np.inf
        for i in range(tree.begin[node], tree.end[node]):
            least[node] = min(least[node], tables[start + code[i]])


@inlined_kernel
def least_cost(terms: Terms, tree: Tree, node: int, j: int) -> float:
    """Return what a record of a box costs at least for protected record j: never more than `cost_of` of one in it.

    Every term is taken at the value of the box that is nearest to j's, and terms are added in the order of `cost_of`:
    rounding is monotone, so that what is less stays less. A logarithm may be wrong in its last digit.
    """
    n_gaussians, n_intervals = terms.x.shape[1], terms.x_low.shape[1]
    cost = 0.0
    for k in range(n_intervals):
        if tree.low[node, n_gaussians + k] > terms.y_high[j, k] or tree.high[node, n_gaussians + k] < terms.y_low[j, k]:
            cost = np.inf
            break
    if cost == 0.0:
        for k in range(n_gaussians):
            y = terms.y[j, k]
            gap = max(tree.low[node, k] - y, y - tree.high[node, k])
            if gap > 0.0:
                cost += 0.5 * gap * gap
        first = 0
        for k in tree.bounded:
            cost += tree.least[first + terms.y_code[j, k], node]
            first += terms.table_height[k]
        for k in range(terms.x_tent.shape[1]):
            y = terms.y_tent[j, k]
            c = n_gaussians + n_intervals + k
            gap = max(tree.low[node, c] - y, y - tree.high[node, c])
            if gap >= 1.0:
                cost = np.inf
            elif gap > 0.0:
                cost -= math.log(1.0 - gap)
    return cost
