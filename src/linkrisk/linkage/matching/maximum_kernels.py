"""The largest matching in machine code: first what is most worth, then the shortest paths that make room for more."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel


@lean_kernel
def take_best(start: IntArray, column: IntArray, worth: FloatArray, partner: IntArray, holder: IntArray) -> None:
    """Give each row, one after the other, the free column that is most worth to it."""
    partner[:], holder[:] = -1, -1
    for row in range(partner.size):
        best, place = -np.inf, -1
        for k in range(start[row], start[row + 1]):
            if holder[column[k]] < 0 and (place < 0 or worth[k] > best):
                best, place = worth[k], k
        if place >= 0:
            partner[row] = column[place]
            holder[column[place]] = row


@kernel
def enlarge(start: IntArray, column: IntArray, partner: IntArray, holder: IntArray) -> None:
    """Enlarge a matching until none is larger (Hopcroft and Karp)."""
    level, queue, path = np.empty_like(partner), np.empty_like(partner), np.empty_like(partner)
    following = np.empty_like(partner)
    while _find_levels(start, column, partner, holder, level, queue):
        following[:] = start[:-1]
        for row in range(partner.size):
            if partner[row] < 0 and level[row] == 0:
                _follow(start, column, partner, holder, level, following, path, row)


@lean_kernel
def _find_levels(
    start: IntArray, column: IntArray, partner: IntArray, holder: IntArray, level: IntArray, queue: IntArray
) -> bool:
    """Write how many rows are between each one and the nearest row without a column; tell whether one can be found."""
    first, last = 0, 0
    for row in range(partner.size):
        level[row] = -1
        if partner[row] < 0:
            level[row] = 0
            queue[last] = row
            last += 1
    deepest = partner.size
    while first < last and level[queue[first]] <= deepest:
        row = queue[first]
        first += 1
        for k in range(start[row], start[row + 1]):
            other = holder[column[k]]
            if other < 0:
                deepest = level[row]
            elif level[other] < 0:
                level[other] = level[row] + 1
                queue[last] = other
                last += 1
    return deepest < partner.size


@lean_kernel
def _follow(
    start: IntArray,
    column: IntArray,
    partner: IntArray,
    holder: IntArray,
    level: IntArray,
    following: IntArray,
    path: IntArray,
    row: int,
) -> None:
    """Look for a path from a row to a free column, one level deeper each step; move everybody on it to the next."""
    depth = 0
    path[0] = row
    while depth >= 0:
        row = path[depth]
        if following[row] == start[row + 1]:
            depth -= 1
            if depth >= 0:
                following[path[depth]] += 1
            continue
        other = holder[column[following[row]]]
        if other < 0:
            for step in range(depth + 1):
                mover = path[step]
                level[mover] = -1
                partner[mover] = column[following[mover]]
                holder[partner[mover]] = mover
            return
        if level[other] == level[row] + 1:
            depth += 1
            path[depth] = other
        else:
            following[row] += 1
