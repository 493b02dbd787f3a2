"""Exact bounds against a list of all populations, against the closed form, and where they are known by hand."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.arrays import IntArray
from linkrisk.tables.bounds.cells import CellGroups, Cells, make_cells
from linkrisk.tables.bounds.collapsed import Collapsed, _numbered
from linkrisk.tables.bounds.consistent_populations import ConsistentPopulations
from linkrisk.tables.bounds.decomposable import ears
from linkrisk.tables.bounds.dual_bound import proven_minimum
from linkrisk.tables.bounds.exact import exact_bounds
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.bounds.programme import make_programme
from linkrisk.tables.bounds.solver import LinearProgramme
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.publication import make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.simulation import categorical_population
from tests.oracle.populations import bounds_of
from tests.tables.problems import Problem, problems
from tests.tables.worked_example import FIRST, SECOND, rounded

OVERLAP = ("a", "b")


def _cells(evidence: Evidence) -> IntArray:
    return np.arange(evidence.domain.n_cells(evidence.overlap), dtype=np.int64)


def test_worked_example() -> None:
    """Bounds 4 to 11 (smith-elliot-bayesian.txt, "Example of analysis"), where the naive ones are 4 to 13."""
    evidence = make_evidence({"first": FIRST, "second": SECOND}, [rounded()], population=18)
    bounds = exact_bounds(evidence, np.array([1]))
    assert (bounds.low[0], bounds.high[0], bounds.status) == (4, 11, ["exact"])


def test_worked_example_with_samples_alone() -> None:
    """Bounds 1 to 13, as the naive ones."""
    evidence = make_evidence({"first": FIRST, "second": SECOND}, population=18)
    bounds = exact_bounds(evidence, np.array([1]))
    assert (bounds.low[0], bounds.high[0], bounds.status) == (1, 13, ["exact"])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(problems())
def test_exact_bounds_are_those_over_all_populations(problem: Problem) -> None:
    """Every mechanism, alone and together, also of attributes that are summed out first; naive is never tighter."""
    evidence = problem.evidence
    bounds = exact_bounds(evidence, _cells(evidence))
    expected = bounds_of(problem.categories, len(problem.people), OVERLAP, problem.told)
    assert list(zip(bounds.low.tolist(), bounds.high.tolist(), strict=True)) == list(expected.values())
    assert set(bounds.status) == {"exact"}
    naive_low, naive_high = naive_bounds(evidence, _cells(evidence))
    assert (naive_low <= bounds.low).all()
    assert (naive_high >= bounds.high).all()


def _counts(problem: Problem, cells: Cells) -> IntArray | None:
    """Return the true counts of the base cells; None if somebody has a category that no file knows."""
    counts = np.zeros(cells.n_cells, dtype=np.int64)
    places = {tuple(code): place for place, code in enumerate(cells.codes.tolist())}
    categories = [problem.evidence.domain.categories[name] for name in cells.attributes]
    for person in problem.people[list(cells.attributes)].itertuples(index=False, name=None):
        pairs = list(zip(categories, person, strict=True))
        if any(label not in known for known, label in pairs):
            return None
        counts[places[tuple(known.index(label) for known, label in pairs)]] += 1
    return counts


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from([(), ("x",), ("x", "y")]))
def test_the_truth_is_consistent_and_inside(problem: Problem, keep: tuple[str, ...]) -> None:
    """The true population is among the base cells, and meets all sums, propagated bounds and exact bounds."""
    cells = make_cells(problem.evidence, keep=keep)
    assert cells is not None
    counts = _counts(problem, cells)
    assume(counts is not None)
    assert counts is not None
    assert cells.is_consistent(counts)
    programme = make_programme(cells, OVERLAP, *naive_bounds(problem.evidence, cells.overlap_keys))
    assert not programme.is_empty
    assert ((programme.least <= counts) & (counts <= programme.largest)).all()
    true, bounds = cells.overlap_groups.sums(counts), exact_bounds(problem.evidence, cells.overlap_keys)
    assert ((bounds.low <= true) & (true <= bounds.high)).all()


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(problems(most_people=4))
def test_summing_out_loses_nothing(problem: Problem) -> None:
    """The same overlap counts are possible with all attributes as with those summed out (Guarantee of `make_cells`)."""
    found = []
    for keep in ((), ("x", "y")):
        cells = make_cells(problem.evidence, keep=keep)
        assert cells is not None
        listed = np.array(
            [
                np.bincount(people, minlength=cells.n_cells)
                for people in combinations_with_replacement(range(cells.n_cells), cells.population)
            ]
        )
        overlaps = [cells.overlap_groups.sums(counts) for counts in listed if cells.is_consistent(counts)]
        found.append({tuple(zip(cells.overlap_keys.tolist(), sums.tolist(), strict=True)) for sums in overlaps})
    occupied = [{tuple(pair for pair in some if pair[1]) for some in counts} for counts in found]
    assert occupied[0] == occupied[1]
    assert occupied[0]


SETS: list[list[tuple[str, ...]]] = [
    [("a", "b"), ("b", "c")],
    [("a",), ("b", "c")],
    [("a",), ("b",), ("c",)],
    [("a", "b"), ("b",), ("b", "c"), ("c", "d")],
]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SETS), st.integers(1, 6))
def test_closed_form_is_the_integer_programme(seed: int, sets: list[tuple[str, ...]], n_drawn: int) -> None:
    """Dobra and Fienberg's bounds, less what was drawn, are the optima of the programme."""
    names = sorted({name for some in sets for name in some})
    people = categorical_population(12, dict.fromkeys(names, 2), seed=seed)
    frames = {"first": people.head(n_drawn).assign(x="1"), "second": people.tail(n_drawn).assign(y="1")}
    counted = [people.groupby(list(some)).size().rename("count").reset_index() for some in sets]
    tables = [make_table_description(table, mechanism="exact") for table in counted]
    categories = [sorted(set(people[name])) for name in names]
    nothing = pd.DataFrame(list(product(*categories)), columns=names).assign(low=0, high=12)
    closed = exact_bounds(make_evidence(frames, tables), np.arange(2 ** len(names)))
    tables.append(make_table_description(nothing, mechanism="suppressed"))  # tells nothing, and is no exact margin
    programme = exact_bounds(make_evidence(frames, tables), np.arange(2 ** len(names)))
    assert (closed.method, programme.method) == ("decomposable", "programme")
    assert closed.low.tolist() == programme.low.tolist()
    assert closed.high.tolist() == programme.high.tolist()
    assert set(programme.status) == {"exact"}


def test_cycles_are_not_decomposable() -> None:
    """Three margins in a ring, or a ring of four; a set inside another does no harm."""
    assert ears([("a", "b"), ("b", "c"), ("a", "c")]) is None
    assert ears([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]) is None
    assert ears([("a", "b"), ("b",), ("b", "c")]) is not None


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["exact", "rounded"]))
def test_collapsed_bounds_hold(seed: int, mechanism: str) -> None:
    """Never tighter than the exact ones (Guarantee of `Collapsed`)."""
    people = categorical_population(60, {"a": 4, "b": 4, "c": 3}, seed=seed)
    counts = [people.groupby(list(names)).size().rename("count").reset_index() for names in ("ab", "bc", "ac")]
    options = {} if mechanism == "exact" else {"base": 3}
    if mechanism == "rounded":
        counts = [table.assign(count=(table["count"] + 1) // 3 * 3) for table in counts]
    tables = [make_table_description(table, mechanism=mechanism, **options) for table in counts]
    frames = {"first": people.head(6)[["a", "b"]].assign(x="1"), "second": people.tail(6)[["a", "b"]].assign(y="1")}
    evidence = make_evidence(frames, tables[1:], population=60)
    cells = make_cells(evidence)
    assert cells is not None
    programme = make_programme(cells, evidence.overlap, *naive_bounds(evidence, cells.overlap_keys))
    exact = exact_bounds(evidence, cells.overlap_keys)
    assert set(exact.status) == {"exact"}
    for whole in (None, 0, 1):
        collapsed = Collapsed(programme, 2, whole)
        for place in range(len(cells.overlap_keys)):
            low, high = collapsed.bounds(place, 10.0)
            assert low <= exact.low[place]
            assert high >= exact.high[place]


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.integers(0, 2**30))
def test_proven_minimum_holds_for_all_multipliers(multipliers: list[float], seed: int) -> None:
    """Whatever the multipliers, no point within the bounds costs less (Guarantee of `proven_minimum`)."""
    rng = np.random.default_rng(seed)
    groups = CellGroups(np.array([0, 2, 4, 7]), np.array([0, 1, 1, 2, 0, 2, 3]))
    point = rng.integers(0, 50, 4)
    sums = groups.sums(point)
    rows = (sums - rng.integers(0, 3, 3), sums + rng.integers(0, 3, 3))
    cells = (np.maximum(point - 4, 0), point + 4)
    cost = rng.integers(-2, 3, 4)
    assert proven_minimum(cost, np.array(multipliers), groups, rows, cells) <= int(cost @ point)


def test_too_large_problem_keeps_the_naive_bounds() -> None:
    """More base cells than can be enumerated: the naive bounds, said to be outer."""
    people = categorical_population(200, {"a": 60, "b": 60, "c": 60, "d": 60}, seed=1)
    frames = {"first": people.head(50).assign(x="1"), "second": people.tail(50).assign(y="1")}
    evidence = make_evidence(frames, population=200)
    bounds = exact_bounds(evidence, np.array([0, 1]))
    assert bounds.method == "naive"
    assert bounds.status == ["outer", "outer"]


def test_time_over_leaves_bounds_that_hold() -> None:
    """Without time every bound still holds."""
    evidence = make_evidence({"first": FIRST, "second": SECOND}, [rounded()], population=18)
    bounds = exact_bounds(evidence, np.array([1]), seconds=0.0)
    assert bounds.low[0] <= 4
    assert bounds.high[0] >= 11


@given(st.integers(0, 4), st.integers(1, 30), st.integers(0, 10**6))
def test_rows_are_numbered_as_numpy_does(n_columns: int, n_rows: int, seed: int) -> None:
    """The different rows come in lexicographical order, also where there is no column at all."""
    codes = np.random.default_rng(seed).integers(0, 4, (n_rows, n_columns))
    different, number = _numbered(codes)
    assert np.array_equal(different[number], codes)
    if n_columns:
        assert np.array_equal(different, np.unique(codes, axis=0))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_linear_solution_is_rounded_off_to_a_population(sign: int) -> None:
    """Near the solution of the whole linear programme there is a population that attains its bound."""
    people = categorical_population(2000, {"a": 4, "b": 5, "c": 6, "d": 3, "e": 2}, dependence=0.4, seed=2)
    samples = [people.iloc[:60][list("abcd")], people.iloc[30:90][list("abce")]]
    tables = [
        make_table_description(people.groupby(list(names), as_index=False).size(), mechanism="exact", count="size")
        for names in ("abd", "bcd", "acd")
    ]
    evidence = make_evidence(samples, tables)
    made = make_cells(evidence)
    assert made is not None
    programme = make_programme(made, evidence.overlap, *naive_bounds(evidence, made.overlap_keys))
    linear = LinearProgramme(programme.groups, made.n_cells, is_primal=True)
    linear.set_bounds((programme.low, programme.high), (programme.least, programme.largest))
    populations = ConsistentPopulations(programme)
    n_attained = 0
    for place in range(0, len(made.overlap_keys), 5):
        cost = np.zeros(made.n_cells, dtype=np.int64)
        cost[made.overlap_groups[place]] = sign
        count = sign * linear.minimum(cost)
        assert linear.solution is not None
        if populations.round_off(place, count, linear.solution, 20_000):
            n_attained += 1
            assert populations.counts is not None
            assert made.is_consistent(populations.counts)
            assert populations.counts[made.overlap_groups[place]].sum() == count
    assert n_attained > 0.8 * len(range(0, len(made.overlap_keys), 5))
