"""The integer programme behind the exact bounds: counts of base cells, and bounds on sums of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.bounds.cells import CellGroups, Cells, Rows

MOST_ROUNDS = 10
"""Most rounds of propagation; further rounds seldom find anything that a linear programme would not."""


@dataclass(frozen=True, eq=False)
class RowBlock:
    """The rows of one table: its attributes, where its rows begin and end, and whether every base cell is in a row."""

    attributes: tuple[str, ...]
    start: int
    stop: int
    is_complete: bool


@dataclass(frozen=True, eq=False, repr=False)
class Programme:
    """The set of all whole x with least <= x <= largest whose sums (rows) are from ``low`` to ``high``.

    First come the rows of the tables, one block per table; then the block ``overlap`` with one row per overlap cell;
    then the population, if no table determines it. ``is_empty``: propagation alone shows that there is no such x.
    """

    cells: Cells
    least: IntArray
    largest: IntArray
    groups: CellGroups
    low: IntArray
    high: IntArray
    blocks: tuple[RowBlock, ...]
    overlap: RowBlock
    is_empty: bool

    def __repr__(self) -> str:
        return f"<Programme of {len(self.least)} cells and {len(self.low)} sums>"

    @property
    def n_rows(self) -> int:
        """Number of sums."""
        return len(self.low)


def make_programme(cells: Cells, overlap: tuple[str, ...], low: IntArray, high: IntArray) -> Programme:
    """Return the programme of a problem; ``low`` and ``high`` are bounds on its overlap cells that hold (naive ones).

    *Guarantee* (docs/mathematics.md#programme): its solutions are the consistent populations. A table over exactly the
    overlap attributes needs no rows of its own, because the naive bounds contain what it says. The row of the
    population is left out where an exact table determines it.
    """
    parts = [rows for rows in cells.rows if set(rows.attributes) != set(overlap) or not _covers(rows, cells)]
    blocks: list[RowBlock] = []
    groups, lows, highs = [], [], []
    for attributes, group, least, largest in (
        *((rows.attributes, rows.groups, rows.low, rows.high) for rows in parts),
        (overlap, cells.overlap_groups, low, high),
    ):
        start = blocks[-1].stop if blocks else 0
        blocks.append(RowBlock(attributes, start, start + len(group), len(group.members) == cells.n_cells))
        groups.append(group)
        lows.append(least)
        highs.append(largest)
    overlap_block = blocks[-1]
    if not any(_tells_population(rows, cells) for rows in parts):
        blocks.append(RowBlock((), overlap_block.stop, overlap_block.stop + 1, is_complete=True))
        groups.append(CellGroups(np.array([0, cells.n_cells]), np.arange(cells.n_cells)))
        lows.append(np.array([cells.population]))
        highs.append(np.array([cells.population]))
    joined, all_low, all_high = _joined(groups), np.concatenate(lows), np.concatenate(highs)
    least, largest, is_empty = propagate(joined, all_low, all_high, cells.n_cells, cells.population)
    return Programme(cells, least, largest, joined, all_low, all_high, tuple(blocks), overlap_block, is_empty)


def tightened(programme: Programme, low: IntArray, high: IntArray) -> Programme:
    """Return the programme with tighter bounds on its overlap cells, and what follows from these by propagation.

    *Guarantee* (docs/mathematics.md#programme): the solutions are the same, provided that the bounds hold for all of
    them.
    """
    rows = slice(programme.overlap.start, programme.overlap.stop)
    all_low, all_high = programme.low.copy(), programme.high.copy()
    all_low[rows], all_high[rows] = low, high
    cells = programme.cells
    least, largest, is_empty = propagate(programme.groups, all_low, all_high, cells.n_cells, cells.population)
    return replace(programme, least=least, largest=largest, low=all_low, high=all_high, is_empty=is_empty)


def _covers(rows: Rows, cells: Cells) -> bool:
    """Tell whether every row has base cells (a row without any is a contradiction)."""
    return bool((np.diff(rows.groups.starts) > 0).all()) and len(rows.groups.members) <= cells.n_cells


def _tells_population(rows: Rows, cells: Cells) -> bool:
    is_exact = bool((rows.low == rows.high).all())
    return is_exact and len(rows.groups.members) == cells.n_cells and int(rows.low.sum()) == cells.population


def _joined(groups: list[CellGroups]) -> CellGroups:
    members = np.concatenate([group.members for group in groups])
    sizes = np.concatenate([np.diff(group.starts) for group in groups])
    return CellGroups(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)


def propagate(
    groups: CellGroups, low: IntArray, high: IntArray, n_cells: int, population: int
) -> tuple[IntArray, IntArray, bool]:
    """Return bounds on each cell, and whether they show that there is no solution.

    A cell is at most the upper bound of a sum less the least counts of the other cells in it, and at least the lower
    bound of the sum less the largest counts of the others.

    *Guarantee* (docs/mathematics.md#programme): every solution is within the bounds. All numbers are whole, so nothing
    is lost by rounding.
    """
    least, largest = np.zeros(n_cells, dtype=np.int64), np.full(n_cells, population, dtype=np.int64)
    row = np.repeat(np.arange(len(groups)), np.diff(groups.starts))
    cell = groups.members
    for _ in range(MOST_ROUNDS):
        sum_least, sum_largest = groups.sums(least), groups.sums(largest)
        if (sum_least > high).any() or (sum_largest < low).any() or (least > largest).any():
            return least, largest, True
        tighter_largest, tighter_least = largest.copy(), least.copy()
        np.minimum.at(tighter_largest, cell, (high - sum_least)[row] + least[cell])
        np.maximum.at(tighter_least, cell, (low - sum_largest)[row] + largest[cell])
        is_same = np.array_equal(tighter_largest, largest) and np.array_equal(tighter_least, least)
        least, largest = tighter_least, tighter_largest
        if is_same:
            break
    return least, largest, bool((least > largest).any())
