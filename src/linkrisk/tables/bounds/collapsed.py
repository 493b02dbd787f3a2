"""A small linear programme for each overlap cell: of every attribute, all categories except its own count as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.bounds.cells import CellGroups
from linkrisk.tables.bounds.programme import Programme, RowBlock
from linkrisk.tables.bounds.solver import LinearProgramme


@dataclass(frozen=True, eq=False)
class _Part:
    """A block of rows, collapsed: the overlap attributes it has, and its categories outside the overlap, numbered."""

    block: RowBlock
    first_cells: IntArray
    places: IntArray
    others: IntArray
    n_others: int
    start: int

    @property
    def stop(self) -> int:
        """The place after the last of its collapsed rows."""
        return self.start + (1 << len(self.places)) * self.n_others


class Collapsed:
    """Bounds on an overlap cell from a table in which every overlap attribute has two categories: its own, and others.

    Cells and sums of the programme that become the same are added, together with their bounds. Attributes outside the
    overlap keep all their categories, and so does the overlap attribute at place ``whole`` if one is given: this makes
    the programme larger and the bounds tighter. The programmes of all overlap cells have the same cells and sums and
    differ only in the bounds of these, so that one model serves all.

    *Guarantee* (docs/mathematics.md#collapsed): the bounds hold. Every solution of the programme, added up, solves the
    collapsed programme, which may have more solutions. The bounds are proven in whole numbers; see `proven_minimum`.
    """

    def __init__(self, programme: Programme, n_overlap: int, whole: int | None = None) -> None:
        codes, names = programme.cells.codes, programme.cells.attributes
        self.programme = programme
        self._own = [place for place in range(n_overlap) if place != whole]
        self._rest = [place for place in range(len(names)) if place not in self._own]
        self.codes = codes[:, self._own]
        others, self.other = _numbered(codes[:, self._rest])
        self.n_others = len(others)
        self._whole = None if whole is None else (codes[:, whole], others[:, self._rest.index(whole)])
        n_own = len(self._own)
        self.patterns = np.array(list(np.ndindex(*(2,) * n_own)), dtype=np.int64).reshape(-1, n_own)
        self.parts = self._make_parts(others)
        self.linear = LinearProgramme(self._groups(others), self.n_cells)

    @staticmethod
    def size(programme: Programme, n_overlap: int, whole: int | None = None) -> int:
        """Return the number of collapsed cells."""
        rest = [place for place in range(programme.cells.codes.shape[1]) if place >= n_overlap or place == whole]
        n_own = n_overlap - (whole is not None)
        return (1 << n_own) * len(_numbered(programme.cells.codes[:, rest])[0])

    @property
    def n_cells(self) -> int:
        """Number of collapsed cells."""
        return len(self.patterns) * self.n_others

    def bounds(self, place: int, seconds: float) -> tuple[int, int]:
        """Return proven bounds on the count of an overlap cell."""
        first = int(self.programme.cells.overlap_groups[place][0])
        is_own = self.codes == self.codes[first]
        label = _binary(is_own) * self.n_others + self.other
        cells = tuple(_added(label, v, self.n_cells) for v in (self.programme.least, self.programme.largest))
        n_rows = self.parts[-1].stop
        low, high = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.int64)
        for part in self.parts:
            rows = slice(part.block.start, part.block.stop)
            label = part.start + _binary(is_own[part.first_cells][:, part.places]) * part.n_others + part.others
            low += _added(label, self.programme.low[rows], n_rows)
            high += _added(label, self.programme.high[rows], n_rows)
            if not part.block.is_complete:  # cells with nobody drawn have no rows, and so no upper bound
                high[part.start : part.stop] = self.programme.cells.population
        self.linear.set_bounds((low, np.maximum(high, low)), (cells[0], cells[1]))
        cost = self._cost(first)
        return self.linear.minimum(cost, seconds), -self.linear.minimum(-cost, seconds)

    def _cost(self, first: int) -> IntArray:
        """Return 1 for each collapsed cell inside the overlap cell of a base cell."""
        is_inside = np.ones(self.n_others, dtype=np.int64)
        if self._whole is not None:
            of_cells, of_others = self._whole
            is_inside = (of_others == of_cells[first]).astype(np.int64)
        return np.outer(self.patterns.all(axis=1), is_inside).ravel()

    def _make_parts(self, others: IntArray) -> list[_Part]:
        names = self.programme.cells.attributes
        result: list[_Part] = []
        for block in self.programme.blocks:
            starts = self.programme.groups.starts[block.start : block.stop]
            first_cells = self.programme.groups.members[starts]
            own = [k for k, place in enumerate(self._own) if names[place] in block.attributes]
            rest = [k for k, place in enumerate(self._rest) if names[place] in block.attributes]
            different, number = _numbered(others[:, rest])
            start = result[-1].stop if result else 0
            numbers = number[self.other[first_cells]]
            result.append(_Part(block, first_cells, np.array(own, dtype=np.int64), numbers, len(different), start))
        return result

    def _groups(self, others: IntArray) -> CellGroups:
        """Return the collapsed cells of each collapsed row."""
        names = [self.programme.cells.attributes[place] for place in self._rest]
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
        return CellGroups(starts.astype(np.int64), cell[order])


def _binary(digits: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> IntArray:
    """Return each row of digits as a number, the first digit the highest."""
    return digits.astype(np.int64) @ (2 ** np.arange(digits.shape[1], dtype=np.int64)[::-1])


def _numbered(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the different rows in lexicographical order, and the number of each row among them.

    Rows of places of categories are numbered cells (as in `Domain.keys`), and numbers are sorted faster than rows.
    """
    keys = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        keys = keys * (int(column.max(initial=0)) + 1) + column
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    return codes[first], number.ravel().astype(np.int64)


def _added(label: IntArray, values: IntArray, n: int) -> IntArray:
    result = np.zeros(n, dtype=np.int64)
    np.add.at(result, label, values)
    return result
