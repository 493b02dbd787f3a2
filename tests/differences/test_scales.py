"""The three scales against their definitions, and what must not change them."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.differences.scale import Scale
from linkrisk.differences.scales import careful_moments, scale_values, scaled_means
from tests.oracle import scales as oracle

cells = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6, width=32, allow_subnormal=False),
    st.sampled_from([math.nan, 1e15]),
)
columns = st.lists(cells, min_size=1, max_size=12).map(np.array)


def known(values: FloatArray) -> list[float | None]:
    """Values as the twin wants them."""
    return [None if math.isnan(value) else value for value in values.tolist()]


@pytest.mark.slow
@given(columns, columns, st.sampled_from(list(Scale)))
@settings(max_examples=150, deadline=None)
def test_scales_are_those_of_the_twin(
    original: FloatArray,
    protected: FloatArray,
    scale: Scale,
) -> None:
    """Equal up to the rounding of one subtraction (relative to the largest value) and one division."""
    fast = scale_values(original, protected, scale)
    slow = oracle.SCALES[scale.value](known(original), known(protected))
    for x, y in zip(fast, slow, strict=True):
        expected = np.array([math.nan if value is None else value for value in y])
        np.testing.assert_array_equal(np.isnan(x), np.isnan(expected))
        np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-12)


@given(columns, st.randoms(use_true_random=False), st.integers(-200, 200))
@settings(max_examples=100, deadline=None)
def test_careful_moments_keep_their_guarantee(values: FloatArray, random: Random, exponent: int) -> None:
    """Permuting changes no bit; a power of two passes through exactly."""
    shuffled = values.tolist()
    random.shuffle(shuffled)
    centre, deviation = careful_moments(values)
    assert careful_moments(np.array(shuffled)) == (centre, deviation)
    if np.nanmin(values, initial=math.inf) < np.nanmax(values, initial=-math.inf):
        expected = (math.ldexp(centre, exponent), math.ldexp(deviation, exponent))
        assert careful_moments(np.ldexp(values, exponent)) == expected


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_huge_and_tiny_values_neither_overflow_nor_vanish(size: float) -> None:
    """Squares of such values would leave the range of floats."""
    x, y = scale_values(np.array([1.0, 2.0, 3.0]) * size, np.array([1.0, 2.0, 3.0]) * size, Scale.SEPARATE)
    np.testing.assert_allclose(x, [-1, 0, 1], rtol=1e-14, atol=1e-14)
    np.testing.assert_array_equal(x, y)


def test_a_large_mean_with_a_small_spread_keeps_its_digits() -> None:
    """10^9 plus tenths: a mean summed carelessly would be off by more than the differences."""
    values = 1e9 + np.arange(1001) / 8
    x, _ = scale_values(values, values, Scale.SEPARATE)
    np.testing.assert_array_equal(x, -x[::-1])


@pytest.mark.parametrize("scale", list(Scale))
def test_constant_columns_are_only_centred(scale: Scale) -> None:
    """No division by zero, and exactly zero where the column is the original's."""
    x, y = scale_values(np.full(3, 0.1), np.full(3, 0.1), scale)
    assert x.tolist() == y.tolist() == [0.0, 0.0, 0.0]


def test_a_constant_original_does_not_drown_the_rest() -> None:
    """On the scale original a protected column far from a constant original has size 1, whatever its units."""
    for shift in (1e-9, 1.0, 1e9):
        x, y = scale_values(np.full(4, 7.0), np.array([1.0, 2.0, 3.0, 4.0]) * shift + 7.0, Scale.ORIGINAL)
        assert x.tolist() == [0.0] * 4
        np.testing.assert_allclose(y**2 @ np.ones(4) / 4, 1.0)


def test_columns_without_a_known_value_stay_missing() -> None:
    """All missing in one file, or a single known value."""
    for scale in Scale:
        x, y = scale_values(np.array([math.nan, 5.0]), np.array([math.nan, math.nan]), scale)
        assert math.isnan(x[0])
        assert x[1] == 0.0
        assert np.isnan(y).all()


def test_the_scales_differ_on_a_top_coded_file() -> None:
    """Ranks survive top-coding below the cut, separate scaling does not (DESIGN.md)."""
    original = np.exp(np.linspace(0, 8, 40))
    protected = np.minimum(original, original[30])
    for scale, is_kept in ((Scale.SEPARATE, False), (Scale.ORIGINAL, True), (Scale.RANKS, True)):
        x, y = scale_values(original, protected, scale)
        assert bool(np.allclose(x[:30], y[:30], atol=1e-12)) == is_kept


around_a_mean = st.builds(
    lambda mean, steps, holes: np.array([mean, *(mean + s for s in steps), *(mean - s for s in steps), *holes]),
    st.floats(-1e6, 1e6, width=32, allow_subnormal=False),
    st.lists(st.floats(0, 1e6, width=32, allow_subnormal=False), max_size=5),
    st.lists(st.just(math.nan), max_size=2),
)


@given(around_a_mean, around_a_mean, st.sampled_from([Scale.SEPARATE, Scale.ORIGINAL]))
@settings(max_examples=200, deadline=None)
def test_scaled_means_keep_their_guarantee(original: FloatArray, protected: FloatArray, scale: Scale) -> None:
    """A record whose value is the mean (as rounded), and one whose value is missing, get the same number."""
    for raw, values, mean in zip(
        (original, protected),
        scale_values(original, protected, scale),
        scaled_means(original, protected, scale),
        strict=True,
    ):
        at_mean = values[raw == careful_moments(raw)[0]]
        assert (at_mean == mean).all()


def test_a_hole_is_a_record_at_the_mean() -> None:
    """Vectors of a hole and of a value at the mean of its file are equal, on all scales that know means."""
    original, protected = np.array([math.nan, 0.0, 3.0, 0.0]), np.array([5.0, math.nan, 2.0, 0.0, 5.0, 3.0])
    for scale in (Scale.SEPARATE, Scale.ORIGINAL):
        _, fill = scaled_means(original, protected, scale)
        assert scale_values(original, protected, scale)[1][-1] == fill, scale
    assert scaled_means(original, protected, Scale.RANKS) == (0.0, 0.0)
    assert scaled_means(original, np.full(2, math.nan), Scale.ORIGINAL) == (0.0, 0.0)
