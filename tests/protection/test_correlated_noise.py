"""Correlated noise: covariances, singular files, bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data.attributes import Kind
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import add_correlated_noise, add_noise
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.methods.correlated_noise import _Noise
from linkrisk.protection.values.columns import Column


def related(n_records: int, seed: int = 1) -> pd.DataFrame:
    """Make three related attributes of very different units."""
    generator = np.random.default_rng(seed)
    wage = generator.lognormal(10, 0.5, n_records)
    tax = 0.3 * wage + generator.normal(0, 1000, n_records)
    return pd.DataFrame({"wage": wage, "tax": tax, "age": generator.uniform(16, 90, n_records) + wage / 1e3})


def test_covariances_of_noise_and_result() -> None:
    """Noise has p^2 times the covariances; correlations stay, while independent noise lowers them."""
    frame = related(200_000)
    protected = add_correlated_noise(frame, 50, continuous=True, secret_seed=7).data
    noise = protected - frame
    scale = np.outer(frame.std(), frame.std())
    np.testing.assert_allclose(noise.cov() / scale, 0.25 * frame.cov() / scale, atol=0.004)
    np.testing.assert_allclose(protected.corr(), frame.corr(), atol=0.01)
    independent = add_noise(frame, 50, continuous=True, secret_seed=7).data.corr().to_numpy()
    assert independent[0, 1] < frame.corr().to_numpy()[0, 1] - 0.1


@given(st.integers(0, 2**32), st.floats(0, 200))
@settings(max_examples=30, deadline=None)
def test_dependent_attributes_stay_dependent(seed: int, p: float) -> None:
    """Sums, copies and constants of the file are sums, copies and constants of the protected file, in its ranges."""
    frame = related(60, seed).assign(copy=lambda f: 2 * f["tax"] + 5, total=lambda f: f["wage"] + f["tax"], one=1.0)
    protected = add_correlated_noise(frame, p, secret_seed=seed).data
    scale = frame["wage"].max() * (1 + p)
    np.testing.assert_allclose(protected["copy"], 2 * protected["tax"] + 5, atol=1e-6 * scale)
    np.testing.assert_allclose(protected["total"], protected["wage"] + protected["tax"], atol=1e-6 * scale)
    assert (protected["one"] == 1).all()


def test_bad_input() -> None:
    """One p for all, numbers only, two records without missing values."""
    frame = related(20)
    with pytest.raises(ParameterError, match="p must be a number"):
        add_correlated_noise(frame, {"wage": 1})  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="p must be a finite number of 0 or more"):
        add_correlated_noise(frame, -1)
    with pytest.raises(ParameterError, match="2 records without missing values"):
        add_correlated_noise(frame.assign(age=[1.0] + [np.nan] * 19), 1)
    with pytest.raises(ColumnError, match="'s' is not numeric or date but nominal"):
        add_correlated_noise(frame.assign(s="x"), 1)
    with pytest.raises(ParameterError, match="2 records"):
        add_correlated_noise(np.zeros((1, 1)), 1)
    with pytest.raises(ParameterError, match="would not be finite; choose less"):
        add_correlated_noise(np.array([[-1e308], [1e308]] * 20), 1000, secret_seed=1)


def test_records_that_are_reflected_are_counted() -> None:
    """Where no draw is within all ranges sums are not kept, and a note says for how many records."""
    values = np.maximum(np.random.default_rng(1).normal(size=(60, 8)), 0.0)
    frame = pd.DataFrame(values, columns=list("abcdefgh"))
    notes = add_correlated_noise(frame, 400, secret_seed=1).notes
    assert any("of 60 records were outside of a range even after 200 draws" in note for note in notes)
    assert not any("draws" in note for note in add_correlated_noise(frame, 400, continuous=True, secret_seed=1).notes)


def test_draws_do_not_depend_on_how_columns_are_called() -> None:
    """The second draw of a column is not the first of another, whatever their names."""
    purposes = []
    noise = _Noise.of(
        [Column(name, Kind.NUMERIC, np.array(values)) for name, values in NAMED.items()],
        50.0,
        Secret(1),
        continuous=False,
    )
    for attempt in (0, 1, 11):
        single = replace(noise, triangle=np.eye(len(NAMED)), deviations=np.ones(len(NAMED)))
        purposes += single._draw(1, attempt)[0].tolist()
    assert len(set(purposes)) == 3 * len(NAMED)


NAMED = {"a": [1.0, 2.5, 7.0], "a 1": [2.0, 1.5, 5.5], "a 1 1": [2.0, 9.5, 5.5], "\0a": [0.5, 1.5, 0.2]}
