"""EM that looks ahead: it ends where plain EM ends, never falls, and counts matches as the definition does."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.distances.probabilistic.acceleration import CHANGE, Extrapolation, Walk, accelerate
from linkrisk.distances.probabilistic.em import Problem, State
from linkrisk.distances.probabilistic.em_kernels import pool_levels
from linkrisk.distances.probabilistic.expectation import Expectation, LevelCodes
from linkrisk.distances.probabilistic.patterns import Patterns
from linkrisk.distances.probabilistic.starts import make_starts
from tests.distances.test_mixture import WEAK, U, counted, counted_by_record, draw_levels, make_levels, small_pairs
from tests.oracle import matching, pooling

SIZES = [2, 3, 4]
NEAR = 3e-3
"""How far from the end of plain EM a probability may be: all changes to come, as EM promises."""


def make_problem(
    seed: int, *, is_by_record: bool, is_monotone: bool, is_missing_level: bool = False, is_share_known: bool = False
) -> Problem:
    """Return 36 records of ten candidates."""
    patterns = counted_by_record([row for place in range(3) for row in small_pairs(3 * seed + place)])
    if not is_by_record:
        patterns = Patterns(patterns.levels, patterns.counts, patterns.n_records, patterns.n_all)
    more = {"is_missing_level": is_missing_level, "is_share_known": is_share_known}
    return Problem.of(patterns, make_levels(SIZES), 0.1, is_monotone=is_monotone, **more)


def started(problem: Problem, place: int) -> State:
    """Return a start after ten iterations, as EM itself goes on from there."""
    return problem.run([state for _, state in make_starts(problem, 0)][place], 10)


def run_plainly(problem: Problem, state: State, *, is_borrowing: bool = False, change: float = 1e-11) -> State:
    """Iterate without looking ahead, to a much tighter tolerance."""
    for _ in range(100_000):
        if is_borrowing:
            problem = problem.borrowing(state)
        after = problem.step(state)
        if state.change(after) <= change:
            return problem.valued(after)
        state = after
    raise AssertionError("plain EM did not settle")


@pytest.mark.slow
@given(st.integers(0, 5_000), st.integers(0, 4), *[st.booleans()] * 5)
@settings(max_examples=60, deadline=None)
def test_the_end_is_that_of_plain_iterations(
    seed: int,
    place: int,
    is_by_record: bool,
    is_monotone: bool,
    is_missing_level: bool,
    is_share_known: bool,
    is_borrowing: bool,
) -> None:
    """Where it says that it settled, plain EM goes nowhere from there; it fits as well as what plain EM comes to."""
    problem = make_problem(
        seed,
        is_by_record=is_by_record,
        is_monotone=is_monotone,
        is_missing_level=is_missing_level,
        is_share_known=is_share_known,
    )
    begun = started(problem, place)
    last, end = accelerate(problem, begun, 5_000, is_borrowing=is_borrowing)
    assert end.is_settled
    on = run_plainly(problem, end, is_borrowing=is_borrowing)
    assert float(np.abs(end.m - on.m).max()) <= NEAR
    assert float(np.abs(end.u - on.u).max()) <= NEAR
    if not is_borrowing:
        assert end.objective >= last.valued(on).objective - 0.05


@pytest.mark.slow
@given(st.integers(0, 5_000), st.integers(0, 4), *[st.booleans()] * 5)
@settings(max_examples=60, deadline=None)
def test_objective_never_falls_looking_ahead(
    seed: int,
    place: int,
    is_by_record: bool,
    is_monotone: bool,
    is_missing_level: bool,
    is_share_known: bool,
    is_borrowing: bool,
) -> None:
    """Guarantee of `accelerate`: from one state to the next, what is borrowed held fast; nor in what EM makes of it."""
    problem = make_problem(
        seed,
        is_by_record=is_by_record,
        is_monotone=is_monotone,
        is_missing_level=is_missing_level,
        is_share_known=is_share_known,
    )
    walk = Walk(problem, is_borrowing)
    visit = walk.visit(started(problem, place))
    for _ in range(30):
        ahead = walk.ahead(visit)
        least = visit.here.objective - 1e-9 * abs(visit.here.objective)
        assert visit.problem.valued(visit.after).objective >= least
        following = walk.visit(visit.after) if ahead is None else walk.to(visit, ahead)
        assert visit.problem.rated(following.here).objective >= least
        visit = following


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_by_record", [True, False])
def test_the_end_is_that_by_the_book(seed: int, is_by_record: bool) -> None:
    """A thousand iterations on all pairs, by definition, from the same start: the same probabilities."""
    pairs = small_pairs(seed)
    patterns = counted_by_record(pairs)
    if not is_by_record:
        patterns = Patterns(patterns.levels, patterns.counts, patterns.n_records, patterns.n_all)
    problem = Problem.of(patterns, make_levels(SIZES), 0.1, is_monotone=False)
    _, state = next(make_starts(problem, 0))
    _, end = accelerate(problem, state, 5_000)
    tables = [[values[k, :n].tolist() for k, n in enumerate(SIZES)] for values in (state.m, state.u)]
    chances = matching.chances_by_record if is_by_record else matching.chances_by_pair
    slow = matching.em(pairs, matching.Classes(tables[0], tables[1], state.share), chances, 0.1, 1_000)
    assert end.is_settled
    for k, n in enumerate(SIZES):
        assert end.m[k, :n] == pytest.approx(np.array(slow.m[k]), abs=NEAR)
        assert end.u[k, :n] == pytest.approx(np.array(slow.u[k]), abs=NEAR)


def slow_problem() -> tuple[Problem, State]:
    """Return classes that are hardly told apart, pair by pair, and a start."""
    rng = np.random.default_rng(1)
    levels = np.vstack([draw_levels(rng, WEAK, 300), draw_levels(rng, U, 2700)])
    problem = Problem.of(counted(levels, 3000), make_levels([2, 3, 4, 2]), 0.5)
    return problem, started(problem, 0)


def test_far_fewer_iterations() -> None:
    """It settles in less than a third of the iterations that plain EM needs to come as near."""
    problem, state = slow_problem()
    _, end = accelerate(problem, state, 5_000)
    n_plain, other = 0, state
    while float(np.abs(other.m - end.m).max()) > NEAR and n_plain < 5_000:
        other, n_plain = problem.step(other), n_plain + 1
    assert end.is_settled
    assert 3 * (end.iterations - state.iterations) < n_plain < 5_000


def test_iterations_are_counted_and_limited() -> None:
    """Each time the files are gone through counts, in vain or not, and there are no more than allowed."""
    problem, state = slow_problem()
    for most in range(12):
        _, end = accelerate(problem, state, most)
        assert end.iterations == state.iterations + most
        assert not end.is_settled


MOST_DEPENDENT = 100.0
"""Condition of the steps beyond which what lies ahead is not seen."""


@given(st.integers(0, 10_000), st.integers(1, 5))
@settings(max_examples=50, deadline=None)
def test_fixed_points_of_linear_maps_are_seen(seed: int, size: int) -> None:
    """As many steps as there are dimensions, and one, tell where x -> A x + b comes to, whatever the weights.

    Unless the steps are nearly dependent: what is then looked for is the least of several.
    """
    rng = np.random.default_rng(seed)
    turned, _ = np.linalg.qr(rng.normal(size=(size, size)))
    matrix = turned @ np.diag(rng.uniform(0.1, 0.95, size)) @ turned.T
    goal, x = rng.normal(size=size), rng.normal(size=size)
    steps = Extrapolation()
    assert steps.ahead(np.ones(size)) is None
    moves = []
    for _ in range(size + 1):
        x = goal + rng.normal(size=size)
        steps.add(x, goal + matrix @ (x - goal))
        moves.append(matrix @ (x - goal) - (x - goal))
    assume(np.linalg.cond(np.diff(moves, axis=0)) < MOST_DEPENDENT)
    found = steps.ahead(rng.uniform(0.5, 2.0, size))
    assert found is not None
    assert np.linalg.norm(found - goal) < 0.05 * np.linalg.norm(x - goal)
    steps.forget()
    assert steps.ahead(np.ones(size)) is None


@given(st.integers(0, 10_000), st.booleans(), st.booleans())
@settings(max_examples=50, deadline=None)
def test_expected_matches_are_those_of_the_patterns(seed: int, is_by_record: bool, is_large: bool) -> None:
    """Added up code by code, by products or, where these could overflow, by logarithms: as pattern by pattern."""
    rng = np.random.default_rng(seed)
    pairs = [[tuple(int(x) for x in row) for row in draw_levels(rng, U, 9)] for _ in range(7)]
    patterns = counted_by_record(pairs)
    if not is_by_record:
        patterns = Patterns(patterns.levels, patterns.counts, patterns.n_records, patterns.n_all)
    log_ratio = rng.normal(size=(4, 6)) * (250.0 if is_large else 1.0)
    with patch("linkrisk.distances.probabilistic.expectation.MOST_CODES", int(rng.integers(1, 20))):
        codes = LevelCodes.of(patterns.levels, np.arange(len(patterns.counts), dtype=np.int32))
        expectation = Expectation.of(patterns)
    matches = expectation.matches_of_patterns(log_ratio, 0.05)
    found = expectation.expect(log_ratio, 0.05)
    slow = np.array([np.bincount(column, weights=matches, minlength=6) for column in patterns.levels.T])
    assert found.matched == pytest.approx(slow, rel=1e-9, abs=1e-12)
    assert found.matches == pytest.approx(matches.sum(), rel=1e-9)
    pairs_at = np.array([np.bincount(column, weights=patterns.counts, minlength=6) for column in patterns.levels.T])
    assert expectation.totals(6).tolist() == pairs_at.tolist()
    table = codes.table(log_ratio)
    sums = log_ratio[np.arange(4), patterns.levels].sum(axis=1)
    assert table[codes.codes].sum(axis=1) == pytest.approx(sums, rel=1e-9, abs=1e-9)


def test_settled_means_little_change() -> None:
    """The last iteration changes nothing by more than promised."""
    problem = make_problem(2, is_by_record=True, is_monotone=True)
    last, end = accelerate(problem, started(problem, 1), 5_000, is_borrowing=True)
    assert end.change(last.step(end)) <= CHANGE


@pytest.mark.slow
def test_many_attributes_have_longer_codes() -> None:
    """More combinations than 16 bits can tell: matches are those of the patterns all the same."""
    rng = np.random.default_rng(0)
    levels = np.vstack([np.full(240, 9), rng.integers(0, 10, size=(5, 240))]).astype(np.uint8)
    patterns = Patterns(levels, np.array([3, 1, 1, 2, 1, 1]), 9, 9)
    expectation = Expectation.of(patterns)
    assert expectation.codes.codes.dtype == np.uint32
    log_ratio = 0.01 * rng.normal(size=(240, 12))
    matches = expectation.matches_of_patterns(log_ratio, 0.05)
    slow = np.array([np.bincount(column, weights=matches, minlength=12) for column in levels.T])
    assert expectation.expect(log_ratio, 0.05).matched == pytest.approx(slow, rel=1e-9, abs=1e-12)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 4), width=st.integers(1, 8), is_whole=st.booleans())
def test_levels_are_pooled_as_by_the_twin(seed: int, n: int, width: int, is_whole: bool) -> None:
    """Those in use, up to the last that has a place in the order; the others stay, and so do sums of both classes."""
    random = np.random.default_rng(seed)
    among, others = random.random((2, n, width)) * 10.0 ** random.integers(-8, 8, size=(2, n, width))
    if is_whole:
        among, others = random.integers(1, 4, size=(2, n, width)).astype(np.float64)
    is_used, n_graded = random.random((n, width)) < 0.7, random.integers(0, width + 1, n)
    found = among.copy(), others.copy()
    pool_levels(*found, is_used, n_graded)
    for k in range(n):
        seen = np.flatnonzero(is_used[k, : n_graded[k]])
        expected = pooling.in_order(among[k, seen].tolist(), others[k, seen].tolist())
        for got, before, wanted in zip(found, (among, others), expected, strict=True):
            assert got[k, seen] == pytest.approx(wanted, rel=1e-9, abs=0.0)
            np.testing.assert_array_equal(np.delete(got[k], seen), np.delete(before[k], seen))
        assert found[0][k] + found[1][k] == pytest.approx(among[k] + others[k])
