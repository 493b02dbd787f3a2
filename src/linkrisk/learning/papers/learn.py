"""The papers' second approach from end to end: model, solver, recount."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.learning.papers.milp import MARGIN, BigM, Milp, make_milp
from linkrisk.learning.papers.recount import recount
from linkrisk.learning.papers.solvers import Solution, Solver, check_solver, check_time_limit, solve
from linkrisk.learning.search import Status
from linkrisk.linkage.ties import Ties

SLACK = 1e-6
"""Slack of a solver's bound before it is rounded to whole links."""


@dataclass(frozen=True, eq=False, repr=False)
class MilpResult:
    """What a solver made of the papers' second approach.

    links
        Links made by the parameters found, counted by the linkage of the package.
    claimed
        Links the solver says they make. More than ``links`` if its tolerance misled it, or if its matrix had to be
        repaired (bilinear_higham); fewer if records are linked by less than the margin.
    bound
        Links the model cannot exceed, by the solver's word: parameters that link with less than the margin are
        beyond it, and so is rounding. It is no proof.
    status
        How the solver ended; "optimal" speaks of the model, too.
    seconds
        Time of the solver alone.
    solver
        Its name and version.
    """

    name: str
    links: float
    claimed: float
    bound: float
    status: Status
    seconds: float
    solver: str
    big_m: BigM
    margin: float
    theta: FloatArray

    @property
    def is_confirmed(self) -> bool:
        """Whether the parameters make at least the links the solver claims."""
        return self.links >= self.claimed - SLACK

    def __str__(self) -> str:
        doubt = "" if self.is_confirmed else "; these parameters do not make the links claimed, use a larger margin"
        return (
            f"{self.name} by {self.solver}, {self.big_m} big-M, margin {self.margin:g}: {self.links:g} links "
            f"(claimed {self.claimed:g}, at most {self.bound:g}), {self.status}, {self.seconds:.2f} s{doubt}"
        )

    __repr__ = __str__


def minimise_wrong_links(
    family: Family,
    comparison: Comparison,
    *,
    solver: Solver | str = Solver.HIGHS,
    big_m: BigM | str = BigM.TIGHT,
    margin: float = MARGIN,
    ties: Ties | str = Ties.UNIQUE,
    time_limit: float = math.inf,
) -> MilpResult:
    """Learn the parameters of a family by the papers' MILP, through HiGHS or SCIP.

    The alternative to the exact learner, for comparison; see `linkrisk.learning.papers.milp.make_milp` for the model
    and its parameters. Cost: exponential in the worst case; some seconds to days on 400 records.

    >>> import numpy as np
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> files = pair_files(np.array([[0.0, 1], [1, 5], [2, 3]]), np.array([[2.0, 1], [1, 4], [0, 3]]))
    >>> result = minimise_wrong_links(WeightedMeanFamily(), make_comparison(files))
    >>> result.links, result.claimed, result.bound, str(result.status)
    (3, 3.0, 3.0, 'optimal')
    """
    check_solver(solver)
    check_time_limit(time_limit)
    model = make_milp(family, comparison, big_m=big_m, margin=margin, ties=ties)
    return solve_milp(model, solver, time_limit)


def solve_milp(model: Milp, solver: Solver | str = Solver.HIGHS, time_limit: float = math.inf) -> MilpResult:
    """Solve a model and recount what its parameters link."""
    solution = solve(model.program, solver, time_limit)
    values = solution.values
    n_parameters = model.parameters.n_parameters
    found = recount(model, model.parameters.interior if values is None else values[:n_parameters])
    return MilpResult(
        name=model.family.name,
        links=found.links,
        claimed=0.0 if values is None else claimed_links(model, values[n_parameters:]),
        bound=_links_bound(model, solution),
        status=solution.status,
        seconds=solution.seconds,
        solver=solution.solver,
        big_m=BigM.TIGHT if model.is_reduced else BigM.SINGLE,
        margin=model.margin,
        theta=found.theta,
    )


def claimed_links(model: Milp, given_up: FloatArray) -> float:
    """Weight of the records a solver does not give up."""
    return math.fsum(model.weight[np.asarray(given_up) < 0.5].tolist())


def _links_bound(model: Milp, solution: Solution) -> float:
    """Turn a bound of the weight given up into one of the links made."""
    left = model.total - max(solution.bound, 0.0)
    return float(math.floor(left + SLACK)) if model.is_counting else left
