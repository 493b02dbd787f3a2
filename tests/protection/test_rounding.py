"""Rounding: multiples of the base, near, and without bias at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.errors import ParameterError
from linkrisk.protection import round_values

BASES = st.sampled_from([0.1, 0.25, 0.5, 1, 3, 5, 10, 1000])


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40), BASES, st.booleans())
@settings(max_examples=100, deadline=None)
def test_multiples_within_reach(values: list[float], base: float, random: bool) -> None:
    """All are multiples; nearest: within half a base; at random: within a base."""
    column = np.array(values)
    protected = round_values(column[:, None], base, random=random, secret_seed=3 if random else None).data[:, 0]
    np.testing.assert_allclose(protected / base, np.round(protected / base), rtol=1e-12)
    reach = base * (1 if random else 0.5)
    assert (np.abs(protected - column) <= reach * (1 + 1e-6) + 1e-6).all()


def test_random_rounding_has_no_bias() -> None:
    """12 becomes 10 in four of five cases and 20 in the fifth; multiples stay."""
    values = np.repeat([12.0, 20.0], 20_000)[:, None]
    protected = round_values(values, 10, random=True, secret_seed=8).data[:, 0]
    assert set(protected[:20_000]) == {10.0, 20.0}
    assert protected[:20_000].mean() == pytest.approx(12, abs=0.12)
    assert (protected[20_000:] == 20).all()


def test_by_hand() -> None:
    """Halves go up, tenths are the nearest floats, missing stays missing, a base for each column."""
    values = np.array([[0.5, 0.31], [1.5, 0.25], [-0.5, np.nan], [2.4, -0.26]])
    protected = round_values(values, {0: 1, 1: 0.1}).data
    assert protected[:, 0].tolist() == [1, 2, 0, 2]
    np.testing.assert_array_equal(protected[:, 1], [0.3, 0.3, np.nan, -0.3])


@pytest.mark.parametrize("base", [0, -1, float("nan"), "x", 1e-300, {0: True}])
def test_impossible_bases(base: float) -> None:
    """Above 0, and multiples that float64 tells apart."""
    with pytest.raises(ParameterError, match="base of column 0"):
        round_values(np.array([[5.0], [7e9]]), base)


def test_seed_without_draws() -> None:
    """Rounding to the nearest has no secret."""
    with pytest.raises(ParameterError, match="draws nothing"):
        round_values(np.zeros((3, 1)), 1, secret_seed=4)
    assert round_values(np.zeros((3, 1)), 1).secret is None
