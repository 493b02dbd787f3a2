"""The learning problem: which records can be linked at all, and the rows that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
from linkrisk.engine.threads import default_threads
from linkrisk.learning.problem.contract import check_contract
from linkrisk.learning.problem.entry_rows import EntryRows
from linkrisk.learning.problem.exact_pairs import ExactPairs
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.learning.problem.row_kernels import LOST, PlaceArray, mark_used, minimal_rows, subtract_own
from linkrisk.learning.problem.sources import CANCELLED, FormRows, ListedRows, RowSource, by_entries, unit_rows
from linkrisk.learning.problem.worths import Worths
from linkrisk.learning.search import Clock, Progression
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

MOST_AT_ONCE, PAIRS_AT_ONCE, ENTRIES_AT_ONCE = 64, 200_000, 4_000_000
"""Most records, pairs, and numbers of pairs or rows that are worked on at a time: enough that calls cost little, few
enough that memory does not matter."""

SHARED = 2_500
"""Points from which on several cores look at records."""


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
    threads: int | None = None,
) -> Problem:
    """Make the learning problem of a family on two files.

    ``weights`` are what original records are worth (1 each by default); ``tolerance`` replaces that of the family. When
    the time of the clock is up, or Ctrl-C was pressed, the other records stay as they are (``n_unseen``); so do they
    where the clock foresees that hardly any time would be left, and then nothing is searched. In large files
    several ``threads`` look at records, all cores by default; the result is the same. Cost: all pairs are compared
    once, some records at a time; memory grows with the rows that are left, for bilinear forms with the records.
    """
    if family.is_signed:
        comparison, *_ = vectors_for(comparison, family.name)
    pairs = Pairs(comparison)
    parameters = family.parameter_set(comparison.n_attributes)
    check_contract(family, parameters, comparison)
    tolerance = family.tolerance if tolerance is None else tolerance
    exact = ExactPairs(family, comparison, pairs, tolerance)
    builder = (
        _FormBuilder(family, comparison, pairs, exact, tolerance, ties)
        if family.is_signed
        else _ListBuilder(family, pairs, exact, tolerance, ties, parameters.n_parameters)
    )
    records, lost, witness, n_twins, worth = [], [], [], [], []
    people = np.flatnonzero(pairs.own >= 0)
    n_seen = 0
    for found in _looked_at(people.tolist(), builder, clock, threads):
        n_seen += 1
        if found.witness is None:
            records.append(found.record)
            n_twins.append(found.n_twins)
            worth.append(_weight(weights, found.record) / found.n_twins)
        else:
            lost.append(found.record)
            witness.append(found.witness)
    unseen = people[n_seen:]
    for i in unseen.tolist():
        builder.add_unseen(i)
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


def _looked_at(
    people: list[int], builder: _ListBuilder | _FormBuilder, clock: Clock | None, threads: int | None
) -> Iterator[_Seen]:
    """Hold people against all points, several at a time, while there is time, and add their rows in order."""
    n_points = len(builder.pairs.row_of)
    most = min(MOST_AT_ONCE, PAIRS_AT_ONCE // max(n_points, 1), ENTRIES_AT_ONCE // max(n_points * builder.width, 1))
    with interrupt.deferred(), ThreadPoolExecutor(threads or default_threads()) as pool:
        each = pool.map if n_points >= SHARED else map
        progression = None if clock is None else Progression(clock, len(people))
        n_seen = 0
        for chunk in _chunks(people, max(most, 1)):
            interrupt.check()
            if clock is not None and clock.must_stop() is not None:
                return
            if progression is not None and progression.is_in_vain(n_seen):
                return
            yield from builder.add(list(each(builder.look, chunk)))
            n_seen += len(chunk)


def _chunks(people: list[int], most: int) -> Iterator[list[int]]:
    """Divide people among chunks, the first of one, because the clock should be looked at soon."""
    begin, size = 0, 1
    while begin < len(people):
        yield people[begin : begin + size]
        begin, size = begin + size, min(2 * size, most)


@dataclass(frozen=True, eq=False)
class _Seen:
    """An original record against all points: those that do not count against it, and how far it is from each.

    ``witness`` is a protected record that proves that no parameters link it; None where there is none, so far.
    """

    record: int
    own: int
    differences: FloatArray
    is_dropped: NDArray[np.bool_]
    n_twins: int
    witness: int | None

    @classmethod
    def of(cls, i: int, pairs: Pairs, ties: Ties) -> _Seen:
        own = int(pairs.own[i])
        d = pairs.differences(i)
        is_dropped = pairs.dropped(i, d, ties)
        n_twins = int(pairs.copies[is_dropped].sum()) if ties is Ties.EXPECTED else 1
        is_alone = ties is not Ties.UNIQUE or pairs.copies[own] == 1
        return cls(i, own, d, is_dropped, n_twins, None if is_alone else pairs.other_row(i))


def _weight(weights: FloatArray | None, i: int) -> Fraction:
    return Fraction(1) if weights is None else Fraction(float(weights[i]))


def _without_idle(parameters: ParameterSet, source: RowSource) -> ParameterSet:
    """Let the normal of independent weights pass over those that no row looks at.

    Otherwise such weights, which add nothing to a core, would keep it from lying deep inside what is forbidden, as its
    proof needs.
    """
    if parameters.rays is None or parameters.normal is None or not isinstance(source, ListedRows):
        return parameters
    is_used = np.zeros(parameters.n_parameters, dtype=np.bool_)
    mark_used(source.places, source.entries, is_used)
    return replace(parameters, normal=np.where(is_used, parameters.normal, 0.0)) if is_used.any() else parameters


class _ListBuilder:
    """Collects the rows of families whose distances grow with the differences.

    ``width`` is how many numbers looking at a pair makes.
    """

    def __init__(
        self, family: Family, pairs: Pairs, exact: ExactPairs, tolerance: float, ties: Ties, n_parameters: int
    ) -> None:
        self.family = family
        self.ties = ties
        self.pairs = pairs
        self.exact = exact
        self.tolerance = tolerance
        self.n_parameters = n_parameters
        self.width = pairs.n_attributes
        self.rows = EntryRows()
        self.lengths: list[FloatArray] = []
        self.points: list[IntArray] = []
        self.counts: list[int] = []

    def look(self, i: int) -> tuple[_Seen, IntArray]:
        """Return record i, with its witness if it is lost, and the points whose rows matter; threads call it."""
        seen = _Seen.of(i, self.pairs, self.ties)
        profile = None if seen.witness is not None else self.family.profile(seen.differences)
        if profile is None:
            return seen, np.flatnonzero(~seen.is_dropped)
        kept = np.empty(len(profile), dtype=np.int64)
        n_kept = minimal_rows(profile, profile[seen.own], seen.is_dropped, self.tolerance, kept)
        if n_kept == LOST:
            return replace(seen, witness=int(self.pairs.row_of[kept[0]])), kept[:0]
        return seen, kept[:n_kept].copy()

    def add(self, found: list[tuple[_Seen, IntArray]]) -> list[_Seen]:
        """Add the rows of records looked at; return these, with a witness for each that is lost and has no rows."""
        result = [seen for seen, _ in found]
        for batch in self._batches([place for place, seen in enumerate(result) if seen.witness is None], found):
            for place, point in self._add([found[place] for place in batch]).items():
                witness = int(self.pairs.row_of[point])
                result[batch[place]] = replace(result[batch[place]], witness=witness)
        return result

    def _batches(self, places: list[int], found: list[tuple[_Seen, IntArray]]) -> Iterator[list[int]]:
        """Divide records among batches whose rows take little memory."""
        batch: list[int] = []
        n_entries = 0
        for place in places:
            size = len(found[place][1]) * self.n_parameters
            if batch and n_entries + size > ENTRIES_AT_ONCE:
                yield batch
                batch, n_entries = [], 0
            batch.append(place)
            n_entries += size
        if batch:
            yield batch

    def _add(self, batch: list[tuple[_Seen, IntArray]]) -> dict[int, int]:
        """Add the rows of a batch of records; return a point for each that is lost, by its place in the batch."""
        counts = np.array([len(points) for _, points in batch])
        points = np.concatenate([points for _, points in batch])
        of_record = np.repeat(np.arange(len(batch)), counts)
        places, units, lengths = self._units(batch, counts, of_record, points)
        zeros = np.flatnonzero(lengths == 0.0)  # a row of zeros is nowhere positive
        lost = dict(zip(of_record[zeros][::-1].tolist(), points[zeros][::-1].tolist(), strict=True))
        is_kept = ~np.isin(of_record, list(lost))
        self.rows.append(places[is_kept], units[is_kept])
        self.lengths.append(lengths[is_kept])
        self.points.append(points[is_kept])
        self.counts += [count for place, count in enumerate(counts.tolist()) if place not in lost]
        return lost

    def _units(
        self, batch: list[tuple[_Seen, IntArray]], counts: IntArray, of_record: IntArray, points: IntArray
    ) -> tuple[PlaceArray, FloatArray, FloatArray]:
        """Return the rows of a batch by their entries, brought to length 1, and their lengths.

        Those that lost digits in the subtraction are computed exactly.
        """
        rows = [seen.differences[np.append(kept, seen.own)] for seen, kept in batch]  # the own one last
        phi = np.ascontiguousarray(self.family.features(np.concatenate(rows)))
        start = np.concatenate([[0], np.cumsum(counts + 1)])
        values, lengths = np.empty((len(points), phi.shape[1])), np.empty(len(points))
        subtract_own(phi, start, 1.0 - self.tolerance, values, lengths)
        own_size = np.abs(phi[start[1:] - 1]).max(axis=1, initial=0.0)
        short = np.flatnonzero(lengths <= CANCELLED * own_size[of_record])
        exact = [self.exact.direction(batch[of_record[row]][0].record, int(points[row])) for row in short.tolist()]
        for row, (unit, _) in zip(short.tolist(), exact, strict=True):
            values[row] = unit
        places, entries = by_entries(values)
        units, lengths = unit_rows(entries, lengths)
        units[short], lengths[short] = entries[short], [length for _, length in exact]
        return places, units, lengths

    def add_unseen(self, i: int) -> None:
        """Add record i without rows."""
        del i
        self.counts.append(0)

    def source(self, weight: FloatArray) -> ListedRows:
        """Return the rows of all records that were not dropped."""
        start = np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)
        points = np.concatenate([np.zeros(0, dtype=np.int64), *self.points])
        lengths = np.concatenate([np.zeros(0), *self.lengths])
        return ListedRows(*self.rows.finished(), start, points, weight, lengths, self.n_parameters)


class _FormBuilder:
    """Collects what the rows of a bilinear form are made of; ``width`` is how many numbers looking at a pair makes."""

    def __init__(
        self, family: Family, comparison: Comparison, pairs: Pairs, exact: ExactPairs, tolerance: float, ties: Ties
    ) -> None:
        self.family = family
        self.ties = ties
        self.tolerance = tolerance
        self.pairs = pairs
        self.exact = exact
        _, x, y = comparison.vectors()
        self.x = np.ascontiguousarray(x)
        self.y = np.ascontiguousarray(y[pairs.row_of])
        self.rows: list[int] = []
        self.dropped: list[IntArray] = []
        self.width = self.x.shape[1] * (self.x.shape[1] + 1)

    def look(self, i: int) -> tuple[_Seen, IntArray]:
        """Return record i and the points that seem as near as its own by any form; threads call it."""
        seen = _Seen.of(i, self.pairs, self.ties)
        here = self.family.features((self.x[i] - self.y[seen.own])[None])
        others = (1.0 - self.tolerance) * self.family.features(self.x[i] - self.y)
        return seen, np.flatnonzero(~(others - here).any(axis=1) & ~seen.is_dropped)

    def add(self, found: list[tuple[_Seen, IntArray]]) -> list[_Seen]:
        """Add records looked at; return these, with a witness for each that is lost and was not added.

        *Guarantee* (docs/mathematics.md#lost): a point whose row is exactly 0 is as near by any form: one exactly
        opposite, just as far, where ties are exact.
        """
        return [seen if seen.witness is not None else self._add(seen, level) for seen, level in found]

    def _add(self, seen: _Seen, level: IntArray) -> _Seen:
        for point in level.tolist():
            if not any(self.exact.row(seen.record, point)):
                return replace(seen, witness=int(self.pairs.row_of[point]))
        dropped = np.flatnonzero(seen.is_dropped)
        self.rows.append(seen.record)
        self.dropped.append(np.concatenate([[seen.own], dropped[dropped != seen.own]]))
        return seen

    def add_unseen(self, i: int) -> None:
        """Add record i; only its own point is known not to count against it."""
        self.rows.append(i)
        self.dropped.append(self.pairs.own[i : i + 1])

    def source(self, weight: FloatArray) -> FormRows:
        """Return the source of all records that were not dropped."""
        del weight
        start = np.concatenate([[0], np.cumsum([len(points) for points in self.dropped])]).astype(np.int64)
        dropped = np.concatenate([np.zeros(0, dtype=np.int64), *self.dropped])
        records = np.array(self.rows, dtype=np.int64)
        return FormRows(self.family, self.exact, self.tolerance, self.x, records, self.y, start, dropped)
