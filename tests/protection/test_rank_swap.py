"""Rank swapping: against its twin, its promises, and its bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import rank_swap
from linkrisk.protection.methods.rank_swap import SwappedAttribute
from linkrisk.protection.swap_kernel import swap_partners
from tests.oracle.ranking import swap_partners as slow_partners


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 70))
@settings(max_examples=200, deadline=None)
def test_partners_are_those_of_the_twin(seed: int, n_ranks: int, window: int) -> None:
    """The tree finds the very partner that a list of the free ones gives."""
    uniforms = np.random.default_rng(seed).random(n_ranks)
    assert swap_partners(uniforms, window).tolist() == slow_partners(uniforms.tolist(), window)


@given(st.integers(0, 2**32), st.floats(1, 100), st.integers(1, 50))
@settings(max_examples=100, deadline=None)
def test_swapped_ranks_are_within_p(seed: int, p: float, largest: int) -> None:
    """Without ties no value moves more than p percent of the ranks; with ties the values at such ranks bound it."""
    values = np.random.default_rng(seed).integers(0, largest, 100).astype(float)
    protected = rank_swap(values[:, None], p, secret_seed=seed).data[:, 0]
    ordered = np.sort(values)
    assert np.sort(protected).tolist() == ordered.tolist()
    window = int(p)
    last = np.searchsorted(ordered, values, side="right") - 1
    first = np.searchsorted(ordered, values, side="left")
    assert (protected <= ordered[np.minimum(last + window, 99)]).all()
    assert (protected >= ordered[np.maximum(first - window, 0)]).all()


def test_five_records_with_ties_by_hand() -> None:
    """One rank of five: neighbours change places, whichever order the equal values were given."""
    values = np.array([[7.0], [1.0], [7.0], [3.0], [7.0]])
    for seed in range(10):
        protected = rank_swap(values, 20, secret_seed=seed).data[:, 0]
        assert (protected[1], protected[3]) == (3.0, 1.0)
        assert protected[[0, 2, 4]].tolist() == [7.0, 7.0, 7.0]


def test_equal_values_are_ranked_at_random() -> None:
    """Who of the equal ones may be swapped across the border does not hang on the file's order."""
    values = np.repeat([0.0, 1.0], 50)[:, None]
    changed = sum((rank_swap(values, 4, secret_seed=seed).data != values)[:, 0].astype(int) for seed in range(300))
    assert changed.min() > 0
    assert changed.max() < 60


def test_ordinal_missing_and_p_for_each() -> None:
    """Ordinal columns keep their type and margins; missing values stay where they are."""
    school = pd.Categorical(["low", "high", None, "low", "high"] * 20, categories=["low", "high"], ordered=True)
    frame = pd.DataFrame({"school": school, "wage": [1.0, None, 3, 4, 5] * 20})
    protection = rank_swap(frame, {"school": 30, "wage": 5}, secret_seed=4)
    protected = protection.data
    assert protected["school"].dtype == frame["school"].dtype
    for name in frame:
        assert protected[name].isna().tolist() == frame[name].isna().tolist()
        assert protected[name].value_counts().to_dict() == frame[name].value_counts().to_dict()
    assert (protected["school"] != frame["school"])[frame["school"].notna()].any()
    first, second = protection.details
    assert isinstance(first, SwappedAttribute)
    assert isinstance(second, SwappedAttribute)
    assert (first.window, second.window) == (24, 4)
    assert second.largest_move <= 4


@pytest.mark.parametrize("p", [-1, 101, float("nan"), "5", True, {"a": 0}, 0.5])
def test_impossible_p_is_refused(p: float) -> None:
    """Above 0, at most 100, and at least one rank."""
    with pytest.raises(ParameterError, match="p of column 'a'"):
        rank_swap(pd.DataFrame({"a": range(100)}), p)


def test_nominal_columns_are_refused() -> None:
    """They have no ranks."""
    with pytest.raises(ColumnError, match="'s' is not numeric or ordinal but nominal"):
        rank_swap(pd.DataFrame({"s": ["x", "y"] * 5}), 10)
