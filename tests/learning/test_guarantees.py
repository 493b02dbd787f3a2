"""Statements of docs/mathematics.md that no other test holds against an exact or slow twin."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from linkrisk.arrays import FloatArray
from linkrisk.distances.forms import nearest_semidefinite
from linkrisk.distances.polar import (
    is_negative_semidefinite,
    is_nonpositive_on_measures,
    is_nonpositive_on_rays,
)
from linkrisk.distances.weighted_mean import SimplexSet, simplex_set
from linkrisk.learning.boxes.filter_kernels import filter_records, gather_units
from linkrisk.learning.boxes.lane import Lane
from linkrisk.learning.boxes.rows import rows_on_rays
from linkrisk.learning.boxes.search import _make_problem
from linkrisk.learning.boxes.state_kernels import LEFT
from linkrisk.learning.boxes.sweep_kernels import cut_off
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.problem.problem import Problem, make_problem
from linkrisk.learning.problem.sources import FormRows, ListedRows
from linkrisk.learning.proof.exact import ExactRows, is_clearly_positive
from linkrisk.learning.proof.simplex import Column, WholeSimplex
from linkrisk.linkage.ties import Ties
from tests.learning.families import FAMILIES, noisy
from tests.learning.instances import draw_records, make_rows
from tests.verifier.twins import up_sets

seeds = st.integers(min_value=0, max_value=2**32 - 1)

GROWING = ["weighted_mean", "weighted_mean_metric", "owa", "choquet", "choquet_metric", "choquet, additivity 2"]
"""Families whose distances grow with the differences."""


def exact_row(rows: ExactRows, problem: Problem, i: int, j: int) -> list[Fraction]:
    """Return the row of an original and a protected record in fractions."""
    near = 1 - Fraction(problem.tolerance)
    own = int(problem.pairs.own_row[i])
    return [near * a - b for a, b in zip(rows.features(i, j), rows.features(i, own), strict=True)]


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=seeds, name=st.sampled_from(GROWING), margin=st.sampled_from([None, 0.1, 0.5]))
def test_records_lost_to_presolve_are_lost_exactly(seed: int, name: str, margin: float | None) -> None:
    """Guarantee 2.1: in exact arithmetic the witness of a lost record is no farther than the own record."""
    comparison = noisy(seed, 20, 3, 0.7, "original")
    family = FAMILIES[name]
    problem = make_problem(family, comparison, Ties.UNIQUE, tolerance=margin)
    rows = ExactRows(problem)
    near = 1 - Fraction(problem.tolerance)
    for i, j in zip(problem.lost.tolist(), problem.witness.tolist(), strict=True):
        own = int(problem.pairs.own_row[i])
        assert j != own
        there, here = ([rows.pairs._difference(i, q, k) for k in range(3)] for q in (j, own))
        if name == "owa":
            there, here = sorted(there), sorted(here)
        assert all(near * a <= b for a, b in zip(there, here, strict=True))


@pytest.mark.slow
@settings(max_examples=25)
@given(seed=seeds, name=st.sampled_from(GROWING))
def test_rows_passed_over_hold_inside(seed: int, name: str) -> None:
    """Guarantee 2.2: inside the set, a theta that satisfies the rows kept satisfies all rows of a record."""
    comparison = noisy(seed, 20, 3, 0.7, "original")
    problem = make_problem(FAMILIES[name], comparison)
    source = problem.source
    assert isinstance(source, ListedRows)
    interior = problem.parameters.interior
    rows = ExactRows(problem)
    linked = source.scan(interior, np.ones(len(problem.records), dtype=bool))[0] > 1e-9
    for i in problem.records[linked].tolist():
        is_twin = problem.pairs.is_twin(problem.pairs.differences(i), i)  # links are shared with them
        for j in np.unique(problem.row_of).tolist():
            if not is_twin[problem.pairs.point_of[j]]:
                row = exact_row(rows, problem, i, j)
                assert sum((Fraction(x) * v for x, v in zip(interior.tolist(), row, strict=True)), Fraction(0)) > 0


@given(seed=seeds, n=st.integers(1, 5), floor=st.sampled_from([0.0, 0.01, 0.1]))
def test_polar_weights_equal_their_edges(seed: int, n: int, floor: float) -> None:
    """Guarantee 3.1: both tests of the learner say what the corners of the set of weights say."""
    row = [int(x) for x in np.random.default_rng(seed).integers(-9, 3, n)]
    edges = [[1 - (n - 1) * Fraction(floor) if k == m else Fraction(floor) for m in range(n)] for k in range(n)]
    expected = all(sum(a * b for a, b in zip(edge, row, strict=True)) <= 0 for edge in edges)
    assert is_nonpositive_on_rays(row, edges) == expected
    weights = simplex_set(n, floor)
    assert isinstance(weights, SimplexSet)
    assert weights.is_polar(row) == expected


@given(n=st.integers(1, 3), data=st.data())
def test_polar_measures_equal_enumeration(n: int, data: st.DataObject) -> None:
    """Guarantee 3.2: a row is nowhere positive on monotone measures just if no closed family has a positive sum."""
    entry = st.one_of(st.integers(-3, 3), st.integers(-(10**40), 10**40))
    row = [data.draw(entry) for _ in range((1 << n) - 1)]
    expected = all(sum(row[mask - 1] for mask in family) <= 0 for family in up_sets(n))
    assert is_nonpositive_on_measures(row, n) == expected


@pytest.mark.slow
@given(seed=seeds, n=st.integers(1, 3))
def test_polar_matrices_equal_their_squares(seed: int, n: int) -> None:
    """Guarantee 3.5: minus a matrix of squares is polar; a row that is polar is not positive on any x x'."""
    random = np.random.default_rng(seed)
    root = random.integers(-2, 3, size=(n, n))
    matrix = -(root @ root.T) if random.random() < 0.5 else random.integers(-3, 2, size=(n, n))
    matrix = np.triu(matrix) + np.triu(matrix, 1).T
    row = [int(matrix[k, m]) * (1 if k == m else 2) for k in range(n) for m in range(k, n)]
    said = is_negative_semidefinite(row, n)
    assert said == bool(np.linalg.eigvalsh(matrix.astype(float)).max() <= 1e-9)
    if said:
        assert all(np.array(x) @ matrix @ np.array(x) <= 0 for x in product(range(-3, 4), repeat=n))


@given(seed=seeds, n=st.integers(1, 5))
def test_no_semidefinite_matrix_is_nearer(seed: int, n: int) -> None:
    """Statement 3.8: no semidefinite matrix is nearer to the one that is repaired."""
    random = np.random.default_rng(seed)
    drawn = random.normal(size=(n, n))
    matrix = drawn + drawn.T
    nearest = nearest_semidefinite(matrix)
    least = float(np.linalg.norm(matrix - nearest))
    assert np.linalg.eigvalsh(nearest).min() > -1e-12
    for _ in range(20):
        step = random.normal(size=(n, n)) * 10.0 ** random.uniform(-4, 0)
        root = np.linalg.cholesky(nearest + 1e-9 * np.eye(n)) + step
        assert np.linalg.norm(matrix - root @ root.T) > least - 1e-8


@given(seed=seeds, n=st.integers(1, 6), size=st.integers(1, 8))
def test_vectors_on_one_side_are_no_core(seed: int, n: int, size: int) -> None:
    """Guarantees 4.4 and 4.5: vectors that some theta makes positive have no positive combination that vanishes."""
    random = np.random.default_rng(seed)
    normal = random.integers(-5, 6, n)
    vectors = random.integers(-1000, 1000, (size, n))
    vectors = vectors[vectors @ normal > 0]
    assume(len(vectors))
    rows = [[int(x) for x in row] for row in vectors]
    assert not is_clearly_positive(rows)
    assert vanishing_mixture(rows) is None
    multipliers = random.integers(1, 9, len(vectors))
    rows.append([-int(x) for x in multipliers @ vectors])
    mixture = vanishing_mixture(rows)
    assert mixture is not None
    assert all(m >= 0 for m in mixture)
    assert not any(sum(m * row[k] for m, row in zip(mixture, rows, strict=True)) for k in range(n))


def vanishing_mixture(rows: list[list[int]]) -> list[Fraction] | None:
    """Return multipliers of rows that make their sum 0, by the simplex method of whole numbers."""
    simplex = WholeSimplex(len(rows[0]))
    simplex.columns += [Column.of(row, is_row=True) for row in rows]
    simplex.start(0)
    while not simplex.is_closed:
        theta, gap = simplex.prices()
        code = next((c for c, column in enumerate(simplex.columns) if column.times(theta) < gap), None)
        if code is None:
            assert all(column.times(theta) > 0 for column in simplex.columns)
            return None
        simplex.enter(code)
    found = simplex.multipliers()
    return [found.get(c, Fraction(0)) for c in range(len(rows))]


@settings(max_examples=15)
@given(seed=seeds, name=st.sampled_from(["weighted_mean", "owa", "choquet", "bilinear_free"]))
def test_records_are_linked_together_just_if_there_is_a_margin(seed: int, name: str) -> None:
    """Statement 4.6: some theta links the records just if the greatest margin over all their rows is positive."""
    problem = make_problem(FAMILIES[name], noisy(seed, 10, 2, 0.3))
    parameters, source = problem.parameters, problem.source
    feasibility = Feasibility(source, parameters)
    chosen = np.zeros(source.n_records, dtype=bool)
    chosen[:3] = True
    rows = [
        source.rows_of(np.array([r]), np.array([point]))[0]
        for r in range(min(3, source.n_records))
        for point in range(len(problem.row_of))
        if _has_row(problem, r, point)
    ]
    assume(len(rows) > 0)
    found = linprog(
        np.append(np.zeros(parameters.n_parameters), -1.0),
        A_ub=np.block(
            [
                [-np.array(rows), np.ones((len(rows), 1))],
                [-parameters.inequalities, np.zeros((len(parameters.inequalities), 1))],
            ]
        ),
        b_ub=np.zeros(len(rows) + len(parameters.inequalities)),
        bounds=[(-1.0, 1.0)] * parameters.n_parameters + [(None, None)],
    )
    theta = feasibility.link(chosen)
    assert found.x is not None
    if theta is None:
        assert found.x[-1] < 1e-6
    else:
        margin = float((np.array(rows) @ theta).min()) / float(np.abs(theta).max())
        assert 0.0 < margin < found.x[-1] + 1e-6


def _has_row(problem: Problem, record: int, point: int) -> bool:
    """Whether a point has a row that counts for a record of the problem."""
    source = problem.source
    if isinstance(source, ListedRows):
        return point in source.point[source.start[record] : source.start[record + 1]].tolist()
    assert isinstance(source, FormRows)
    dropped = source.dropped[source.dropped_start[record] : source.dropped_start[record + 1]]
    return point not in dropped.tolist()


@pytest.mark.slow
@settings(max_examples=25)
@given(
    seed=seeds,
    name=st.sampled_from(["weighted_mean", "weighted_mean_metric", "owa"]),
    margin=st.sampled_from([None, 0.3]),
    size=st.sampled_from([1.0, 1e-9, 1e9]),
)
def test_true_rows_do_not_exceed_searched_rows(seed: int, name: str, margin: float | None, size: float) -> None:
    """Guarantee 6.2: exact rows on exact edges, brought to the same length, are nowhere above those searched."""
    family = FAMILIES[name]
    comparison = noisy(seed, 15, 3, 0.7, "original")
    comparison.coordinates.original[:, 1] *= size
    comparison.coordinates.protected[:, 1] *= size
    problem = make_problem(family, comparison, tolerance=margin)
    source = problem.source
    assert isinstance(source, ListedRows)
    assume(len(source.point))
    rows, errors = rows_on_rays(problem)
    searched, factor = _make_problem(rows, errors)
    exact, floor = ExactRows(problem), Fraction(getattr(family, "floor", 0.0))
    owner = np.repeat(np.arange(source.n_records), np.diff(source.start))
    for s in range(len(source.point)):
        row = [Fraction(x) * exact.unit for x in exact.row(int(owner[s]), int(source.point[s]))]
        scale = Fraction(float(factor[s])) / Fraction(float(source.lengths[s]))
        for k in range(3):
            value = (1 - 3 * floor) * row[k] + floor * sum(row)
            assert value * scale <= Fraction(float(searched.values[s, k]))


@pytest.mark.slow
@given(seed=seeds, n=st.integers(2, 4))
@settings(max_examples=50)
def test_what_is_cut_off_links_too_few(seed: int, n: int) -> None:
    """Guarantee 6.6: no point of a face that is cut off links the weight needed."""
    random = np.random.default_rng(seed)
    records = draw_records(random, n, 6, has_tolerance=bool(random.integers(2)))
    problem, _ = _make_problem(make_rows(records), None)
    lane = Lane(problem, 0, is_recording=False)
    lane.open_faces()
    need = float(random.integers(1, len(records) + 1))
    for face in range(n):
        stack, lists, memory = lane.stack, lane.lists, lane.memory
        memory.counts[LEFT] = 0
        begin, end = stack.span[face]
        memory.low[:], memory.high[:] = stack.low[face], stack.high[face]
        before = memory.low.copy(), memory.high.copy()
        free, sure = filter_records(problem, lists, memory, lane.log, begin, end, stack.linkable[face], -np.inf)
        if free <= end:
            continue
        n_units, linkable = gather_units(problem, lists, memory, end, free)
        part, _ = cut_off(problem, lists, memory, lane.log, -1, end, free, n_units, linkable, need)
        undecided = [[_whole(row) for row in records[place]] for place in lists.record[end:free].tolist()]
        for _ in range(30):
            theta = before[0] + random.random(n) * (before[1] - before[0])
            is_outside = part == 1.0 or bool(((theta < memory.low) | (theta > memory.high)).any())
            if is_outside:
                assert _undecided_links(theta, undecided) < need
    assert sure >= 0.0


def _undecided_links(theta: FloatArray, records: list[list[list[int]]]) -> int:
    """Count, exactly, the records whose rows are all positive."""
    point = _whole(theta)
    return sum(all(sum(x * v for x, v in zip(point, row, strict=True)) > 0 for row in rows) for rows in records)


def _whole(values: FloatArray) -> list[int]:
    """Return whole numbers in the same proportions, without rounding: denominators of floats are powers of two."""
    ratios = [value.as_integer_ratio() for value in values.tolist()]
    common = max(denominator for _, denominator in ratios)
    return [numerator * (common // denominator) for numerator, denominator in ratios]
