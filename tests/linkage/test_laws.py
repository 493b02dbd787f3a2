"""Laws that hold for every attacker: what must not change an answer, and which attackers are the same."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import (
    OWA,
    Attacker,
    Bilinear,
    BilinearFree,
    BilinearPSD,
    Choquet,
    Kernel,
    Mahalanobis,
    Mahalanobis0,
    Mean,
    WeightedMean,
)
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances import TOLERANCE
from linkrisk.distances.choquet_integral import mobius_distance
from linkrisk.linkage import Linkage
from linkrisk.linkage.search import distances, nearest
from tests.linkage.attackers import (
    MONOTONE,
    VECTOR,
    attackers,
    named,
    random_attacker,
    random_semidefinite,
    random_weights,
)
from tests.linkage.files import mixed_file_pairs, numeric_file_pairs, numeric_files
from tests.oracle.measures import subsets

SCALES = ("separate", "original", "ranks")
TIES = ("unique", "class", "expected")
ROUNDING = 2.0**-44


def link(files: FilePair, attacker: Attacker, scale: str = "separate") -> Linkage:
    """Nearest records with ranks."""
    return nearest(attacker.distance(make_comparison(files, scale)), is_ranking=True, threads=1)


def assert_same_links(first: Linkage, second: Linkage) -> None:
    """Compare counts record by record, whatever the tie rule; distances up to rounding."""
    for ties in TIES:
        assert first.links(ties) == pytest.approx(second.links(ties), abs=1e-9)
    for name in ("is_beaten", "tied", "twins", "rank"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)


def permuted(files: FilePair, rows: Any, protected_rows: Any) -> FilePair:
    """Put the same people in another order, in both files."""
    place = np.empty(files.n_protected, dtype=np.int64)
    place[protected_rows] = np.arange(files.n_protected)
    own = files.own[rows]
    columns = tuple(type(c)(c.attribute, c.original[rows], c.protected[protected_rows]) for c in files.columns)
    return FilePair(columns, np.where(own >= 0, place[own], -1), files.n_original, files.n_protected)


@pytest.mark.slow
@given(st.data(), mixed_file_pairs(), attackers(MONOTONE), st.sampled_from(SCALES))
@settings(max_examples=60, deadline=None)
def test_permuting_records_changes_nothing(
    data: st.DataObject, files: FilePair, attacker: tuple[str, int], scale: str
) -> None:
    """Every array is permuted with the records, bit for bit."""
    rows = np.array(data.draw(st.permutations(range(files.n_original))))
    protected_rows = np.array(data.draw(st.permutations(range(files.n_protected))))
    kind, seed = attacker
    names = [a.name for a in files.attributes]
    before, after = (
        link(f, random_attacker(kind, np.random.default_rng(seed), names), scale)
        for f in (files, permuted(files, rows, protected_rows))
    )
    for name in ("own", "nearest_other", "is_beaten", "tied", "twins", "rank"):
        np.testing.assert_array_equal(getattr(before, name)[rows], getattr(after, name), err_msg=name)
    for ties in TIES:
        assert before.links(ties) == after.links(ties)


@given(st.integers(0, 2**32 - 1), st.sampled_from([*VECTOR, "mahalanobis", "mahalanobis0"]), st.sampled_from(SCALES))
@settings(max_examples=40, deadline=None)
def test_permuting_records_keeps_the_links_of_vectors(seed: int, kind: str, scale: str) -> None:
    """Attackers that estimate from the files: the same links, distances up to rounding."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(20, 3))
    files = numeric_files(original, np.repeat((original + rng.normal(size=(20, 3)))[::2], 2, axis=0))
    rows, protected_rows = rng.permutation(20), rng.permutation(20)
    fixed: dict[str, Attacker] = {"mahalanobis": Mahalanobis(), "mahalanobis0": Mahalanobis0()}
    attacker = fixed.get(kind) or random_attacker(kind, rng, [a.name for a in files.attributes])
    before, after = link(files, attacker, scale), link(permuted(files, rows, protected_rows), attacker, scale)
    np.testing.assert_allclose(before.own[rows], after.own, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(before.tied[rows], after.tied)
    for ties in TIES:
        assert before.links(ties) == pytest.approx(after.links(ties))


@pytest.mark.slow
@given(st.data(), mixed_file_pairs(), st.sampled_from(["mean", "owa", "weighted_mean"]), st.sampled_from(SCALES))
@settings(max_examples=60, deadline=None)
def test_permuting_attributes_changes_nothing(data: st.DataObject, files: FilePair, kind: str, scale: str) -> None:
    """The order of the attributes moves the last bits of a sum and nothing else."""
    order = data.draw(st.permutations(range(len(files.columns))))
    turned = FilePair(tuple(files.columns[k] for k in order), files.own, files.n_original, files.n_protected)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    weights = random_weights(rng, len(files.columns))
    by_name = dict(zip((a.name for a in files.attributes), weights, strict=True))
    makers: dict[str, Attacker] = {"mean": Mean(), "owa": OWA(weights), "weighted_mean": WeightedMean(by_name)}
    before, after = link(files, makers[kind], scale), link(turned, makers[kind], scale)
    np.testing.assert_allclose(before.own, after.own, rtol=ROUNDING)
    np.testing.assert_allclose(before.nearest_other, after.nearest_other, rtol=ROUNDING)
    assert_same_links(before, after)


@pytest.mark.slow
@given(numeric_file_pairs(), attackers([*MONOTONE, *VECTOR]), st.sampled_from(SCALES), st.integers(-60, 60))
@settings(max_examples=60, deadline=None)
def test_scaling_an_attribute_by_a_power_of_two_changes_nothing(
    files: FilePair, attacker: tuple[str, int], scale: str, exponent: int
) -> None:
    """Metres or feet of 2^k metres: bit for bit the same."""
    first = files.columns[0]
    scaled = type(first)(first.attribute, np.ldexp(first.original, exponent), np.ldexp(first.protected, exponent))
    other = FilePair((scaled, *files.columns[1:]), files.own, files.n_original, files.n_protected)
    names = [a.name for a in files.attributes]
    one, two = (
        link(f, random_attacker(attacker[0], np.random.default_rng(attacker[1]), names), scale) for f in (files, other)
    )
    for name in ("own", "nearest_other", "second_other", "other", "is_beaten", "tied", "twins", "rank"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)


def assert_same_distance(files: FilePair, first: Attacker, second: Attacker, rtol: float = ROUNDING) -> None:
    """Two attackers that are the same: all distances up to rounding, and the same links."""
    comparison = make_comparison(files)
    one, two = first.distance(comparison), second.distance(comparison)
    np.testing.assert_allclose(distances(one), distances(two), rtol=rtol, atol=1e-30)
    assert_same_links(link(files, first), link(files, second))


@pytest.mark.slow
@given(mixed_file_pairs(), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_choquet_of_an_additive_measure_is_the_weighted_mean(files: FilePair, seed: int) -> None:
    """Every set weighs what its members weigh together."""
    names = [a.name for a in files.attributes]
    weights = random_weights(np.random.default_rng(seed), len(names))
    by_name = dict(zip(names, weights, strict=True))
    measure = named({subset: math.fsum(by_name[name] for name in subset) for subset in subsets(names)})
    singletons = named({frozenset([name]): weight for name, weight in by_name.items()})
    assert_same_distance(files, Choquet(measure=measure), WeightedMean(weights))
    assert_same_distance(files, Choquet(mobius=singletons, additivity=1), WeightedMean(by_name))


@pytest.mark.slow
@given(mixed_file_pairs(), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_choquet_of_a_symmetric_measure_is_owa(files: FilePair, seed: int) -> None:
    """A set of r attributes weighs p_1 + ... + p_r."""
    names = [a.name for a in files.attributes]
    weights = random_weights(np.random.default_rng(seed), len(names))
    measure = named({subset: math.fsum(weights[: len(subset)]) for subset in subsets(names)})
    assert_same_distance(files, Choquet(measure=measure), OWA(weights))


@pytest.mark.slow
@given(numeric_file_pairs(has_holes=False), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_bilinear_with_a_diagonal_matrix_is_the_weighted_mean(files: FilePair, seed: int) -> None:
    """Through the Euclidean form and as a quadratic form."""
    weights = random_weights(np.random.default_rng(seed), len(files.columns))
    for bilinear in (BilinearPSD(np.diag(weights)), Bilinear(np.diag(weights))):
        comparison = make_comparison(files)
        one, two = bilinear.distance(comparison), WeightedMean(weights).distance(comparison)
        np.testing.assert_allclose(distances(one), distances(two), rtol=1e-12, atol=1e-25)
        assert nearest(one).links() == nearest(two).links()


def test_bilinear_keeps_a_small_weight_beside_a_large_one() -> None:
    """Weights live on a logarithmic scale: 1e-13 settles ties that 1 leaves, in either form."""
    files = numeric_files([[0, 0], [0, 1], [0, 2], [1, 3]], [[0, 0], [0, 1], [0, 2], [1, 3]])
    for attacker in (WeightedMean([1 - 1e-13, 1e-13]), Bilinear([[1.0, 0.0], [0.0, 1e-13]])):
        assert link(files, attacker).links() == 4, attacker.name


@pytest.mark.slow
@given(mixed_file_pairs())
@settings(max_examples=40, deadline=None)
def test_equal_weights_are_the_mean(files: FilePair) -> None:
    """Bit for bit."""
    n = len(files.columns)
    comparison = make_comparison(files)
    one, two = WeightedMean([1 / n] * n).distance(comparison), Mean().distance(comparison)
    np.testing.assert_array_equal(distances(one), distances(two))


@pytest.mark.slow
@given(numeric_file_pairs(has_holes=False), st.sampled_from(SCALES))
@settings(max_examples=60, deadline=None)
def test_kernel_of_degree_1_orders_like_the_mean(files: FilePair, scale: str) -> None:
    """The constants cancel: degree 1 is n times the mean, with the same links."""
    kernel, mean = link(files, Kernel(1), scale), link(files, Mean(), scale)
    np.testing.assert_allclose(kernel.own, mean.own * len(files.columns), rtol=ROUNDING)
    for name in ("is_beaten", "tied", "rank"):
        np.testing.assert_array_equal(getattr(kernel, name), getattr(mean, name), err_msg=name)
    assert kernel.links() == mean.links()


@given(st.integers(0, 2**32 - 1), st.sampled_from(["separate", "original"]))
@settings(max_examples=30, deadline=None)
def test_semidefinite_forms_through_euclid_equal_the_direct_form(seed: int, scale: str) -> None:
    """Distances up to rounding relative to the size of the vectors, and the same links.

    Not on ranks: a matrix of low rank makes distances of exactly 0 between different ranks there, and no relative
    tolerance tells 0 from rounding.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    original = rng.normal(size=(30, n))
    files = numeric_files(original, original + 0.5 * rng.normal(size=(30, n)))
    matrix = random_semidefinite(rng, n)
    comparison = make_comparison(files, scale)
    euclid, free = BilinearPSD(matrix).distance(comparison), BilinearFree(matrix).distance(comparison)
    direct = replace(free, tolerance=TOLERANCE)
    slow = distances(direct)
    np.testing.assert_allclose(distances(euclid), slow, atol=1e-12 * np.abs(slow).max())
    assert nearest(euclid).links() == nearest(direct).links()


@pytest.mark.parametrize("n_attributes", [17, 20])
def test_sparse_choquet_equals_the_definition(n_attributes: int) -> None:
    """More than 16 attributes: Möbius values of pairs and triples against the area under the curve."""
    rng = np.random.default_rng(n_attributes)
    names = [f"V{k + 1}" for k in range(n_attributes)]
    transform: dict[frozenset[str], float] = {frozenset([name]): 1.0 for name in names}
    for _ in range(20):
        size = int(rng.integers(2, 4))
        transform[frozenset(rng.choice(names, size, replace=False).tolist())] = float(rng.integers(-1, 4)) / 8
    total = sum(transform.values())
    transform = {subset: value / total for subset, value in transform.items()}
    original = np.round(rng.normal(size=(12, n_attributes)), 1)
    files = numeric_files(original, original + np.round(rng.normal(size=(12, n_attributes)), 1))
    comparison = make_comparison(files)
    distance = Choquet(mobius=named(transform), additivity=3).distance(comparison)
    fast = distances(distance)
    x, y = comparison.coordinates.original, comparison.coordinates.protected
    for i in range(12):
        for j in range(12):
            d = dict(zip(names, ((x[i] - y[j]) ** 2).tolist(), strict=True))
            assert fast[i, j] == pytest.approx(_area(d, transform), rel=1e-12)
    tree, everybody = (nearest(distance, method=method) for method in ("tree", "all"))
    np.testing.assert_array_equal(tree.nearest_other, everybody.nearest_other)


def _area(d: dict[str, float], transform: dict[frozenset[str], float]) -> float:
    """Choquet integral by its definition, the measure of a level set summed from the transform."""
    total, below = 0.0, 0.0
    for level in sorted(set(d.values())):
        reach = {name for name, value in d.items() if value >= level}
        total += (level - below) * sum(value for subset, value in transform.items() if subset <= reach)
        below = level
    return total


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_sparse_and_full_choquet_are_one(seed: int, n: int) -> None:
    """The sparse kernel, called with few attributes, gives what the full one gives."""
    rng = np.random.default_rng(seed)
    files = numeric_files(np.round(rng.normal(size=(10, n)), 1), np.round(rng.normal(size=(10, n)), 1))
    comparison = make_comparison(files)
    parts = {subset: float(rng.integers(1, 9)) for subset in subsets(comparison.names) if subset}
    total = sum(parts.values())
    mobius = {subset: value / total for subset, value in parts.items()}
    bit = {name: 1 << k for k, name in enumerate(comparison.names)}
    transform = {sum(bit[name] for name in subset): value for subset, value in mobius.items()}
    sparse = mobius_distance(comparison, "choquet", transform, n)
    full = Choquet(mobius=dict(mobius.items()), additivity=n).distance(comparison)
    np.testing.assert_allclose(distances(sparse), distances(full), rtol=1e-13)


def test_a_measure_that_is_monotone_up_to_printing_prunes_safely() -> None:
    """Möbius or measure values a billionth off are lifted, so that the tree finds what everybody finds."""
    rng = np.random.default_rng(5)
    original = np.round(rng.normal(size=(400, 2)), 2)
    files = numeric_files(original, original + np.round(rng.normal(size=(400, 2)), 2))
    attacker = Choquet(measure={"V1": 1 + 9e-10, "V2": -9e-10, "V1,V2": 1.0})
    distance = attacker.distance(make_comparison(files))
    assert (np.diff(distance.theta.reshape(2, 2), axis=0) >= 0).all()
    assert (np.diff(distance.theta.reshape(2, 2), axis=1) >= 0).all()
    assert (distances(distance) >= 0).all()
    tree, everybody = (nearest(distance, method=method) for method in ("tree", "all"))
    np.testing.assert_array_equal(tree.nearest_other, everybody.nearest_other)
    np.testing.assert_array_equal(tree.tied, everybody.tied)
