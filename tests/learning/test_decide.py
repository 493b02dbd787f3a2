"""Which records can be linked at once, decided without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.learn import learn
from linkrisk.learning.problem.problem import Problem, make_problem
from linkrisk.learning.proof.decide import ExactFeasibility
from linkrisk.learning.proof.margins import ExactTheta, Margins
from linkrisk.learning.proof.semidefinite import proposals
from linkrisk.learning.search import Clock, Status
from linkrisk.linkage.ties import Ties
from tests.learning.families import FAMILIES
from tests.oracle.judge import Case
from tests.oracle.judge.rows import make_rows

JUDGED = ["weighted_mean", "owa", "choquet", "choquet_metric", "bilinear_free", "bilinear", "bilinear_psd"]


def small_problem(name: str, seed: int, ties: Ties, tolerance: float | None) -> tuple[Problem, Case]:
    """Return a problem of few records in whole numbers, which has many ties, and the judge's view of it."""
    random = np.random.default_rng(seed)
    x = random.integers(-4, 5, (int(random.integers(3, 7)), int(random.integers(1, 4)))).astype(float)
    y = x + random.integers(-2, 3, x.shape)
    comparison = make_comparison(pair_files(x, y))
    problem = make_problem(FAMILIES[name], comparison, ties, tolerance=tolerance)
    values = comparison.coordinates
    case = Case(
        name,
        values.original.tolist(),
        values.protected.tolist(),
        values.own.tolist(),
        str(ties),
        Fraction(problem.tolerance),
    )
    return problem, case


@pytest.mark.slow
@pytest.mark.parametrize("name", JUDGED)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), ties=st.sampled_from(list(Ties)), margin=st.sampled_from([None, 0.75]))
def test_answers_are_those_of_the_judge(name: str, seed: int, ties: Ties, margin: float | None) -> None:
    """Guarantee 4.7: parameters are admissible and link all records asked for; a core cannot be linked."""
    problem, case = small_problem(name, seed, ties, None if name == "bilinear_free" else margin)
    margins = Margins(problem)
    feasibility = Feasibility(problem.source, problem.parameters, is_nonnegative=problem.family.is_nonnegative)
    decider = ExactFeasibility(margins, feasibility)
    judged = make_rows(case)
    random = np.random.default_rng(seed)
    for share in (0.3, 0.6, 1.0):
        chosen = random.random(len(problem.records)) < share
        found = decider.decide(chosen, Clock())
        if isinstance(found, ExactTheta):
            assert case.is_admissible(found.wholes)
            assert set(problem.records[chosen].tolist()) <= set(case.linked(found.wholes))
        else:
            assert isinstance(found, Core)
            people = sorted({int(problem.records[i]) for i in found.members})
            theta, core = judged.link(people)
            assert theta is None
            assert core is not None or name == "bilinear_psd"  # the judge leaves some matrices open
            assert set(found.members) <= set(np.flatnonzero(chosen).tolist())


@pytest.mark.parametrize("name", JUDGED)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_margins_lie_within_their_errors(name: str, seed: int) -> None:
    """Guarantee 9.4: what is computed differs from the exact number by less than is said."""
    problem, _ = small_problem(name, seed, Ties.UNIQUE, None)
    margins = Margins(problem)
    interior = problem.parameters.interior
    theta = ExactTheta.of(interior / np.abs(interior).max())
    for place in range(len(problem.records)):
        points, values, errors, _ = margins.of(place, theta.floats)
        largest = max(map(abs, theta.wholes))
        for point, value, error in zip(points.tolist(), values.tolist(), errors.tolist(), strict=True):
            exact = margins.exact(place, point, theta) * margins.rows.unit / largest
            assert abs(Fraction(value) - exact) <= Fraction(error)
            assert error <= 1e-10 * (1.0 + abs(value))  # some hundred roundings of numbers near 1


def test_a_question_stops_with_its_clock() -> None:
    """No answer is given once the time is over."""
    problem, _ = small_problem("bilinear", 1, Ties.UNIQUE, None)
    margins = Margins(problem)
    everybody = np.ones(len(problem.records), dtype=bool)
    assert not margins.linked(ExactTheta.of(problem.parameters.interior)).all()
    decider = ExactFeasibility(margins, Feasibility(problem.source, problem.parameters, is_nonnegative=True))
    assert decider.decide(everybody, Clock(-1.0)) is None
    assert decider.decide(everybody, Clock()) is not None


def test_matrices_on_the_border() -> None:
    """Two rows that only cancel each other exactly: a mixture is proposed that vanishes where it must."""
    rows = [[1, 0, 0, -1, 0, 0], [-1, 0, 0, 1, 0, 0]]
    assert any(
        found.multipliers is not None and found.multipliers[0] == found.multipliers[1] for found in proposals(rows, 3)
    )
    rows = [[1, 0, -2], [-1, 0, 3]]
    theta = next(found.theta for found in proposals(rows, 2) if found.theta is not None)
    assert all(sum(a * b for a, b in zip(row, theta, strict=True)) > 0 for row in rows)


def test_a_row_of_zeros_is_a_core_of_its_own() -> None:
    """With a margin of three quarters, an own distance that is exactly a quarter of another's leaves a row of zeros."""
    original = np.array([1.0, 1.0, 2.0, 2.0, -2.0, 1.0, -2.0, -2.0])[:, None]
    protected = np.array([-1.0, 3.0, 2.0])[:, None]
    files = pair_files(original, protected, pairs=[(1, 1), (3, 2), (6, 3)])
    learned = learn(WeightedMeanFamily(1e-4), make_comparison(files, "original"), margin=0.75)
    assert (learned.links, learned.bound, learned.status) == (0.0, 0.0, Status.OPTIMAL)
