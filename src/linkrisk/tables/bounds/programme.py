"""The integer programme behind the exact bounds: counts of base cells, and sums of them between bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.tables.bounds.cells import Cells, Groups, Rows
from linkrisk.tables.evidence.domain import IntArray

MOST_ROUNDS = 10
"""Rounds of propagation; more seldom change anything that a linear programme would not."""


@dataclass(frozen=True, eq=False)
class Block:
    """Rows that come from one table: its attributes, where its rows begin and end, whether every cell is in one."""

    attributes: tuple[str, ...]
    start: int
    stop: int
    is_complete: bool


@dataclass(frozen=True, eq=False, repr=False)
class Programme:
    """All whole numbers x with least <= x <= largest, and sums of them from ``low`` to ``high``.

    The rows are those of the tables, block by block; then one an overlap cell, the last block but one; then the
    population, if no table tells it. ``is_empty`` if propagation alone shows that there is no such x.
    """

    cells: Cells
    least: IntArray
    largest: IntArray
    groups: Groups
    low: IntArray
    high: IntArray
    blocks: tuple[Block, ...]
    overlap: Block
    is_empty: bool

    def __repr__(self) -> str:
        return f"<Programme of {len(self.least)} cells and {len(self.low)} sums>"

    @property
    def n_rows(self) -> int:
        """Number of sums."""
        return len(self.low)


def make_programme(cells: Cells, overlap: tuple[str, ...], low: IntArray, high: IntArray) -> Programme:
    """Return the programme of a problem, with bounds on its overlap cells that are known to hold (the naive ones).

    *Guarantee*: its solutions are the consistent populations. A table over just the overlap attributes has no rows of
    its own: naive bounds contain what it says. The population is left out where a table says it, cell by cell exactly.
    """
    parts = [rows for rows in cells.rows if set(rows.attributes) != set(overlap) or not _covers(rows, cells)]
    blocks: list[Block] = []
    groups, lows, highs = [], [], []
    for attributes, group, least, largest in (
        *((rows.attributes, rows.groups, rows.low, rows.high) for rows in parts),
        (overlap, cells.overlap_groups, low, high),
    ):
        start = blocks[-1].stop if blocks else 0
        blocks.append(Block(attributes, start, start + len(group), len(group.members) == cells.n_cells))
        groups.append(group)
        lows.append(least)
        highs.append(largest)
    overlap_block = blocks[-1]
    if not any(_tells_population(rows, cells) for rows in parts):
        blocks.append(Block((), overlap_block.stop, overlap_block.stop + 1, is_complete=True))
        groups.append(Groups(np.array([0, cells.n_cells]), np.arange(cells.n_cells)))
        lows.append(np.array([cells.population]))
        highs.append(np.array([cells.population]))
    joined, all_low, all_high = _joined(groups), np.concatenate(lows), np.concatenate(highs)
    least, largest, is_empty = propagate(joined, all_low, all_high, cells.n_cells, cells.population)
    return Programme(cells, least, largest, joined, all_low, all_high, tuple(blocks), overlap_block, is_empty)


def tightened(programme: Programme, low: IntArray, high: IntArray) -> Programme:
    """Return the programme with tighter bounds on its overlap cells, propagated.

    *Guarantee*: it has the same solutions, if the bounds hold for all of them.
    """
    rows = slice(programme.overlap.start, programme.overlap.stop)
    all_low, all_high = programme.low.copy(), programme.high.copy()
    all_low[rows], all_high[rows] = low, high
    cells = programme.cells
    least, largest, is_empty = propagate(programme.groups, all_low, all_high, cells.n_cells, cells.population)
    return replace(programme, least=least, largest=largest, low=all_low, high=all_high, is_empty=is_empty)


def _covers(rows: Rows, cells: Cells) -> bool:
    """Tell whether no row is without base cells (which only a contradiction has)."""
    return bool((np.diff(rows.groups.starts) > 0).all()) and len(rows.groups.members) <= cells.n_cells


def _tells_population(rows: Rows, cells: Cells) -> bool:
    is_exact = bool((rows.low == rows.high).all())
    return is_exact and len(rows.groups.members) == cells.n_cells and int(rows.low.sum()) == cells.population


def _joined(groups: list[Groups]) -> Groups:
    members = np.concatenate([group.members for group in groups])
    sizes = np.concatenate([np.diff(group.starts) for group in groups])
    return Groups(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)


def propagate(
    groups: Groups, low: IntArray, high: IntArray, n_cells: int, population: int
) -> tuple[IntArray, IntArray, bool]:
    """Return bounds on each cell, and whether they show that nothing meets all sums.

    A cell is at most what the least counts of the others leave of the sum's upper bound, and at least what the largest
    counts of the others lack of its lower bound.

    *Guarantee*: every solution is within the bounds; whole numbers throughout, so nothing is lost to rounding.
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
