"""A search for populations that agree with all samples and tables, and the counts of overlap cells that they attain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.tables.bounds.programme import Programme

SEED = np.uint64(88172645463325252)
FIRST_ROUNDS, FIRST_STARTS = 30, 4
"""Rounds of fitting before the search for a first population, and the number of starts of this search."""


class ConsistentPopulations:
    """The consistent populations found so far: those whose sums are all within the bounds of a programme.

    ``low`` and ``high`` are the least and the largest count of each overlap cell in the populations found. Every
    population is checked in whole numbers before it counts (`Cells.is_consistent`), so these counts are attained. The
    random draws start from a fixed seed: the same problem gives the same populations.
    """

    def __init__(self, programme: Programme) -> None:
        from linkrisk.tables.bounds.repair_kernels import Structure  # imports numba  # noqa: PLC0415

        self.programme = programme
        groups, n_cells = programme.groups, len(programme.least)
        row = np.repeat(np.arange(len(groups)), np.diff(groups.starts))
        order = np.argsort(groups.members, kind="stable")
        cell_starts = np.searchsorted(groups.members[order], np.arange(n_cells + 1)).astype(np.int64)
        self._structure = Structure(
            groups.starts, groups.members, cell_starts, row[order], programme.least, programme.largest
        )
        self._state = np.array([SEED], dtype=np.uint64)
        self._row_low, self._row_high = programme.low.copy(), programme.high.copy()
        self.n_found = 0
        self.counts: IntArray | None = None
        n_overlap = programme.overlap.stop - programme.overlap.start
        self.low = np.full(n_overlap, np.iinfo(np.int64).max)
        self.high = np.full(n_overlap, -1, dtype=np.int64)

    def find_first(self, n_steps: int) -> bool:
        """Search for any consistent population, from several starts; tell whether one was found."""
        from linkrisk.tables.bounds.repair_kernels import fit  # imports numba  # noqa: PLC0415

        cells = self.programme.cells
        self._fitted = np.full(cells.n_cells, cells.population / max(cells.n_cells, 1))
        fit(self._fitted, self._structure, self._row_low, self._row_high, FIRST_ROUNDS)
        return any(self._repaired(self._rounded(self._fitted), n_steps) for _ in range(FIRST_STARTS))

    def add(self, counts: IntArray) -> bool:
        """Add a population if it is consistent; tell whether it is.

        *Guarantee* (docs/mathematics.md#exact-bounds): what is added was found consistent in whole numbers.
        """
        if not self.programme.cells.is_consistent(counts):
            return False
        self.counts = counts
        self.n_found += 1
        sums = self.programme.cells.overlap_groups.sums(counts)
        np.minimum(self.low, sums, out=self.low)
        np.maximum(self.high, sums, out=self.high)
        return True

    def reach(self, place: int, count: int, n_rounds: int, n_steps: int) -> bool:
        """Search for a population with this count in an overlap cell; tell whether one was found.

        The search starts from the population found last, or, if ``n_rounds`` is not 0, from a fit of so many rounds.
        """
        from linkrisk.tables.bounds.repair_kernels import fit  # imports numba  # noqa: PLC0415

        assert self.counts is not None  # noqa: S101  (find_first comes first)
        with self._demanded(place, count):
            start = self.counts.copy()
            if n_rounds:
                values = self._fitted.copy()
                fit(values, self._structure, self._row_low, self._row_high, n_rounds)
                start = self._rounded(values)
            return self._repaired(start, n_steps)

    def round_off(self, place: int, count: int, values: FloatArray, n_steps: int) -> bool:
        """Search for a population with this count in an overlap cell near a solution that is not in whole numbers."""
        with self._demanded(place, count):
            return any(self._repaired(self._rounded(values), n_steps) for _ in range(FIRST_STARTS))

    @contextmanager
    def _demanded(self, place: int, count: int) -> Iterator[None]:
        """Demand a count of an overlap cell for a while."""
        row = self.programme.overlap.start + place
        before = self._row_low[row], self._row_high[row]
        self._row_low[row] = self._row_high[row] = count
        try:
            yield
        finally:
            self._row_low[row], self._row_high[row] = before

    def _rounded(self, values: FloatArray) -> IntArray:
        from linkrisk.tables.bounds.repair_kernels import round_at_random  # imports numba  # noqa: PLC0415

        counts = np.zeros(len(values), dtype=np.int64)
        round_at_random(values, self._structure, self._state, counts)
        return counts

    def _repaired(self, counts: IntArray, n_steps: int) -> bool:
        from linkrisk.tables.bounds.repair_kernels import repair  # imports numba  # noqa: PLC0415

        sums = self.programme.groups.sums(counts)
        is_found = repair(counts, sums, self._structure, self._row_low, self._row_high, self._state, n_steps)
        return is_found and self.add(counts)
