"""Digits of noise: what an intruder could read off the last ones, and off the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.datasets import census_like
from linkrisk.protection import add_correlated_noise, add_noise, individual_ranking
from linkrisk.protection.values.digits import noise_exponent, round_to


@given(st.floats(1e-12, 1e12), st.lists(st.floats(-1e15, 1e15), min_size=1, max_size=20))
@settings(max_examples=200, deadline=None)
def test_rounded_to_a_decimal_grid_much_finer_than_the_noise(deviation: float, values: list[float]) -> None:
    """No value moves by more than half of 10^-7 of the deviation, or the last bit; rounding twice is once."""
    before = np.array(values)
    after = round_to(before, noise_exponent(deviation))
    assert (np.abs(after - before) <= 0.5e-7 * deviation + np.spacing(np.abs(before))).all()
    assert after.tolist() == round_to(after, noise_exponent(deviation)).tolist()
    assert not np.signbit(after[after == 0]).any()


def test_the_grid_is_the_same_for_every_original() -> None:
    """Two originals with the same noisy value up to the grid are released as one and the same float."""
    near = 1234.5 + np.linspace(-4e-7, 4e-7, 9)
    assert len(set(round_to(near, noise_exponent(12.0)).tolist())) == 1
    assert round_to(np.array([0.1 + 0.2]), noise_exponent(0.5)).tolist() == [0.3]


def is_reachable(original: FloatArray, released: FloatArray, deviation: float) -> BoolArray:
    """Whether a value with all its digits can be the original plus one of the 2^53 draws: the intruder's test.

    Mironov (2012), On significance of the least significant bits for differential privacy, ACM CCS.
    """
    scores = (released - original) / deviation
    cells = np.round(ndtr(-np.abs(scores)) * 2.0**53 - 0.5)
    found = np.zeros(original.shape, dtype=bool)
    for step in range(-6, 7):
        tail = (cells + step + 0.5) * 2.0**-53
        draws = ndtri(np.where(scores < 0, tail, np.minimum(1 - tail, 1 - 2.0**-53)))
        found |= original + deviation * draws == released
    return found


def test_all_digits_of_noise_would_tell_wrong_originals() -> None:
    """The leak that the grid closes: with all digits more than half of the near wrong originals are impossible."""
    wages = census_like(200, seed=1)["FEDTAX"].to_numpy(float)
    deviation = 0.4 * wages.std(ddof=1)
    bits = np.random.default_rng(1).integers(0, 2**53, wages.size)
    whole = wages + deviation * ndtri((bits + 0.5) * 2.0**-53)
    pairs = np.abs(whole[None, :] - wages[:, None]) < 4 * deviation
    own = np.eye(wages.size, dtype=bool)
    rows, columns = np.nonzero(pairs)
    possible = np.zeros(pairs.shape, dtype=bool)
    possible[rows, columns] = is_reachable(wages[rows], whole[columns], deviation)
    assert possible[own].all()
    assert possible[pairs & ~own].mean() < 0.6
    released = round_to(whole, noise_exponent(deviation))
    possible[rows, columns] = is_reachable(wages[rows], released[columns], deviation)
    assert not possible[own].all()  # the test now fails the true original like any other
    step = 10.0 ** (np.floor(np.log10(deviation)) - 7)
    ends = [-np.abs((released[columns] + side * step / 2 - wages[rows]) / deviation) for side in (-1, 1)]
    draws = 2.0**53 * np.abs(ndtr(ends[1]) - ndtr(ends[0]))  # how many lead from an original to the grid point
    assert draws.min() > 1000  # so every near original could be it


@pytest.mark.parametrize("method", [add_noise, add_correlated_noise])
def test_released_noise_has_few_digits(method: Callable[..., Any]) -> None:
    """Every value is a multiple of a power of ten that is at least 10^-8 of the noise's deviation."""
    frame = census_like(300, seed=2)[["AGI", "FEDTAX", "EMCONTRB"]].astype(float) / 7.0
    released = method(frame, 25, secret_seed=1).data
    for name in frame:
        unit = 10.0 ** (np.floor(np.log10(0.25 * frame[name].std())) - 7)
        wholes = released[name] / unit
        assert np.abs(wholes - np.rint(wholes)).max() < 1e-3
        assert (released[name] != frame[name]).mean() > 0.99


@pytest.mark.parametrize("method", [add_noise, add_correlated_noise])
def test_noise_that_rounding_takes_off_is_told(method: Callable[..., Any]) -> None:
    """Ages with noise of a fifth of a year are ages again when rounded; with ten years they are not."""
    ages = pd.DataFrame({"age": np.random.default_rng(1).integers(16, 90, 500)})
    (note,) = method(ages, 1, continuous=True, secret_seed=1).notes
    assert "of the changed values of age come back by rounding to whole numbers;" in note
    assert method(ages, 50, continuous=True, secret_seed=1).notes == ()
    assert "multiples of 0.5" in method(ages + 0.5, 1, continuous=True, secret_seed=1).notes[0]
    assert "multiples of 100" in method(100 * ages, 1, secret_seed=1).notes[0]
    assert "of the values of age are as they were" in method(ages, 1, secret_seed=1).notes[0]


CODED = {"missing": ["99", "100", "-1"]}


@pytest.mark.parametrize("method", [add_noise, add_correlated_noise])
def test_no_whole_number_becomes_a_code_for_missing(method: Callable[..., Any]) -> None:
    """Noise that ends at a code goes one step back, so nothing is lost; other values are what they would be."""
    income = pd.DataFrame({"income": np.setdiff1d(np.arange(60, 140), [99, 100])})
    found = [method(income, 40, secret_seed=seed).data["income"] for seed in range(5)]
    coded = [method(income, 40, secret_seed=seed, schema=CODED).data["income"] for seed in range(5)]
    before, after = np.concatenate(found), np.concatenate(coded)
    is_code = np.isin(before, [99, 100])
    assert is_code.any()
    np.testing.assert_array_equal(after[~is_code], before[~is_code])
    lower = np.tile(income["income"], 5)[is_code] < 99
    np.testing.assert_array_equal(after[is_code], np.where(lower, 98, 101))


@pytest.mark.parametrize("centroid", ["mean", "median"])
def test_no_mean_becomes_a_code_for_missing(centroid: str) -> None:
    """98, 98, 101, 101 would have 100 (99.5) in the middle: they get the next number that is no code."""
    file = pd.DataFrame({"income": [98, 98, 101, 101, 500, 600, 700, 800]})
    told = {**CODED, "attributes": {"income": {"kind": "numeric"}}}
    released = individual_ranking(file, 4, centroid=centroid, schema=told).data["income"]
    assert released[:4].tolist() == [101] * 4


def test_noise_smaller_than_any_number_is_none() -> None:
    """The deviation of noise, p percent, underflows to 0."""
    file = pd.DataFrame({"a": [1.5, 2.5, 4.5]})
    for method in (add_noise, add_correlated_noise):
        pd.testing.assert_frame_equal(method(file, 1e-323).data, file)
