"""Line search: what it counts is linked, and on a line it misses nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.learning.lines.kernels import deepest_step, fill_ends, fill_intervals
from linkrisk.learning.lines.search import search_along_lines
from linkrisk.learning.search import Clock
from tests.learning.instances import draw_cloud, draw_records, draw_weights, make_rows
from tests.oracle.cones import most_linked, weight_linked

seeds = st.integers(min_value=0, max_value=2**32 - 1)


@pytest.mark.slow
@given(seeds, st.sampled_from([2, 3, 5]), st.booleans())
def test_links_are_made_exactly(seed: int, n: int, has_tolerance: bool) -> None:
    """Guarantee: theta links what is returned, in rationals."""
    random = np.random.default_rng(seed)
    records = draw_records(random, n, 10, has_tolerance=has_tolerance)
    weights = draw_weights(random, len(records))
    point = search_along_lines(make_rows(records, weights), seed=seed, n_directions=20)
    theta = tuple(Fraction(x) for x in point.theta.tolist())
    linked = weight_linked(theta, [record.tolist() for record in records], weights.tolist())
    assert point.theta.max() == 1.0
    assert point.theta.min() >= 0.0
    assert linked >= Fraction(point.links) - Fraction(1, 10**12)


@pytest.mark.slow
@given(seeds, st.booleans())
def test_two_parameters_are_one_line(seed: int, has_tolerance: bool) -> None:
    """With two parameters a line holds all there is: the optimum is found, unless its cell is as thin as a tie."""
    random = np.random.default_rng(seed)
    records = draw_records(random, 2, 12, has_tolerance=has_tolerance)
    weights = draw_weights(random, len(records))
    point = search_along_lines(make_rows(records, weights), seed=seed, n_directions=60)
    best = most_linked([record.tolist() for record in records], weights.tolist())
    assert abs(Fraction(point.links) - best) < Fraction(1, 10**9)


@given(seeds)
def test_deepest_step_is_that_of_all_steps(seed: int) -> None:
    """No step between two ends of intervals links more."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 4, size=8)
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    at, along = (random.integers(-3, 4, size=start[-1]).astype(float) for _ in range(2))
    weight = draw_weights(random, 8)
    intervals, owner = np.empty((2, 8)), np.empty(8, np.int64)
    first, last = np.empty(len(at)), np.empty(len(at))
    fill_ends(at, along, first, last)
    found = fill_intervals(start, first, last, -4.0, 4.0, intervals, owner)
    step, depth = deepest_step(intervals, owner, found, weight)

    def linked(s: float) -> float:
        return sum(float(weight[r]) for r in range(8) if (at + s * along > 0)[start[r] : start[r + 1]].all())

    ends = sorted({-4.0, 4.0, *intervals[:, :found].ravel().tolist()})
    best = max(linked((a + b) / 2) for a, b in pairwise(ends))
    assert abs(depth - best) < 1e-9
    assert found == 0 or abs(linked(step) - best) < 1e-9


def test_same_seed_same_answer() -> None:
    """Directions are drawn from the seed alone."""
    rows = draw_cloud(2, 60, 4, 0.7)
    first, second = (search_along_lines(rows, seed=3) for _ in range(2))
    assert np.array_equal(first.theta, second.theta)
    assert first.links == second.links


def test_no_time_leaves_the_start() -> None:
    """A search without time returns where it was told to start, and counts it."""
    rows = draw_cloud(2, 60, 4, 0.7)
    point = search_along_lines(rows, theta=np.array([2.0, 1.0, 1.0, 0.0]), clock=Clock(0.0))
    assert point.theta.tolist() == [1.0, 0.5, 0.5, 0.0]
