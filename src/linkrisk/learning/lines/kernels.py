"""The deepest point of a line, compiled.

Along theta + s u record r is linked where a + s b > 0 for all its rows (a = values . theta, b = values . u): an open
interval of s. The links made at s are the weights of the intervals that s lies in.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel

CLEARLY = 2.0**-46
"""A row holds clearly when theta . v exceeds this share of the sum of |theta_k v_k|.

The sum has at most some thirty terms, so its rounding error is below 2^-47 of them: what holds clearly holds exactly.
"""


@lean_kernel
def holds_clearly(values: FloatArray, s: int, theta: FloatArray) -> bool:
    """Whether theta . values[s] > 0 beyond all rounding."""
    total = 0.0
    size = 0.0
    for k in range(len(theta)):
        term = theta[k] * values[s, k]
        total += term
        size += abs(term)
    return total > CLEARLY * size


@lean_kernel
def count_clear_links(values: FloatArray, start: IntArray, weight: FloatArray, theta: FloatArray) -> float:
    """Weight of the records all of whose rows hold clearly.

    *Guarantee* (docs/mathematics.md#clear-links): in exact arithmetic theta links at least this weight, by the rows
    given.
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


@lean_kernel
def multiply(columns: FloatArray, vector: FloatArray, product: FloatArray) -> None:
    """Fill product with the rows, given by their columns, times vector: column by column, many rows at a time."""
    product[:] = 0.0
    for k in range(len(vector)):
        factor = vector[k]
        for s in range(len(product)):
            product[s] += columns[k, s] * factor


@lean_kernel
def fill_ends(at: FloatArray, along: FloatArray, first: FloatArray, last: FloatArray) -> None:
    """Fill where each row a + s b > 0 begins and ceases to hold; infinity to minus infinity stands for nowhere."""
    for s in range(len(at)):
        end = -at[s] / along[s]
        is_still = along[s] == 0.0
        holds = at[s] > 0.0
        first[s] = end if along[s] > 0.0 else (np.inf if is_still and not holds else -np.inf)
        last[s] = end if along[s] < 0.0 else (-np.inf if is_still and not holds else np.inf)


@lean_kernel
def fill_intervals(
    start: IntArray,
    first: FloatArray,
    last: FloatArray,
    low: float,
    high: float,
    intervals: FloatArray,
    owner: IntArray,
) -> int:
    """Fill where between low and high each record is linked; return the number of records linked somewhere."""
    found = 0
    for r in range(len(start) - 1):
        begin, end = low, high
        for s in range(start[r], start[r + 1]):
            begin = max(begin, first[s])
            end = min(end, last[s])
        if begin < end:
            intervals[0, found], intervals[1, found], owner[found] = begin, end, r
            found += 1
    return found


@kernel
def deepest_step(intervals: FloatArray, owner: IntArray, found: int, weight: FloatArray) -> tuple[float, float]:
    """Return the middle of the longest stretch that lies in intervals of the greatest total weight, and that weight.

    *Guarantee* (docs/mathematics.md#lines-intervals): no step of the line lies in intervals of more weight, up to 1e-9.
    """
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


@lean_kernel
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


@lean_kernel
def count_clear(start: IntArray, weight: FloatArray, at: FloatArray, size: FloatArray) -> float:
    """Weight of the records all of whose rows hold clearly, given their values and the sizes of their terms."""
    links = 0.0
    for r in range(len(weight)):
        least = 1.0
        for s in range(start[r], start[r + 1]):
            least = min(least, at[s] - CLEARLY * size[s])
        if least > 0.0:
            links += weight[r]
    return links


@kernel
def turn_direction(kind: float, direction: FloatArray, theta: FloatArray) -> FloatArray:
    """Return a direction as its kind has it: 0 as it is, 1 and 2 in proportion to theta or its root, 3 to a corner."""
    if kind == 1:
        return direction * theta
    if kind == 2:
        return direction * np.sqrt(theta)
    if kind == 3:
        return direction - theta
    return direction.copy()


@kernel
def search_lines(
    columns: FloatArray, start: IntArray, weight: FloatArray, theta: FloatArray, links: float, directions: FloatArray
) -> tuple[FloatArray, float]:
    """Go from theta to the deepest point of one line after another, as long as nothing is lost.

    ``directions[d]`` holds a kind (see `turn_direction`) and a direction. Returns theta and its links.
    """
    n_rows = columns.shape[1]
    sizes = np.abs(columns)
    at, along, moved_at, size = np.empty(n_rows), np.empty(n_rows), np.empty(n_rows), np.empty(n_rows)
    first, last = np.empty(n_rows), np.empty(n_rows)
    intervals, owner = np.empty((2, len(weight))), np.empty(len(weight), np.int64)
    multiply(columns, theta, at)
    for d in range(len(directions)):
        direction = turn_direction(directions[d, 0], directions[d, 1:], theta)
        multiply(columns, direction, along)
        fill_ends(at, along, first, last)
        low, high = reach(theta, direction)
        found = fill_intervals(start, first, last, low, high, intervals, owner)
        step, depth = deepest_step(intervals, owner, found, weight)
        if depth < links - 1e-9:
            continue
        moved = move(theta, direction, step)
        multiply(columns, moved, moved_at)
        multiply(sizes, moved, size)
        clear = count_clear(start, weight, moved_at, size)
        if clear >= links:
            theta, links = moved, clear
            at[:] = moved_at
    return theta, links
