"""A small relaxation for each overlap cell: all categories but its own made one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.tables.cells import Groups
from linkrisk.tables.domain import IntArray
from linkrisk.tables.programme import Block, Programme
from linkrisk.tables.solver import LinearProgramme


@dataclass(frozen=True, eq=False)
class _Part:
    """A block of rows collapsed: which of the overlap attributes it has, and the other categories of each row."""

    block: Block
    first_cells: IntArray
    places: IntArray
    others: IntArray
    n_others: int
    start: int

    @property
    def stop(self) -> int:
        """Where its collapsed rows end."""
        return self.start + (1 << len(self.places)) * self.n_others


class Collapsed:
    """Bounds on an overlap cell from the table in which every overlap attribute has two categories: its own, any other.

    Cells and sums of the programme that become the same are added up, and their bounds with them; attributes outside
    the overlap stay as they are. The programmes of all overlap cells have the same cells and sums and other bounds, so
    that one model serves all.

    *Guarantee*: the bounds hold: every solution of the programme, added up, is one of the collapsed programme, which
    may have more. Proven in whole numbers, see `proven_minimum`.
    """

    def __init__(self, programme: Programme, n_overlap: int) -> None:
        codes = programme.cells.codes
        self.programme = programme
        self.codes = codes[:, :n_overlap]
        others, self.other = _numbered(codes[:, n_overlap:])
        self.n_others = len(others)
        self.patterns = np.array(list(np.ndindex(*(2,) * n_overlap)), dtype=np.int64).reshape(-1, n_overlap)
        self.parts = self._make_parts(n_overlap, others)
        self.linear = LinearProgramme(self._groups(others), self.n_cells)
        self.cost = np.repeat(self.patterns.all(axis=1), self.n_others).astype(np.int64)

    @staticmethod
    def size(programme: Programme, n_overlap: int) -> int:
        """Return the number of collapsed cells."""
        return int(2**n_overlap * len(_numbered(programme.cells.codes[:, n_overlap:])[0]))

    @property
    def n_cells(self) -> int:
        """Number of collapsed cells."""
        return len(self.patterns) * self.n_others

    def bounds(self, place: int, seconds: float) -> tuple[int, int]:
        """Return proven bounds on the count of an overlap cell."""
        is_own = self.codes == self.codes[self.programme.cells.overlap_groups[place][0]]
        label = _binary(is_own) * self.n_others + self.other
        cells = tuple(_added(label, v, self.n_cells) for v in (self.programme.least, self.programme.largest))
        n_rows = self.parts[-1].stop
        low, high = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.int64)
        for part in self.parts:
            rows = slice(part.block.start, part.block.stop)
            label = part.start + _binary(is_own[part.first_cells][:, part.places]) * part.n_others + part.others
            low += _added(label, self.programme.low[rows], n_rows)
            high += _added(label, self.programme.high[rows], n_rows)
            if not part.block.is_complete:  # cells that were not drawn have no rows, and no upper bound
                high[part.start : part.stop] = self.programme.cells.population
        self.linear.set_bounds((low, np.maximum(high, low)), (cells[0], cells[1]))
        return self.linear.minimum(self.cost, seconds), -self.linear.minimum(-self.cost, seconds)

    def _make_parts(self, n_overlap: int, others: IntArray) -> list[_Part]:
        names = self.programme.cells.attributes
        result: list[_Part] = []
        for block in self.programme.blocks:
            starts = self.programme.groups.starts[block.start : block.stop]
            first_cells = self.programme.groups.members[starts]
            own = [place for place, name in enumerate(names[:n_overlap]) if name in block.attributes]
            rest = [place for place, name in enumerate(names[n_overlap:]) if name in block.attributes]
            different, number = _numbered(others[:, rest])
            start = result[-1].stop if result else 0
            numbers = number[self.other[first_cells]]
            result.append(_Part(block, first_cells, np.array(own, dtype=np.int64), numbers, len(different), start))
        return result

    def _groups(self, others: IntArray) -> Groups:
        """Return the collapsed cells of each collapsed row."""
        names = self.programme.cells.attributes[self.patterns.shape[1] :]
        rows = []
        for part in self.parts:
            rest = [place for place, name in enumerate(names) if name in part.block.attributes]
            number = _numbered(others[:, rest])[1]
            pattern = _binary(self.patterns[:, part.places].astype(bool))
            rows.append((part.start + pattern[:, None] * part.n_others + number[None, :]).ravel())
        row = np.concatenate(rows)
        cell = np.tile(np.arange(self.n_cells), len(rows))
        order = np.argsort(row, kind="stable")
        starts = np.searchsorted(row[order], np.arange(self.parts[-1].stop + 1))
        return Groups(starts.astype(np.int64), cell[order])


def _binary(digits: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> IntArray:
    """Return each row of digits as a number, the first digit the highest."""
    return digits.astype(np.int64) @ (2 ** np.arange(digits.shape[1], dtype=np.int64)[::-1])


def _numbered(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different rows, and the number of each row among them."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), dtype=np.int64)
    different, number = np.unique(codes, axis=0, return_inverse=True)
    return different, number.ravel().astype(np.int64)


def _added(label: IntArray, values: IntArray, n: int) -> IntArray:
    result = np.zeros(n, dtype=np.int64)
    np.add.at(result, label, values)
    return result
