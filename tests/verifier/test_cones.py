"""Exact tests of mixtures of rows, against enumeration: closures, semidefinite matrices, null vectors, lost records."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import make_comparison
from linkrisk.verifier.exact.null_vector import has_positive_combination
from linkrisk.verifier.families.closure import has_no_positive_closure
from linkrisk.verifier.families.forms import Forms
from linkrisk.verifier.families.weights import Weights
from tests.linkage.files import numeric_file_pairs, numeric_files
from tests.verifier.certificates import Cone, Solved, make_twin
from tests.verifier.test_features import make_instance
from tests.verifier.twins import up_sets

UP_SETS = {n: list(up_sets(n)) for n in (1, 2, 3)}
weights = st.one_of(st.integers(-3, 3), st.integers(-(10**40), 10**40))


@given(n=st.integers(1, 3), data=st.data())
def test_closures_equal_enumeration(n: int, data: st.DataObject) -> None:
    """A mixture is nowhere positive on monotone measures just if no closed family has a positive sum."""
    weight = {mask: data.draw(weights) for mask in range(1, 1 << n)}
    expected = all(sum(weight[mask] for mask in family) <= 0 for family in UP_SETS[n])
    assert has_no_positive_closure({m: w for m, w in weight.items() if w}, n) == expected


@pytest.mark.slow
@given(n=st.integers(2, 7), data=st.data())
def test_flows_find_what_was_planted(n: int, data: st.DataObject) -> None:
    """What flows upwards is found to, to the last unit; one unit more is not carried off."""
    weight = dict.fromkeys(range(1, 1 << n), 0)
    for _ in range(data.draw(st.integers(1, 30))):
        mask = data.draw(st.integers(1, (1 << n) - 1))
        larger = mask | data.draw(st.integers(0, (1 << n) - 1))
        amount = data.draw(st.one_of(st.integers(1, 5), st.integers(1, 10**60)))
        weight[mask] += amount
        weight[larger] -= amount
    assert has_no_positive_closure(weight, n)
    weight[data.draw(st.integers(1, (1 << n) - 1))] += 1
    assert not has_no_positive_closure(weight, n)


@given(n=st.integers(1, 4), rank=st.integers(0, 4), seed=st.integers(0, 2**32 - 1))
def test_semidefinite_matrices(n: int, rank: int, seed: int) -> None:
    """-R R' is nowhere positive on semidefinite matrices, of any rank; one unit more in a null direction is."""
    rng = np.random.default_rng(seed)
    root = rng.integers(-(10**6), 10**6, (n, min(rank, n))) * rng.integers(0, 2, (n, 1))
    matrix = [[-int(x) for x in row] for row in root.astype(object) @ root.astype(object).T] if rank else [[0] * n] * n
    forms = Forms(n, "bilinear_psd")
    assert forms.is_polar(_row_of(matrix, forms))
    if np.linalg.matrix_rank(root.astype(float)) < n or not rank:
        null = np.linalg.svd(root.astype(float))[0][:, -1] if rank else np.eye(n)[0]
        k = int(np.abs(null).argmax())
        larger = [row[:] for row in matrix]
        larger[k][k] += 1
        assert not forms.is_polar(_row_of(larger, forms))


def _row_of(matrix: list[list[int]], forms: Forms) -> dict[int, int]:
    """Return the row S -> trace(M S) of a matrix M."""
    entries = ((p, matrix[k][m] * (1 if k == m else 2)) for p, (k, m) in enumerate(forms.places))
    return {p: value for p, value in entries if value}


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5), floor=st.sampled_from([0.0, 0.01, 0.1]))
def test_weights_with_a_floor(seed: int, n: int, floor: float) -> None:
    """A row is polar just if it is not positive at the weights that give one attribute all that is left."""
    row = np.random.default_rng(seed).integers(-9, 3, n).tolist()
    corners = [[1 - (n - 1) * Fraction(floor) if k == m else Fraction(floor) for m in range(n)] for k in range(n)]
    expected = all(sum(a * b for a, b in zip(corner, row, strict=True)) <= 0 for corner in corners)
    assert Weights(n, floor).is_polar({k: value for k, value in enumerate(row) if value}) == expected


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), size=st.integers(1, 9), noise=st.sampled_from([0, 1e-9]))
def test_null_vectors_are_found_near_rounded_ones(seed: int, n: int, size: int, noise: float) -> None:
    """Vectors sum to 0 with whole multipliers, of any size; near rounded ones if they span their space."""
    rng = np.random.default_rng(seed)
    vectors = [[int(x) for x in row] for row in rng.integers(-1000, 1000, (size, n))]
    multipliers = [int(m) for m in rng.integers(1, 100, size)]
    last = [-sum(m * v[k] for m, v in zip(multipliers, vectors, strict=True)) for k in range(n)]
    rows = [{k: x for k, x in enumerate(v) if x} for v in (*vectors, last)]
    assert has_positive_combination(rows, [m * 3**1000 for m in (*multipliers, 1)])
    rounded = [m * (1.0 + noise * rng.uniform(-1, 1)) for m in (*multipliers, 1)]
    scaled = np.array([*vectors, last], dtype=float) * np.array(rounded)[:, None]
    if size >= n and np.linalg.svd(scaled)[1][-1] > 1e-3 * np.abs(scaled).max():
        assert has_positive_combination(rows, rounded)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), size=st.integers(1, 9))
def test_vectors_on_one_side_have_no_positive_combination(seed: int, n: int, size: int) -> None:
    """*Guarantee* of `has_positive_combination`: no multipliers, however well chosen, pass without a null vector."""
    rng = np.random.default_rng(seed)
    normal = rng.integers(-5, 6, n)
    vectors = rng.integers(-1000, 1000, (size, n))
    vectors = vectors[vectors @ normal > 0]
    assume(len(vectors))
    rows = [{k: int(x) for k, x in enumerate(v) if x} for v in vectors]
    for _ in range(5):
        assert not has_positive_combination(rows, (10.0 ** rng.uniform(-9, 9, len(rows))).tolist())


@settings(max_examples=40)
@given(files=numeric_file_pairs(max_attributes=2, max_records=5, has_holes=False))
def test_lost_records_are_linked_by_nobody(files: FilePair) -> None:
    """*Guarantee* of `is_lost_to`: a row is told to be polar just if it is not positive on any edge of the cone."""
    comparison = make_comparison(files)
    n = comparison.n_attributes
    for attacker in ("weighted_mean", "owa", "choquet", "choquet_metric"):
        instance, twin = make_instance(comparison, attacker), make_twin(comparison, attacker)
        for i in twin.people:
            for j in twin.rivals(i):
                row = twin.row(i, j)
                best = max(sum(a * b for a, b in zip(theta, row, strict=True)) for theta in _corners(attacker, n))
                assert instance.is_lost_to(i, j) == (best <= 0)


def _corners(attacker: str, n: int) -> list[list[int]]:
    """Return the edges of the cone of parameters, for one or two attributes."""
    if attacker in {"weighted_mean", "owa"} or n == 1:
        return np.eye(n, dtype=int).tolist()
    measures = [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    return measures if attacker == "choquet_metric" else [*measures, [0, 0, 1]]


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_copies_lose_forms(seed: int) -> None:
    """A copy of the own record loses it for every form; for free ones, whose ties are exact, there is no margin."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    y[1] = y[0]
    comparison = make_comparison(numeric_files(x, y))
    for attacker, tolerance in (
        ("bilinear", 2.0**-40),
        ("bilinear", 0.1),
        ("bilinear_psd", 2.0**-40),
        ("bilinear_free", 0.0),
    ):
        instance = make_instance(comparison, attacker, tolerance=tolerance)
        assert instance.is_lost_to(0, 1)
        assert not instance.is_lost_to(2, 3) or attacker == "bilinear_psd"


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_cuts_hold_for_admissible_parameters(seed: int) -> None:
    """An inequality is read as the one it names: every label gives the row that the definitions give."""
    comparison = make_comparison(numeric_files(*np.random.default_rng(seed).normal(size=(2, 3, 3))))
    for attacker, additivity in (("choquet", None), ("choquet_metric", None), ("choquet", 2), ("choquet", 3)):
        instance = make_instance(comparison, attacker, additivity)
        twin = make_twin(comparison, attacker, additivity=additivity)
        cone: Any = Cone(attacker, twin, 3, additivity)
        for row, label in zip(cone.rows, cone.labels, strict=True):
            assert instance.family.cut(label) == {k: int(x) for k, x in enumerate(row) if x}


def test_brute_force_sees_every_set() -> None:
    """The optimum that the tests trust is that of trying all sets of records."""
    comparison = make_comparison(numeric_files(*np.random.default_rng(5).normal(size=(2, 4, 2))))
    twin = make_twin(comparison, "weighted_mean")
    solved = Solved(twin, Cone("weighted_mean", twin, 2))
    sizes = [
        len(s) for r in range(5) for s in combinations(range(4), r) if not any(c <= set(s) for c in solved.members)
    ]
    assert max(sizes) == solved.links
