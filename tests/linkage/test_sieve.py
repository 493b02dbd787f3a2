"""Linking through the sieve: as by the double loop, as every pair compared, and nobody within reach passed over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.attackers import OWA, DistanceStandardised, Mean
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances import Distance
from linkrisk.errors import ParameterError
from linkrisk.linkage import Linkage
from linkrisk.linkage.candidate_kernels import LIKELY
from linkrisk.linkage.candidates import Candidates
from linkrisk.linkage.distance_kernels import BLOCK
from linkrisk.linkage.search import distances, nearest
from linkrisk.linkage.sieve import Sifter, make_sifter
from linkrisk.linkage.sieve_kernels import SIFT_SLACK, sift_blocks, sift_points
from tests.linkage.attackers import attackers, random_attacker
from tests.linkage.files import ORDER, WORDS, label_column, mixed_file_pairs, numeric_file_pairs, numeric_files, paired
from tests.linkage.twins import check_linkage, check_others, make_twin

SUMS = ("mean", "weighted_mean", "weighted_mean_metric")
SCALES = ("separate", "original", "ranks")


def check_by_twin(kind: str, seed: int, files: FilePair, scale: str) -> None:
    """Link with a random attacker of a kind through the sieve, and by the double loop in exact numbers."""
    comparison = make_comparison(files, scale)
    attacker = random_attacker(kind, np.random.default_rng(seed), comparison.names)
    distance = attacker.distance(comparison)
    assume(make_sifter(distance) is not None)
    linkage = nearest(distance, is_ranking=True, method="sieve", threads=1)
    own = files.own.tolist()
    check_linkage(linkage, make_twin(attacker, comparison, files), own, files.n_protected)
    check_others(linkage, distances(distance), own)


@given(mixed_file_pairs(), attackers(SUMS), st.sampled_from(SCALES))
@settings(max_examples=80, deadline=None)
def test_mixed_kinds_are_linked_as_by_the_twin(files: FilePair, attacker: tuple[str, int], scale: str) -> None:
    """Every kind of attribute with holes, duplicates and ties, records without counterpart; all tie rules and ranks."""
    check_by_twin(*attacker, files, scale)


@given(numeric_file_pairs(), attackers(SUMS), st.sampled_from(SCALES))
@settings(max_examples=50, deadline=None)
def test_numbers_are_linked_as_by_the_twin(files: FilePair, attacker: tuple[str, int], scale: str) -> None:
    """Numbers alone, with holes or without."""
    check_by_twin(*attacker, files, scale)


def many_records(seed: int, *, has_holes: bool, kinds: str = "noct", n: int = 700) -> FilePair:
    """Draw records, copies and ties among them: numbers, an ordinal, categories (few, and many), texts."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    own = np.empty(n, dtype=np.int64)
    own[order] = np.arange(n)
    own[::13] = -1
    holes = 0.15 if has_holes else 0.0

    def labels(name: str, kind: Kind, words: tuple[str, ...], skew: float, **more: Any) -> ColumnPair:
        shares = skew ** np.arange(len(words))
        x = rng.choice(len(words), n, p=shares / shares.sum())
        y = np.where(rng.random(n) < 0.3, rng.integers(0, len(words), n), x)
        texts = [[None if rng.random() < holes else words[code] for code in codes] for codes in (x, y[order])]
        return label_column(name, kind, *texts, **more)

    def numbers() -> tuple[ColumnPair, ...]:
        x = np.round(rng.standard_t(2, size=(n, 2)), 1)
        y = (x + np.round(rng.normal(size=x.shape) * 0.2, 1))[order]
        for values in (x, y):
            values[rng.random(x.shape) < holes] = np.nan
        return numeric_files(x, y, own).columns

    made = {
        "n": numbers(),
        "o": [labels("o", Kind.ORDINAL, ORDER, 0.8, inclusive=True)],
        "c": [
            labels("few", Kind.NOMINAL, ("a", "b", "c"), 0.7),
            labels("more", Kind.NOMINAL, tuple(f"k{k:02d}" for k in range(90)), 0.9),
            labels("costly", Kind.NOMINAL, ("a", "b", "c", "d"), 1.0, missing_one=0.2, missing_both=0.4),
        ],
        "t": [labels("t", Kind.TEXT, WORDS, 0.8)],
    }
    return paired([column for kind in kinds for column in made[kind]], own)


def check_same(one: Linkage, other: Linkage) -> None:
    """Every array, to the last bit; the second-nearest where it is promised."""
    for name in ("own", "nearest_other", "is_beaten", "tied", "twins", "rank", "has_counterpart"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(one.strangers == 0, other.strangers == 0)
    if one.rank is not None:
        np.testing.assert_array_equal(one.strangers, other.strangers)
    promised = ~(np.minimum(one.second_other, other.second_other) >= one.own)
    np.testing.assert_array_equal(one.second_other[promised], other.second_other[promised])


@pytest.mark.parametrize("is_ranking", [False, True])
@pytest.mark.parametrize("has_holes", [False, True])
@pytest.mark.parametrize("kinds", ["c", "co", "noct", "n"])
def test_the_sieve_finds_what_all_pairs_give(kinds: str, has_holes: bool, is_ranking: bool) -> None:
    """More records than blocks hold, of categories alone and of every kind; equal, random and very unequal weights."""
    files = many_records(len(kinds), has_holes=has_holes, kinds=kinds)
    for scale in ("separate", "ranks"):
        comparison = make_comparison(files, scale)
        some = [random_attacker(kind, np.random.default_rng(3), comparison.names) for kind in SUMS]
        for attacker in (*some, DistanceStandardised()):
            distance = attacker.distance(comparison)
            sifted, everybody = (nearest(distance, method=way, is_ranking=is_ranking) for way in ("sieve", "all"))
            check_same(sifted, everybody)
            check_others(sifted, distances(distance), files.own.tolist())


@pytest.mark.parametrize("has_holes", [False, True])
@pytest.mark.parametrize("kinds", ["c", "noct"])
@pytest.mark.parametrize("length", [1, 24, 10**9])
def test_candidates_behind_the_sieve_are_the_nearest(kinds: str, has_holes: bool, length: int) -> None:
    """The least distances of a sorted row, to the last bit, each with a record that is so far; each record once."""
    n = 700 if length < 700 else 300  # several blocks; who asks for everybody has all pairs sorted
    files = many_records(len(kinds), has_holes=has_holes, kinds=kinds, n=n)
    for scale in ("separate", "ranks"):
        distance = DistanceStandardised().distance(make_comparison(files, scale))
        for way in (distance, distance.exchanged()):
            everybody = distances(way)
            near, who = Candidates(way).nearest(length)
            np.testing.assert_array_equal(near, np.sort(everybody, axis=1)[:, : near.shape[1]])
            np.testing.assert_array_equal(near, np.take_along_axis(everybody, who, axis=1))
            assert near.shape[1] == min(length, everybody.shape[1])
            assert (np.diff(np.sort(who, axis=1), axis=1) > 0).all()


def test_candidates_in_more_blocks_than_are_likely() -> None:
    """Blocks beyond those that are sifted first: the least distances of a sorted row, each record once."""
    files = many_records(1, has_holes=True, kinds="noc", n=3_000)
    distance = DistanceStandardised().distance(make_comparison(files))
    sifter = make_sifter(distance, is_merging=False)
    assert sifter is not None
    assert len(sifter.sieve.starts) - 1 > LIKELY
    rows = np.arange(0, 3_000, 10)
    everybody = distances(distance, rows)
    near, who = Candidates(distance).find(rows, 24)
    np.testing.assert_array_equal(near, np.sort(everybody, axis=1)[:, :24])
    np.testing.assert_array_equal(near, np.take_along_axis(everybody, who, axis=1))
    assert all(len(set(row)) == 24 for row in who.tolist())


def units(sifter: Sifter, i: int, n_points: int) -> tuple[list[int], list[int]]:
    """Return the units by which a query differs from every point at least, and from every block."""
    sieve, (codes, costs, base) = sifter.sieve, sifter.queries
    sums, bounds = np.empty(n_points, np.uint16), np.empty(len(sieve.starts) - 1, np.uint16)
    sift_points(sieve.codes, sieve.kinds, sieve.caps, codes, costs, i, 0, n_points, sums)
    sift_blocks(sieve, codes, costs, i, bounds)
    return (sums.astype(int) + base[i]).tolist(), (bounds.astype(int) + base[i]).tolist()


def check_units(distance: Distance) -> None:
    """No sum of units is above the distance, no bound of a block above the sum of a point in it."""
    sifter = make_sifter(distance)
    assert sifter is not None
    everybody = distances(distance)[:, sifter.points.row_of]
    starts = sifter.sieve.starts.tolist()
    assert np.diff(starts).max() <= BLOCK
    for i in range(0, len(everybody), 23):
        sums, bounds = units(sifter, i, sifter.points.n_points)
        assert (np.array(sums) * sifter.sieve.unit <= everybody[i] * SIFT_SLACK + sifter.sieve.unit).all()
        for b, bound in enumerate(bounds):
            assert bound <= min(sums[starts[b] : starts[b + 1]])


@pytest.mark.parametrize("has_holes", [False, True])
def test_units_keep_their_guarantee(has_holes: bool) -> None:
    """Mixed files of heavy tails, with holes; weights that differ a thousandfold, and units too small to count in."""
    comparison = make_comparison(many_records(5, has_holes=has_holes))
    equal = Mean().distance(comparison)
    rng = np.random.default_rng(1)
    for theta in (equal.theta, rng.dirichlet(np.full(equal.theta.size, 0.2)), 1000.0 ** rng.random(equal.theta.size)):
        check_units(replace(equal, theta=theta))


def test_points_of_the_sieve_are_the_distinct_records() -> None:
    """Each protected record is of one point, each point in one block."""
    distance = Mean().distance(make_comparison(many_records(2, has_holes=True, kinds="co")))
    sifter = make_sifter(distance)
    assert sifter is not None
    points, starts = sifter.points, sifter.sieve.starts
    values = distance.coordinates.protected
    np.testing.assert_array_equal(values[points.row_of[points.point_of]], values)
    assert points.cloud.weights.sum() == len(values)
    assert (starts[0], starts[-1]) == (0, points.n_points)
    assert (np.diff(starts) > 0).all()


@pytest.mark.parametrize("shift", [1e-200, 1e-30, 1.0])
def test_distances_of_any_size_are_sifted(shift: float) -> None:
    """Next to nothing between true pairs, or nothing at all, and weights of 0."""
    equal = Mean().distance(make_comparison(many_records(6, has_holes=False, kinds="nc", n=300)))
    near = replace(
        equal.coordinates, protected=equal.coordinates.protected * shift, original=equal.coordinates.original
    )
    for theta in (equal.theta, equal.theta * 1e-250, equal.theta * [1, 1, 0, 0, 0]):
        for coordinates in (near, replace(near, original=near.protected)):
            distance = replace(equal, theta=np.asarray(theta), coordinates=coordinates)
            check_same(*(nearest(distance, method=way, is_ranking=True) for way in ("sieve", "all")))
    assert make_sifter(replace(equal, theta=np.zeros(5))) is None


def test_other_distances_have_no_sieve() -> None:
    """The message says for what it is."""
    comparison = make_comparison(many_records(1, has_holes=False, kinds="t"))
    ordered = OWA([1.0, 0.0]).distance(make_comparison(many_records(1, has_holes=False, kinds="n")))
    for distance in (Mean().distance(comparison), ordered):
        assert make_sifter(distance) is None
        with pytest.raises(ParameterError, match="sums of weighted differences"):
            nearest(distance, method="sieve")
