"""The best assignment of listed pairs in machine code: bids first, then shortest paths; and the prices that prove it.

Rows gain the worth of their pair less the price of its column, or nothing by having none. Throughout, every row that
has a column has the best one at these prices, and columns that nobody has cost nothing: once every other row finds
nothing worth its price, no assignment is worth more (docs/mathematics.md#auction).
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

BIDS = 16
"""Bids for each row, on average, before paths are looked for: small steps take longer."""


@kernel
def assign_listed(
    start: IntArray, column: IntArray, worth: FloatArray, most_paths: int, price: FloatArray, chosen: IntArray
) -> bool:
    """Choose pairs, each row and column at most once, with the greatest sum of worths; write their places and prices.

    Return whether that was done: where more than ``most_paths`` rows wait after the bids it is not.

    ``column[start[r] : start[r + 1]]`` are the columns of row r. At first prices are to be 0 and ``chosen`` -1, or both
    as they were found for the same pairs when all worths of a row were less by as much: who has a column still has the
    best one then, and only the others wait.
    """
    n_rows = len(start) - 1
    holder = np.full(len(price), -1)
    for row in range(n_rows):
        if chosen[row] >= 0:
            holder[column[chosen[row]]] = row
    n_waiting, waiting = bid(start, column, worth, BIDS * n_rows, price, holder, chosen)
    if n_waiting > most_paths:
        return False
    distance, via, asker = np.full(len(price), np.inf), np.empty(len(price), np.int64), np.empty(len(price), np.int64)
    touched, settled = np.empty(len(price), np.int64), np.empty(len(price), np.int64)
    keys, heap = np.empty(len(column) + 1), np.empty(len(column) + 1, np.int64)
    for place in range(n_waiting - 1, -1, -1):
        make_room(
            waiting[place], start, column, worth, price, holder, chosen, distance, via, asker, touched, settled, keys,
            heap,
        )  # fmt: skip
    return True


@kernel
def bid(
    start: IntArray,
    column: IntArray,
    worth: FloatArray,
    most: int,
    price: FloatArray,
    holder: IntArray,
    chosen: IntArray,
) -> tuple[int, IntArray]:
    """Let rows bid for columns, ``most`` times in all; return how many rows still wait, and which.

    A row bids for the column of the greatest worth less price, and raises its price by what that is better than the
    second best, or than nothing. Who held the column bids again. Who finds the second as good, both being held, steps
    aside: equals would outbid each other for ever.
    """
    n_rows = len(start) - 1
    waiting, aside = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    n_waiting = 0
    for row in range(n_rows - 1, -1, -1):
        if chosen[row] < 0:
            waiting[n_waiting] = row
            n_waiting += 1
    n_bids, n_aside = 0, n_rows
    while n_waiting > 0 and n_bids < most:
        n_bids += 1
        n_waiting -= 1
        row = waiting[n_waiting]
        best, second, place, next_place = 0.0, 0.0, -1, -1
        for k in range(start[row], start[row + 1]):
            gain = worth[k] - price[column[k]]
            if gain > best:
                best, second, place, next_place = gain, best, k, place
            elif gain > second or (gain == second and gain > 0.0 and next_place < 0):
                second, next_place = gain, k
        if place < 0:
            continue
        if best == second and next_place >= 0 and holder[column[place]] >= 0 and holder[column[next_place]] < 0:
            place = next_place  # as good, and nobody has it
        wanted = column[place]
        if best == second and holder[wanted] >= 0:
            n_aside -= 1
            aside[n_aside] = row
            continue
        price[wanted] += best - second
        chosen[row] = place
        if holder[wanted] >= 0:
            chosen[holder[wanted]] = -1
            waiting[n_waiting] = holder[wanted]
            n_waiting += 1
        holder[wanted] = row
    for place in range(n_aside, n_rows):
        waiting[n_waiting] = aside[place]
        n_waiting += 1
    return n_waiting, waiting


@inlined_kernel
def greatest_gain(row: int, start: IntArray, column: IntArray, worth: FloatArray, price: FloatArray) -> float:
    """Return the most that a row can gain, by a column or by none."""
    most = 0.0
    for k in range(start[row], start[row + 1]):
        most = max(most, worth[k] - price[column[k]])
    return most


@lean_kernel
def make_room(
    row: int,
    start: IntArray,
    column: IntArray,
    worth: FloatArray,
    price: FloatArray,
    holder: IntArray,
    chosen: IntArray,
    distance: FloatArray,
    via: IntArray,
    asker: IntArray,
    touched: IntArray,
    settled: IntArray,
    keys: FloatArray,
    heap: IntArray,
) -> None:
    """Give a row its best column, where that is worth it: holders move on along a shortest path, or one has none.

    The length of a step is what the row that takes it loses against its best column (Dijkstra). The path ends at a
    column that nobody has, or at a row that loses least by having none. ``via`` and ``asker`` tell how a column was
    reached: by which pair and which row. ``distance`` is infinite before and after.
    """
    most = greatest_gain(row, start, column, worth, price)
    least, last_column, last_row = most, -1, row  # the row itself may have none
    here, behind, gain = row, 0.0, most
    n_touched, n_settled, n_heap = 0, 0, 0
    while True:
        for k in range(start[here], start[here + 1]):
            j = column[k]
            far = behind + max(0.0, gain - (worth[k] - price[j]))
            if far < least and far < distance[j]:
                if distance[j] == np.inf:
                    touched[n_touched] = j
                    n_touched += 1
                distance[j], via[j], asker[j] = far, k, here
                if holder[j] < 0:
                    least, last_column = far, j
                else:
                    n_heap = push_least(far, j, keys, heap, n_heap)
        j = -1
        while n_heap > 0 and j < 0:
            if keys[0] == distance[heap[0]]:
                j = heap[0]
            n_heap = pop_least(keys, heap, n_heap)
        if j < 0 or distance[j] >= least:
            break
        settled[n_settled] = j
        n_settled += 1
        here, behind = holder[j], distance[j]
        gain = worth[chosen[here]] - price[j]
        if behind + max(0.0, gain) < least:
            least, last_column, last_row = behind + max(0.0, gain), -1, here
    for place in range(n_settled):
        price[settled[place]] += least - distance[settled[place]]
    for place in range(n_touched):
        distance[touched[place]] = np.inf
    move_on(row, last_row, last_column, column, via, asker, holder, chosen)


@inlined_kernel
def move_on(
    row: int,
    last_row: int,
    last_column: int,
    column: IntArray,
    via: IntArray,
    asker: IntArray,
    holder: IntArray,
    chosen: IntArray,
) -> None:
    """Let everybody on a path have the column by which it left, from its end back to the row that began it."""
    j = last_column
    if j < 0:
        if last_row == row:
            return
        j = column[chosen[last_row]]
        chosen[last_row] = -1
    while True:
        here = asker[j]
        before = chosen[here]
        chosen[here], holder[j] = via[j], here
        if here == row:
            return
        j = column[before]


@inlined_kernel
def push_least(key: float, item: int, keys: FloatArray, heap: IntArray, size: int) -> int:
    """Add an item to a heap whose least key is in front; return its size."""
    place = size
    while place > 0 and keys[(place - 1) // 2] > key:
        above = (place - 1) // 2
        keys[place], heap[place] = keys[above], heap[above]
        place = above
    keys[place], heap[place] = key, item
    return size + 1


@inlined_kernel
def pop_least(keys: FloatArray, heap: IntArray, size: int) -> int:
    """Remove the item in front of a heap; return its size."""
    last = size - 1
    key, item = keys[last], heap[last]
    place = 0
    while 2 * place + 1 < last:
        below = 2 * place + 1
        if below + 1 < last and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[place], heap[place] = keys[below], heap[below]
        place = below
    keys[place], heap[place] = key, item
    return last


@lean_kernel
def nearest_two(row: IntArray, distance: FloatArray, first: FloatArray, second: FloatArray) -> None:
    """Write the least distance of each row's pairs, and the next; infinity where there is none."""
    first[:] = np.inf
    second[:] = np.inf
    for k in range(len(row)):
        if distance[k] < first[row[k]]:
            second[row[k]] = first[row[k]]
            first[row[k]] = distance[k]
        elif distance[k] < second[row[k]]:
            second[row[k]] = distance[k]
