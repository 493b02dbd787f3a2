"""Approach 1 of the papers: minimise the sum of errors, a linear program."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.errors import ParameterError
from linkrisk.learning.papers.pairs import AllPairs
from linkrisk.learning.papers.program import LinearProgram, beside, sparse_rows, stack
from linkrisk.learning.papers.recount import HAIR, count_links
from linkrisk.learning.papers.solvers import Solver, check_solver, check_time_limit, solve
from linkrisk.learning.search import Status
from linkrisk.linkage.ties import Ties


@dataclass(frozen=True, eq=False, repr=False)
class ErrorsResult:
    """What the papers' first approach found.

    ``links`` are counted by the linkage of the package; ``errors`` is the least sum of errors, which says little
    about them. ``status`` is the solver's word about the sum of errors.
    """

    name: str
    links: float
    errors: float
    status: Status
    seconds: float
    solver: str
    theta: FloatArray

    def __str__(self) -> str:
        return (
            f"{self.name} by least errors, {self.solver}: {self.links:g} links, sum of errors {self.errors:g}, "
            f"{self.status}, {self.seconds:.2f} s"
        )

    __repr__ = __str__


def minimise_errors(
    family: Family,
    comparison: Comparison,
    *,
    solver: Solver | str = Solver.HIGHS,
    ties: Ties | str = Ties.UNIQUE,
    time_limit: float = math.inf,
) -> ErrorsResult:
    """Learn the weights of a weighted mean or an OWA by the papers' first approach.

    Minimise the sum of Y_ij where p . (phi(i, j) - phi(i, i)) + Y_ij >= 0 and Y_ij >= 0 for all i and j != i,
    p >= 0, sum p = 1: problem (3) of torra2010-owa.txt, its strict inequalities closed (their infimum is the
    same). One rival that is hardly nearer loses a record, so a small sum may come with few links: the paper found
    fewer than the plain mean makes. Ties are no error; under ``class`` and ``expected`` twins have no row.
    Cost: some seconds for 400 records and 7 attributes.

    >>> import numpy as np
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> from linkrisk.data import pair_files
    >>> files = pair_files(np.array([[0.0, 1], [1, 5], [2, 3]]), np.array([[2.0, 1], [1, 4], [0, 3]]))
    >>> minimise_errors(WeightedMeanFamily(), make_comparison(files)).links
    3
    """
    check_solver(solver)
    check_time_limit(time_limit)
    program = errors_program(family, comparison, ties)
    solution = solve(program, solver, time_limit)
    n_weights = comparison.n_attributes
    weights = np.full(n_weights, 1.0 / n_weights) if solution.values is None else solution.values[:n_weights]
    found = count_links(family, comparison, weights, ties)
    return ErrorsResult(
        name=family.name,
        links=found.links,
        errors=math.inf if solution.values is None else math.fsum(solution.values[n_weights:].tolist()),
        status=solution.status,
        seconds=solution.seconds,
        solver=solution.solver,
        theta=found.theta,
    )


def errors_program(family: Family, comparison: Comparison, ties: Ties | str = Ties.UNIQUE) -> LinearProgram:
    """Write down the papers' first approach: columns theta_<k> and error_<record>_<protected record>.

    Rows are not scaled, for an error is a difference of distances. A pair no nearer on any feature has no error,
    whatever the weights, and is left out.
    """
    if family.floor is None:
        raise ParameterError(
            f"{family.name}: the papers minimise errors for weighted_mean and owa only; minimise wrong links instead"
        )
    family.parameter_set(comparison.n_attributes)  # raises if the floor leaves nothing to learn
    floor = family.floor + HAIR if family.floor > 0.0 else 0.0
    rows, names = _error_rows(AllPairs.of(family, comparison), Ties(ties))
    n_errors, n_weights = rows.shape
    total = beside(sparse_rows(np.ones((1, n_weights))), sparse.csr_array((1, n_errors)))
    return LinearProgram(
        cost=np.concatenate([np.zeros(n_weights), np.ones(n_errors)]),
        lower=np.concatenate([np.full(n_weights, floor), np.zeros(n_errors)]),
        upper=np.concatenate([np.ones(n_weights), np.full(n_errors, np.inf)]),
        is_integer=np.zeros(n_weights + n_errors, dtype=bool),
        matrix=stack([beside(sparse_rows(rows), sparse.eye_array(n_errors)), total], 0),
        row_lower=np.concatenate([np.zeros(n_errors), [1.0]]),
        row_upper=np.concatenate([np.full(n_errors, np.inf), [1.0]]),
        column_names=(*(f"theta_{k}" for k in range(n_weights)), *(f"error_{name}" for name in names)),
        row_names=(*(f"nearer_{name}" for name in names), "normal"),
    )


def _error_rows(pairs: AllPairs, ties: Ties) -> tuple[FloatArray, list[str]]:
    """Return phi(i, j) - phi(i, i) of all pairs that may be in error, and their names <i>_<j>."""
    rows = [np.zeros((0, pairs.comparison.n_attributes))]
    names: list[str] = []
    for i in pairs.records.tolist():
        phi = pairs.features(i)
        is_rival, _ = pairs.rivals(i, ties)
        differences = phi - phi[pairs.own[i]]
        chosen = np.flatnonzero(is_rival & (differences < 0.0).any(axis=1))
        rows.append(differences[chosen])
        names += [f"{i}_{j}" for j in chosen.tolist()]
    return np.concatenate(rows), names
