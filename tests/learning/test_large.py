"""Large learning: bounds that always enclose the optimum, whatever partition, rivals and sample they rest on."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import METRIC_FLOOR, WeightedMeanFamily
from linkrisk.errors import NotApplicableError
from linkrisk.learning import learn as learning
from linkrisk.learning.large import partition as partitions
from linkrisk.learning.large import search as large
from linkrisk.learning.large.growing_kernels import Sample
from linkrisk.learning.large.partition import Held, Partition, leaf_counts, leaf_totals
from linkrisk.learning.large.push_kernels import UNIT
from linkrisk.learning.large.search import _Search, search_large
from linkrisk.learning.large.statistical import upper_mean
from linkrisk.learning.learn import learn
from linkrisk.learning.search import Clock, Status
from linkrisk.linkage.ties import Ties
from tests.oracle.partition import leaf_sums, weighted_rows

FAMILIES: tuple[Family, ...] = (WeightedMeanFamily(), OWAFamily(), WeightedMeanFamily(METRIC_FLOOR))


def two_files(seed: int) -> Comparison:
    """Return small files of one of many kinds: noise, rounding, swapped values, categories, holes, duplicates."""
    random = np.random.default_rng(seed)
    n, size = int(random.integers(2, 4)), int(random.integers(25, 60))
    names = list("abc")[:n]
    values = random.normal(size=(size, n)) if seed % 3 else random.integers(0, 6, size=(size, n)).astype(float)
    protected = (
        values + random.normal(size=values.shape) * random.uniform(0.05, 1.0, size=n),
        np.round(2.0 * values) / 2.0,
        np.where(random.random(values.shape) < 0.3, random.permuted(values, axis=0), values),
    )[seed % 4 % 3]
    original, released = pd.DataFrame(values, columns=names), pd.DataFrame(protected, columns=names)
    if seed % 5 == 0:
        original["kind"] = random.choice(["x", "y", "z"], size)
        released["kind"] = np.where(random.random(size) < 0.2, "x", original["kind"])
    if seed % 6 == 0:
        released.iloc[random.integers(0, size, 3), 0] = np.nan
    files = pair_files(original, released, numeric=names)
    return make_comparison(files, ("separate", "original", "ranks")[seed % 3])


@pytest.fixture(autouse=True)
def _few_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let partitions grow by a few boxes at a time."""
    monkeypatch.setattr(partitions, "MOST_PARTS", 64)


def small_samples(monkeypatch: pytest.MonkeyPatch, growing: int, bounding: int) -> None:
    """Let small files be searched as large ones."""
    monkeypatch.setattr(large, "SAMPLE", growing)
    monkeypatch.setattr(large, "LEAST_SAMPLE", growing)
    monkeypatch.setattr(large, "BOUNDING", bounding)
    monkeypatch.setattr(large, "MOST_BOXES", 600)


def pushed(search: _Search, partition: Partition, people: Any) -> Held:
    """Return what boxes hold of some people."""
    search.partition, search.held = partition, Held(partition.n_boxes, partition.n_roots)
    assert search._push(np.ones(partition.n_boxes, dtype=np.bool_), people)
    return search.held


def grown(partition: Partition, share: float, threads: int | None = 1) -> Partition:
    """Cut all leaves that hold more than a share of the sample."""
    partition.grow(np.where(partition.is_leaf, share * partition.total, np.inf), threads)
    return partition


def leaves_of(partition: Partition) -> list[tuple[list[float], list[float]]]:
    """Return the boxes that are leaves."""
    leaves = np.flatnonzero(partition.is_leaf)
    return [(partition.tree.low[b].tolist(), partition.tree.high[b].tolist()) for b in leaves]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_the_bound_encloses_the_optimum(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the exact learner, under every rule for ties, with weights, on files of many kinds."""
    random = np.random.default_rng(seed)
    small_samples(monkeypatch, int(random.integers(8, 30)), 15)
    comparison, ties = two_files(seed), tuple(Ties)[seed % 3]
    n_people = len(comparison.coordinates.own)
    weights = None if seed % 2 else random.integers(1, 4, n_people).astype(float)
    for family in FAMILIES[: 2 + (seed % 4 == 0)]:
        exact = learn(family, comparison, ties=ties, weights=weights, time_limit=2.0)
        found = search_large(
            family, comparison, ties, weights, tolerance=family.tolerance, clock=Clock(20.0), seed=seed
        )
        assert found.bound >= exact.links - 1e-9, (family.name, ties)
        assert found.n_leaves > 0 or found.bound - exact.links <= large.GAP * found.bound + 1.0


def plain_search(seed: int, size: int = 30, n: int = 3) -> tuple[_Search, Any, Any]:
    """Return a search on plain numbers, the original and the protected values."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(size, n))
    protected = values + random.normal(size=values.shape) * 0.5
    comparison = make_comparison(pair_files(pd.DataFrame(values), pd.DataFrame(protected)), "separate")
    family = WeightedMeanFamily()
    search = _Search(family, comparison, Ties.UNIQUE, None, family.tolerance, Clock(), 0, 1)
    search.rivals.of(search.people)
    return search, comparison.coordinates.original, comparison.coordinates.protected


def rows_of_all(search: _Search, original: Any, protected: Any) -> list[list[list[Fraction]]]:
    """Return the rows of everybody against the rivals that were found, by the definition."""
    n = len(original)
    everybody = [weighted_rows(original[i].tolist(), protected.tolist(), i) for i in range(n)]
    rivals = [set(search.rivals.of(np.array([i]))[0].tolist()) - {i} for i in range(n)]
    places = [[j for j in range(n) if j != i] for i in range(n)]
    return [[everybody[i][places[i].index(j)] for j in sorted(rivals[i])] for i in range(n)]


@pytest.mark.parametrize("seed", [4, 5])
def test_leaves_hold_whom_nobody_rules_out(seed: int) -> None:
    """Box by box, against fractions: never fewer, and no more where rounding does not decide."""
    search, original, protected = plain_search(seed)
    partition = grown(Partition(search._rows(np.arange(12))), 0.3)
    held = pushed(search, partition, np.arange(30))
    leaves = leaves_of(partition)
    expected = leaf_sums(rows_of_all(search, original, protected), [Fraction(1)] * 30, leaves)
    assert leaf_counts(partition, held)[partition.is_leaf].tolist() == [float(value) for value in expected]
    assert len(leaves) >= 60


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_theta_of_a_leaf_links_more_than_it_holds(seed: int) -> None:
    """*Guarantee* of slopes: at random theta and at corners, by fractions; and they say more than counts alone."""
    search, original, protected = plain_search(seed)
    partition = grown(Partition(search._rows(np.arange(30))), 0.5)
    held = pushed(search, partition, np.arange(30))
    totals, counts = leaf_totals(partition, held)[partition.is_leaf], leaf_counts(partition, held)[partition.is_leaf]
    assert (totals <= counts).all()
    assert (totals < counts - 0.1).any()
    rows = rows_of_all(search, original, protected)
    random = np.random.default_rng(seed)
    leaves = leaves_of(partition)
    for place in random.permutation(np.flatnonzero(totals < counts))[:25]:
        (low, high), total = leaves[place], totals[place]
        for share in (np.zeros(3), np.ones(3), *random.random((4, 3)), *random.integers(0, 2, (3, 3))):
            ends = zip(low, high, share.tolist(), strict=True)
            theta = [Fraction(a) + Fraction(part) * (Fraction(b) - Fraction(a)) for a, b, part in ends]
            values = [[sum(t * v for t, v in zip(theta, row, strict=True)) for row in own] for own in rows]
            assert sum(min(own) > 0 for own in values) <= total


def test_what_the_sample_holds_is_what_is_pushed() -> None:
    """Where everybody is in the sample, boxes hold of it what they hold of everybody."""
    search, *_ = plain_search(6, 60)
    partition = grown(Partition(search._rows(np.arange(60))), 0.3)
    totals = leaf_totals(partition, pushed(search, partition, np.arange(60)))
    leaves = partition.is_leaf
    assert np.abs(totals - partition.sampled)[leaves].max() < 1e-3
    assert partition.n_leaves >= 90


def test_pushing_again_is_pushing_once() -> None:
    """What boxes hold after the partition has grown twice is what they would hold had it been so from the start."""
    search, *_ = plain_search(8, 60)
    partition = grown(Partition(search._rows(np.arange(20))), 0.9)
    pushed(search, partition, np.arange(60))
    for share in (0.7, 0.5):
        new = partition.grow(np.where(partition.is_leaf, share * partition.total, np.inf), 1)
        assert new.sum() > 0
        assert search._push_again(new, np.arange(60))
    again = search.held
    at_once = pushed(search, partition, np.arange(60))
    assert leaf_totals(partition, again)[partition.is_leaf].tolist() == pytest.approx(
        leaf_totals(partition, at_once)[partition.is_leaf].tolist()
    )


def test_every_theta_is_in_a_leaf() -> None:
    """However the partition was grown; and parts are inside of what they are parts of."""
    random = np.random.default_rng(1)
    rows, start = random.normal(size=(90, 3)), np.arange(0, 91, 3)
    partition = Partition(Sample(rows, start, np.full(30, round(UNIT))))
    for share in (0.2, 0.1, 0.05, 0.0):
        grown(partition, share)
    tree, leaves = partition.tree, np.flatnonzero(partition.is_leaf)
    assert partition.n_leaves == len(leaves) >= 100
    for theta in 10.0 ** random.uniform(-12, 0, size=(300, 3)):
        scaled = theta / theta.max()
        is_in = (tree.low[leaves] <= scaled).all(axis=1) & (scaled <= tree.high[leaves]).all(axis=1)
        assert is_in.any()
    for box in np.flatnonzero(~partition.is_leaf):
        parts = [tree.first[box], tree.first[box] + 1]
        assert (partition.level[parts] == partition.level[box] + 1).all()
        assert (tree.low[parts] >= tree.low[box]).all()
        assert (tree.high[parts] <= tree.high[box]).all()


def test_growing_lowers_the_bound() -> None:
    """Each leaf is parted into two that hold no more."""
    comparison = two_files(4)
    family = WeightedMeanFamily()
    search = _Search(family, comparison, Ties.CLASS, None, family.tolerance, Clock(), 0, 1)
    partition = Partition(search._rows(np.sort(search.people)))
    bounds = []
    for share in (1.0, 0.9, 0.7, 0.5):
        counts = leaf_counts(grown(partition, share), pushed(search, partition, search.people))
        bounds.append(float(counts[partition.is_leaf].max()))
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0]


@pytest.mark.parametrize(("mean", "n"), [(0.5, 50), (0.9, 80), (0.02, 200), (0.3, 20)])
def test_the_bound_on_a_mean_is_rarely_missed(mean: float, n: int) -> None:
    """In 10^4 repetitions no more often than it may, and some margin for chance."""
    random = np.random.default_rng(7)
    failure = 0.05
    bounds = {k: upper_mean(k / n, n, failure) for k in range(n + 1)}
    missed = sum(bounds[k] < mean for k in random.binomial(n, mean, size=10_000).tolist())
    assert missed <= 10_000 * failure + 4.0 * math.sqrt(10_000 * failure)


def test_the_statistical_bound_encloses_what_all_would_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the partition it was made with: in 300 draws of the people, at a confidence that can be tried."""
    small_samples(monkeypatch, 10, 15)
    monkeypatch.setattr(large, "BOUNDING_SHARE", 0.5)
    monkeypatch.setattr(large, "CONFIDENCE", 0.8)
    comparison, family = two_files(7), WeightedMeanFamily()
    missed = told = 0
    for seed in range(300):
        search = _Search(family, comparison, Ties.CLASS, None, family.tolerance, Clock(), seed, 1)
        partition = grown(Partition(search._rows(search.people[:10])), 0.7)
        others = search.people[10:]
        everybody = leaf_counts(partition, pushed(search, partition, search.people))[partition.is_leaf].max()
        pushed(search, partition, others[:15])
        found = search._statistical(15, len(others))
        assert found is not None
        told += 1
        missed += found.bound < float(everybody)
    assert told == 300
    assert missed <= 0.2 * 300


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_learning_from_many_people(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of rows: links are counted exactly, and lie below a bound that holds."""
    comparison = two_files(2)
    exact = learn(family, comparison, time_limit=5.0)
    monkeypatch.setattr(learning, "MANY_RECORDS", 20)
    small_samples(monkeypatch, 20, 10)
    found = learn(family, comparison, time_limit=20.0)
    assert found.partition is not None
    assert found.links <= exact.links + 1e-9
    assert found.bound >= exact.links - 1e-9
    assert found.status in {Status.BOUNDED, Status.OPTIMAL}
    assert found.links == pytest.approx(found.linkage.links(Ties.EXPECTED))
    assert found.theta.min() >= (METRIC_FLOOR * 0.999 if family.name == "weighted_mean_metric" else 0.0)


def test_without_time_the_bound_is_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the best start is counted all the same."""
    monkeypatch.setattr(learning, "MANY_RECORDS", 20)
    comparison = two_files(2)
    found = learn(WeightedMeanFamily(), comparison, time_limit=0.0)
    assert found.status is Status.TIME_LIMIT
    assert found.bound == len(comparison.coordinates.own)
    assert found.links > 0


def test_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """On any number of threads."""
    small_samples(monkeypatch, 20, 10)
    comparison, family = two_files(4), WeightedMeanFamily()
    results: list[Any] = [
        search_large(family, comparison, Ties.EXPECTED, None, tolerance=family.tolerance, clock=Clock(), threads=n)
        for n in (1, 2)
    ]
    assert results[0].bound == results[1].bound
    assert results[0].theta.tolist() == results[1].theta.tolist()


def test_others_are_refused_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measure has too many parameters for a partition."""
    monkeypatch.setattr(learning, "MAX_RECORDS", 20)
    with pytest.raises(NotApplicableError, match="at most 20 original records"):
        learn(ChoquetFamily(), two_files(2))


@pytest.mark.parametrize("ties", list(Ties))
def test_near_twins_are_no_rivals_where_twins_do_not_count(ties: Ties, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two released values as far above as below: their differences are the same but for rounding, which is no rival."""
    small_samples(monkeypatch, 12, 15)
    year = np.repeat(1900.0 + 56.0 * np.arange(32), 2)
    original, released = pd.DataFrame({"year": year}), pd.DataFrame({"year": year + np.tile([-1.0, 1.0], 32)})
    comparison = make_comparison(pair_files(original, released, numeric=["year"]), "original")
    family = WeightedMeanFamily()
    exact = learn(family, comparison, ties=ties)
    found = search_large(family, comparison, ties, None, tolerance=family.tolerance, clock=Clock(20.0))
    assert found.bound >= exact.links - 1e-9


@pytest.mark.parametrize("n_people", [20_001, 30_000, 100_000, 400_000])
def test_who_judges_was_not_learned_from(n_people: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not parameters, not rivals, not the partition: or what judges say would hold of them alone."""
    search, *_ = plain_search(3)
    search.people = np.arange(n_people)
    seen: dict[str, Any] = {}

    def improve(people: Any) -> tuple[Any, Sample, float]:
        seen["learned"] = people
        return np.ones(3), Sample(np.zeros((1, 3)), np.array([0, 1]), np.array([round(UNIT)])), 1.0

    def lead(judges: Any, n_others: int) -> None:
        seen["judges"], seen["others"] = judges, n_others

    monkeypatch.setattr(search, "_improve", improve)
    monkeypatch.setattr(search, "_sample_leads", lead)
    search.run()
    assert not np.intersect1d(seen["learned"], seen["judges"]).size
    assert len(seen["learned"]) + seen["others"] == n_people
    assert 0 < len(seen["judges"]) <= seen["others"] // 4 + 1


@pytest.mark.parametrize("weight", [1e-12, 1e-6, 3.0, 1e6, 5e11, 1e13, 1e200])
def test_weights_of_any_size(weight: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of them do not overflow, and small ones are not rounded away: bounds are those of one, times the weight."""
    small_samples(monkeypatch, 12, 15)
    comparison, family = two_files(7), WeightedMeanFamily()
    n_people = len(comparison.coordinates.own)
    exact = learn(family, comparison, ties=Ties.CLASS)
    plain, weighed = (
        search_large(family, comparison, Ties.CLASS, weights, tolerance=family.tolerance, clock=Clock(20.0))
        for weights in (None, np.full(n_people, weight))
    )
    assert weight * exact.links <= weighed.bound <= weight * (plain.bound + 1.0)


def test_where_no_cut_is_possible_the_box_says_what_it_holds() -> None:
    """One attribute: there is one box, and whoever is ruled out in it is not counted."""
    search, *_ = plain_search(2, 60, 1)
    assert search.run().bound < 60
    assert Partition(search._rows(search.people)).sampled[0] < 60
