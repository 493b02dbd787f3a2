"""AvRL against its definition, and the figures of READING.md."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.advice.average import average_linkage
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.linkage import Ties
from linkrisk.linkage.search import nearest
from linkrisk.protection import microaggregate, paper_groups
from tests.assessment.samples import numeric_frames
from tests.census import needs_census, read_census
from tests.oracle.average import average_rates

# READING.md: our reading of AvRL on the papers' files of 400 records, in percent.
READ = {"M4-33": 42.9, "M4-28": 35.4, "M4-82": 35.3, "M5-38": 19.1, "M6-385": 43.3, "M6-853": 43.4}


@pytest.mark.parametrize("noise", [0.05, 0.3, 1.0])
def test_it_is_the_mean_over_sizes_of_the_mean_over_sets(noise: float) -> None:
    """The slow twin goes through every set of attributes."""
    original, protected = numeric_frames(24, noise=noise)
    found = average_linkage(make_comparison(pair_files(original, protected)), ties=Ties.UNIQUE)
    rates = average_rates(original.to_numpy(), protected.to_numpy())
    assert found.rates == pytest.approx(rates)
    assert found.rate == pytest.approx(np.mean(rates))
    assert found.n_subsets == (4, 6, 4, 1)
    assert not found.is_sampled


def test_many_sets_are_drawn() -> None:
    """The estimate says that it is one, depends on the seed alone, and is near the whole."""
    comparison = make_comparison(pair_files(*numeric_frames()))
    drawn = average_linkage(comparison, most_subsets=4, seed=5)
    assert drawn.is_sampled
    assert drawn.n_subsets == (4, 4, 4, 1)
    assert drawn == average_linkage(comparison, most_subsets=4, seed=5)
    assert drawn.rates[0] == average_linkage(comparison).rates[0]
    assert drawn.rate == pytest.approx(average_linkage(comparison).rate, abs=0.1)


def test_many_people_are_drawn() -> None:
    """They are looked for among everybody, in the same sets of attributes; where they are few, all are taken."""
    original, protected = numeric_frames(n_records=400)
    comparison = make_comparison(pair_files(original, protected))
    everybody = average_linkage(comparison, most_people=400)
    assert everybody == average_linkage(comparison)
    assert everybody.n_people is None
    drawn = average_linkage(comparison, most_people=200, seed=5)
    assert drawn == average_linkage(comparison, most_people=200, seed=5)
    assert (drawn.n_people, drawn.n_subsets) == (200, everybody.n_subsets)
    assert drawn != everybody
    assert drawn.rate == pytest.approx(everybody.rate, abs=0.05)
    rows = np.sort(np.random.default_rng((5, 1)).choice(400, 200, replace=False))
    assert drawn.rates[-1] == nearest(mean_distance(comparison.restrict(rows))).links(Ties.EXPECTED) / 200


def test_a_wide_file_is_attacked_a_limited_number_of_times() -> None:
    """Thirty sets of each of 150 sizes would be 4,500 linkages."""
    values = np.arange(450.0).reshape(3, 150)
    found = average_linkage(make_comparison(pair_files(values, values)))
    assert sum(found.n_subsets) <= 600
    assert min(found.n_subsets) == 1  # all attributes
    assert found.is_sampled
    assert found.rate == 1.0


@needs_census
@pytest.mark.parametrize("name", READ)
def test_figures_of_reading(name: str) -> None:
    """The six files of abril-bilinear.txt, Table 5, on one sample."""
    chosen = np.random.default_rng(0).choice(1080, 400, replace=False)
    census = read_census().iloc[chosen].reset_index(drop=True)
    groups = paper_groups(name, list(census.columns))
    original = census[[attribute for group in groups.names for attribute in group]]
    assert groups.k is not None
    protected = microaggregate(original, groups.names, groups.k, raw=True, continuous=True).data
    found = average_linkage(make_comparison(pair_files(original, protected)), ties=Ties.UNIQUE, most_subsets=100)
    assert 100 * found.rate == pytest.approx(READ[name], abs=0.15)
