"""Can these records all be linked at once? Decided without rounding, where floating point cannot tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.distances.polar import common_factor
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.problem.exact_pairs import Whole
from linkrisk.learning.proof.margins import ExactTheta, Margins
from linkrisk.learning.proof.semidefinite import proposals
from linkrisk.learning.proof.simplex import Column, WholeSimplex
from linkrisk.learning.search import Clock

BATCH = 8
"""Records whose worst rows are added at a time."""

STEPS_INSIDE = (10, 40, 160, 640)
"""Parameters are moved inside by one over two to these powers of the way, the first that keeps all links."""

CLEARLY = 1e-12
"""Columns violated by less, in floating point, wait until no other is."""


class ExactFeasibility:
    """Answers the questions of `Feasibility` in whole numbers.

    *Guarantee* (docs/mathematics.md#exact-feasibility): a theta returned is admissible and links all records asked for;
    the records of a core returned cannot all be linked. If the set has finitely many inequalities, one of the two is
    found.
    """

    def __init__(self, margins: Margins, feasibility: Feasibility) -> None:
        self.margins = margins
        self.problem = margins.problem
        self.feasibility = feasibility

    def decide(self, chosen: BoolArray, clock: Clock) -> ExactTheta | Core | None:
        """Return a theta that links all chosen records, or some of these that cannot all be linked; None if it is open.

        Cost: each step of the simplex method takes p^2 products of numbers that grow with p, and a few p steps do.
        """
        return _Question(self, np.flatnonzero(chosen).tolist(), clock).answer()

    def proven(self, core: Core, clock: Clock) -> Core | None:
        """Return a core with multipliers that prove it exactly, made of its rows and inequalities; None if none do."""
        if self.problem.parameters.is_endless:
            return None  # rounded inequalities prove nothing; such a question is asked anew
        question = _Question(self, [], clock)
        for record, point in zip(core.records, core.points, strict=True):
            question.add_row(record, point)
        for cut in core.cuts:
            question.add_cut(cut)
        return question.closed()


class _Question:
    """One set of records, and the programme that decides about it."""

    def __init__(self, decider: ExactFeasibility, places: list[int], clock: Clock) -> None:
        self.margins, self.feasibility, self.problem = decider.margins, decider.feasibility, decider.problem
        self.parameters = self.problem.parameters
        self.places = places
        self.clock = clock
        self.simplex = WholeSimplex(self.parameters.n_parameters)
        self.columns: dict[tuple[int, int] | int, int] = {}
        self.units: list[FloatArray] = []
        self.sizes: list[int] = []

    def answer(self) -> ExactTheta | Core | None:
        """Go on until a theta satisfies everything, or a mixture of rows vanishes."""
        theta = ExactTheta.of(self.parameters.interior)
        if not self._violated(theta):
            return theta
        if self.parameters.is_endless:
            return self._along_path()
        self.simplex.start(0)
        while not self.simplex.is_closed:
            if self.clock.must_stop() is not None:
                return None
            theta, gap = self._prices()
            code = self._priced(theta, gap, CLEARLY)
            if code is None:
                if not self._violated(theta):
                    return self._inner(theta.reduced())
                code = self._priced(theta, gap, 0.0)
            if code is None:
                raise AssertionError("a column that is violated can enter")
            self.simplex.enter(code)
        return self._core()

    def _inner(self, theta: ExactTheta) -> ExactTheta:
        """Move theta off the border of the set, where some families ask for more than their closed cone does."""
        interior = ExactTheta.of(self.parameters.interior)
        largest, size = (max(map(abs, point.wholes)) for point in (theta, interior))
        for bits in STEPS_INSIDE:
            point = ExactTheta(
                tuple((a * size << bits) + b * largest for a, b in zip(theta.wholes, interior.wholes, strict=True))
            )
            if not self._violated_rows(point):
                return point.reduced()
        return theta

    def closed(self) -> Core | None:
        """Return the core that the columns known make; None if some theta satisfies them all, or time is up."""
        self.simplex.start(0)
        while not self.simplex.is_closed:
            code = None if self.clock.must_stop() is not None else self._priced(*self._prices(), 0.0)
            if code is None:
                return None
            self.simplex.enter(code)
        return self._core()

    def _prices(self) -> tuple[ExactTheta, int]:
        theta, gap = self.simplex.prices()
        return ExactTheta(tuple(theta)), gap

    def add_row(self, place: int, point: int) -> None:
        """Let the row of a record and a point take part."""
        self._add((place, point), self.margins.rows.row(place, point), is_row=True)

    def add_cut(self, cut: int) -> None:
        """Let an inequality of the parameter set take part."""
        self._add(cut, self.margins.rows.cut(cut, self.feasibility), is_row=False)

    def _add(self, name: tuple[int, int] | int, values: Whole, *, is_row: bool) -> None:
        if name in self.columns:
            return
        reduced = self._reduced(values)
        size = max(map(abs, reduced)) or 1
        self.columns[name] = len(self.units)
        self.simplex.columns.append(Column.of(reduced, is_row=is_row))
        self.units.append(np.array([value / size for value in reduced]))
        self.sizes.append(size)

    def _priced(self, theta: ExactTheta, gap: int, least: float) -> int | None:
        """Return a column that theta violates: the worst, if by more than ``least``; the first one, if that is 0."""
        order: list[int] | range = range(len(self.units))
        if least > 0.0 and not self.simplex.is_stuck:
            largest = max(map(abs, theta.wholes), default=0) or 1
            dues = [
                _ratio(gap, largest * size) if column.is_row else 0.0
                for size, column in zip(self.sizes, self.simplex.columns, strict=True)
            ]
            prices = np.array(self.units) @ theta.floats - dues
            order = [code for code in np.argsort(prices)[:4].tolist() if prices[code] < -least]
        for code in order:
            column = self.simplex.columns[code]
            if column.times(theta.wholes) < (gap if column.is_row else 0):
                return code
        return None

    def _violated(self, theta: ExactTheta) -> bool:
        """Add inequalities that theta violates, or else rows; tell whether there are any."""
        cuts = self._violated_cuts(theta)
        for cut in cuts:
            self.add_cut(cut)
        if cuts:
            return True
        found = self._violated_rows(theta)
        for _, place, point in sorted(found)[:BATCH]:
            self.add_row(place, point)
        return bool(found)

    def _violated_rows(self, theta: ExactTheta) -> list[tuple[float, int, int]]:
        """Return the worst row of each record that theta does not link: its value, the record and the point."""
        found = []
        for place in self.places:
            points, values, errors, lengths = self.margins.of(place, theta.floats)
            shares = values / np.where(lengths > 0.0, lengths, 1.0)
            worst = int(shares.argmin()) if len(points) else -1
            if worst >= 0 and values[worst] < -errors[worst]:
                found.append((float(shares[worst]), place, int(points[worst])))
                continue
            for q in np.flatnonzero(values <= errors).tolist():
                if self.margins.exact(place, int(points[q]), theta) <= 0:
                    found.append((float(shares[q]), place, int(points[q])))
                    break
        return found

    def _violated_cuts(self, theta: ExactTheta) -> list[int]:
        """Return the numbers of inequalities that theta violates, exactly; none if it is admissible."""
        rows = self.parameters.violated(theta.wholes)
        cuts = [self.feasibility.number_of_cut(row) for row in rows]
        if self.problem.family.is_nonnegative:
            pair = self.margins.negative_pair(theta)
            if pair is not None:
                cuts.append(self.feasibility.number_of_pair(*pair, self.margins.features_of(*pair)))
        return cuts

    def _along_path(self) -> ExactTheta | Core | None:
        """Decide about semidefinite matrices: rows are added as long as a matrix proposed violates some."""
        n_attributes = self.problem.comparison.n_attributes
        while True:
            names = [name for name in self.columns if isinstance(name, tuple)]
            rows = [self.margins.rows.row(*name) for name in names]
            for proposal in proposals([self._reduced(row) for row in rows], n_attributes):
                if self.clock.must_stop() is not None:
                    return None
                if proposal.multipliers is not None:
                    core = self._polar_core(names, rows, proposal.multipliers)
                    if core is not None:
                        return core
                elif proposal.theta is not None and not self.parameters.violated(proposal.theta):
                    theta = ExactTheta(proposal.theta).reduced()
                    if not self._violated(theta):
                        return theta
                    if len(self.columns) > len(names):
                        break
            else:
                return None

    def _polar_core(self, names: list[tuple[int, int]], rows: list[Whole], multipliers: Sequence[int]) -> Core | None:
        """Return the core of some rows if their mixture is positive nowhere, exactly."""
        divisors = [common_factor(row) for row in rows]
        used = [place for place, multiplier in enumerate(multipliers) if multiplier]
        total = [sum(multipliers[q] * rows[q][k] // divisors[q] for q in used) for k in range(len(rows[0]))]
        if not used or not self.parameters.is_polar(total):
            return None
        return Core.exact([(*names[q], Fraction(multipliers[q], divisors[q])) for q in used], [])

    @staticmethod
    def _reduced(row: Whole) -> Whole:
        divisor = common_factor(row)
        return [value // divisor for value in row]

    def _core(self) -> Core:
        """Return the core of the mixture that vanishes; its multipliers are those of rows and inequalities as such."""
        names = {code: name for name, code in self.columns.items()}
        rows: list[tuple[int, int, Fraction]] = []
        cuts: list[tuple[int, Fraction]] = []
        for code, multiplier in self.simplex.multipliers().items():
            name = names[code]
            if isinstance(name, tuple):
                whole, unit = self.margins.rows.row(*name), self.margins.rows.unit
                rows.append((*name, multiplier / common_factor(whole) / unit))
            else:
                whole, unit = self.margins.rows.cut_with_unit(name, self.feasibility)
                cuts.append((name, multiplier / common_factor(whole) / unit))
        core = Core.exact(rows, cuts)
        self._check(core)
        return core

    def _check(self, core: Core) -> None:
        """Raise unless the multipliers of a core make the sum of its rows and inequalities 0."""
        exact = self.margins.rows
        vectors = [(exact.row(i, j), exact.unit) for i, j in zip(core.records, core.points, strict=True)]
        vectors += [exact.cut_with_unit(cut, self.feasibility) for cut in core.cuts]
        for k in range(self.parameters.n_parameters):
            multipliers = (*core.wholes, *core.whole_cuts)
            terms = (m * row[k] * unit for m, (row, unit) in zip(multipliers, vectors, strict=True) if row[k])
            if sum(terms, Fraction(0)) != 0:
                raise ArithmeticError("a mixture that should vanish does not; please report this")


def _ratio(numerator: int, denominator: int) -> float:
    """Return the quotient of whole numbers, infinity where no float holds it."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf
