"""AvRL against its definition, and the figures of READING.md."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.advice import average
from linkrisk.advice.average import average_linkage, links_by_sets
from linkrisk.advice.subset_kernels import OPEN
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.linkage import Ties
from linkrisk.linkage.search import nearest
from linkrisk.protection import microaggregate, paper_groups
from tests.assessment.samples import numeric_frames
from tests.census import needs_census, read_census
from tests.linkage.files import mixed_file_pairs, numeric_file_pairs
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


@given(st.one_of(mixed_file_pairs(), numeric_file_pairs()), st.sampled_from(["separate", "original", "ranks"]))
@settings(max_examples=100, deadline=None)
def test_sets_together_are_linked_as_one_by_one(files: FilePair, scale: str) -> None:
    """docs/mathematics.md#by-sets: every kind of attribute, holes, copies and ties; every set of attributes."""
    comparison = make_comparison(files, scale)
    comparison = comparison.restrict(np.flatnonzero(comparison.coordinates.own >= 0))
    assume(len(comparison.coordinates.own) > 0)
    places = range(comparison.n_attributes)
    sets = [chosen for size in places for chosen in itertools.combinations(places, size + 1)]
    shared = links_by_sets(comparison, sets, threads=1)
    for s, chosen in enumerate(sets):
        linkage = nearest(mean_distance(comparison.select([comparison.names[k] for k in chosen])), threads=1)
        expected = np.where(linkage.is_linked(Ties.CLASS), linkage.twins + 1, 0)
        is_settled = shared[:, s] != OPEN
        np.testing.assert_array_equal(shared[is_settled, s], expected[is_settled])
        is_unique = linkage.is_linked(Ties.UNIQUE)[is_settled]
        np.testing.assert_array_equal(shared[is_settled, s] == 1, is_unique)


@pytest.mark.parametrize("ties", list(Ties))
def test_together_or_one_by_one_is_the_same(ties: Ties, monkeypatch: pytest.MonkeyPatch) -> None:
    """By each rule for ties, of rounded numbers, who are often equally near; also those left open are counted."""
    random = np.random.default_rng(1)
    original = random.integers(0, 6, (300, 4)).astype(float)
    protected = original + random.integers(-1, 2, original.shape)
    comparison = make_comparison(pair_files(original, protected))
    monkeypatch.setattr(average, "LEAST_TOGETHER", 10**9)
    expected = average_linkage(comparison, ties=ties, most_people=200)
    monkeypatch.setattr(average, "LEAST_TOGETHER", 1)
    assert average_linkage(comparison, ties=ties, most_people=200) == expected
    monkeypatch.setattr(
        average, "links_by_sets", lambda part, sets, **_: np.full((len(part.coordinates.own), len(sets)), OPEN)
    )
    assert average_linkage(comparison, ties=ties, most_people=200) == expected


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
