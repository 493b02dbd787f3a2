"""Linear and integer programmes over sums of cells, solved by HiGHS; each solution starts from the one before."""

from __future__ import annotations

import time
from typing import Any

import highspy
import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.highs import quiet_highs
from linkrisk.tables.bounds.cells import CellGroups
from linkrisk.tables.bounds.dual_bound import proven_minimum
from linkrisk.tables.bounds.programme import Programme

Bounds = tuple[IntArray, IntArray]

GAP = 1.0 - 1e-6
"""Absolute gap of branch and bound: costs are whole numbers, so a solution less than 1 above the bound is optimal."""


class LinearProgramme:
    """A linear programme on sums of cells; costs and bounds change, and each solution starts from the last basis.

    ``solution`` holds the last values of the cells; None where the solver did not find it in time.
    """

    def __init__(self, groups: CellGroups, n_cells: int, *, is_primal: bool = False) -> None:
        self.groups = groups
        self.n_cells = n_cells
        self.n_solved = 0
        self.solution: FloatArray | None = None
        self._columns = np.arange(n_cells, dtype=np.int32)
        self._rows = np.arange(len(groups), dtype=np.int32)
        self._highs = _model(groups, n_cells)
        self._highs.setOptionValue("presolve", "off")
        if is_primal:  # where only costs change, the last basis is feasible
            self._highs.setOptionValue("simplex_strategy", 4)

    def set_bounds(self, rows: Bounds, cells: Bounds) -> None:
        """Set the least and the largest values of the sums and of the cells."""
        self._bounds = (rows, cells)
        _set_bounds(self._highs, self._rows, self._columns, rows, cells)

    def minimum(self, cost: IntArray, seconds: float = float("inf")) -> int:
        """Return a proven lower bound of the cost: the optimum, rounded up, if the solver found it in time.

        The solver only supplies the multipliers; see `proven_minimum`.
        """
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(seconds, 0.01))
        self._highs.changeColsCost(self.n_cells, self._columns, cost.astype(np.float64))
        self._highs.run()
        self.n_solved += 1
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            multipliers, self.solution = np.zeros(len(self.groups)), None
            self._highs.clearSolver()
        else:
            found = self._highs.getSolution()
            multipliers, self.solution = np.array(found.row_dual), np.array(found.col_value)
        return proven_minimum(cost, multipliers, self.groups, *self._bounds)

    def is_infeasible(self, seconds: float) -> bool:
        """Tell whether the solver finds that no numbers, whole or not, satisfy all bounds."""
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(seconds, 0.01))
        self._highs.changeColsCost(self.n_cells, self._columns, np.zeros(self.n_cells))
        self._highs.setOptionValue("presolve", "on")
        self._highs.run()
        self.n_solved += 1
        return bool(self._highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible)


class Branched:
    """The result of branch and bound: a solution in whole numbers or None, a lower bound, and whether none exists."""

    def __init__(self, counts: IntArray | None, bound: int, *, is_infeasible: bool) -> None:
        self.counts = counts
        self.bound = bound
        self.is_infeasible = is_infeasible


def branch(programme: Programme, cost: IntArray, seconds: float) -> Branched:
    """Minimise a cost over the solutions of a programme in whole numbers, by HiGHS.

    The bound rests on the floating point of HiGHS; all numbers are small and whole, and the bound is rounded with a
    margin of 1e-6. A solution is rounded and then checked in whole numbers.
    """
    highs = _model(programme.groups, len(cost))
    columns, rows = (np.arange(n, dtype=np.int32) for n in (len(cost), programme.n_rows))
    _set_bounds(highs, rows, columns, (programme.low, programme.high), (programme.least, programme.largest))
    highs.changeColsCost(len(cost), columns, cost.astype(np.float64))
    highs.changeColsIntegrality(len(cost), columns, np.full(len(cost), highspy.HighsVarType.kInteger))
    for option, value in (("time_limit", max(seconds, 0.01)), ("mip_rel_gap", 0.0), ("mip_abs_gap", GAP)):
        highs.setOptionValue(option, value)
    highs.run()
    is_infeasible = highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible
    trivial = int(np.where(cost > 0, cost * programme.least, cost * programme.largest).sum())
    dual = highs.getInfo().mip_dual_bound
    bound = max(trivial, int(np.ceil(dual - 1e-6))) if np.isfinite(dual) and not is_infeasible else trivial
    values = np.array(highs.getSolution().col_value)
    counts = np.rint(values).astype(np.int64) if len(values) == len(cost) else None
    if counts is not None and not programme.cells.is_consistent(counts):
        counts = None
    return Branched(counts, bound, is_infeasible=bool(is_infeasible))


class Deadline:
    """A point in time, given by the seconds until then."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left, 0 or more."""
        return max(0.0, self._end - time.monotonic())

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left <= 0.0


def _model(groups: CellGroups, n_cells: int) -> Any:
    highs = quiet_highs(parallel="off")
    highs.addVars(n_cells, np.zeros(n_cells), np.zeros(n_cells))
    nothing = np.zeros(len(groups))
    starts, members = (values.astype(np.int32) for values in (groups.starts[:-1], groups.members))
    highs.addRows(len(groups), nothing, nothing, len(members), starts, members, np.ones(len(members)))
    return highs


def _set_bounds(highs: Any, rows: Any, columns: Any, row_bounds: Bounds, cell_bounds: Bounds) -> None:
    highs.changeRowsBounds(len(rows), rows, *(values.astype(np.float64) for values in row_bounds))
    highs.changeColsBounds(len(columns), columns, *(values.astype(np.float64) for values in cell_bounds))
