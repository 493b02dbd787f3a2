"""Noise and means keep the decimals and the range of a column; the shares of values that changed."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.data.attributes import Kind
from linkrisk.protection import add_correlated_noise, add_noise, microaggregate
from linkrisk.protection.values.columns import Column
from linkrisk.protection.values.digits import Resolution
from tests.oracle.informed import folded


def file(n_records: int = 200) -> pd.DataFrame:
    """Make whole numbers, numbers with two decimals, and numbers with all of them, many at the lower end."""
    random = np.random.default_rng(4)
    ages = np.maximum(random.integers(-20, 90, n_records), 0)
    return pd.DataFrame(
        {"age": ages, "price": random.integers(0, 99_999, n_records) / 100, "x": random.lognormal(size=n_records)}
    )


@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_noise_keeps_decimals_and_range(method: str) -> None:
    """Ages are whole and not negative, prices have two decimals; nothing leaves the range unless it is asked for."""
    original = file()
    released = linkrisk.protect(original, method, p=40, secret_seed=1).data
    assert (released["age"] == released["age"].round()).all()
    assert (released["price"] == released["price"].round(2)).all()
    assert (released >= original.min()).all(axis=None)
    assert (released <= original.max()).all(axis=None)
    free = linkrisk.protect(original, method, p=40, continuous=True, secret_seed=1).data
    assert (free["age"] < 0).any()
    assert (free["age"] != free["age"].round()).any()


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=30), st.integers(-3, 3), st.integers(1, 9))
def test_reflection_is_that_of_the_twin(eighths: list[int], low: int, width: int) -> None:
    """At mirrors half a step outside of the range, as often as it takes; halves are left to rounding."""
    values = np.array([eighth / 8 + 1 / 32 for eighth in eighths])
    found = Resolution(0, float(low), float(low + width)).folded(values)
    twin = [folded(value, low - 0.5, low + width + 0.5) for value in values]
    assert found.tolist() == [math.floor(value + 0.5) for value in twin]


def test_an_even_file_stays_even() -> None:
    """Reflection keeps a uniform distribution on the values of the range: each share within 5 standard errors."""
    values = np.repeat(np.arange(30.0), 1000)
    released = add_noise(values[:, None], 30, secret_seed=2).data[:, 0]
    counts = np.bincount(released.astype(int), minlength=30)
    assert np.abs(counts - 1000).max() < 5 * math.sqrt(1000)


def test_means_of_whole_numbers_are_whole() -> None:
    """1 and 2 become 2 (halves to even), 0.25 and 0.28 become 0.26; all digits only if asked for."""
    people = np.array([[1, 0.25], [2, 0.28], [101, 9.0], [102, 9.0], [104, 9.0]])
    assert microaggregate(people, [[0], [1]], 2).data.tolist() == [
        [2, 0.26], [2, 0.26], [102, 9], [102, 9], [102, 9],
    ]  # fmt: skip
    exact = microaggregate(people, [[0], [1]], 2, continuous=True).data
    np.testing.assert_allclose(exact[:2], [[1.5, 0.265]] * 2)


@given(st.lists(st.integers(0, 60), min_size=8, max_size=30), st.integers(2, 4))
def test_rounding_keeps_the_promise_of_k(values: list[int], k: int) -> None:
    """Every value belongs to k records, rounded or not, and the mean moves by at most half a unit."""
    column = np.array(values, dtype=float)[:, None]
    told = {"attributes": {"V1": {"kind": "numeric"}}}
    released = microaggregate(column, [[0]], k, schema=told).data[:, 0]
    assert np.unique(released, return_counts=True)[1].min() >= k
    assert abs(released.mean() - column.mean()) <= 0.5


def test_covariances_are_kept_away_from_the_ends() -> None:
    """Of records that noise cannot bring to an end, the noise has the covariances promised."""
    random = np.random.default_rng(3)
    core = random.uniform(-1, 1, (20_000, 1)) + random.uniform(-0.5, 0.5, (20_000, 2))
    frame = pd.DataFrame(np.vstack([core, [[-9, -9], [9, 9]]]), columns=["a", "b"])
    noise = add_correlated_noise(frame, 30, secret_seed=5).data - frame
    np.testing.assert_allclose(noise.cov(), 0.09 * frame.cov(), rtol=0.04)


def test_correlated_noise_tells_what_depends_and_what_was_drawn_again() -> None:
    """A sum gets no noise of its own; many values at an end cost covariances."""
    original = file().assign(total=lambda frame: frame["age"] + frame["price"])
    notes = add_correlated_noise(original, 40, secret_seed=1).notes
    assert "the other attributes explain total: no noise of its own, and the relation stays." in notes
    assert any("was drawn again to stay in the columns' ranges" in note for note in notes)
    assert not any("drawn again" in note for note in add_correlated_noise(original, 40, continuous=True).notes)


def test_correlated_noise_with_missing_values() -> None:
    """Holes stay, everything else of the record gets its part of the noise."""
    original = file()
    original.loc[3, "price"] = np.nan
    released = add_correlated_noise(original, 30, secret_seed=1).data
    assert (released.isna() == original.isna()).all(axis=None)
    assert released.loc[3, "x"] != original.loc[3, "x"]


def test_the_share_that_changed_is_told() -> None:
    """Nine of ten zeros: values that move among equal ones did not change, whatever the method."""
    values = np.zeros(200)
    values[:18] = np.arange(1, 19) * 1.5
    protection = linkrisk.protect(values[:, None], "rank_swap", p=100, secret_seed=1)
    share = float((protection.data[:, 0] != values).mean())
    assert 0.1 < share < 0.2
    assert protection.changed == {"V1": share}
    assert protection.details[0].share_changed == share  # type: ignore[attr-defined]
    assert f"values changed: V1 {share:.1%}" in str(protection)
    assert protection.to_dict()["values_changed"] == {"V1": share}


def test_resolution_of_a_column() -> None:
    """Decimals of the known values, or none; the range of them."""
    column = Column("a", Kind.NUMERIC, np.array([1.25, np.nan, -3.0]))
    assert Resolution.of(column, continuous=False) == Resolution(-2, -3.0, 1.25)
    assert Resolution.of(column, continuous=True) == Resolution(None)
    assert Resolution.of(column.with_values(np.array([1 / 3, 2.0])), continuous=False) == Resolution(None, 1 / 3, 2.0)
