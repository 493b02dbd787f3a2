"""Looking for the original records that a protected one can be: the likeliest, of all that share its key.

Original records are in a tree of boxes. A protected record is held against those of the boxes in which one may be
likely enough, the nearest box first.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel
from linkrisk.informed.term_kernels import Columns, Terms, add_terms, add_terms_of_all
from linkrisk.informed.tree_kernels import Tree, least_cost

MAX_NODES = 48
"""Pairs that are followed from one pair to the next through swapped values; so many that fit do so by no chance."""

TIED = 1e-9
"""Costs that differ by less, relatively, count as equal."""


@kernel
def scan_costs(
    terms: Terms,
    columns: Columns,
    tree: Tree,
    rows: IntArray,
    negligible: float,
    originals: IntArray,
    costs: FloatArray,
    counts: IntArray,
    possible: IntArray,
) -> None:
    """Write the originals of least cost for some protected records: a row of each array.

    As many as a row holds; those that cost more than the best by ``negligible`` are left out, and so are those that
    cost as much as one for which there was no place: which of them stay would depend on the order of the records.
    Also written is how many of those looked at are possible; nobody is passed over before there were two.
    """
    boxes, bounds = np.empty(tree.child.size + 1, np.int64), np.empty(tree.child.size + 1)
    each = np.empty(tree.original.size)
    for row in range(rows.size):
        j = rows[row]
        count, left, best = 0, np.inf, np.inf
        n_boxes = open_root(terms, tree, j, boxes, bounds)
        while n_boxes > 0 and left >= TIED:  # below, nothing can stay, for no cost is negative
            n_boxes -= 1
            most = limit(costs[row], count, best, possible[row], negligible)
            if bounds[n_boxes] > most:
                continue
            box = boxes[n_boxes]
            if tree.child[box] >= 0:
                n_boxes = open_box(terms, tree, j, box, most, n_boxes, boxes, bounds)
                continue
            begin, end = tree.begin[box], tree.end[box]
            add_terms_of_all(terms, columns, begin, end, j, each)
            for i in range(begin, end):
                cost = each[i - begin]
                if cost == np.inf or not cost <= most:
                    continue
                possible[row] += 1
                best = min(best, cost)
                worst = costs[row, 0] if count == costs.shape[1] else np.inf
                left = min(left, max(worst, cost))
                if cost < worst:
                    count = put(originals[row], costs[row], count, tree.original[i], cost)
                most = limit(costs[row], count, best, possible[row], negligible)
        counts[row] = settle(originals[row], costs[row], count, left, negligible)


@lean_kernel
def limit(costs: FloatArray, count: int, best: float, n_possible: int, negligible: float) -> float:
    """Return the cost from which on an original changes nothing: it is not listed, and ties with none that is."""
    most: float = costs[0] if count == costs.size else np.inf
    if n_possible > 1:
        most = min(most, best + negligible)
    return most + 2.0 * TIED * (1.0 + abs(most))


@lean_kernel
def open_root(terms: Terms, tree: Tree, j: int, boxes: IntArray, bounds: FloatArray) -> int:
    """Put the box of all originals with the key of j on the heap of boxes; return how many these are, 0 or 1."""
    key = terms.y_key[j]
    if key >= tree.root.size or tree.root[key] < 0:
        return 0
    boxes[0] = tree.root[key]
    bounds[0] = least_cost(terms, tree, boxes[0], j)
    return 1 if bounds[0] < np.inf else 0


@inlined_kernel
def open_box(
    terms: Terms, tree: Tree, j: int, box: int, most: float, n_boxes: int, boxes: IntArray, bounds: FloatArray
) -> int:
    """Put the parts of a box in which an original may cost no more than ``most`` on the pile, the nearer one on top."""
    first = tree.child[box]
    near, far = least_cost(terms, tree, first, j), least_cost(terms, tree, first + 1, j)
    second = first + 1
    if far < near:
        first, second, near, far = second, first, far, near
    if far <= most and far < np.inf:
        boxes[n_boxes], bounds[n_boxes] = second, far
        n_boxes += 1
    if near <= most and near < np.inf:
        boxes[n_boxes], bounds[n_boxes] = first, near
        n_boxes += 1
    return n_boxes


@kernel
def scan_components(
    terms: Terms,
    tree: Tree,
    has: IntArray,
    had: IntArray,
    gain: float,
    rows: IntArray,
    negligible: float,
    originals: IntArray,
    costs: FloatArray,
    counts: IntArray,
    possible: IntArray,
) -> None:
    """Do the same where values changed places in pairs: a pair counts with all pairs that it implies."""
    boxes, bounds = np.empty(tree.child.size + 1, np.int64), np.empty(tree.child.size + 1)
    nodes, each = np.empty((MAX_NODES, 2), np.int64), np.empty(MAX_NODES)
    for row in range(rows.size):
        j = rows[row]
        count, left = 0, np.inf
        n_boxes = open_root(terms, tree, j, boxes, bounds)
        while n_boxes > 0:
            n_boxes -= 1
            box = boxes[n_boxes]
            if tree.child[box] >= 0:
                n_boxes = open_box(terms, tree, j, box, np.inf, n_boxes, boxes, bounds)
                continue
            for i in range(tree.begin[box], tree.end[box]):
                own = add_terms(terms, i, j, np.inf)
                cost = np.inf if own == np.inf else component_cost(terms, has, had, gain, i, j, own, nodes, each)
                if cost == np.inf:
                    continue
                possible[row] += 1
                worst = costs[row, 0] if count == costs.shape[1] else np.inf
                left = min(left, max(worst, cost))
                if cost < worst:
                    count = put(originals[row], costs[row], count, tree.original[i], cost)
        counts[row] = settle(originals[row], costs[row], count, left, negligible)


@inlined_kernel
def component_cost(
    terms: Terms,
    has: IntArray,
    had: IntArray,
    gain: float,
    i: int,
    j: int,
    own: float,
    nodes: IntArray,
    costs: FloatArray,
) -> float:
    """Return the cost of all pairs that are true if i is j, less ``gain`` for each; infinite if one is impossible.

    *Guarantee* (docs/mathematics.md#implied-pairs): if values changed places in pairs, and i is j, then had[j] is
    has[i] in every attribute. So all these pairs are true together, or none is. ``own`` is the cost of i and j alone.
    """
    nodes[0, 0], nodes[0, 1], costs[0] = i, j, own
    count, done = 1, 0
    total = 0.0
    while done < count:
        a, b = nodes[done]
        total += costs[done] - gain
        done += 1
        for k in range(has.shape[1]):
            g, h = has[a, k], had[b, k]
            if g == -1:
                return np.inf
            if g < 0 or h < 0:
                continue
            is_known = False
            for q in range(count):
                if nodes[q, 0] == h or nodes[q, 1] == g:
                    if nodes[q, 0] != h or nodes[q, 1] != g:
                        return np.inf
                    is_known = True
            if not is_known and count < MAX_NODES:
                costs[count] = add_terms(terms, h, g, np.inf)
                if costs[count] == np.inf:
                    return np.inf
                nodes[count, 0], nodes[count, 1] = h, g
                count += 1
    return total


@lean_kernel
def put(originals: IntArray, costs: FloatArray, count: int, i: int, cost: float) -> int:
    """Put an original into a heap, its largest cost first; the largest leaves where the heap is full."""
    if count < costs.size:
        place = count
        count += 1
        while place > 0 and costs[(place - 1) // 2] < cost:
            costs[place], originals[place] = costs[(place - 1) // 2], originals[(place - 1) // 2]
            place = (place - 1) // 2
    else:
        place = 0
        while True:
            child = 2 * place + 1
            if child >= count:
                break
            if child + 1 < count and costs[child + 1] > costs[child]:
                child += 1
            if costs[child] <= cost:
                break
            costs[place], originals[place] = costs[child], originals[child]
            place = child
    costs[place], originals[place] = cost, i
    return count


@kernel
def settle(originals: IntArray, costs: FloatArray, count: int, left: float, negligible: float) -> int:
    """Leave out what is negligible, or as costly as what found no place; put the rest in order of the originals."""
    if count == 0:
        return 0
    most = costs[:count].min() + negligible
    if left < np.inf:
        most = min(most, left - TIED * (1.0 + abs(left)))
    kept = 0
    for place in range(count):
        if costs[place] <= most:
            costs[kept], originals[kept] = costs[place], originals[place]
            kept += 1
    by_original = np.argsort(originals[:kept])
    originals[:kept] = originals[:kept][by_original]
    costs[:kept] = costs[:kept][by_original]
    return kept
