"""Assigning by an auction in machine code: rows bid for columns, in smaller and smaller steps.

In a full matrix a row looks through all columns once in a while, and remembers the best ones: prices only rise, so
these stay the best until all of them cost more than the next one did.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel

REMEMBERED = 16
"""Columns that a row remembers."""

FINER = 5.0
"""How many times smaller the steps of the next round are."""

MOST_BIDS = 2_000
"""Bids for each row, on average, after which an auction is given up: a few hundred are usual."""


@kernel
def hold_auctions(cost: FloatArray, step: float, last_step: float, chosen: IntArray) -> bool:
    """Assign every row a column of its own, rounds of bids with finer and finer steps; return whether it was done.

    There are as many rows as columns. Prices are kept from round to round, assignments are not. In the end each row's
    cost and price are within ``last_step`` of the least that it could have.
    """
    n, n_bids = len(chosen), 0
    price = np.zeros(n)
    holder, waiting = np.empty(n, np.int64), np.empty(n, np.int64)
    near, beyond = np.zeros((n, min(REMEMBERED, n)), np.int64), np.full(n, -np.inf)
    keys = np.empty(near.shape[1] + 1)
    while True:
        holder[:] = -1
        for row in range(n):
            waiting[row] = n - 1 - row
        n_waiting = n
        while n_waiting > 0:
            n_bids += 1
            if n_bids > MOST_BIDS * n:
                return False
            n_waiting -= 1
            row = waiting[n_waiting]
            column, lead = best_remembered(cost, price, row, near, beyond)
            if column < 0:
                remember_nearest(cost, price, row, near, beyond, keys)
                column, lead = best_remembered(cost, price, row, near, beyond)
            price[column] += lead + step
            if holder[column] >= 0:
                waiting[n_waiting] = holder[column]
                n_waiting += 1
            holder[column] = row
        if step <= last_step:
            break
        step = max(step / FINER, last_step)
    for column in range(n):
        chosen[holder[column]] = column
    return True


@inlined_kernel
def best_remembered(
    cost: FloatArray, price: FloatArray, row: int, near: IntArray, beyond: FloatArray
) -> tuple[int, float]:
    """Return the best column of a row and its lead over the second; -1 where one it does not remember may be better."""
    best, second, column = np.inf, beyond[row], -1
    for place in range(near.shape[1]):
        there = cost[row, near[row, place]] + price[near[row, place]]
        if there < best:
            second = min(second, best)
            best, column = there, near[row, place]
        elif there < second:
            second = there
    if best > beyond[row]:
        return -1, 0.0
    return column, (second - best if second < np.inf else 0.0)


@inlined_kernel
def remember_nearest(
    cost: FloatArray, price: FloatArray, row: int, near: IntArray, beyond: FloatArray, keys: FloatArray
) -> None:
    """List the columns that are best for a row at these prices, and how good the best of the others is.

    Rows begin to look at different columns: of those that are as good, each remembers others.
    """
    n, length = cost.shape[1], near.shape[1]
    keys[:] = np.inf
    for half in range(2):
        for column in range(row if half == 0 else 0, n if half == 0 else row):
            there = cost[row, column] + price[column]
            if there >= keys[length]:
                continue
            place = length
            while place > 0 and keys[place - 1] > there:
                keys[place] = keys[place - 1]
                if place < length:
                    near[row, place] = near[row, place - 1]
                place -= 1
            keys[place] = there
            if place < length:
                near[row, place] = column
    beyond[row] = keys[length]


@kernel
def hold_listed_auctions(
    start: IntArray, column: IntArray, cost: FloatArray, step: float, last_step: float, chosen: IntArray
) -> bool:
    """Assign every row one of its columns, as `hold_auctions` does; write the places of the pairs.

    ``column[start[r] : start[r + 1]]`` are the columns of row r. There is an assignment of all rows, and there are as
    many as columns; who has only one column shares it with nobody.
    """
    n, n_bids = len(chosen), 0
    price, holder, waiting = np.zeros(n), np.empty(n, np.int64), np.empty(n, np.int64)
    while True:
        holder[:] = -1
        for row in range(n):
            waiting[row] = n - 1 - row
        n_waiting = n
        while n_waiting > 0:
            n_bids += 1
            if n_bids > MOST_BIDS * n:
                return False
            n_waiting -= 1
            row = waiting[n_waiting]
            best, second, place = np.inf, np.inf, -1
            for k in range(start[row], start[row + 1]):
                there = cost[k] + price[column[k]]
                if there < best:
                    best, second, place = there, best, k
                elif there < second:
                    second = there
            wanted = column[place]
            price[wanted] += step + (second - best if second < np.inf else 0.0)
            if holder[wanted] >= 0:
                waiting[n_waiting] = holder[wanted]
                n_waiting += 1
            holder[wanted], chosen[row] = row, place
        if step <= last_step:
            return True
        step = max(step / FINER, last_step)
