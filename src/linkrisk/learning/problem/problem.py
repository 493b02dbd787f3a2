"""The learning problem: which records can be linked at all, and the rows that decide it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.twin_kernels import mark_twins
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.engine import interrupt
from linkrisk.learning.problem.contract import check_contract
from linkrisk.learning.problem.row_kernels import LOST, PlaceArray, fill_pairwise, minimal_rows
from linkrisk.learning.problem.sources import FormRows, ListedRows, RowSource, by_entries, unit_rows
from linkrisk.learning.problem.worths import Worths
from linkrisk.linkage.search import with_metric
from linkrisk.linkage.ties import Ties

CHECKED = 1000
"""Records between two looks at whether Ctrl-C was pressed, while the rows are collected."""


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Find the parameters of a family that link the most records, by weight.

    ``records`` are the original records that presolve has left, ``worths`` what a link of each is worth; ``source``
    gives their rows. ``lost`` are records that no parameters link, ``witness`` a protected record that proves it for
    each.
    """

    family: Family
    comparison: Comparison
    ties: Ties
    parameters: ParameterSet
    records: IntArray
    worths: Worths
    source: RowSource
    lost: IntArray
    witness: IntArray
    pairs: Pairs
    tolerance: float

    def __repr__(self) -> str:
        return f"<Problem of {self.family.name}: {len(self.records)} records in question, {len(self.lost)} lost>"

    @property
    def row_of(self) -> IntArray:
        """A protected record of each point."""
        return self.pairs.row_of

    def difference(self, i: int, j: int, k: int) -> float:
        """Return d_k of original record i and protected record j, in floating point."""
        return float(self.pairs.differences(i)[self.pairs.point_of[j], k])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes compared."""
        return self.comparison.names

    def size(self) -> ProgrammeSize:
        """Count variables and constraints of the papers' MILP on these files, beside the papers' own counts."""
        return self.family.programme_size(len(self.comparison.coordinates.own), self.comparison.n_attributes)

    @property
    def weight(self) -> FloatArray:
        """What a link of each record is worth, in units of the worths (times a power of two, see there)."""
        return self.worths.floats

    @property
    def total(self) -> float:
        """Worth of all records that presolve has left, as a float."""
        return self.worths.value(self.worths.total)


def make_problem(
    family: Family,
    comparison: Comparison,
    ties: Ties = Ties.UNIQUE,
    weights: FloatArray | None = None,
    *,
    tolerance: float | None = None,
) -> Problem:
    """Make the learning problem of a family on two files.

    ``weights`` are what original records are worth (1 each by default); ``tolerance`` replaces that of the family.
    Cost: all pairs are compared once, one record at a time; memory grows with the rows that are left, for bilinear
    forms with the records.
    """
    if family.is_signed:
        comparison, *_ = vectors_for(comparison, family.name)
    pairs = Pairs(comparison)
    parameters = family.parameter_set(comparison.n_attributes)
    check_contract(family, parameters, comparison)
    tolerance = family.tolerance if tolerance is None else tolerance
    builder = (
        _FormBuilder(family, tolerance, comparison, pairs)
        if family.is_signed
        else _ListBuilder(family, tolerance, pairs, parameters.n_parameters)
    )
    records, lost, witness, worth = [], [], [], []
    for place, i in enumerate(np.flatnonzero(pairs.own >= 0), 1):
        if place % CHECKED == 0:
            interrupt.check()
        d = pairs.differences(int(i))
        is_dropped = pairs.dropped(int(i), d, ties)
        point = builder.add(int(i), d, is_dropped)
        if point < 0 and (ties is not Ties.UNIQUE or pairs.copies[pairs.own[i]] == 1):
            records.append(i)
            weight = Fraction(1) if weights is None else Fraction(float(weights[i]))
            worth.append(weight / pairs.twins(d, int(i)) if ties is Ties.EXPECTED else weight)
        else:
            lost.append(i)
            witness.append(pairs.other_row(int(i)) if point < 0 else pairs.row_of[point])
            builder.drop_last(point)
    chosen = np.array(records, dtype=np.int64)
    worths = Worths.of(worth)
    source = builder.source(worths.floats)
    return Problem(
        family=family,
        comparison=comparison,
        ties=ties,
        parameters=_without_idle(parameters, source),
        records=chosen,
        worths=worths,
        source=source,
        lost=np.array(lost, dtype=np.int64),
        witness=np.array(witness, dtype=np.int64),
        pairs=pairs,
        tolerance=tolerance,
    )


def _without_idle(parameters: ParameterSet, source: RowSource) -> ParameterSet:
    """Let the normal of independent weights pass over those that no row looks at.

    Otherwise such weights, which add nothing to a core, would keep it from lying deep inside what is forbidden, as its
    proof needs.
    """
    if parameters.rays is None or parameters.normal is None or not isinstance(source, ListedRows):
        return parameters
    is_used = np.zeros(parameters.n_parameters, dtype=bool)
    is_used[source.places[source.entries != 0.0]] = True
    return replace(parameters, normal=np.where(is_used, parameters.normal, 0.0)) if is_used.any() else parameters


class Pairs:
    """Original records against distinct protected ones ("points")."""

    def __init__(self, comparison: Comparison) -> None:
        coordinates = comparison.coordinates
        distance = mean_distance(comparison)
        values = np.where(np.isnan(coordinates.protected), np.inf, coordinates.protected + 0.0)
        _, first, inverse, copies = np.unique(
            values, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        place = np.argsort(order)
        self.row_of: IntArray = first[order]
        self.copies: IntArray = copies[order]
        self.point_of: IntArray = place[inverse.reshape(-1)]
        self.own_row = coordinates.own
        self.own: IntArray = np.where(coordinates.own >= 0, self.point_of[coordinates.own], -1)
        self._queries, metric = with_metric(distance, np.arange(len(coordinates.original)))
        self._rules = metric.attributes
        self._columns = np.ascontiguousarray(coordinates.protected[self.row_of].T)
        self._buffer = np.empty_like(self._columns)

    def differences(self, i: int) -> FloatArray:
        """Return d of record i and every point, one row per point."""
        fill_pairwise(self._queries, i, self._columns, self._rules, self._buffer)
        return np.ascontiguousarray(self._buffer.T)

    def is_twin(self, d: FloatArray, i: int) -> NDArray[np.bool_]:
        """Tell which points differ from record i by the same d_k as its own; ``d`` are those of `differences`.

        *Guarantee* (docs/mathematics.md#ties): exact.
        """
        result = np.empty(len(d), dtype=np.bool_)
        mark_twins(self._queries, i, self._columns, int(self.own[i]), self._rules, d, result)
        return result

    def twins(self, d: FloatArray, i: int) -> int:
        """Count the protected records that differ from record i as its own does, itself included."""
        return int(self.copies[self.is_twin(d, i)].sum())

    def dropped(self, i: int, d: FloatArray, ties: Ties) -> NDArray[np.bool_]:
        """Tell which points do not count against record i."""
        if ties is not Ties.UNIQUE:
            return self.is_twin(d, i)
        result = np.zeros(len(d), dtype=bool)
        result[self.own[i]] = True
        return result

    def other_row(self, i: int) -> int:
        """Return another protected record equal to the own one of record i."""
        rows = np.flatnonzero(self.point_of == self.own[i])
        return int(rows[rows != self.own_row[i]][0])


class _ListBuilder:
    """Collects the rows of families whose distances grow with the differences."""

    def __init__(self, family: Family, tolerance: float, pairs: Pairs, n_parameters: int) -> None:
        self.family = family
        self.tolerance = tolerance
        self.pairs = pairs
        self.n_parameters = n_parameters
        self.rows = _EntryRows()
        self.lengths: list[FloatArray] = []
        self.points: list[IntArray] = []
        self.kept = np.empty(len(pairs.row_of), dtype=np.int64)

    def add(self, i: int, d: FloatArray, is_dropped: NDArray[np.bool_]) -> int:
        """Add the rows of record i; return a point that proves it lost, or -1."""
        own = int(self.pairs.own[i])
        profile = self.family.profile(d)
        if profile is None:
            kept = np.flatnonzero(~is_dropped)
        else:
            n_kept = minimal_rows(profile, profile[own], is_dropped, self.tolerance, self.kept)
            if n_kept == LOST:
                self.points.append(np.zeros(0, dtype=np.int64))
                self.lengths.append(np.zeros(0))
                return int(self.kept[0])
            kept = self.kept[:n_kept].copy()
        phi = self.family.features(d[np.append(kept, own)])
        values = (1.0 - self.tolerance) * phi[:-1] - phi[-1]
        is_told = values.any(axis=1)  # rounding hides what a row of zeros says; the bound holds without it
        kept, values = kept[is_told], values[is_told]
        self.rows.append(*by_entries(unit_rows(values)))
        self.lengths.append(np.linalg.norm(values, axis=1))
        self.points.append(kept)
        return -1

    def drop_last(self, point: int) -> None:
        """Forget the rows of the record added last: it is lost."""
        del point
        self.rows.drop(len(self.points.pop()))
        self.lengths.pop()

    def source(self, weight: FloatArray) -> ListedRows:
        """Return the rows of all records that were not dropped."""
        start = np.concatenate([[0], np.cumsum([len(points) for points in self.points])]).astype(np.int64)
        points = np.concatenate([np.zeros(0, dtype=np.int64), *self.points])
        lengths = np.concatenate([np.zeros(0), *self.lengths])
        return ListedRows(*self.rows.finished(), start, points, weight, lengths, self.n_parameters)


class _EntryRows:
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

    def drop(self, n_rows: int) -> None:
        """Forget the last rows."""
        end, self.size = self.size, self.size - n_rows
        self.places[self.size : end], self.entries[self.size : end] = 0, 0.0

    def finished(self) -> tuple[PlaceArray, FloatArray]:
        """Return all rows; none can be added any more."""
        self._resize(self.size)
        return self.places, self.entries

    def _resize(self, n_rows: int) -> None:
        for values in (self.places, self.entries):
            values.resize((n_rows, values.shape[1]), refcheck=False)  # in place, filled with zeros


def _is_opposite(x: FloatArray, first: FloatArray, second: FloatArray) -> bool:
    """Whether x lies exactly halfway between two points, or they are equal.

    >>> _is_opposite(np.array([1.0]), np.array([0.0]), np.array([2.0]))
    True
    """
    points = zip(x.tolist(), first.tolist(), second.tolist(), strict=True)
    sides = [(Fraction(a) - Fraction(b), Fraction(a) - Fraction(c)) for a, b, c in points]
    return all(a == -b for a, b in sides) or all(a == b for a, b in sides)


class _FormBuilder:
    """Collects what the rows of a bilinear form are made of."""

    def __init__(self, family: Family, tolerance: float, comparison: Comparison, pairs: Pairs) -> None:
        self.family = family
        self.tolerance = tolerance
        self.pairs = pairs
        _, x, y = comparison.vectors()
        self.x = np.ascontiguousarray(x)
        self.y = np.ascontiguousarray(y[pairs.row_of])
        self.rows: list[int] = []
        self.dropped: list[IntArray] = []

    def add(self, i: int, d: FloatArray, is_dropped: NDArray[np.bool_]) -> int:
        """Add record i; return a point that proves it lost, or -1.

        *Guarantee* (docs/mathematics.md#lost): a point exactly opposite, just as far, is as near by any form; with
        exact ties that loses the record. Where only rounding makes it so, the point is left out, and the bound holds.
        """
        del d
        own = int(self.pairs.own[i])
        here = self.family.features((self.x[i] - self.y[own])[None])
        others = (1.0 - self.tolerance) * self.family.features(self.x[i] - self.y)
        is_level = ~(others - here).any(axis=1) & ~is_dropped
        dropped = np.flatnonzero(is_dropped | is_level)
        self.rows.append(i)
        self.dropped.append(np.concatenate([[own], dropped[dropped != own]]))
        for point in np.flatnonzero(is_level).tolist():
            if self.tolerance == 0.0 and _is_opposite(self.x[i], self.y[own], self.y[point]):
                return int(point)
        return -1

    def drop_last(self, point: int) -> None:
        """Forget the record added last: it is lost."""
        del point
        self.rows.pop()
        self.dropped.pop()

    def source(self, weight: FloatArray) -> FormRows:
        """Return the source of all records that were not dropped."""
        del weight
        start = np.concatenate([[0], np.cumsum([len(points) for points in self.dropped])]).astype(np.int64)
        dropped = np.concatenate([np.zeros(0, dtype=np.int64), *self.dropped])
        return FormRows(
            self.family, self.tolerance, self.x, np.ascontiguousarray(self.x[self.rows]), self.y, start, dropped
        )
