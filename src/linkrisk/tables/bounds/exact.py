"""Exact bounds on overlap counts: all samples and tables together, by an integer programme for each cell."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.tables.bounds.cells import Cells, make_cells
from linkrisk.tables.bounds.collapsed import Collapsed
from linkrisk.tables.bounds.consistent_populations import ConsistentPopulations
from linkrisk.tables.bounds.contradiction import PATIENT, QUICK, check_consistent, contradiction_error
from linkrisk.tables.bounds.decomposable import decomposable_bounds
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.bounds.programme import Programme, make_programme, tightened
from linkrisk.tables.bounds.solver import Deadline, LinearProgramme, branch
from linkrisk.tables.evidence.evidence import Evidence

SECONDS = 60.0
"""Seconds for all cells of a problem."""

SEARCHES = ((0, 1_000), (20, 5_000), (0, 20_000), (40, 10_000), (0, 50_000))
LAST_SEARCHES = ((20, 5_000), (0, 20_000), (80, 20_000), (0, 300_000))
"""Rounds of fitting and steps of each search for a population: for every open cell in turn, and for one cell after its
linear programme was solved."""

TIGHTENED_AFTER = (3,)
"""Numbers of the searches after which all proven bounds are used to tighten the programmes of open cells."""

SECONDS_OF_ONE = 10.0
"""Seconds for the whole linear programme of one bound, and again for branch and bound."""

STEPS_FROM_LINEAR = 20_000
"""Steps of each search near the solution of a linear programme; where it was tried, 20 people were out of place."""

MOST_BRANCHED = 20_000
"""Number of base cells up to which gaps are closed by branch and bound. On 44 586 HiGHS ran ten times its time limit at
the root and found nothing; where between that begins was not measured."""

SMALL = 400
"""Number of base cells up to which branch and bound is quick, so that fewer searches come before it."""


@dataclass(frozen=True, eq=False)
class ExactBounds:
    """Bounds on the counts of overlap cells.

    Parameters
    ----------
    low, high
        The least and the largest count of each cell.
    is_low_exact, is_high_exact
        Whether some consistent population has that count. If not, time ran out or the problem is too large: the bound
        holds, but may not be the tightest.
    n_linear, n_branched, n_populations
        Numbers of linear programmes solved, of integer programmes solved by branch and bound, of populations found.
    method
        ``decomposable`` (closed form), ``programme``, or ``naive`` where the problem is too large.
    """

    low: IntArray
    high: IntArray
    is_low_exact: BoolArray
    is_high_exact: BoolArray
    n_linear: int
    n_branched: int
    n_populations: int
    method: str

    @property
    def status(self) -> list[str]:
        """For each cell ``exact``, or ``outer`` where one of its bounds may not be the tightest."""
        return ["exact" if is_exact else "outer" for is_exact in self.is_low_exact & self.is_high_exact]


def exact_bounds(evidence: Evidence, cells: IntArray, *, seconds: float = SECONDS) -> ExactBounds:
    """Return the least and the largest count of each overlap cell over all consistent populations.

    A population gives every combination of categories a whole number of 0 or more, N in all. It is consistent if every
    sum in a table is within the bounds of its published count, and every cell has at least as many people as a sample
    drew from it. Categories that no file has are taken not to exist (a rounded table should list its zeros).

    Method: the closed form where the tables allow it (`decomposable_bounds`). Otherwise proven bounds and examples are
    brought together. Bounds are proven by propagation, then by a small linear programme for each cell (`Collapsed`),
    and where this leaves a gap by the whole programme. Examples are populations found by fitting, rounding and
    repairing (`ConsistentPopulations`), at last from the solution of the whole programme; one example may attain the
    bounds of many cells. Where a gap is still left, branch and bound closes it, up to 20 000 base cells.

    *Guarantee* (docs/mathematics.md#exact-bounds): every bound holds, and a bound called exact is attained by a
    population that was checked in whole numbers. Linear programmes only supply multipliers (see `proven_minimum`);
    where branch and bound decides, the result rests on HiGHS. Bounds are never wider than `naive_bounds`. Cost: for
    each cell a linear programme with 2^m cells (m overlap attributes) times the combinations of the other attributes.
    When ``seconds`` are over, bounds may be ``outer``.

    Reference: Dobra and Fienberg (2000); smith-elliot-bayesian.txt, "Naive approaches".

    Parameters
    ----------
    evidence
        What the intruder holds.
    cells
        Numbers of overlap cells.
    seconds
        Time limit.

    Raises
    ------
    SettingsError
        If no population is consistent; the message names what contradicts what.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from linkrisk.tables.evidence.reading import make_evidence
    >>> from linkrisk.tables.evidence.publication import make_table_description
    >>> first = pd.DataFrame({"sex": ["f", "m"], "age": ["old", "young"], "job": ["x", "y"]})
    >>> second = first.rename(columns={"job": "car"})
    >>> sexes = pd.DataFrame({"sex": ["f", "m"], "count": [3, 6]})
    >>> ages = pd.DataFrame({"age": ["old", "young"], "count": [7, 2]})
    >>> tables = [make_table_description(table, mechanism="exact") for table in (sexes, ages)]
    >>> bounds = exact_bounds(make_evidence([first, second], tables), np.arange(4))
    >>> bounds.low.tolist(), bounds.high.tolist(), bounds.status[0]
    ([2, 0, 4, 1], [3, 1, 5, 2], 'exact')
    """
    deadline = Deadline(seconds)
    made = make_cells(evidence)
    if made is None:
        low, high = naive_bounds(evidence, cells)
        is_known = low == high
        return ExactBounds(low, high, is_known, is_known, 0, 0, 0, "naive")
    closed = decomposable_bounds(made, evidence.overlap)
    if closed is not None:
        every = np.ones(len(made.overlap_keys), dtype=bool)
        return _of_cells(ExactBounds(*closed, every, every, 0, 0, 0, "decomposable"), made, cells)
    search = _Search(evidence, made, np.unique(made.places(cells)), deadline)
    search.run()
    return _of_cells(search.result(), made, cells)


def _of_cells(bounds: ExactBounds, made: Cells, cells: IntArray) -> ExactBounds:
    """Return the bounds of the cells asked for; a cell without base cells is empty."""
    place = made.places(cells)

    def chosen(values: IntArray, other: int) -> IntArray:
        return np.where(place >= 0, values[np.maximum(place, 0)], other) if len(values) else np.full(len(place), other)

    low, high = chosen(bounds.low, 0), chosen(bounds.high, 0)
    is_low, is_high = (chosen(flags.astype(np.int64), 1) == 1 for flags in (bounds.is_low_exact, bounds.is_high_exact))
    return replace(bounds, low=low, high=high, is_low_exact=is_low, is_high_exact=is_high)


class _Search:
    """Proven bounds from outside and attained counts from inside, until they meet, cell by cell."""

    def __init__(self, evidence: Evidence, made: Cells, asked: IntArray, deadline: Deadline) -> None:
        self.evidence = evidence
        self.deadline = deadline
        self.asked = asked[asked >= 0]
        low, high = naive_bounds(evidence, made.overlap_keys)
        self.programme: Programme = make_programme(made, evidence.overlap, low, high)
        if self.programme.is_empty:
            raise contradiction_error(evidence)
        groups = made.overlap_groups
        self.low = np.maximum(low, groups.sums(self.programme.least))
        self.high = np.minimum(high, groups.sums(self.programme.largest))
        self.points = ConsistentPopulations(self.programme)
        self.n_linear = self.n_branched = 0

    def run(self) -> None:
        """Close the gap of every cell, or of as many cells as time allows."""
        self._find_first()
        self._collapse()
        searches = SEARCHES if self.programme.cells.n_cells > SMALL else SEARCHES[:1]
        for number, (n_rounds, n_steps) in enumerate(searches):
            for place, side in self._open():
                self._reach(place, side, n_rounds, n_steps)
            if number in TIGHTENED_AFTER and self._open():
                self._tighten()
        self._solve_whole()

    def result(self) -> ExactBounds:
        """Return the bounds of all overlap cells."""
        is_low_exact, is_high_exact = self.points.low == self.low, self.points.high == self.high
        n_found = self.points.n_found
        counted = (self.n_linear, self.n_branched, n_found, "programme")
        return ExactBounds(self.low, self.high, is_low_exact, is_high_exact, *counted)

    def _find_first(self) -> None:
        if self.points.find_first(QUICK):
            return
        check_consistent(self.evidence)
        if self.points.find_first(PATIENT):
            return
        cost = np.zeros(self.programme.cells.n_cells, dtype=np.int64)
        found = branch(self.programme, cost, self.deadline.left)
        self.n_branched += 1
        if found.is_infeasible:
            raise contradiction_error(self.evidence)
        if found.counts is not None:
            self.points.add(found.counts)

    def _collapse(self, whole: int | None = None) -> None:
        """Tighten the proven bounds by the collapsed programme of each cell, if it is smaller than the whole one."""
        n_overlap = len(self.evidence.overlap)
        if 2 * Collapsed.size(self.programme, n_overlap, whole) > self.programme.cells.n_cells:
            return
        collapsed = Collapsed(self.programme, n_overlap, whole)
        for place in self.asked.tolist():
            interrupt.check()
            if self.deadline.is_over:
                break
            if self._is_closed(place, 0) and self._is_closed(place, 1):
                continue
            low, high = collapsed.bounds(place, self.deadline.left)
            self._prove(place, low, high)
        self.n_linear += collapsed.linear.n_solved

    def _tighten(self) -> None:
        """Tighten the programme of each cell by what was proven for all the others."""
        tighter = tightened(self.programme, self.low, self.high)
        if tighter.is_empty:
            raise contradiction_error(self.evidence)
        self.programme = tighter
        groups = self.programme.cells.overlap_groups
        self.low = np.maximum(self.low, groups.sums(tighter.least))
        self.high = np.minimum(self.high, groups.sums(tighter.largest))
        for whole in range(len(self.evidence.overlap)):
            self._collapse(whole)

    def _open(self) -> list[tuple[int, int]]:
        """Return the cells and sides (0: lower, 1: upper bound) whose proven bound no population attains so far."""
        return [(place, side) for place in self.asked.tolist() for side in (0, 1) if not self._is_closed(place, side)]

    def _is_closed(self, place: int, side: int) -> bool:
        attained, proven = (self.points.low, self.low) if side == 0 else (self.points.high, self.high)
        return bool(attained[place] == proven[place])

    def _prove(self, place: int, low: int, high: int) -> None:
        self.low[place] = max(self.low[place], low)
        self.high[place] = min(self.high[place], high)

    def _reach(self, place: int, side: int, n_rounds: int, n_steps: int) -> None:
        interrupt.check()
        if self._is_closed(place, side) or self.deadline.is_over or self.points.counts is None:
            return
        self.points.reach(place, int((self.low, self.high)[side][place]), n_rounds, n_steps)

    def _solve_whole(self) -> None:
        """Close the gaps that are left by the whole programme: first its linear relaxation, then branch and bound."""
        if not self._open():
            return
        linear = LinearProgramme(self.programme.groups, self.programme.cells.n_cells, is_primal=True)
        programme = self.programme
        linear.set_bounds((programme.low, programme.high), (programme.least, programme.largest))
        searches = LAST_SEARCHES if programme.cells.n_cells > SMALL else ()
        for place, side in self._open():
            interrupt.check()
            if not self._is_closed(place, side) and not self.deadline.is_over:
                minimum = linear.minimum(self._cost(place, side), min(self.deadline.left, SECONDS_OF_ONE))
                self._improve(place, side, minimum)
                self._round_off(place, side, linear)
                for n_rounds, n_steps in searches:
                    self._reach(place, side, n_rounds, n_steps)
        self.n_linear += linear.n_solved
        for place, side in self._open() if programme.cells.n_cells <= MOST_BRANCHED else []:
            interrupt.check()
            if not self._is_closed(place, side) and not self.deadline.is_over:
                self._branch(place, side)

    def _round_off(self, place: int, side: int, linear: LinearProgramme) -> None:
        """Look near the solution of a linear programme, in which few cells are not whole, for one in whole numbers."""
        interrupt.check()
        if linear.solution is not None and self.points.counts is not None and not self._is_closed(place, side):
            count = int((self.low, self.high)[side][place])
            self.points.round_off(place, count, linear.solution, STEPS_FROM_LINEAR)

    def _cost(self, place: int, side: int) -> IntArray:
        cost = np.zeros(self.programme.cells.n_cells, dtype=np.int64)
        cost[self.programme.cells.overlap_groups[place]] = 1 - 2 * side
        return cost

    def _improve(self, place: int, side: int, minimum: int) -> None:
        if side == 0:
            self._prove(place, minimum, int(self.high[place]))
        else:
            self._prove(place, int(self.low[place]), -minimum)

    def _branch(self, place: int, side: int) -> None:
        found = branch(self.programme, self._cost(place, side), min(self.deadline.left, SECONDS_OF_ONE))
        self.n_branched += 1
        if found.is_infeasible and self.points.counts is None:
            raise contradiction_error(self.evidence)
        if found.counts is not None:
            self.points.add(found.counts)
        self._improve(place, side, found.bound)
