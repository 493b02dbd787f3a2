"""Can these records all be linked at once? If so, by which parameters; if not, a few of them that cannot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.polar import common_factor
from linkrisk.learning.cover.feasibility_kernels import (
    CUT,
    FEASIBLE,
    INFEASIBLE,
    ITERATIONS,
    MORE,
    NOTHING,
    PLUS,
    Basis,
    Pool,
    collect_cores,
    start_basis_at,
)
from linkrisk.learning.problem.row_kernels import PlaceArray
from linkrisk.learning.problem.sources import Mask, RowSource, by_entries
from linkrisk.learning.search import Clock

Number = TypeVar("Number", np.int64, np.float64)

MAX_PIVOTS, PIVOTS = 20_000, 500
"""Steps of the simplex method for one question, and those between two looks at the clock."""

STEPS_INSIDE = (2.0**-44, 2.0**-36, 2.0**-24)
"""Where rounding leaves theta outside its set, it is moved by these shares of the way to the interior, in turn."""

MAX_ROUNDS = 500
"""Rounds of new rows and cuts after which a question is given up as unclear."""

BATCH = 20
"""Rows added at a time."""

MAX_CORES = 256
"""Cores collected at a time."""


@dataclass(frozen=True)
class Core:
    """Records that cannot all be linked: the sum of ``multipliers`` times their rows and ``cuts`` is 0.

    Why that shows it, and how large a core is: docs/mathematics.md#core.

    Row q belongs to ``records[q]`` and ``points[q]``; a record may occur with several rows. ``cuts`` are the rows of
    the parameter set that take part, with ``cut_multipliers``; where the set has a normal, that is cut 0. All rows
    are of length 1. Where the multipliers are known exactly, ``wholes`` and ``whole_cuts`` are those of the rows and
    inequalities as they are, not of length 1, in place of ``multipliers`` and ``cut_multipliers``: then the sum is 0
    without rounding.
    """

    records: tuple[int, ...]
    points: tuple[int, ...]
    multipliers: tuple[float, ...]
    cuts: tuple[int, ...]
    cut_multipliers: tuple[float, ...]
    wholes: tuple[int, ...] = ()
    whole_cuts: tuple[int, ...] = ()

    @property
    def members(self) -> frozenset[int]:
        """The records, each once."""
        return frozenset(self.records)

    @classmethod
    def exact(
        cls,
        rows: Sequence[tuple[int, int, Fraction]],
        cuts: Sequence[tuple[int, Fraction]],
    ) -> Core:
        """Return the core of rows and inequalities whose sum, times these multipliers, is exactly 0."""
        multipliers = [value for *_, value in rows] + [value for _, value in cuts]
        common = math.lcm(*(value.denominator for value in multipliers))
        wholes = [int(value * common) for value in multipliers]
        divisor = common_factor(wholes)
        wholes = [value // divisor for value in wholes]
        return cls(
            records=tuple(record for record, _, _ in rows),
            points=tuple(point for _, point, _ in rows),
            multipliers=(),
            cuts=tuple(cut for cut, _ in cuts),
            cut_multipliers=(),
            wholes=tuple(wholes[: len(rows)]),
            whole_cuts=tuple(wholes[len(rows) :]),
        )


class Feasibility:
    """Answers questions about sets of records; each search starts from where the last one ended."""

    def __init__(self, source: RowSource, parameters: ParameterSet, *, is_nonnegative: bool = False) -> None:
        self.source = source
        self.parameters = parameters
        self.is_nonnegative = is_nonnegative
        n_parameters = parameters.n_parameters
        self._cut_rows: list[FloatArray] = []
        self.given_cuts: list[FloatArray] = []
        self.pair_of_cut: dict[int, tuple[int, int]] = {}
        self.whole_cuts: dict[int, list[int]] = {}
        self._cut_keys: dict[bytes, int] = {}
        self._whole_keys: dict[tuple[int, ...], int] = {}
        self._pair_keys: dict[tuple[int, int], int] = {}
        self._row_keys: dict[tuple[int, int], int] = {}
        self._points = np.zeros(1024, dtype=np.int64)
        self._pool = Pool(
            places=np.zeros((1024, 1), dtype=np.int64),
            entries=np.zeros((1024, 1)),
            owner=np.zeros(1024, dtype=np.int64),
            cut_places=np.zeros((256, 1), dtype=np.int64),
            cut_entries=np.zeros((256, 1)),
            sizes=np.zeros(2, dtype=np.int64),
        )
        self._basis = _empty_basis(n_parameters)
        self._spare = _empty_basis(n_parameters)
        self._is_started = False
        if parameters.normal is not None:
            self.add_cuts(parameters.normal[None])  # cut 0: positive on the whole set
        self.add_cuts(parameters.inequalities)
        for row, whole in zip(parameters.inequalities, parameters.whole_inequalities, strict=True):
            number = self._cut_keys[(row / np.linalg.norm(row)).tobytes()]
            self.whole_cuts[number] = parameters.dense(whole)  # exact, where the row is rounded

    @property
    def cuts(self) -> FloatArray:
        """Rows of the parameter set known so far, of length 1."""
        return np.array(self._cut_rows).reshape(-1, self.parameters.n_parameters)

    def link(self, chosen: Mask, clock: Clock | None = None) -> FloatArray | None:
        """Return parameters that link all chosen records, by a large margin; None if there are none, or unclear.

        *Guarantee* (docs/mathematics.md#central): the margin is the largest over the rows that were looked at, up to
        rounding.
        """
        shares = np.zeros(self.source.n_records)
        return self.collect(chosen, shares, shares, limit=1, clock=clock)[1]

    def collect(
        self,
        chosen: Mask,
        share: FloatArray,
        noise: FloatArray,
        *,
        limit: int = MAX_CORES,
        clock: Clock | None = None,
    ) -> tuple[list[Core], FloatArray | None]:
        """Find cores among the chosen records, giving up a record of each, until the rest can be linked.

        Return the cores, and the parameters that link the rest (None when it is not clear, or ``limit`` is reached).
        Cores are made of records with a small ``share`` where possible; given up is the one of largest share plus
        ``noise``.

        *Guarantee* (docs/mathematics.md#feasibility): a theta returned is admissible up to rounding and links the rest
        by the floating-point rows; a core is infeasible up to rounding. Whoever uses them checks both again.
        """
        chosen = chosen.copy()
        found: list[Core] = []
        retries = 1
        until = int(self._basis.pivots[0]) + MAX_PIVOTS
        for _ in range(MAX_ROUNDS):
            if not self._is_started and not self._start(chosen):
                return found, self.parameters.interior
            verdict, cores, margin = self._cores_of_pool(chosen, share, noise, limit, clock)
            found += cores
            if verdict == INFEASIBLE or len(found) >= limit or (clock is not None and clock.must_stop() is not None):
                return found, None
            if verdict == ITERATIONS and self._basis.pivots[0] < until:
                continue
            if verdict != FEASIBLE:
                if not retries or not self._start(chosen):
                    return found, None
                retries -= 1
                continue
            theta = self._basis.theta.copy()
            inside = self._inside(theta, chosen)
            if inside is not None:
                return found, inside
            if not self._tighten(theta, margin, chosen):
                return found, None
        return found, None

    def _cores_of_pool(
        self, chosen: Mask, share: FloatArray, noise: FloatArray, limit: int, clock: Clock | None
    ) -> tuple[int, list[Core], float]:
        """Find cores by the rows and cuts known so far, until there are ``limit`` of them or time is up.

        Return the last verdict, the cores, and the margin by which the rest are linked.
        """
        codes = np.empty((limit, self._basis.codes.size), dtype=np.int64)
        values = np.empty((limit, self._basis.codes.size))
        has_normal = self.parameters.normal is not None
        verdict, found, margin = MORE, list[Core](), 0.0
        while verdict == MORE and (clock is None or not found or clock.must_stop() is None):
            left = slice(len(found), limit)
            verdict, n_cores, margin = collect_cores(
                self._pool,
                chosen,
                share,
                noise,
                has_normal,
                self._basis,
                self._spare,
                PIVOTS,
                codes[left],
                values[left],
            )
            found += [self._core(codes[left][q], values[left][q]) for q in range(n_cores)]
        return verdict, found, margin

    def scan(self, theta: FloatArray, chosen: Mask) -> FloatArray:
        """Return the least theta . v of each chosen record."""
        return self.source.scan(theta, chosen)[0]

    def _inside(self, theta: FloatArray, chosen: Mask) -> FloatArray | None:
        """Return theta, made admissible beyond rounding, if it links the chosen records.

        Distances that must not be negative are 0 on some pairs at the optimum, and rounding may put them a little below
        0: a small step towards the interior corrects that.
        """
        inside = self.parameters.inside(theta)
        if self._links_all(inside, chosen):
            return inside
        if not theta.any():  # nothing was asked of it
            return self.parameters.interior if self._links_all(self.parameters.interior, chosen) else None
        interior = self.parameters.interior * float(np.abs(theta).max()) / float(np.abs(self.parameters.interior).max())
        for share in STEPS_INSIDE if self.is_nonnegative else ():
            point = np.asarray((1.0 - share) * inside + share * interior)
            if self._links_all(point, chosen):
                return point
        return None

    def _links_all(self, theta: FloatArray, chosen: Mask) -> bool:
        largest = float(np.abs(theta).max())
        if largest == 0.0 or (self.is_nonnegative and len(self.source.negative(theta, 1)[0])):
            return False
        return bool(self.scan(theta, chosen).min() > 1e-12 * largest)

    def _tighten(self, theta: FloatArray, margin: float, chosen: Mask) -> bool:
        """Add rows and cuts that theta violates; False when there are none."""
        cuts = self.add_cuts(self.parameters.cuts(theta))
        if self.is_nonnegative:
            cuts += self.add_cuts(*self.source.negative(theta, BATCH))
        worst, points = self.source.scan(theta, chosen)
        ids = np.flatnonzero(chosen)
        order = ids[np.argsort(worst[ids], kind="stable")[:BATCH]]
        order = order[worst[order] < margin - 1e-11]
        return cuts + self._add_rows(order, points[order]) > 0

    def _start(self, chosen: Mask) -> bool:
        """Begin afresh from one row of a chosen record; False when none has any."""
        _, points = self.source.scan(self.parameters.interior, chosen)
        records = np.flatnonzero(chosen & (points >= 0))
        if not len(records):
            return False
        record = int(records[0])
        self._add_rows(records[:1], points[records[:1]])
        start_basis_at(self._pool, self._basis, self._row_keys[record, int(points[record])])
        self._is_started = True
        return True

    def _add_rows(self, records: IntArray, points: IntArray) -> int:
        """Add the rows of records and points that are not known yet; return how many."""
        is_new = [key not in self._row_keys for key in zip(records.tolist(), points.tolist(), strict=True)]
        records, points = records[is_new], points[is_new]
        rows, entries = by_entries(self.source.rows_of(records, points))
        for place, key in enumerate(zip(records.tolist(), points.tolist(), strict=True)):
            self._add_row(key, rows[place], entries[place])
        return len(records)

    def _add_row(self, key: tuple[int, int], places: PlaceArray, entries: FloatArray) -> None:
        pool = self._pool
        size = int(pool.sizes[0])
        if size == len(pool.owner) or len(places) > pool.places.shape[1]:
            self._points = _grown(self._points, size)
            pool = self._pool = pool._replace(
                places=_widened(pool.places, size, len(places)),
                entries=_widened(pool.entries, size, len(places)),
                owner=_grown(pool.owner, size),
            )
        pool.places[size, : len(places)] = places
        pool.entries[size, : len(places)] = entries
        pool.owner[size], self._points[size] = key
        self._row_keys[key] = size
        pool.sizes[0] += 1

    def add_cuts(self, rows: FloatArray, pairs: IntArray | None = None) -> int:
        """Add rows of the parameter set, brought to length 1; return how many are new.

        ``pairs`` says of which original record and point the rows are the features, where they are.
        """
        before = len(self._cut_rows)
        for place, row in enumerate(rows):
            unit = row / np.linalg.norm(row)
            if unit.tobytes() not in self._cut_keys:
                pair = None if pairs is None else (int(pairs[place, 0]), int(pairs[place, 1]))
                self._append_cut(np.asarray(row, dtype=np.float64), unit, pair)
        return len(self._cut_rows) - before

    def number_of_cut(self, row: Sequence[int]) -> int:
        """Return the number of an inequality of whole numbers, which is added if it is new."""
        divisor = common_factor(row)
        key = tuple(value // divisor for value in row)
        if key not in self._whole_keys:
            largest = max(map(abs, key))
            floats = np.array([value / largest for value in key])
            self._whole_keys[key] = self._append_cut(floats, floats / np.linalg.norm(floats), None)
            self.whole_cuts[self._whole_keys[key]] = list(key)
        return self._whole_keys[key]

    def number_of_pair(self, record: int, point: int, features: FloatArray) -> int:
        """Return the number of the inequality that the distance of an original record and a point is not negative."""
        if (record, point) not in self._pair_keys:
            unit = features / np.linalg.norm(features)
            self._append_cut(features, unit, (record, point))
        return self._pair_keys[record, point]

    def _append_cut(self, row: FloatArray, unit: FloatArray, pair: tuple[int, int] | None) -> int:
        number = len(self._cut_rows)
        self._cut_keys[unit.tobytes()] = number
        self._cut_rows.append(unit)
        self.given_cuts.append(row)
        if pair is not None:
            self.pair_of_cut[number] = pair
            self._pair_keys[pair] = number
        pool = self._pool
        places, entries = by_entries(unit[None])
        size = int(pool.sizes[1])
        if size == len(pool.cut_places) or places.shape[1] > pool.cut_places.shape[1]:
            pool = self._pool = pool._replace(
                cut_places=_widened(pool.cut_places, size, places.shape[1]),
                cut_entries=_widened(pool.cut_entries, size, places.shape[1]),
            )
        pool.cut_places[size, : places.shape[1]] = places[0]
        pool.cut_entries[size, : places.shape[1]] = entries[0]
        pool.sizes[1] += 1
        return number

    def _core(self, codes: IntArray, values: FloatArray) -> Core:
        is_row = (codes < CUT) & (values > NOTHING)
        is_cut = (codes >= CUT) & (codes < PLUS) & (values > 0.0)
        return Core(
            records=tuple(self._pool.owner[codes[is_row]].tolist()),
            points=tuple(self._points[codes[is_row]].tolist()),
            multipliers=tuple(values[is_row].tolist()),
            cuts=tuple((codes[is_cut] - CUT).tolist()),
            cut_multipliers=tuple(values[is_cut].tolist()),
        )


def _empty_basis(n_parameters: int) -> Basis:
    size = n_parameters + 1
    return Basis(
        np.zeros(size, dtype=np.int64),
        np.zeros((size, size)),
        np.zeros(size),
        np.zeros(n_parameters),
        np.zeros(1, dtype=np.int64),
    )


def _grown(values: IntArray, used: int) -> IntArray:
    """Twice as long, if full."""
    result = np.zeros(2 * len(values) if used == len(values) else len(values), dtype=np.int64)
    result[:used] = values[:used]
    return result


def _widened(values: NDArray[Number], used: int, width: int) -> NDArray[Number]:
    """Twice as long, if full, and as wide as asked for."""
    length = 2 * len(values) if used == len(values) else len(values)
    result = np.zeros((length, max(width, values.shape[1])), dtype=values.dtype)
    result[:used, : values.shape[1]] = values[:used]
    return result
