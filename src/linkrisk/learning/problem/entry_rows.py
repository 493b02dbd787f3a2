"""Rows that are collected by their entries, for lists that are long and mostly zeros."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.learning.problem.row_kernels import PlaceArray


class EntryRows:
    """Rows by their entries, one behind the other, in memory that grows with them: they never exist twice."""

    def __init__(self) -> None:
        self.places: PlaceArray = np.zeros((0, 1), dtype=np.int32)
        self.entries = np.zeros((0, 1))
        self.size = 0

    def append(self, places: PlaceArray, entries: FloatArray) -> None:
        """Add rows behind the others."""
        n_rows, width = places.shape
        if width > self.places.shape[1]:
            wider = ((0, 0), (0, width - self.places.shape[1]))
            self.places, self.entries = np.pad(self.places, wider), np.pad(self.entries, wider)
        end = self.size + n_rows
        if end > len(self.places):
            self._resize(max(end, 5 * len(self.places) // 4))
        self.places[self.size : end, :width], self.entries[self.size : end, :width] = places, entries
        self.size = end

    def finished(self) -> tuple[PlaceArray, FloatArray]:
        """Return all rows; none can be added any more."""
        self._resize(self.size)
        return self.places, self.entries

    def _resize(self, n_rows: int) -> None:
        for values in (self.places, self.entries):
            values.resize((n_rows, values.shape[1]), refcheck=False)  # in place, filled with zeros
