"""What a published count says: likelihoods sum to one, bounds are where they are not 0."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.errors import ParameterError
from linkrisk.tables.evidence.mechanisms import Exact, Mechanism, NearestRounding, RandomRounding, Sampling
from tests.oracle.tables import Likelihood, exact, nearest_rounding, random_rounding, sampling

POPULATION = 40
COUNTS = np.arange(POPULATION + 1)
MECHANISMS: list[tuple[Mechanism, Likelihood]] = [
    (Exact(), exact),
    (NearestRounding(3), nearest_rounding(3)),
    (NearestRounding(4), nearest_rounding(4)),
    (RandomRounding(2), random_rounding(2)),
    (RandomRounding(5), random_rounding(5)),
    (Sampling(7, POPULATION), sampling(7, POPULATION)),
    (Sampling(POPULATION, POPULATION), sampling(POPULATION, POPULATION)),
]


@pytest.mark.parametrize(("mechanism", "twin"), MECHANISMS)
def test_likelihoods_equal_the_slow_twin_and_sum_to_one(mechanism: Mechanism, twin: Likelihood) -> None:
    """Over all that could be published, for each population count."""
    most = mechanism.size if isinstance(mechanism, Sampling) else POPULATION + 6
    published = range(0, most + 1, mechanism.unit)
    table = np.exp([mechanism.log_likelihood(f, COUNTS) for f in published])
    expected = [[float(twin(f, int(count))) for count in COUNTS] for f in published]
    assert table == pytest.approx(np.array(expected), abs=1e-12)
    assert table.sum(axis=0) == pytest.approx(1.0)


@pytest.mark.parametrize(("mechanism", "twin"), MECHANISMS)
def test_bounds_are_where_the_likelihood_is_not_zero(mechanism: Mechanism, twin: Likelihood) -> None:
    """Least and largest population count behind each published count that can occur."""
    for f in range(POPULATION + 1):
        possible = [count for count in COUNTS.tolist() if twin(f, count) > 0]
        if possible and possible[-1] < POPULATION:  # beyond, the population ends it
            low, high = mechanism.bounds(np.array([f]))
            assert (low[0], high[0]) == (possible[0], possible[-1])


@pytest.mark.parametrize("base", [1, 0, -3, 2.5, True])
def test_a_base_of_less_than_two_is_refused(base: int) -> None:
    """Base 1 is no rounding at all."""
    for mechanism in (NearestRounding, RandomRounding):
        with pytest.raises(ParameterError, match="2 or more"):
            mechanism(base)


def test_a_sample_larger_than_its_population_is_refused() -> None:
    """So is an empty one."""
    for size in (0, 41):
        with pytest.raises(ParameterError, match="cannot come from"):
            Sampling(size, POPULATION)
