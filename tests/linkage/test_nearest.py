"""Nearest records, through the tree and against everybody, compared with the double loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import (
    Attacker,
    Bilinear,
    BilinearFree,
    BilinearPSD,
    DistanceStandardised,
    Kernel,
    Mahalanobis,
    Mahalanobis0,
    Mean,
    WeightedMean,
)
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.errors import ParameterError
from linkrisk.linkage import points
from linkrisk.linkage.search import distances, nearest
from tests.linkage.attackers import MONOTONE, VECTOR, attackers, random_attacker
from tests.linkage.files import microaggregated, mixed_file_pairs, numeric_file_pairs, numeric_files
from tests.linkage.twins import check_linkage, check_others, make_twin

SCALES = ("separate", "original", "ranks")
METHODS = ("tree", "all", "auto")


def check_attacker(kind: str, seed: int, files: FilePair, scale: str, *methods: str) -> None:
    """Link with a random attacker of a kind, fast by some methods, and slowly."""
    comparison = make_comparison(files, scale)
    attacker = random_attacker(kind, np.random.default_rng(seed), comparison.names)
    distance = attacker.distance(comparison)
    own, twin = files.own.tolist(), make_twin(attacker, comparison, files)
    for method in methods:
        linkage = nearest(distance, is_ranking=True, method=method, threads=1)
        check_linkage(linkage, twin, own, files.n_protected)
        check_others(linkage, distances(distance), own)


@pytest.mark.slow
@given(numeric_file_pairs(), attackers(MONOTONE), st.sampled_from(SCALES), st.sampled_from(METHODS))
@settings(max_examples=150, deadline=None)
def test_numbers_are_linked_as_by_the_twin(files: FilePair, attacker: tuple[str, int], scale: str, method: str) -> None:
    """Duplicates, ties, holes, other lengths, records without counterpart: same counts under all tie rules."""
    check_attacker(*attacker, files, scale, method)


@pytest.mark.slow
@given(mixed_file_pairs(), attackers(MONOTONE), st.sampled_from(SCALES), st.sampled_from(METHODS))
@settings(max_examples=100, deadline=None)
def test_mixed_kinds_are_linked_as_by_the_twin(
    files: FilePair, attacker: tuple[str, int], scale: str, method: str
) -> None:
    """Nominal, ordinal, text and date columns, with their costs of missing values."""
    check_attacker(*attacker, files, scale, method)


@pytest.mark.slow
@given(numeric_file_pairs(max_records=6), attackers(VECTOR), st.sampled_from(SCALES), st.sampled_from(METHODS))
@settings(max_examples=80, deadline=None)
def test_vectors_are_linked_as_by_the_twin(files: FilePair, attacker: tuple[str, int], scale: str, method: str) -> None:
    """Kernel and bilinear forms, in Fractions; cases that hang on rounding are passed over."""
    check_attacker(*attacker, files, scale, method)


def clustered(seed: int, n_records: int, n_attributes: int) -> FilePair:
    """Round normals and take their means over threes: copies, ties, and enough records for a real tree."""
    rng = np.random.default_rng(seed)
    original = np.round(rng.normal(size=(n_records, n_attributes)), 1)
    protected = microaggregated(original, 3)
    order = rng.permutation(n_records)
    own = np.empty(n_records, dtype=np.int64)
    own[order] = np.arange(n_records)
    own[::17] = -1
    return numeric_files(original, protected[order], own)


@pytest.mark.parametrize("kind", [*MONOTONE, *VECTOR])
@pytest.mark.parametrize("scale", SCALES)
def test_tree_equals_all(kind: str, scale: str) -> None:
    """Every array bit for bit, on files with copies and with holes; the second-nearest where it is promised."""
    for seed, n_attributes in enumerate([1, 2, 4]):
        files = clustered(seed, 500, n_attributes)
        if seed == 1 and kind not in VECTOR:
            files.columns[0].original[5:60] = np.nan
            files.columns[0].protected[40:90] = np.nan
        comparison = make_comparison(files, scale)
        distance = random_attacker(kind, np.random.default_rng(seed), comparison.names).distance(comparison)
        tree = nearest(distance, method="tree", is_ranking=True)
        everybody = nearest(distance, method="all", is_ranking=True)
        for name in ("own", "nearest_other", "is_beaten", "tied", "twins", "rank"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(everybody, name), err_msg=name)
        promised = ~(np.minimum(tree.second_other, everybody.second_other) >= tree.own)
        np.testing.assert_array_equal(tree.second_other[promised], everybody.second_other[promised])
        check_others(tree, distances(distance), files.own.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mean", "owa", "choquet"])
def test_larger_files_are_linked_as_by_the_twin(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More records than a leaf holds, with copies: the tree has to prune, and must not lose a tie."""
    monkeypatch.setattr(points, "BLOCK", 4)
    files = clustered(3, 75, 2)
    assert len(points.make_points(Mean().distance(make_comparison(files))).cloud.children) > 8
    check_attacker(kind, 1, files, "separate", "tree", "all")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tree", "all"])
@pytest.mark.parametrize("kind", ["mean", "kernel"])
def test_number_of_threads_changes_nothing(kind: str, method: str) -> None:
    """One thread and three give the same arrays, to the last bit."""
    comparison = make_comparison(clustered(0, 5000, 2))
    distance = random_attacker(kind, np.random.default_rng(0), comparison.names).distance(comparison)
    one, three = (nearest(distance, method=method, threads=threads) for threads in (1, 3))
    for name in ("own", "nearest_other", "second_other", "other", "is_beaten", "tied", "twins"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name), err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("attacker", [Mahalanobis(), Mahalanobis0()], ids=lambda a: a.name)
@pytest.mark.parametrize("seed", range(2))
def test_mahalanobis_is_the_explicit_inverse(attacker: Mahalanobis, scale: str, seed: int) -> None:
    """Distances by Gauss-Jordan in Fractions, and the links they make; other lengths, copies, no counterpart."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(18, 3)) @ rng.normal(size=(3, 3))
    protected = np.vstack([original[2:] + rng.normal(size=(16, 3)), original[:5], original[:5]])
    own = [-1, -1, *range(16)]
    files = numeric_files(original, protected, own)
    comparison = make_comparison(files, scale)
    linkage = nearest(attacker.distance(comparison), is_ranking=True)
    check_linkage(linkage, make_twin(attacker, comparison, files), own, files.n_protected)


def test_two_records_are_enough() -> None:
    """The smallest files there are; two pairs always have a direction in which they do not differ, a key."""
    files = numeric_files([[0.0, 1.0], [1.0, 0.0]], [[0.1, 1.0], [1.0, 0.2]])
    for attacker in (Mean(), DistanceStandardised(), Mahalanobis()):
        for scale in SCALES:
            assert nearest(attacker.distance(make_comparison(files, scale))).links() == 2, (attacker.name, scale)


def test_all_protected_records_equal() -> None:
    """Nobody is unique, everybody is in the class, and a blind guess finds one."""
    files = numeric_files(np.arange(10.0).reshape(5, 2), np.ones((5, 2)))
    for attacker in (Mean(), Mahalanobis0()):
        for method in METHODS:
            linkage = nearest(attacker.distance(make_comparison(files)), method=method)
            assert [linkage.links(ties) for ties in ("unique", "class", "expected")] == [0, 5, 1.0]
            assert linkage.tied.tolist() == linkage.twins.tolist() == [4] * 5


def test_bilinear_rejects_negative_distances() -> None:
    """An indefinite matrix that goes below zero on the files is an error; one that does not, is none."""
    files = numeric_files([[0.0, 0.0], [4.0, 1.0]], [[0.0, 0.5], [4.0, 0.0]])
    matrix = [[1.0, 0.0], [0.0, -1.0]]
    with pytest.raises(ParameterError, match=r"negative distances.*bilinear_free"):
        nearest(Bilinear(matrix).distance(make_comparison(files, "original")))
    positive = numeric_files([[0.0, 0.0], [4.0, 0.1]], [[1.0, 0.0], [6.0, 0.1]])
    assert nearest(Bilinear([[1.0, 0.0], [0.0, -1e-3]]).distance(make_comparison(positive, "original"))).links() == 2


def test_unknown_method_is_an_error() -> None:
    """The message lists the methods there are."""
    with pytest.raises(ParameterError, match="'auto', 'tree', 'sieve' or 'all'"):
        nearest(Mean().distance(make_comparison(numeric_files([[0.0], [1.0]], [[0.0], [1.0]]))), method="fast")


@pytest.mark.parametrize(
    "attacker",
    [
        Mean(),
        WeightedMean([0.7, 0.3]),
        Kernel(1),
        Kernel(2),
        Mahalanobis0(),
        BilinearPSD([[1.0, 0.5], [0.5, 1.0]]),
        BilinearFree([[1.0, 0.5], [0.5, 1.0]]),
    ],
    ids=lambda attacker: str(attacker.name),
)
def test_twins_are_told_by_the_differences_compared(attacker: Attacker) -> None:
    """A mirror image is a twin for every attacker, even where its distance is another, or less (DESIGN, Ties)."""
    rng = np.random.default_rng(3)
    original = 64.0 * rng.permutation([[float(a), float(b)] for a in range(10) for b in range(5)])
    change = rng.choice([-2.0, -1.0, 1.0, 2.0], size=(50, 2))
    mirror = original + change * [1.0, -1.0]
    files = numeric_files(original, np.vstack([original + change, mirror]), np.arange(50))
    linkage = nearest(attacker.distance(make_comparison(files, "original")))
    assert linkage.links("class") == 50
    assert 25 <= linkage.links("expected") < 50
    assert linkage.links("unique") < 50


@pytest.mark.parametrize(
    "attacker",
    [Kernel(), Mahalanobis0(), Bilinear([[1.0]]), BilinearFree([[1.0]]), BilinearPSD([[1.0]])],
    ids=lambda attacker: str(attacker.name),
)
def test_a_hole_ties_with_a_record_at_the_mean(attacker: Attacker) -> None:
    """A vector's hole is filled with exactly the number that the mean gets: records there are as near."""
    hole = np.nan
    original, protected = [hole, 0, 3, 0, hole, hole, hole], [5, hole, hole, 2, 0, 5, 3]
    files = numeric_files(np.array([original]).T, np.array([protected]).T)
    assert nearest(attacker.distance(make_comparison(files))).links("unique") == 1
