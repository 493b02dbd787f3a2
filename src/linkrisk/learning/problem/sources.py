"""Where the rows of the records come from: a list, or, for forms in many attributes, the vectors themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.bilinear import form_matrix
from linkrisk.distances.family import Family
from linkrisk.learning.problem.exact_pairs import ExactPairs
from linkrisk.learning.problem.interval_kernels import intervals_of_forms, intervals_of_rows, reach_of_forms
from linkrisk.learning.problem.row_kernels import PlaceArray, count_entries, fill_entries, scan_forms, scan_rows
from linkrisk.learning.problem.rows import Rows

Mask = NDArray[np.bool_]

CANCELLED = 2.0**-6
"""A row shorter than this share of the own features has lost digits in the subtraction, and is computed exactly."""


WRITTEN_ROWS = 1 << 16
"""Rows that are written out at a time."""


class RowSource(Protocol):
    """Gives the rows of records, of length 1, and finds the most violated one."""

    @property
    def n_records(self) -> int:
        """Number of records that may be linked."""

    def scan(self, theta: FloatArray, chosen: Mask) -> tuple[FloatArray, IntArray]:
        """Return for each chosen record (0 for others) the least theta . v over its rows, and the point of that row."""

    def intervals(self, theta: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where the steps s begin and end for which theta + s . direction links each record, up to rounding."""

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """Return the steps between which no pair has a negative distance, up to rounding."""

    def rows_of(self, records: IntArray, points: IntArray) -> FloatArray:
        """Return the rows of records and points, pair by pair."""

    def length(self, record: int, point: int) -> float:
        """Return the length of a row before it was brought to 1."""

    def negative(self, theta: FloatArray, limit: int) -> tuple[FloatArray, IntArray]:
        """Return features, of length 1, of pairs with a negative distance, the most negative first; and these pairs."""


@dataclass(frozen=True, eq=False, repr=False)
class ListedRows:
    """Rows kept in a list, by their entries that are not zero: with fuzzy measures most are.

    ``places`` and ``entries`` are those of a row, ``start`` and ``point`` as in `Rows`; ``lengths`` are those the rows
    had before they were brought to 1.
    """

    places: PlaceArray
    entries: FloatArray
    start: IntArray
    point: IntArray
    weight: FloatArray
    lengths: FloatArray
    n_parameters: int

    @property
    def n_records(self) -> int:
        """Number of records that may be linked."""
        return len(self.start) - 1

    def rows(self) -> Rows:
        """Return all rows with all their entries: a copy, to be let go of as soon as it has been used."""
        values = np.zeros((len(self.places), self.n_parameters))
        for first in range(0, len(values), WRITTEN_ROWS):
            piece = slice(first, first + WRITTEN_ROWS)
            values[piece] = self._written_out(piece)
        return Rows(values, self.start, self.point, self.weight)

    def scan(self, theta: FloatArray, chosen: Mask) -> tuple[FloatArray, IntArray]:
        """Return the least theta . v of each chosen record, and its point."""
        worst = np.full(self.n_records, np.inf)
        row = np.full(self.n_records, -1, dtype=np.int64)
        scan_rows(self.places, self.entries, self.start, theta, chosen, 0, self.n_records, worst, row)
        return worst, np.where(row >= 0, self.point[row] if len(self.point) else -1, -1)

    def intervals(self, theta: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where the steps begin and end that link each record."""
        first, last = np.empty(self.n_records), np.empty(self.n_records)
        intervals_of_rows(self.places, self.entries, self.start, theta, direction, first, last)
        return first, last

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:  # noqa: ARG002  (not needed)
        """Return everything: these families have no negative distances."""
        return -np.inf, np.inf

    def rows_of(self, records: IntArray, points: IntArray) -> FloatArray:
        """Return rows of the list."""
        return self._written_out([self._place(i, j) for i, j in zip(records.tolist(), points.tolist(), strict=True)])

    def length(self, record: int, point: int) -> float:
        """Return the length of a row before it was brought to 1."""
        return float(self.lengths[self._place(record, point)])

    def _written_out(self, chosen: list[int] | slice) -> FloatArray:
        """Return rows with all their entries."""
        places, entries = self.places[chosen], self.entries[chosen]
        values = np.zeros((len(places), self.n_parameters))
        np.add.at(values, (np.arange(len(places))[:, None], places), entries)
        return values

    def _place(self, record: int, point: int) -> int:
        first, last = int(self.start[record]), int(self.start[record + 1])
        return first + int(np.flatnonzero(self.point[first:last] == point)[0])

    def negative(self, theta: FloatArray, limit: int) -> tuple[FloatArray, IntArray]:  # noqa: ARG002  (not needed)
        """Return nothing: these families have no negative distances."""
        return np.zeros((0, self.n_parameters)), np.zeros((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class FormRows:
    """Rows of a bilinear form, made when asked for: memory grows with the records, not with their pairs.

    ``everyone`` are the vectors of all original records, ``records`` those that may be linked, ``x`` their vectors.
    ``dropped`` lists, from ``dropped_start[r]`` on, the points that do not count against record r, first its own.
    """

    family: Family
    exact: ExactPairs
    tolerance: float
    everyone: FloatArray
    records: IntArray
    y: FloatArray
    dropped_start: IntArray
    dropped: IntArray

    @property
    def n_records(self) -> int:
        """Number of records that may be linked."""
        return len(self.records)

    @cached_property
    def x(self) -> FloatArray:
        """Vectors of the records that may be linked."""
        return np.ascontiguousarray(self.everyone[self.records])

    def scan(self, theta: FloatArray, chosen: Mask) -> tuple[FloatArray, IntArray]:
        """Return theta . v of the point nearest to each chosen record, and the point."""
        ids = np.flatnonzero(chosen)
        nearest = self._nearest(theta, self.x, ids, self.dropped_start)
        worst = np.full(self.n_records, np.inf)
        points = np.full(self.n_records, -1, dtype=np.int64)
        is_any = nearest >= 0
        worst[ids[is_any]] = self._rows(ids[is_any], nearest[is_any])[0] @ theta
        points[ids] = nearest
        return worst, points

    def intervals(self, theta: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return where the steps begin and end that link each record."""
        first, last = np.empty(self.n_records), np.empty(self.n_records)
        matrices = self._matrix(theta), self._matrix(direction)
        points = self.dropped_start, self.dropped
        intervals_of_forms(self.x, self._columns, *matrices, 1.0 - self.tolerance, *points, first, last)
        return first, last

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """Return the steps between which no pair has a negative distance."""
        return reach_of_forms(self.everyone, self._columns, self._matrix(theta), self._matrix(direction))

    def rows_of(self, records: IntArray, points: IntArray) -> FloatArray:
        """Return the rows of records and points, pair by pair."""
        return self._rows(records, points)[0]

    def length(self, record: int, point: int) -> float:
        """Return the length of a row before it was brought to 1."""
        key = (record, point)
        if key not in self._lengths:
            self._lengths[key] = float(self._rows(np.array([record]), np.array([point]))[1][0])
        return self._lengths[key]

    def negative(self, theta: FloatArray, limit: int) -> tuple[FloatArray, IntArray]:
        """Return the features of the lowest pair of each record where it is negative."""
        records = np.arange(len(self.everyone))
        lowest = self._nearest(theta, self.everyone, records, np.zeros(0, dtype=np.int64))
        phi, _ = unit_rows(self.family.features(self.everyone - self.y[lowest]))
        values = phi @ theta
        order = np.argsort(values, kind="stable")[:limit]
        order = order[values[order] < 0.0]
        return np.asarray(phi[order]), np.column_stack([order, lowest[order]])

    @cached_property
    def _lengths(self) -> dict[tuple[int, int], float]:
        return {}

    @cached_property
    def _columns(self) -> FloatArray:
        return np.ascontiguousarray(self.y.T)

    def _matrix(self, theta: FloatArray) -> FloatArray:
        return form_matrix(theta, self.x.shape[1])

    def _nearest(self, theta: FloatArray, x: FloatArray, records: IntArray, dropped_start: IntArray) -> IntArray:
        nearest = np.full(len(records), -1, dtype=np.int64)
        scan_forms(x, self._columns, self._matrix(theta), dropped_start, self.dropped, records, nearest)
        return nearest

    def _rows(self, records: IntArray, points: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return rows of length 1 and their lengths; those that lost digits in the subtraction are computed exactly."""
        own = self.family.features(self.x[records] - self.y[self.dropped[self.dropped_start[records]]])
        near = (1.0 - self.tolerance) * self.family.features(self.x[records] - self.y[points])
        units, lengths = unit_rows(near - own)
        for place in np.flatnonzero(lengths <= CANCELLED * np.abs(own).max(axis=1, initial=0.0)).tolist():
            units[place], lengths[place] = self.exact.direction(int(self.records[records[place]]), int(points[place]))
        return units, lengths


def unit_rows(values: FloatArray, length: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Return rows brought to length 1, and the lengths they had, if these are not known; a row of zeros stays.

    Where squares could underflow or overflow, a row is first divided by a power of two near its largest entry.

    >>> unit_rows(np.array([[3e-200, 4e-200]]))[1].tolist()
    [5e-200]
    """
    if length is None:
        with np.errstate(over="ignore", under="ignore"):
            length = np.sqrt(np.einsum("ij,ij->i", values, values))
    is_usual = (length > 1e-140) & (length < 1e140)
    units: FloatArray = values / np.where(is_usual, length, 1.0)[:, None]
    if not is_usual.all():
        odd = values[~is_usual]
        largest = np.abs(odd).max(axis=1, initial=0.0)
        exponent = np.frexp(np.where(largest > 0.0, largest, 1.0))[1]
        near_one = np.ldexp(odd, -exponent[:, None])
        size = np.linalg.norm(near_one, axis=1)
        units[~is_usual] = near_one / np.where(size > 0.0, size, 1.0)[:, None]
        length[~is_usual] = np.ldexp(size, exponent)
    return units, length


def by_entries(values: FloatArray, width: int = 1) -> tuple[PlaceArray, FloatArray]:
    """Rows by their entries that are not zero: their places and values, padded with zeros to at least ``width``."""
    width = max(width, count_entries(values))
    places, entries = np.zeros((len(values), width), dtype=np.int32), np.zeros((len(values), width))
    fill_entries(values, places, entries)
    return places, entries
