"""Parameters in whole numbers: whether they are admissible is told exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.polar import negative_direction
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from tests.oracle.judge.families import Family as Judged

SETS: list[tuple[Family, str, Fraction, int]] = [
    (WeightedMeanFamily(), "weighted_mean", Fraction(0), 0),
    (WeightedMeanFamily(0.1), "weighted_mean_metric", Fraction(0.1), 0),
    (ChoquetFamily(), "choquet", Fraction(0), 0),
    (ChoquetFamily(is_metric=True), "choquet_metric", Fraction(0), 0),
    (AdditiveChoquetFamily(2), "choquet", Fraction(0), 2),
    (AdditiveChoquetFamily(3), "choquet", Fraction(0), 3),
    (BilinearFamily(Form.SEMIDEFINITE), "bilinear_psd", Fraction(0), 0),
]
"""Families, as the judge calls them, with floor and additivity."""

small = st.integers(-3, 9)


@pytest.mark.parametrize(("family", "name", "floor", "additivity"), SETS)
@given(data=st.data(), n=st.integers(1, 3), scale=st.sampled_from([1, 2**70 + 1]))
def test_violated_inequalities_are_those_of_fractions(
    family: Family, name: str, floor: Fraction, additivity: int, data: st.DataObject, n: int, scale: int
) -> None:
    """Guarantee 3.10: rows are violated, and there are none just if the parameters are admissible."""
    parameters = family.parameter_set(n)
    theta = data.draw(st.lists(small, min_size=parameters.n_parameters, max_size=parameters.n_parameters))
    theta = [scale * value for value in theta]
    theta[-1] += data.draw(st.integers(-1, 1))  # off by a hair
    rows = parameters.violated(theta)
    assert all(sum(a * b for a, b in zip(row, theta, strict=True)) < 0 for row in rows)
    judged = Judged(name, n, floor, additivity)
    if any(theta) and not name.startswith("choquet"):
        assert (not rows) == judged.is_admissible([Fraction(value) for value in theta])
    elif not rows:  # closed cones: a little inside is admissible
        inside = [Fraction(a) + Fraction(b) / 10**9 for a, b in zip(theta, parameters.interior.tolist(), strict=True)]
        assert judged.is_admissible(inside)


@given(data=st.data(), n=st.integers(2, 4), scale=st.sampled_from([1, 2**70 + 1, 2**1100 + 1]))
def test_gains_of_whole_numbers_are_exact(data: st.DataObject, n: int, scale: int) -> None:
    """Guarantee 3.10: of Möbius values that no float tells apart, or holds, every negative gain is found."""
    parameters = AdditiveChoquetFamily(3).parameter_set(n)
    subsets = [frozenset(s) for size in range(1, min(n, 3) + 1) for s in combinations(range(n), size)]
    theta = data.draw(st.lists(small, min_size=len(subsets), max_size=len(subsets)))
    theta = [scale * value + data.draw(st.integers(-1, 1)) for value in theta]

    def gain(k: int, others: frozenset[int]) -> int:
        return sum(value for s, value in zip(subsets, theta, strict=True) if k in s and s - {k} <= others)

    sets = [frozenset(s) for size in range(n) for s in combinations(range(n), size)]
    has_loss = [any(gain(k, s) < 0 for s in sets if k not in s) for k in range(n)]
    rows = parameters.violated(theta)
    assert len(rows) == sum(has_loss)
    assert all(sum(a * b for a, b in zip(row, theta, strict=True)) < 0 for row in rows)


@given(n=st.integers(1, 4), data=st.data())
def test_a_direction_shows_that_a_matrix_is_not_semidefinite(n: int, data: st.DataObject) -> None:
    """Guarantee 3.10: u' S u < 0, or the matrix is semidefinite; products R R' always are."""
    size = n * (n + 1) // 2
    upper = data.draw(st.lists(st.integers(-4, 4), min_size=size, max_size=size))
    first, second = np.triu_indices(n)
    matrix = np.zeros((n, n), dtype=object)
    matrix[first, second] = matrix[second, first] = upper
    u = negative_direction(upper, n)
    if u is None:
        assert np.linalg.eigvalsh(matrix.astype(float)).min() > -1e-9
    else:
        assert np.array(u, dtype=object) @ matrix @ np.array(u, dtype=object) < 0
    product = matrix @ matrix.T
    assert negative_direction(product[first, second].tolist(), n) is None
