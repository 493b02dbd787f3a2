"""The exact judge against slower ways to the same answer: a point in every cell, all subsets, many matrices."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.oracle.cones import most_linked
from tests.oracle.judge import Case, judge
from tests.oracle.judge.best import least_hitting_set
from tests.oracle.judge.families import square_row
from tests.oracle.judge.rows import RecordRows
from tests.oracle.judge.semidefinite import SemidefiniteSystem
from tests.oracle.judge.strict import StrictSystem, product, solve_exactly

LINEAR = ("weighted_mean", "weighted_mean_metric", "owa", "choquet", "choquet_metric", "bilinear", "bilinear_free")


def draw_case(seed: int, family: str, n_records: int, n_attributes: int, **settings: Any) -> Case:
    """Draw a small file of short numbers, so that ties occur."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(n_records, n_attributes)).round(1)
    y = (x + random.normal(size=x.shape)).round(1)
    floor = Fraction(0.05) if family == "weighted_mean_metric" else Fraction(0)
    tolerance = Fraction(0) if family in {"bilinear_free", "bilinear_higham"} else Fraction(1, 2**40)
    return Case(family, x.tolist(), y.tolist(), list(range(n_records)), tolerance=tolerance, floor=floor, **settings)


@pytest.mark.parametrize("ties", ["unique", "expected"])
@pytest.mark.parametrize(("n_attributes", "count"), [(2, 40), (3, 4)])
def test_weights_equal_a_point_in_every_cell(n_attributes: int, count: int, ties: str) -> None:
    """Weights of two and three attributes: the oracle that tries every cell finds as much."""
    for seed in range(count):
        case = draw_case(seed, ("weighted_mean", "owa")[seed % 2], 5, n_attributes, ties=ties)
        open_records = [i for i in case.people if case.counting(i)]
        records: Any = [[case.row(i, j) for j in case.counting(i)] for i in open_records]
        always = sum((case.worth(i) for i in case.people if i not in open_records), Fraction(0))
        worths: Any = [case.worth(i) for i in open_records]
        judgement = judge(case)
        assert judgement.is_decided
        assert judgement.lower == always + most_linked(records, worths)


@pytest.mark.parametrize("family", LINEAR)
def test_optimum_equals_all_subsets(family: str) -> None:
    """Every subset is asked by a solver in floating point, on data where that can tell."""
    for seed in range(4):
        case = draw_case(seed, family, 5, 2 + seed % 2, weights=[1.0, 2.0, 0.5, 3.0, 0.25])
        assert judge(case).lower == pytest.approx(_best_subset(case))


def _best_subset(case: Case) -> float:
    rows = RecordRows(case)
    always = sum(float(case.worth(i)) for i in rows.linked_always)
    best = 0.0
    for size in range(1, len(rows.numbers) + 1):
        for chosen in combinations(rows.numbers, size):
            worth = sum(float(case.worth(i)) for i in chosen)
            numbers = [*(q for i in chosen for q in rows.numbers[i]), *rows.inequalities]
            if worth > best and _is_possible(rows.system, numbers):
                best = worth
    return best + always


def _is_possible(system: StrictSystem, numbers: list[int]) -> bool:
    """Look for the largest least product with rows of length 1 in the unit cube."""
    if not numbers:
        return True
    matrix = np.array([[value / max(map(abs, row)) for value in row] for row in (system.rows[q] for q in numbers)])
    p = matrix.shape[1]
    constraints = np.column_stack([-matrix, np.ones(len(matrix))])
    bounds = [(-1.0, 1.0)] * p + [(None, None)]
    found = linprog(np.append(np.zeros(p), -1.0), A_ub=constraints, b_ub=np.zeros(len(matrix)), bounds=bounds)
    return bool(found.fun is not None and found.fun < -1e-9)


def test_semidefinite_matrices_equal_many_of_them() -> None:
    """Of 40,000 matrices of two attributes the best links as much, and never more."""
    angle = np.linspace(0.0, 2.0 * np.pi, 400)[:, None]
    radius = np.sqrt(np.linspace(0.0, 1.0, 100))[None, :]
    c, s = (radius * np.cos(angle)).ravel(), (radius * np.sin(angle)).ravel()
    matrices = np.stack([1.0 + c, s, 1.0 - c])  # all semidefinite matrices of trace 2
    n_equal = 0
    for seed in range(12):
        case = draw_case(seed, "bilinear_psd", 5, 2)
        judgement = judge(case)
        linked = [
            (np.array([[float(v) for v in case.row(i, j)] for j in case.counting(i)]) @ matrices > 0.0).all(axis=0)
            for i in case.people
        ]
        most = int(np.sum(linked, axis=0).max())
        assert judgement.is_decided
        assert judgement.lower >= most
        n_equal += judgement.lower == most
    assert n_equal >= 10


@pytest.mark.parametrize("family", [*LINEAR, "bilinear_psd", "bilinear_higham"])
def test_what_is_linked_is_linked(family: str) -> None:
    """The parameters returned are admissible and make the optimum; larger families link no less."""
    for seed in range(3):
        judgement = judge(draw_case(seed, family, 6, 2))
        case = draw_case(seed, family, 6, 2)
        assert case.is_admissible(judgement.theta)
        assert case.count(judgement.theta) == judgement.lower == judgement.upper
        if family in {"choquet", "bilinear_psd", "bilinear"}:
            assert judgement.lower >= judge(draw_case(seed, "weighted_mean", 6, 2)).lower


def test_measures_of_full_additivity_are_all_measures() -> None:
    """Möbius values of all sets describe the same distances as values of all sets; of single ones, weights."""
    for seed in range(6):
        full = judge(draw_case(seed, "choquet", 6, 3)).lower
        assert judge(draw_case(seed, "choquet", 6, 3, additivity=3)).lower == full
        weights = judge(draw_case(seed, "weighted_mean", 6, 3)).lower
        assert judge(draw_case(seed, "choquet", 6, 3, additivity=1)).lower == weights


def test_strict_systems_in_whole_numbers() -> None:
    """Guesses and whole numbers alone decide alike, however much coincides."""
    random = np.random.default_rng(1)
    for _ in range(200):
        p = int(random.integers(1, 5))
        rows = random.integers(-2, 3, (int(random.integers(1, 8)), p)).tolist()
        system = StrictSystem(p)
        answer, exact = system.solve([system.add(row) for row in rows]), solve_exactly(rows)
        assert answer.is_possible == exact.is_possible
        if exact.theta is not None:
            assert all(product(exact.theta, row) > 0 for row in rows)


def test_least_hitting_sets_equal_enumeration() -> None:
    """All sets are tried."""
    random = np.random.default_rng(2)
    for _ in range(100):
        n = int(random.integers(1, 7))
        sets = [int(value) for value in random.integers(1, 1 << n, int(random.integers(0, 7)))]
        weight = [int(value) for value in random.integers(1, 9, n)]

        def cost(mask: int, weight: list[int] = weight) -> int:
            return sum(w for k, w in enumerate(weight) if mask >> k & 1)

        best = min(cost(mask) for mask in range(1 << n) if all(mask & s for s in sets))
        found = least_hitting_set(sets, weight)
        assert all(found & s for s in sets)
        assert cost(found) == best


def test_semidefinite_rows_on_the_border() -> None:
    """Rows that only matrices on the border of the cone do not make negative are decided."""
    system = SemidefiniteSystem(2)
    up, down = (system.add(row) for row in ([0, 1, 0], [-1, -1, 0]))
    assert sorted(system.solve_semidefinite([up, down])[1] or []) == [up, down]
    minus = system.add([-value for value in square_row([1, 2])])
    assert system.solve_semidefinite([minus])[1] == [minus]
