"""The individual risk: against its definition, against published figures, and its laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.frequencies import individual_risk
from tests.frequencies.francdat import RISKS
from tests.oracle.frequencies import expected_reciprocal


def risk_of(frequency: int, fraction: float) -> float:
    """Return the risk of one record."""
    return float(individual_risk(np.array([frequency]), np.array([frequency / fraction]))[0])


@pytest.mark.parametrize("frequency", [1, 2, 3, 4, 7, 19, 20, 21, 60])
@pytest.mark.parametrize("fraction", [0.01, 0.1, 0.3, 0.4999, 0.5, 0.51, 0.9, 0.9999, 1.0])
def test_it_is_the_mean_of_one_over_the_population_frequency(frequency: int, fraction: float) -> None:
    """Every way of computing it, and both sides of every border between them, against the sum over all F."""
    assert risk_of(frequency, fraction) == pytest.approx(expected_reciprocal(frequency, fraction), rel=1e-9)


def test_closed_forms() -> None:
    """The formulas for f = 1, 2 and 3, where no digits cancel."""
    p, q = 0.2, 0.8
    first = p / q * -math.log(p)
    second = p / q * (1.0 + p * math.log(p) / q)
    assert [risk_of(f, p) for f in (1, 2, 3)] == pytest.approx([first, second, p / q * (0.5 - second)], rel=1e-13)


def test_the_published_risks() -> None:
    """The risks that sdcMicro's documentation of indivRisk prints for its example, all digits."""
    sample = np.array([2, 2, 2, 1, 1, 1, 1, 2])
    population = np.array([110.0, 84.5, 84.5, 17.0, 541.0, 8.0, 5.0, 110.0])
    assert individual_risk(sample, population).tolist() == pytest.approx(RISKS, abs=5e-9)


def test_the_published_risks_of_testdata() -> None:
    """Risk, f and F of the first records of testdata, as the documentation of sdcMicro's measure_risk prints them.

    There risks of f >= 3 are approximate; see `individual_risk`.
    """
    sample = np.array([359, 351, 161, 150])
    printed = [2.793218e-05, 2.857061e-05, 6.249609e-05, 6.710959e-05]
    assert individual_risk(sample, 100.0 * sample).tolist() == pytest.approx(printed, rel=6e-7)
    unweighted = [0.002785515, 0.002849003, 0.006211180, 0.006666667]
    assert individual_risk(sample, 1.0 * sample).tolist() == pytest.approx(unweighted, abs=5e-10)


@given(st.integers(1, 5000), st.floats(1e-6, 1.0))
def test_it_lies_between_the_sampling_fraction_over_f_and_one_over_f(frequency: int, fraction: float) -> None:
    """1 / F is at most 1 / f, and on average at least one over the mean of F, which is f / p (Jensen)."""
    risk = risk_of(frequency, fraction)
    assert fraction / frequency * (1.0 - 1e-12) <= risk <= 1.0 / frequency * (1.0 + 1e-12)


@given(st.integers(1, 60), st.floats(1e-6, 0.999))
def test_who_is_less_rare_is_at_less_risk(frequency: int, fraction: float) -> None:
    """More in the sample at the same fraction, or fewer people in the population: monotone, across all borders."""
    risk = risk_of(frequency, fraction)
    assert risk_of(frequency + 1, fraction) < risk
    assert risk_of(frequency, min(1.0, fraction * 1.01)) > risk


def test_weights_below_one_are_a_whole_population() -> None:
    """Nobody stands for less than a person: the risk is 1 / f."""
    assert individual_risk(np.array([2, 1]), np.array([1.5, 0.2])).tolist() == [0.5, 1.0]
