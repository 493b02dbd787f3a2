"""Fuzzy measures against sums over subsets and permutations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.distances.choquet_integral import lifted_mobius
from linkrisk.distances.measure import (
    check_submodular,
    dyadic_label,
    measure_from_mobius,
    mobius_from_measure,
    shapley_values,
    smoothed_measure,
)
from linkrisk.errors import ParameterError
from tests.linkage.attackers import random_measure, random_submodular_measure
from tests.oracle import measures as oracle

NAMES = ("a", "b", "c", "d")


def as_array(values: dict[frozenset[str], float], names: tuple[str, ...]) -> FloatArray:
    """Lay a measure out over bit masks, attribute k in bit k."""
    result = np.zeros(1 << len(names))
    for subset, value in values.items():
        result[sum(1 << names.index(name) for name in subset)] = value
    return result


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_transforms_are_sums_over_subsets(n: int, seed: int) -> None:
    """Möbius and back, and Shapley values as averages over all orders of arrival."""
    names = NAMES[:n]
    measure = random_measure(np.random.default_rng(seed), names)
    exact = {subset: Fraction(value) for subset, value in measure.items()}
    array = as_array(measure, names)
    transform = {subset: float(value) for subset, value in oracle.mobius(exact, names).items()}
    np.testing.assert_array_equal(mobius_from_measure(array), as_array(transform, names))
    np.testing.assert_array_equal(measure_from_mobius(mobius_from_measure(array)), array)
    np.testing.assert_allclose(shapley_values(array), [float(s) for s in oracle.shapley(exact, names)], atol=1e-14)
    assert shapley_values(array).sum() == pytest.approx(1.0)


@given(st.integers(5, 12), st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_measure_to_mobius_to_measure(n: int, seed: int) -> None:
    """Both ways round, for many attributes, up to rounding."""
    values = np.random.default_rng(seed).random(1 << n)
    np.testing.assert_allclose(measure_from_mobius(mobius_from_measure(values)), values, atol=1e-9)
    np.testing.assert_allclose(mobius_from_measure(measure_from_mobius(values)), values, atol=1e-9)


@given(st.integers(2, 4), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=60, deadline=None)
def test_local_submodularity_is_submodularity(n: int, seed: int, is_planted: bool) -> None:
    """The check on pairs of attributes agrees with the definition on all pairs of sets."""
    names = NAMES[:n]
    rng = np.random.default_rng(seed)
    measure = random_submodular_measure(rng, names) if is_planted else random_measure(rng, names)
    slack = {subset: Fraction(value).limit_denominator(10**6) for subset, value in measure.items()}
    is_metric = oracle.is_submodular(slack, names) and all(measure[frozenset([name])] > 0 for name in names)
    assert is_metric or not is_planted
    if is_metric:
        check_submodular(as_array(measure, names), names)
    else:
        with pytest.raises(ParameterError, match=r"submodular|positive"):
            check_submodular(as_array(measure, names), names)


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_smoothed_measure_keeps_its_guarantee(n: int, seed: int) -> None:
    """Monotone to the last bit; a monotone measure is left alone; nothing moves by more than it was off."""
    names = NAMES[:n]
    rng = np.random.default_rng(seed)
    measure = random_measure(rng, names)
    array = as_array(measure, names)
    np.testing.assert_array_equal(smoothed_measure(array), array)
    rough = array + rng.uniform(-1e-10, 1e-10, array.size)
    smooth = smoothed_measure(rough)
    by_set = {subset: smooth[sum(1 << names.index(name) for name in subset)] for subset in oracle.subsets(names)}
    assert oracle.is_monotone(by_set, names)
    assert smooth[0] == 0
    np.testing.assert_allclose(smooth, array, atol=1.1e-10)


def test_dyadic_labels_are_those_of_the_tables() -> None:
    """Tables of abril2012-choquet.txt write v1 first (READING.md)."""
    assert [dyadic_label(mask, 3) for mask in (1, 2, 4, 7)] == ["100", "010", "001", "111"]


@given(st.dictionaries(st.integers(1, 15), st.floats(-1, 1), min_size=1))
@settings(max_examples=100, deadline=None)
def test_lifted_mobius_values_are_monotone(transform: dict[int, float]) -> None:
    """Exactly, in fractions, over all sets; and values of larger sets stay, none of a single attribute falls."""
    lifted = lifted_mobius(transform, 4)
    exact = {mask: Fraction(value) for mask, value in lifted.items()}
    for mask in range(16):
        for k in range(4):
            within = [value for other, value in exact.items() if other & ~(mask | 1 << k) == 0 and other >> k & 1]
            assert mask >> k & 1 or sum(within) >= 0
    for mask, value in transform.items():
        assert lifted[mask] >= value if mask.bit_count() == 1 else lifted[mask] == value
