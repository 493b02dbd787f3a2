"""Walks along lines: intervals, reach and what is found, for every family."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.distances.parameter_set import FAR, ParameterSet
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.cover.search import CoverSearch
from linkrisk.learning.learn import learn
from linkrisk.learning.lines.walk import Walk
from linkrisk.learning.problem.problem import Problem, make_problem
from linkrisk.learning.search import Clock, Status
from linkrisk.linkage.search import nearest
from tests.learning.families import FAMILIES, noisy
from tests.oracle.along_lines import features_of_pairs, margin_of_record

NEAR = 1e-7

each_family = pytest.mark.parametrize("name", sorted(FAMILIES))


def make_walk(problem: Problem, seed: int = 0) -> Walk:
    """Return a walk through the parameters of a problem."""
    feasibility = Feasibility(problem.source, problem.parameters, is_nonnegative=problem.family.is_nonnegative)
    return Walk(problem, feasibility, np.random.default_rng(seed))


@pytest.mark.slow
@each_family
@given(seed=st.integers(0, 1000))
@settings(max_examples=15)
def test_intervals_are_where_records_are_linked(name: str, seed: int) -> None:
    """Between its ends a record's own point is the nearest by all features of all pairs, beyond them it is not."""
    family, comparison = FAMILIES[name], noisy(seed, 12, 3, 0.7)
    problem = make_problem(family, comparison)
    random = np.random.default_rng(seed)
    theta = problem.parameters.interior
    direction = problem.parameters.draw_direction(theta, random)
    low, high = problem.parameters.reach(theta, direction)
    first, last = problem.source.intervals(theta, direction)
    phi = features_of_pairs(family, comparison)
    for step in random.uniform(max(low, -3.0), min(high, 3.0), 8):
        point = theta + step * direction
        for place, record in enumerate(problem.records):
            margin = margin_of_record(phi, int(record), point, problem.tolerance)
            if abs(margin) > NEAR:
                assert (first[place] < step < last[place]) == (margin > 0.0)


@pytest.mark.slow
@each_family
@given(seed=st.integers(0, 1000))
@settings(max_examples=15)
def test_reach_ends_at_the_border(name: str, seed: int) -> None:
    """Up to its ends nothing leaves the admissible set, a little beyond something does."""
    problem = make_problem(FAMILIES[name], noisy(seed, 12, 3, 0.7))
    parameters = problem.parameters
    random = np.random.default_rng(seed)
    theta = make_walk(problem, seed).follow(make_walk(problem).count(parameters.interior)).theta
    direction = parameters.draw_direction(theta, random)

    def violation(point: np.ndarray) -> float:
        rows = np.concatenate([parameters.inequalities, parameters.cuts(point)])
        return float(-(rows @ point).min(initial=0.0)) / float(np.abs(point).max())

    for end in parameters.reach(theta, direction):
        if abs(end) < 0.5 * FAR:
            assert violation(theta + 0.999 * end * direction) <= NEAR
            beyond = end + np.sign(end) * max(0.01 * abs(end), 1e-5)
            assert violation(theta + beyond * direction) > 0.0
        else:
            assert violation(theta + 1e3 * np.sign(end) * direction) <= NEAR


@pytest.mark.parametrize("seed", range(3))
def test_reach_of_nonnegative_forms(seed: int) -> None:
    """Between its ends no pair has a negative distance, beyond them one has."""
    comparison = noisy(seed, 12, 3, 0.7)
    problem = make_problem(FAMILIES["bilinear"], comparison)
    theta = problem.parameters.interior
    direction = problem.parameters.draw_direction(theta, np.random.default_rng(seed))
    low, high = problem.source.reach(theta, direction)
    phi = features_of_pairs(problem.family, comparison)
    for end in (low, high):
        if abs(end) < 0.5 * FAR:
            assert (phi @ (theta + 0.99 * end * direction)).min() >= 0.0
            assert (phi @ (theta + 1.01 * end * direction)).min() < 0.0


@pytest.mark.slow
@each_family
@pytest.mark.parametrize("seed", range(2))
def test_walk_gains_and_stays_inside(name: str, seed: int) -> None:
    """A walk links no less than where it began, no more than the proven best, and what it says by the linkage, too."""
    family, comparison = FAMILIES[name], noisy(seed, 16, 3, 0.7)
    problem = make_problem(family, comparison)
    walk = make_walk(problem)
    start = walk.count(problem.parameters.interior)
    point = walk.improve(start.theta, Clock())
    learned = learn(family, comparison)
    assert learned.status is Status.OPTIMAL
    assert start.links <= point.links <= learned.links
    linkage = nearest(family.distance(point.theta, comparison))
    assert linkage.links() >= point.links


@pytest.mark.slow
def test_walk_finds_most_of_what_there_is() -> None:
    """On files of the size of the papers' a walk comes near the best measure."""
    family, comparison = FAMILIES["choquet"], noisy(3, 60, 3, 0.8)
    problem = make_problem(family, comparison)
    walk = make_walk(problem)
    start = walk.count(problem.parameters.interior)
    best = learn(family, comparison)
    assert best.status is Status.OPTIMAL
    assert start.links < best.links - 2
    assert walk.improve(start.theta, Clock()).links >= best.links - 2


def test_walk_heeds_the_clock() -> None:
    """With no time left a walk stays where it is."""
    problem = make_problem(FAMILIES["choquet"], noisy(3, 40, 3, 0.8))
    walk = make_walk(problem)
    start = walk.count(problem.parameters.interior)
    assert walk.improve(start.theta, Clock(0.0)).links == start.links


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_walk_from_a_flat_form_stays_semidefinite(seed: int) -> None:
    """Where it begins with eigenvalues of 0, as weights of 0 make them, it ends with a matrix that attacks."""
    family, comparison = FAMILIES["bilinear_psd"], noisy(seed, 30, 4, 0.8)
    problem = make_problem(family, comparison)
    start = np.zeros(10)
    start[[0, 4]] = 1.0, 1e-3
    point = make_walk(problem, seed).improve(start, Clock())
    assert not len(problem.parameters.cuts(point.theta))
    assert nearest(family.distance(point.theta, comparison)).links() >= point.links


def test_what_was_proven_stays_proven() -> None:
    """A search that is called again, and stopped before it has proven anything, keeps its bound and its tree."""
    problem = make_problem(FAMILIES["choquet"], noisy(3, 60, 3, 0.8))
    search = CoverSearch(problem, Feasibility(problem.source, problem.parameters), Clock(), max_cores=40)
    before = search.run()
    assert before.status is Status.UNSETTLED
    assert before.bound < problem.total
    search.clock, search.max_cores = Clock(0.0), math.inf
    after = search.run()
    assert after.status is Status.TIME_LIMIT
    assert after.bound == before.bound
    assert after.tree == before.tree


def test_cuts_that_never_end() -> None:
    """A user's set that answers with ever new inequalities gets no step instead of an endless search."""

    class Endless(ParameterSet):
        def cuts(self, theta: FloatArray) -> FloatArray:
            return np.random.default_rng().normal(size=(1, len(theta)))

    endless = Endless(np.eye(2), np.ones(2))
    assert endless.reach(np.ones(2), np.array([1.0, -1.0])) == (0.0, 0.0)
