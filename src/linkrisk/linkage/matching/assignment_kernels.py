"""The auction in machine code: who is given what, at which prices."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel


@kernel
def bid(start: IntArray, column: IntArray, worth: FloatArray, step: float, price: FloatArray, chosen: IntArray) -> None:
    """Let rows bid for columns until each has one, or finds none worth its price; write the places of their pairs.

    A row bids for the column of the greatest worth less price, and raises its price by what that is better than the
    second best, or than nothing, and by ``step``. Who held the column bids again.
    """
    n_rows = len(start) - 1
    holder = np.full(len(price), -1)
    waiting = np.arange(n_rows - 1, -1, -1)
    n_waiting = n_rows
    chosen[:] = -1
    while n_waiting > 0:
        n_waiting -= 1
        row = waiting[n_waiting]
        best, second, place = 0.0, 0.0, -1
        for k in range(start[row], start[row + 1]):
            gain = worth[k] - price[column[k]]
            if gain > best:
                best, second, place = gain, best, k
            elif gain > second:
                second = gain
        chosen[row] = place
        if place < 0:
            continue
        wanted = column[place]
        price[wanted] += best - second + step
        if holder[wanted] >= 0:
            waiting[n_waiting] = holder[wanted]
            n_waiting += 1
        holder[wanted] = row
