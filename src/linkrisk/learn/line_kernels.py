"""The deepest point of a line, compiled.

Along theta + s u record r is linked where a + s b > 0 for all its rows (a = values . theta, b = values . u): an open
interval of s. The links made at s are the weights of the intervals that s lies in.
"""

from __future__ import annotations

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import kernel

CLEARLY = 2.0**-46
"""A row holds clearly when theta . v exceeds this share of the sum of |theta_k v_k|.

The sum has at most some thirty terms, so its rounding error is below 2^-47 of them: what holds clearly holds exactly.
"""


@kernel
def holds_clearly(values: FloatArray, s: int, theta: FloatArray) -> bool:
    """Whether theta . values[s] > 0 beyond all rounding."""
    total = 0.0
    size = 0.0
    for k in range(len(theta)):
        term = theta[k] * values[s, k]
        total += term
        size += abs(term)
    return total > CLEARLY * size


@kernel
def count_clear_links(values: FloatArray, start: IntArray, weight: FloatArray, theta: FloatArray) -> float:
    """Weight of the records all of whose rows hold clearly.

    Guarantee: in exact arithmetic theta links at least this weight.
    """
    links = 0.0
    for r in range(len(weight)):
        is_linked = True
        for s in range(start[r], start[r + 1]):
            if not holds_clearly(values, s, theta):
                is_linked = False
                break
        if is_linked:
            links += weight[r]
    return links


@kernel
def multiply(values: FloatArray, vector: FloatArray, product: FloatArray) -> None:
    """Fill product with values . vector."""
    for s in range(len(product)):
        total = 0.0
        for k in range(len(vector)):
            total += values[s, k] * vector[k]
        product[s] = total


@kernel
def fill_intervals(
    start: IntArray, at: FloatArray, along: FloatArray, low: float, high: float, intervals: FloatArray, owner: IntArray
) -> int:
    """Fill where between low and high each record is linked; return the number of records linked somewhere."""
    found = 0
    for r in range(len(start) - 1):
        first, last = low, high
        for s in range(start[r], start[r + 1]):
            if along[s] > 0.0:
                first = max(first, -at[s] / along[s])
            elif along[s] < 0.0:
                last = min(last, -at[s] / along[s])
            elif at[s] <= 0.0:
                last = low
            if first >= last:
                break
        if first < last:
            intervals[0, found], intervals[1, found] = first, last
            owner[found] = r
            found += 1
    return found


@kernel
def deepest_step(intervals: FloatArray, owner: IntArray, found: int, weight: FloatArray) -> tuple[float, float]:
    """Return the middle of the longest stretch that lies in most weight of intervals, and that weight."""
    opening = np.argsort(intervals[0, :found])
    closing = np.argsort(intervals[1, :found])
    depth = best = best_width = step = 0.0
    closed = 0
    for opened in range(found):
        at = intervals[0, opening[opened]]
        while closed < found and intervals[1, closing[closed]] <= at:
            depth -= weight[owner[closing[closed]]]
            closed += 1
        depth += weight[owner[opening[opened]]]
        end = intervals[1, closing[closed]]
        if opened + 1 < found:
            end = min(end, intervals[0, opening[opened + 1]])
        if depth > best + 1e-9 or (depth > best - 1e-9 and end - at > best_width):
            best, best_width, step = max(best, depth), end - at, at + 0.5 * (end - at)
    return step, best


@kernel
def reach(theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
    """Return the least and the greatest step that keep theta + step . direction non-negative."""
    low, high = -1e9, 1e9
    for k in range(len(theta)):
        if direction[k] > 0.0:
            low = max(low, -theta[k] / direction[k])
        elif direction[k] < 0.0:
            high = min(high, -theta[k] / direction[k])
    return low, high


@kernel
def move(theta: FloatArray, direction: FloatArray, step: float) -> FloatArray:
    """Return theta + step . direction with its largest entry 1."""
    moved = np.empty(len(theta))
    for k in range(len(theta)):
        moved[k] = max(theta[k] + step * direction[k], 0.0)
    largest = moved.max()
    return moved / largest if largest > 0.0 else theta.copy()


@kernel
def search_lines(
    values: FloatArray, start: IntArray, weight: FloatArray, theta: FloatArray, links: float, directions: FloatArray
) -> tuple[FloatArray, float, int]:
    """Go from theta to the deepest point of one line after another, as long as nothing is lost.

    ``directions[d]`` holds a kind and a direction: 0 as it is, 1 and 2 in proportion to theta or its root, 3 towards
    it as a corner. Returns theta, its links, and the number of the last direction that gained any.
    """
    n_rows = len(values)
    at, along = np.empty(n_rows), np.empty(n_rows)
    intervals, owner = np.empty((2, len(weight))), np.empty(len(weight), np.int64)
    multiply(values, theta, at)
    gained = -1
    for d in range(len(directions)):
        kind, direction = directions[d, 0], directions[d, 1:].copy()
        if kind == 1:
            direction *= theta
        elif kind == 2:
            direction *= np.sqrt(theta)
        elif kind == 3:
            direction -= theta
        multiply(values, direction, along)
        low, high = reach(theta, direction)
        found = fill_intervals(start, at, along, low, high, intervals, owner)
        step, depth = deepest_step(intervals, owner, found, weight)
        if depth < links - 1e-9:
            continue
        moved = move(theta, direction, step)
        clear = count_clear_links(values, start, weight, moved)
        if clear >= links:
            if clear > links:
                gained = d
            theta, links = moved, clear
            multiply(values, theta, at)
    return theta, links, gained
