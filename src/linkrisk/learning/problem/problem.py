"""The learning problem: which records can be linked at all, and the rows that decide it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize
from linkrisk.engine import interrupt
from linkrisk.learning.problem.contract import check_contract
from linkrisk.learning.problem.exact_pairs import ExactPairs
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.learning.problem.row_kernels import LOST, PlaceArray, minimal_rows
from linkrisk.learning.problem.sources import CANCELLED, FormRows, ListedRows, RowSource, by_entries, unit_rows
from linkrisk.learning.problem.worths import Worths
from linkrisk.learning.search import Clock
from linkrisk.linkage.ties import DEFAULT_TIES, Ties


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Find the parameters of a family that link the most records, by weight.

    ``records`` are the original records that presolve has left, ``worths`` what a link of each is worth; ``source``
    gives their rows. A link is shared among ``n_twins`` (1 unless ties are ``expected``). ``lost`` are records that no
    parameters link, ``witness`` a protected record that proves it for each. Of the last ``n_unseen`` records there was
    no time to look at the rows: they have none, and are worth as much as if they had no twins.
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
    n_twins: IntArray
    n_unseen: int = 0

    def __repr__(self) -> str:
        return f"<Problem of {self.family.name}: {len(self.records)} records in question, {len(self.lost)} lost>"

    @property
    def row_of(self) -> IntArray:
        """A protected record of each point."""
        return self.pairs.row_of

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
    ties: Ties = DEFAULT_TIES,
    weights: FloatArray | None = None,
    *,
    tolerance: float | None = None,
    clock: Clock | None = None,
) -> Problem:
    """Make the learning problem of a family on two files.

    ``weights`` are what original records are worth (1 each by default); ``tolerance`` replaces that of the family. When
    the time of the clock is up, or Ctrl-C was pressed, the other records stay as they are (``n_unseen``).
    Cost: all pairs are compared once, one record at a time; memory grows with the rows that are left, for bilinear
    forms with the records.
    """
    if family.is_signed:
        comparison, *_ = vectors_for(comparison, family.name)
    pairs = Pairs(comparison)
    parameters = family.parameter_set(comparison.n_attributes)
    check_contract(family, parameters, comparison)
    tolerance = family.tolerance if tolerance is None else tolerance
    exact = ExactPairs(family, comparison, pairs, tolerance)
    builder = (
        _FormBuilder(family, comparison, pairs, exact, tolerance)
        if family.is_signed
        else _ListBuilder(family, pairs, exact, tolerance, parameters.n_parameters)
    )
    records, lost, witness, n_twins, worth = [], [], [], [], []
    people = np.flatnonzero(pairs.own >= 0)
    n_seen = 0
    for i in people:
        interrupt.check()
        if clock is not None and clock.must_stop() is not None:
            break
        n_seen += 1
        d = pairs.differences(int(i))
        is_dropped = pairs.dropped(int(i), d, ties)
        point = builder.add(int(i), d, is_dropped)
        if point < 0 and (ties is not Ties.UNIQUE or pairs.copies[pairs.own[i]] == 1):
            records.append(i)
            n_twins.append(pairs.twins(d, int(i)) if ties is Ties.EXPECTED else 1)
            worth.append(_weight(weights, i) / n_twins[-1])
        else:
            lost.append(i)
            witness.append(pairs.other_row(int(i)) if point < 0 else pairs.row_of[point])
            builder.drop_last(point)
    unseen = people[n_seen:]
    for i in unseen:
        builder.add_unseen(int(i))
        n_twins.append(1)
        worth.append(_weight(weights, i))
    chosen = np.concatenate([np.array(records, dtype=np.int64), unseen])
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
        n_twins=np.array(n_twins, dtype=np.int64),
        n_unseen=len(unseen),
    )


def _weight(weights: FloatArray | None, i: np.int64) -> Fraction:
    return Fraction(1) if weights is None else Fraction(float(weights[i]))


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


class _ListBuilder:
    """Collects the rows of families whose distances grow with the differences."""

    def __init__(self, family: Family, pairs: Pairs, exact: ExactPairs, tolerance: float, n_parameters: int) -> None:
        self.family = family
        self.pairs = pairs
        self.exact = exact
        self.tolerance = tolerance
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
                self._append(np.zeros(0, dtype=np.int64), np.zeros((0, self.n_parameters)), np.zeros(0))
                return int(self.kept[0])
            kept = self.kept[:n_kept].copy()
        phi = self.family.features(d[np.append(kept, own)])
        values = (1.0 - self.tolerance) * phi[:-1] - phi[-1]
        units, lengths = unit_rows(values)
        own_size = float(np.abs(phi[-1]).max(initial=0.0))
        for place in np.flatnonzero(lengths <= CANCELLED * own_size).tolist():
            units[place], lengths[place] = self.exact.direction(i, int(kept[place]))
        if not lengths.all():  # a row of zeros is nowhere positive
            self._append(np.zeros(0, dtype=np.int64), units[:0], lengths[:0])
            return int(kept[lengths.argmin()])
        self._append(kept, units, lengths)
        return -1

    def _append(self, points: IntArray, units: FloatArray, lengths: FloatArray) -> None:
        self.rows.append(*by_entries(units))
        self.lengths.append(lengths)
        self.points.append(points)

    def add_unseen(self, i: int) -> None:
        """Add record i without rows."""
        del i
        self._append(np.zeros(0, dtype=np.int64), np.zeros((0, self.n_parameters)), np.zeros(0))

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


class _FormBuilder:
    """Collects what the rows of a bilinear form are made of."""

    def __init__(
        self, family: Family, comparison: Comparison, pairs: Pairs, exact: ExactPairs, tolerance: float
    ) -> None:
        self.family = family
        self.tolerance = tolerance
        self.pairs = pairs
        self.exact = exact
        _, x, y = comparison.vectors()
        self.x = np.ascontiguousarray(x)
        self.y = np.ascontiguousarray(y[pairs.row_of])
        self.rows: list[int] = []
        self.dropped: list[IntArray] = []

    def add(self, i: int, d: FloatArray, is_dropped: NDArray[np.bool_]) -> int:
        """Add record i; return a point that proves it lost, or -1.

        *Guarantee* (docs/mathematics.md#lost): a point whose row is exactly 0 is as near by any form: one exactly
        opposite, just as far, where ties are exact.
        """
        del d
        own = int(self.pairs.own[i])
        here = self.family.features((self.x[i] - self.y[own])[None])
        others = (1.0 - self.tolerance) * self.family.features(self.x[i] - self.y)
        is_level = ~(others - here).any(axis=1) & ~is_dropped
        dropped = np.flatnonzero(is_dropped)
        self.rows.append(i)
        self.dropped.append(np.concatenate([[own], dropped[dropped != own]]))
        return next((point for point in np.flatnonzero(is_level).tolist() if not any(self.exact.row(i, point))), -1)

    def add_unseen(self, i: int) -> None:
        """Add record i; only its own point is known not to count against it."""
        self.rows.append(i)
        self.dropped.append(self.pairs.own[i : i + 1])

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
        records = np.array(self.rows, dtype=np.int64)
        return FormRows(self.family, self.exact, self.tolerance, self.x, records, self.y, start, dropped)
