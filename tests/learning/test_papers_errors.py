"""Approach 1: the least sum of errors equals that of the rational sweep, and says little about links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import Mean
from linkrisk.differences import make_comparison
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.papers import errors_program, minimise_errors
from linkrisk.learning.search import Status
from linkrisk.linkage.search import nearest
from linkrisk.protection import microaggregate
from tests.census import needs_census, read_census
from tests.linkage.files import numeric_files
from tests.oracle.sweep import from_large_to_small, least_errors, squared_differences

SIMPLEX_FAMILIES: list[Family] = [WeightedMeanFamily(), OWAFamily()]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 9), st.sampled_from(SIMPLEX_FAMILIES))
def test_two_attributes_equal_the_sweep(seed: int, n_records: int, family: Family) -> None:
    """The convex sum of errors is least at one of its bends."""
    random = np.random.default_rng(seed)
    original = random.integers(0, 9, (n_records, 2)).astype(np.float64)
    comparison = make_comparison(numeric_files(original, original + random.integers(-3, 4, original.shape)))
    coordinates = comparison.coordinates
    d = squared_differences(coordinates.original.tolist(), coordinates.protected.tolist())
    features = from_large_to_small if isinstance(family, OWAFamily) else (lambda x: x)
    least = least_errors(d, coordinates.own.tolist(), features)
    result = minimise_errors(family, comparison)
    assert result.status is Status.OPTIMAL
    assert result.errors == pytest.approx(float(least), abs=1e-6)


def test_parameters_are_weights() -> None:
    """Not negative, of sum 1, at least the floor of the metric version; links are those of the attacker."""
    random = np.random.default_rng(5)
    original = random.normal(size=(12, 4))
    comparison = make_comparison(numeric_files(original, original + random.normal(size=original.shape)))
    for family in (*SIMPLEX_FAMILIES, WeightedMeanFamily(floor=0.01)):
        result = minimise_errors(family, comparison)
        assert result.theta.min() >= (family.floor or 0.0) - 1e-12
        assert result.theta.sum() == pytest.approx(1.0)
        assert result.links == nearest(family.distance(result.theta, comparison)).links()
        assert str(result).startswith(f"{family.name} by least errors, HiGHS ")


def test_time_limit_zero_gives_equal_weights() -> None:
    """No time, and no weights except the plain ones."""
    random = np.random.default_rng(5)
    original = random.normal(size=(30, 4))
    comparison = make_comparison(numeric_files(original, original + random.normal(size=original.shape)))
    result = minimise_errors(WeightedMeanFamily(), comparison, time_limit=0)
    assert result.status is Status.TIME_LIMIT
    assert result.links == nearest(Mean().distance(comparison)).links()


def test_pairs_without_errors_are_left_out() -> None:
    """Only a rival that is nearer on some attribute can be in error."""
    original = np.array([[0.0, 0], [5, 5], [9, 0]])
    program = errors_program(WeightedMeanFamily(), make_comparison(numeric_files(original, original)))
    assert program.column_names == ("theta_0", "theta_1")
    assert program.row_names == ("normal",)


def test_other_families_are_refused() -> None:
    """The papers minimise errors of weighted means and OWAs."""
    files = numeric_files([[0.0, 1], [1, 0]], [[0.0, 1], [1, 0]])
    with pytest.raises(ParameterError, match="choquet: the papers minimise errors for weighted_mean and owa only"):
        minimise_errors(ChoquetFamily(), make_comparison(files))


@needs_census
def test_census_fewer_links_than_the_plain_mean() -> None:
    """B3 of torra2010-owa.txt: two groups of attributes, k = 20, 100 records; microaggregated on standardised values.

    Section 3.1: "the number of correct links was less than the number of links when we just used the standard
    (non-weighted) record linkage". Table 3 has 73 % for the plain mean.
    """
    census = read_census()
    names = list(census.columns)
    protected = microaggregate(census, [names[:6], names[6:]], 20, continuous=True).data
    sample = np.random.default_rng(0).choice(len(census), 100, replace=False)
    comparison = make_comparison(numeric_files(census.to_numpy()[sample], protected.to_numpy()[sample]))
    result = minimise_errors(WeightedMeanFamily(), comparison)
    assert result.status is Status.OPTIMAL
    assert result.links < nearest(Mean().distance(comparison)).links()
