"""Search for consistent populations, in machine code: values are fitted, rounded, and repaired step by step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel

StateArray = NDArray[np.uint64]

MOST_TRIED = 40
"""Most cells of a sum that one step compares; of a larger sum this many are drawn at random."""

CHANCE_OF_ANY = 10
"""Steps in 1000 that change a random cell instead of the best one."""

TENURE = 3
"""Least number of steps after which a change may be undone; the largest is twice this."""


class Structure(NamedTuple):
    """Which cells each sum has, which sums each cell is in, and the least and largest count of each cell."""

    starts: IntArray
    members: IntArray
    cell_starts: IntArray
    cell_rows: IntArray
    least: IntArray
    largest: IntArray


@lean_kernel
def fit(values: FloatArray, structure: Structure, low: IntArray, high: IntArray, n_rounds: int) -> None:
    """Scale the cells of every sum in turn so that it reaches the nearer bound (iterative proportional fitting)."""
    for _ in range(n_rounds):
        for row in range(len(low)):
            first, last = structure.starts[row], structure.starts[row + 1]
            total = 0.0
            for k in range(first, last):
                total += values[structure.members[k]]
            if total <= 0.0 or low[row] <= total <= high[row]:
                continue
            factor = (low[row] if total < low[row] else high[row]) / total
            for k in range(first, last):
                values[structure.members[k]] *= factor


@lean_kernel
def round_at_random(values: FloatArray, structure: Structure, state: StateArray, counts: IntArray) -> None:
    """Round each value up with a probability equal to its fractional part, within the bounds of its cell."""
    for cell in range(len(values)):
        rounded = np.int64(np.floor(values[cell] + draw(state, 1_000_000) / 1_000_000))
        counts[cell] = min(max(rounded, structure.least[cell]), structure.largest[cell])


@kernel
def repair(
    counts: IntArray,
    sums: IntArray,
    structure: Structure,
    low: IntArray,
    high: IntArray,
    state: StateArray,
    n_steps: int,
) -> bool:
    """Change counts, and the sums with them, until every sum is within its bounds; return whether that was reached.

    A step chooses a sum that is out of bounds at random, and changes the cell of it that brings all sums together
    nearest to their bounds, ties broken at random; now and then it changes a random cell. A change is not undone at
    once.
    """
    broken, place, n_broken = _broken_sums(sums, low, high)
    free_from = np.zeros((len(counts), 2), np.int64)
    for step in range(n_steps):
        if n_broken == 0:
            return True
        row = broken[draw(state, n_broken)]
        cell, change = _choose(row, counts, sums, structure, low, high, state, free_from, step)
        if cell < 0:
            continue
        counts[cell] += change
        free_from[cell, 0 if change > 0 else 1] = step + TENURE + draw(state, TENURE + 1)
        for k in range(structure.cell_starts[cell], structure.cell_starts[cell + 1]):
            row = structure.cell_rows[k]
            sums[row] += change
            n_broken = _note(row, sums[row] < low[row] or sums[row] > high[row], broken, place, n_broken)
    return n_broken == 0


@lean_kernel
def draw(state: StateArray, n: int) -> int:
    """Return a whole number from 0 to n - 1 (xorshift, Marsaglia 2003)."""
    bits = state[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    state[0] = bits
    return np.int64(bits >> np.uint64(33)) % np.int64(n)  # type: ignore[return-value]


@lean_kernel
def _outside(total: int, low: int, high: int) -> int:
    if total < low:
        return low - total
    return total - high if total > high else 0


@kernel
def _broken_sums(sums: IntArray, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray, int]:
    """Return the sums that are out of bounds, the place of each sum among these (or -1), and their number."""
    broken = np.empty(len(sums), np.int64)
    place = np.full(len(sums), -1, np.int64)
    n_broken = 0
    for row in range(len(sums)):
        n_broken = _note(row, sums[row] < low[row] or sums[row] > high[row], broken, place, n_broken)
    return broken, place, n_broken


@lean_kernel
def _note(row: int, is_broken: bool, broken: IntArray, place: IntArray, n_broken: int) -> int:
    """Add a sum to the list of those out of bounds, or remove it; return the length of the list."""
    if is_broken and place[row] < 0:
        place[row] = n_broken
        broken[n_broken] = row
        return n_broken + 1
    if not is_broken and place[row] >= 0:
        last = broken[n_broken - 1]
        broken[place[row]] = last
        place[last] = place[row]
        place[row] = -1
        return n_broken - 1
    return n_broken


@kernel
def _choose(
    row: int,
    counts: IntArray,
    sums: IntArray,
    structure: Structure,
    low: IntArray,
    high: IntArray,
    state: StateArray,
    free_from: IntArray,
    step: int,
) -> tuple[int, int]:
    """Return the cell of a sum to change, and the change; -1 if no cell can be changed."""
    direction = 1 if sums[row] < low[row] else -1
    amount = 1 + draw(state, _outside(sums[row], low[row], high[row]))
    size = structure.starts[row + 1] - structure.starts[row]
    is_any = draw(state, 1000) < CHANCE_OF_ANY
    best, best_change, best_cost, n_ties = -1, 0, 2**62, 0
    for k in range(min(size, MOST_TRIED)):
        cell = structure.members[structure.starts[row] + (k if size <= MOST_TRIED else draw(state, size))]
        room = structure.largest[cell] - counts[cell] if direction > 0 else counts[cell] - structure.least[cell]
        if room <= 0:
            continue
        change = direction * min(amount, room)
        if is_any:
            if draw(state, k + 1) == 0 or best < 0:
                best, best_change = cell, change
            continue
        if free_from[cell, 1 if direction > 0 else 0] > step:
            continue
        cost = _cost(cell, change, sums, structure, low, high)
        n_ties = 1 if cost < best_cost else n_ties + 1
        if cost < best_cost or (cost == best_cost and draw(state, n_ties) == 0):
            best, best_change, best_cost = cell, change, cost
    return best, best_change


@kernel
def _cost(cell: int, change: int, sums: IntArray, structure: Structure, low: IntArray, high: IntArray) -> int:
    """Return by how much a change of a cell increases the distances of its sums from their bounds, in total."""
    cost = 0
    for k in range(structure.cell_starts[cell], structure.cell_starts[cell + 1]):
        row = structure.cell_rows[k]
        cost += _outside(sums[row] + change, low[row], high[row]) - _outside(sums[row], low[row], high[row])
    return cost
