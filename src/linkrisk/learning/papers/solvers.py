"""HiGHS and SCIP behind one function: a linear program in, values and a bound out, whatever stops them."""

from __future__ import annotations

import importlib
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import highspy
import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine import interrupt
from linkrisk.engine.highs import quiet_highs
from linkrisk.errors import SettingsError
from linkrisk.learning.papers.program import LinearProgram
from linkrisk.learning.search import Status

FEASIBILITY = 1e-7
"""By how much a solver may violate a row, a bound, or the wholeness of a number."""

POLL = 0.05
"""Seconds between two looks at whether Ctrl-C was pressed."""


class Solver(StrEnum):
    """A solver: HiGHS comes with linkrisk, SCIP with the extra ``linkrisk[scip]``."""

    HIGHS = "highs"
    SCIP = "scip"


@dataclass(frozen=True, eq=False)
class Solution:
    """What a solver says about a program: ``values`` of the columns (None if it found none), ``bound`` of the cost.

    ``seconds`` are those of the solver alone, handing the program over not counted; ``solver`` is its name and
    version.
    """

    values: FloatArray | None
    bound: float
    status: Status
    seconds: float
    solver: str


def solve(program: LinearProgram, solver: Solver | str = Solver.HIGHS, time_limit: float = math.inf) -> Solution:
    """Solve a linear program, until its optimum is proven, time is up, or Ctrl-C is pressed.

    HiGHS and SCIP can live in one process.

    >>> import numpy as np
    >>> from linkrisk.learning.papers.program import LinearProgram, sparse_rows
    >>> one, yes = np.ones(1), np.array([True])
    >>> program = LinearProgram(one, 0 * one, 9 * one, yes, sparse_rows(np.array([[2.0]])), 3 * one, 9 * one, ("x",),
    ...     ("r",))
    >>> solve(program).values.round().tolist()
    [2.0]
    """
    check_time_limit(time_limit)
    run = {Solver.HIGHS: _solve_highs, Solver.SCIP: _solve_scip}[check_solver(solver)]
    return run(program, time_limit)


def check_time_limit(time_limit: float) -> None:
    """Raise unless a time limit is a number of seconds."""
    if math.isnan(time_limit) or time_limit < 0.0:
        raise SettingsError("the time limit must be a number of seconds, 0 or more")


def check_solver(solver: Solver | str) -> Solver:
    """Return the solver of a name, which must be there."""
    if solver not in list(Solver):
        raise SettingsError(f"unknown solver {str(solver)!r}; the solvers are {', '.join(Solver)}")
    if solver == Solver.SCIP:
        _scip()
    return Solver(solver)


def _scip() -> Any:
    """Return PySCIPOpt, imported when first asked for."""
    try:
        return importlib.import_module("pyscipopt")
    except ImportError:
        raise SettingsError(
            "the solver scip needs PySCIPOpt, which is not installed; install linkrisk[scip], or use highs"
        ) from None


def _run(work: Callable[[], object], stop: Callable[[], object]) -> float:
    """Let a solver work in a thread of its own, stop it on Ctrl-C, and return the seconds it took.

    Solvers do not notice Ctrl-C while they work, so the main thread waits for it. What the solver has found when it is
    stopped is kept.
    """
    start = time.perf_counter()
    thread = threading.Thread(target=work, daemon=True)
    with interrupt.remembered():
        thread.start()
        while thread.is_alive():
            thread.join(POLL)
            if interrupt.is_pending():
                stop()
    return time.perf_counter() - start


def _solve_highs(program: LinearProgram, time_limit: float) -> Solution:
    highs = quiet_highs(
        time_limit=time_limit,
        primal_feasibility_tolerance=FEASIBILITY,
        mip_feasibility_tolerance=FEASIBILITY,
        mip_rel_gap=0.0,  # the default, 1e-4, is one link of ten thousand given up
    )
    highs.HandleUserInterrupt = True
    highs.passModel(highs_model(program))
    seconds = _run(highs.run, highs.cancelSolve)
    info = highs.getInfo()
    has_values = info.primal_solution_status == int(highspy.SolutionStatus.kSolutionStatusFeasible)
    is_mip = bool(program.is_integer.any())
    status = _highs_status(highs.getModelStatus())
    bound = info.mip_dual_bound if is_mip else info.objective_function_value
    return Solution(
        values=np.array(highs.getSolution().col_value) if has_values else None,
        bound=bound if is_mip or status is Status.OPTIMAL else -math.inf,
        status=status,
        seconds=seconds,
        solver=f"HiGHS {highs.version()}",
    )


def highs_model(program: LinearProgram) -> Any:
    """Return a program as highspy takes it."""
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.n_columns, program.n_rows
    model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.lower, program.upper
    model.row_lower_, model.row_upper_ = program.row_lower, program.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = program.n_columns, program.n_rows
    model.a_matrix_.start_ = program.matrix.indptr
    model.a_matrix_.index_ = program.matrix.indices
    model.a_matrix_.value_ = program.matrix.data
    if program.is_integer.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[int(is_integer)] for is_integer in program.is_integer]
    return model


def _highs_status(status: Any) -> Status:
    known = {
        highspy.HighsModelStatus.kOptimal: Status.OPTIMAL,
        highspy.HighsModelStatus.kTimeLimit: Status.TIME_LIMIT,
        highspy.HighsModelStatus.kInterrupt: Status.INTERRUPTED,
    }
    return known.get(status, Status.UNSETTLED)


def _solve_scip(program: LinearProgram, time_limit: float) -> Solution:
    model, variables = _scip_model(program)
    model.setParam("limits/time", min(time_limit, 1e20))
    model.setParam("numerics/feastol", FEASIBILITY)
    model.setParam("misc/catchctrlc", False)  # SCIP would take the signal away from Python
    seconds = _run(model.optimizeNogil, model.interruptSolve)
    has_values = model.getNSols() > 0
    known = {"optimal": Status.OPTIMAL, "timelimit": Status.TIME_LIMIT, "userinterrupt": Status.INTERRUPTED}
    best = model.getBestSol() if has_values else None
    return Solution(
        values=np.array([model.getSolVal(best, variable) for variable in variables]) if has_values else None,
        bound=_finite(float(model.getDualbound())),
        status=known.get(model.getStatus(), Status.UNSETTLED),
        seconds=seconds,
        solver=f"SCIP {model.getMajorVersion()}.{model.getMinorVersion()}.{model.getTechVersion()}",
    )


def _scip_model(program: LinearProgram) -> tuple[Any, list[Any]]:
    """Return a program as SCIP takes it, with its variables."""
    scip = _scip()
    model = scip.Model()
    model.hideOutput()
    kinds = np.where(program.is_integer, "I", "C").tolist()
    columns = zip(program.column_names, kinds, program.lower, program.upper, program.cost, strict=True)
    variables = [model.addVar(name, kind, _known(low), _known(high), cost) for name, kind, low, high, cost in columns]
    matrix = program.matrix
    for row, (low, high) in enumerate(zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)):
        entries = slice(matrix.indptr[row], matrix.indptr[row + 1])
        terms = zip(matrix.indices[entries].tolist(), matrix.data[entries].tolist(), strict=True)
        total = scip.quicksum(value * variables[column] for column, value in terms)
        model.addCons(scip.scip.ExprCons(total, _known(low), _known(high)))
    return model, variables


def _finite(bound: float) -> float:
    """Return a bound of SCIP, whose infinity is 1e20."""
    return bound if abs(bound) < 1e20 else math.copysign(math.inf, bound)


def _known(bound: float) -> float | None:
    """Return a bound, or None for one that is not there."""
    return float(bound) if math.isfinite(bound) else None
