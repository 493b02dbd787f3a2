"""The temperature of a distance: the likeliest one, for noise, scales, equal and negative distances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import BilinearFree, Mean, Probabilistic, WeightedMean
from linkrisk.data.attributes import Kind
from linkrisk.differences import make_comparison
from linkrisk.distances.distance import Distance, Rule
from linkrisk.linkage.matching.temperature import estimate_temperature
from linkrisk.linkage.search import distances
from tests.linkage.files import ORDER, label_column, numeric_files, paired
from tests.oracle import temperature as oracle


def noisy(n: int, deviation: float, n_attributes: int, seed: int) -> Distance:
    """Mean of squares between normal values and the same with normal noise, on a scale that changes nothing."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(n, n_attributes))
    files = numeric_files(original, original + deviation * rng.normal(size=(n, n_attributes)))
    return Mean().distance(make_comparison(files, "original"))


@settings(deadline=None, max_examples=40)
@given(st.integers(3, 8), st.sampled_from([0.05, 0.3, 1.0]), st.integers(1, 3), st.integers(0, 10**6))
def test_no_temperature_is_likelier(n: int, deviation: float, n_attributes: int, seed: int) -> None:
    """The likelihood, term by term, is not larger at any other temperature; at it, T is the expected distance."""
    distance = noisy(n, deviation, n_attributes, seed)
    table = distances(distance).tolist()
    found = estimate_temperature(distance)
    assert found is not None

    def likelihood(temperature: float) -> float:
        return oracle.log_likelihood(table, temperature, n_attributes / 2 * math.log(temperature))

    others = found * np.exp(np.linspace(-3.0, 3.0, 49))
    inside = others[others <= np.mean(table)]
    assert likelihood(found) >= max(likelihood(float(other)) for other in inside) - 0.01
    expected = 2 / n_attributes * oracle.expected_distance(table, found)
    assert found == pytest.approx(expected, rel=0.05) or found > np.mean(table)


@pytest.mark.parametrize("deviation", [0.05, 0.2, 0.5])
def test_it_is_that_of_the_noise(deviation: float) -> None:
    """Noise of variance s^2 on each of V attributes, d the mean of squares: T = 2 s^2 / V; nobody says who is who."""
    distance = noisy(600, deviation, 4, 5)
    scale = distances(distance).diagonal().mean() / deviation**2  # the comparison has a unit of its own
    assert estimate_temperature(distance) == pytest.approx(2.0 * deviation**2 * scale / 4, rel=0.15)


@given(st.floats(1e-6, 1e6), st.integers(0, 100))
@settings(deadline=None, max_examples=20)
def test_it_grows_with_the_distance(factor: float, seed: int) -> None:
    """A distance multiplied by a factor has a temperature multiplied by it: likelihoods stay the same."""
    distance = noisy(12, 0.3, 2, seed)
    larger = Distance(Rule.WEIGHTED, factor * distance.theta, distance.coordinates, importance=distance.importance)
    before, after = estimate_temperature(distance), estimate_temperature(larger)
    assert before is not None
    assert after == pytest.approx(factor * before, rel=0.03)


def test_an_unchanged_file_leaves_no_doubt() -> None:
    """Where every record is there as it was, others are impossible; where all are the same, nothing is."""
    values = np.random.default_rng(1).normal(size=(20, 2))
    distance = Mean().distance(make_comparison(numeric_files(values, values)))
    apart = distances(distance)
    found = estimate_temperature(distance)
    assert found is not None
    assert np.exp(-apart[apart > 0.0].min() / found) < 1e-9
    alike = Mean().distance(make_comparison(numeric_files(np.ones((3, 1)), np.ones((3, 1)))))
    assert estimate_temperature(alike) == 1.0


def test_some_distances_need_no_estimate() -> None:
    """Levels of agreement are likelihoods in bits; forms that can be negative have none."""
    files = numeric_files(np.random.default_rng(1).normal(size=(40, 2)), np.random.default_rng(2).normal(size=(40, 2)))
    comparison = make_comparison(files)
    assert estimate_temperature(Probabilistic().distance(comparison)) == pytest.approx(1.0 / math.log(2.0))
    assert estimate_temperature(BilinearFree(matrix=[[1.0, 0.0], [0.0, -1.0]]).distance(comparison)) is None


@pytest.mark.parametrize("temperature", [0.1, 0.5, 3.0])
def test_volume_of_categories(temperature: float) -> None:
    """The sum over all combinations of labels, by enumeration; an attribute without weight leaves all room."""
    nominal, ordinal = ["a", "b", "a", "c"], [ORDER[0], ORDER[2], ORDER[1], ORDER[0]]
    files = paired(
        [label_column("n", Kind.NOMINAL, nominal, nominal), label_column("o", Kind.ORDINAL, ordinal, ordinal)]
    )
    weights = (0.3, 0.7)

    def difference(k: int, u: float, v: float) -> float:
        return weights[k] * (float(u != v) if k == 0 else abs(u - v) / len(ORDER))

    both = WeightedMean({"n": weights[0], "o": weights[1]}).distance(make_comparison(files))
    expected = oracle.category_volume([[0, 1, 2], [0, 1, 2]], difference, temperature)
    assert both.volume().log(temperature) == pytest.approx(math.log(expected))
    one = WeightedMean({"n": 1.0, "o": 0.0}).distance(make_comparison(files))
    only = oracle.category_volume([[0, 1, 2]], lambda _, u, v: float(u != v), temperature)
    assert one.volume().log(temperature) == pytest.approx(math.log(only))
