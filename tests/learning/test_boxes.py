"""Box search: the optimum, and only the optimum, is called optimal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.learning.boxes.search import BoxResult, search_boxes
from linkrisk.learning.boxes.tree import BoxTree
from linkrisk.learning.lines.search import search_along_lines
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Clock, State, Status
from tests.learning.instances import draw_cloud, draw_records, draw_weights, make_rows, owner_of_rows
from tests.oracle.box_tree import WrongTreeError, most_linkable
from tests.oracle.cones import most_linked, weight_linked

seeds = st.integers(min_value=0, max_value=2**32 - 1)


def solve(rows: Rows, *, n_directions: int = 0, limit: float = 60.0, **settings: object) -> BoxResult:
    """Search boxes from a poor incumbent, to leave them something to find."""
    point = search_along_lines(rows, n_directions=n_directions)
    return search_boxes(rows, incumbent_theta=point.theta, incumbent_links=point.links, clock=Clock(limit), **settings)  # type: ignore[arg-type]


def exact_links(rows: Rows, theta: FloatArray) -> Fraction:
    """Weight that theta links, in rationals."""
    records = [rows.values[a:b].tolist() for a, b in zip(rows.start[:-1], rows.start[1:], strict=True)]
    return weight_linked(tuple(Fraction(x) for x in theta.tolist()), records, rows.weight.tolist())


def checked(result: BoxResult, rows: Rows) -> Fraction:
    """Return what the tree proves, by the slow checker."""
    assert result.tree is not None
    return most_linkable(result.tree, rows.values.tolist(), owner_of_rows(rows), rows.weight.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("has_tolerance", [True, False])
@pytest.mark.parametrize(("n", "count", "max_records"), [(2, 200, 12), (3, 30, 6)])
def test_optimum_of_few_parameters(n: int, count: int, max_records: int, has_tolerance: bool) -> None:
    """Search agrees with trying a point in every cell, whatever coincides."""
    random = np.random.default_rng(n)
    for number in range(count):
        records = draw_records(random, n, max_records, has_tolerance=has_tolerance)
        weights = draw_weights(random, len(records)) if number % 3 == 0 else np.ones(len(records))
        rows = make_rows(records, weights)
        result = solve(rows)
        best = most_linked([record.tolist() for record in records], weights.tolist())
        assert result.status is Status.OPTIMAL
        assert abs(Fraction(result.links) - best) < Fraction(1, 10**9)
        assert exact_links(rows, result.theta) >= Fraction(result.links) - Fraction(1, 10**12)


@pytest.mark.slow
@given(seeds, st.sampled_from([2, 3, 4]), st.booleans(), st.booleans())
def test_tree_proves_the_bound(seed: int, n: int, has_tolerance: bool, is_weighted: bool) -> None:
    """Guarantee: the tree of a search that ended optimal is accepted by a checker in rationals, at its links."""
    random = np.random.default_rng(seed)
    records = draw_records(random, n, 8, has_tolerance=has_tolerance)
    weights = draw_weights(random, len(records)) if is_weighted else None
    rows = make_rows(records, weights)
    result = solve(rows, limit=10.0, is_recording=True)
    assert result.bound >= exact_links(rows, result.theta) - Fraction(1, 10**12)
    if result.status is Status.OPTIMAL and result.tree is not None:
        assert abs(checked(result, rows) - Fraction(result.links)) < Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "noise"), [(2, 1.0), (3, 0.7), (4, 0.5), (5, 0.5)])
def test_tree_of_a_file(n: int, noise: float) -> None:
    """Trees with cuts, conflicts and cores of whole files are accepted."""
    rows = draw_cloud(n, 50, n, noise)
    result = solve(rows, n_directions=100, is_recording=True)
    assert result.status is Status.OPTIMAL
    assert checked(result, rows) == Fraction(result.links)


def tampered(tree: BoxTree) -> dict[str, BoxTree]:
    """Trees that prove nothing, one for each way to cheat."""
    k = int(np.flatnonzero(tree.n_lost)[-1])
    fewer = tree.n_lost.copy()
    fewer[k] = 0
    keep = np.ones(len(tree.lost_row), dtype=bool)
    end = int(tree.n_lost[: k + 1].sum())
    keep[end - tree.n_lost[k] : end] = False
    other = tree.lost_record.copy()
    other[-1] = (other[-1] + 1) % (other.max() + 1)
    first = tree.n_members[0]
    multiplier = tree.multiplier.copy()
    multiplier[0] *= 1000.0
    negative = tree.multiplier.copy()
    negative[first - 1] *= -1.0
    return {
        "losses left out": replace(
            tree, n_lost=fewer, lost_row=tree.lost_row[keep], lost_record=tree.lost_record[keep]
        ),
        "another record": replace(tree, lost_record=other),
        "cuts moved": replace(tree, cut=tree.cut * 1.01),
        "multiplier changed": replace(tree, multiplier=multiplier),
        "negative multiplier": replace(tree, multiplier=negative),
        "a leaf that was divided": replace(
            tree, division=np.where(np.arange(tree.n_nodes) == np.flatnonzero(tree.division >= 0)[0], -1, tree.division)
        ),
    }


def test_tampered_trees_are_rejected() -> None:
    """The checker of these tests does find fault."""
    rows = draw_cloud(3, 60, 3, 1.0)
    result = solve(rows, n_directions=100, is_recording=True)
    assert result.tree is not None
    assert checked(result, rows) == Fraction(result.links)
    assert result.tree.n_lost.any()
    assert len(result.tree.multiplier)
    for name, tree in tampered(result.tree).items():
        try:
            bound = checked(replace(result, tree=tree), rows)
        except (WrongTreeError, StopIteration, IndexError):
            continue
        assert bound > Fraction(result.links), name


@pytest.mark.slow
def test_same_answer_on_any_number_of_threads() -> None:
    """Lanes meet after a fixed number of rows."""
    rows = draw_cloud(0, 150, 5, 0.7)
    results = [solve(rows, threads=threads, is_recording=True) for threads in (1, 2, 3, 2)]
    for result in results[1:]:
        assert result.links == results[0].links
        assert result.boxes == results[0].boxes
        assert np.array_equal(result.theta, results[0].theta)
        assert result.tree is not None
        assert results[0].tree is not None
        assert np.array_equal(result.tree.cut, results[0].tree.cut)
        assert np.array_equal(result.tree.lost_row, results[0].tree.lost_row)


def test_no_time_gives_a_valid_bound() -> None:
    """A search that is stopped says so; its bound holds."""
    rows = draw_cloud(1, 60, 3, 1.0)
    full = solve(rows)
    stopped = solve(rows, limit=0.0)
    assert full.status is Status.OPTIMAL
    assert stopped.status is Status.TIME_LIMIT
    assert stopped.links <= full.links <= stopped.bound
    assert stopped.tree is None


def test_watcher_is_told() -> None:
    """Links grow, the bound falls."""
    states: list[State] = []
    rows = draw_cloud(0, 150, 5, 0.7)
    clock = Clock(watcher=lambda state: states.append(replace(state)))
    clock.INTERVAL = 0.0
    result = search_boxes(rows, incumbent_theta=np.ones(5), incumbent_links=0.0, clock=clock)
    assert states
    assert all(state.best <= result.links <= state.bound for state in states)
    assert all(a.bound >= b.bound and a.best <= b.best for a, b in pairwise(states))


def test_records_without_rows_are_linked() -> None:
    """What no theta violates counts; a problem without rows is solved at once."""
    rows = Rows(np.zeros((0, 3)), np.zeros(5, np.int64), np.zeros(0, np.int64), np.ones(4))
    result = solve(rows, is_recording=True)
    assert (result.status, result.links, result.bound) == (Status.OPTIMAL, 4.0, 4.0)


def test_opposite_rows_of_duplicates_are_settled() -> None:
    """Equal originals want opposite things along a wall of five dimensions: of each pair one is linked."""
    random = np.random.default_rng(5)
    records = []
    for _ in range(30):
        row = random.normal(size=(1, 6))
        records += [row - 2.0**-40 * np.abs(row), -row - 2.0**-40 * np.abs(row)]
    result = solve(make_rows(records), n_directions=200, is_recording=True)
    assert result.status is Status.OPTIMAL
    assert result.links == 30.0
    assert result.boxes < 1000
