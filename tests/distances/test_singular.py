"""Covariances without an inverse: keys decide first, constants drop out, nothing is lost in a pseudo-inverse."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Attacker, BilinearPSD, DistanceStandardised, Kernel, Mahalanobis, Mahalanobis0, Mean
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances.forms import semidefinite_root, transformed
from linkrisk.errors import ParameterError
from linkrisk.linkage import Linkage
from linkrisk.linkage.search import distances, nearest
from tests.linkage.files import ORDER, label_column, numeric_files, paired
from tests.oracle import distances as oracle

SCALES = ("separate", "original", "ranks")
N = 200


def noisy(seed: int = 0, n_attributes: int = 4) -> tuple[FloatArray, FloatArray]:
    """People, and the same drowned in noise ten times their spread."""
    rng = np.random.default_rng(seed)
    original = rng.lognormal(size=(N, n_attributes))
    return original, original + 10 * original.std(axis=0) * rng.normal(size=original.shape)


def link(files: FilePair, attacker: Attacker, scale: str = "original") -> Linkage:
    """Nearest records."""
    return nearest(attacker.distance(make_comparison(files, scale)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("attacker", [Mahalanobis(), DistanceStandardised()], ids=lambda a: a.name)
def test_an_unprotected_attribute_among_noisy_ones_is_found(attacker: Attacker, scale: str) -> None:
    """All records are linked, the attribute is named, and the mean is far from that."""
    original, protected = noisy()
    protected[:, 2] = original[:, 2]
    files = numeric_files(original, protected)
    distance = attacker.distance(make_comparison(files, scale))
    assert nearest(distance).links() == N
    assert distance.parameters["keys"] == ["V3"]
    assert any("V3" in note for note in distance.notes)
    assert link(files, Mean(), scale).links() < N / 2


def test_an_unprotected_attribute_with_outliers_tells_close_people_apart() -> None:
    """One of 10^6 among numbers one apart: a gap of 10^-5 of the spread still outweighs all noise."""
    original, protected = noisy(3)
    original[:, 0] = np.arange(N)
    original[0, 0] = 1e6
    protected[:, 0] = original[:, 0]
    for attacker in (Mahalanobis(), DistanceStandardised()):
        assert link(numeric_files(original, protected), attacker).links() == N, attacker.name


def test_among_people_with_equal_keys_the_rest_decides() -> None:
    """A key with two values halves the candidates; linked is who is nearest in what is left."""
    original, protected = noisy(1)
    protected = original + (protected - original) / 100
    original[:, 0] = protected[:, 0] = np.arange(N) % 2
    files = numeric_files(original, protected)
    same = (original[:, :1] == protected[:, 0]).astype(bool)
    rest = numeric_files(original[:, 1:], protected[:, 1:])
    for attacker in (Mahalanobis(), DistanceStandardised()):
        d = distances(attacker.distance(make_comparison(rest, "original")))
        d = np.where(same, d, math.inf)
        expected = sum(bool((np.delete(d[i], i) > d[i, i]).all()) for i in range(N))
        assert link(files, attacker).links() == expected
        assert N / 2 < expected < N


@pytest.mark.parametrize("scale", ["separate", "original"])
def test_a_preserved_combination_is_a_key(scale: str) -> None:
    """V1 + V2 is kept exactly while V1 and V2 are noisy (whole numbers, so that sums are exact)."""
    original, protected = (np.round(8 * values) for values in noisy(4))
    original[:, 0] += 7 * np.arange(N)  # sums differ
    protected[:, 1] = original[:, 0] + original[:, 1] - protected[:, 0]
    files = numeric_files(original, protected)
    if scale == "original":
        distance = Mahalanobis().distance(make_comparison(files, scale))
        assert distance.parameters["key_directions"] == 1
        sums, counts = np.unique(original[:, 0] + original[:, 1], return_counts=True)
        assert nearest(distance).links() >= sums[counts == 1].size > 0.9 * N
        assert any("combination" in note for note in distance.notes)
    assert link(files, Mean(), scale).links() < N / 2


@pytest.mark.parametrize("attacker", [Mahalanobis(), DistanceStandardised()], ids=lambda a: a.name)
@pytest.mark.parametrize("shift", [3.7, -1e4, 1e7])
@pytest.mark.parametrize("has_hole", [False, True])
def test_a_shifted_constant_is_taken_off(attacker: Attacker, shift: float, has_hole: bool) -> None:
    """All pairs differ by one constant, or by it wherever both are known: still a key."""
    original, protected = noisy(5)
    protected[:, 1] = original[:, 1] + shift
    if has_hole:
        protected[7, 1] = math.nan
    links = link(numeric_files(original, protected), attacker).links()
    assert links >= N - int(has_hole)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("value", [0.0, 0.1, 1e9])
def test_constant_columns_drop_out_with_a_note(scale: str, value: float) -> None:
    """The constant carries nothing: same links as without it, no key, no warning from numpy."""
    original, protected = noisy(6)
    protected = original + (protected - original) / 20
    constant = np.full((N, 1), value)
    with_constant = numeric_files(np.hstack([original, constant]), np.hstack([protected, constant + 1 / 3]))
    without = numeric_files(original, protected)
    for attacker in (Mahalanobis(), Mahalanobis0(), DistanceStandardised(), Mean(), Kernel()):
        distance = attacker.distance(make_comparison(with_constant, scale))
        if scale != "original" or attacker.name != "kernel":  # products with a constant are no constants
            assert nearest(distance).links() == link(without, attacker, scale).links(), attacker.name
        if attacker.name not in {"mean", "kernel"}:
            assert any("no two records differ" in note for note in distance.notes)
            assert not distance.parameters.get("keys")


def test_collinear_attributes_are_dropped_with_a_note() -> None:
    """V5 = V1 + V2 in both files: one direction less, the same distances as without it."""
    original, protected = noisy(7)
    protected = original + (protected - original) / 20
    more = [np.column_stack([values, values[:, 0] + values[:, 1]]) for values in (original, protected)]
    for attacker in (Mahalanobis(), Mahalanobis0()):
        distance = attacker.distance(make_comparison(numeric_files(*more), "original"))
        assert any("pseudo-inverse" in note for note in distance.notes)
        plain = distances(attacker.distance(make_comparison(numeric_files(original, protected), "original")))
        np.testing.assert_allclose(distances(distance), plain, rtol=1e-8)


@pytest.mark.parametrize("scale", SCALES)
def test_identical_files_are_linked_by_all(scale: str) -> None:
    """Whoever is unique is linked; copies are twins."""
    original, _ = noisy(8)
    original = np.vstack([original, original[:5]])
    files = numeric_files(original, original)
    for attacker in (Mean(), Mahalanobis(), Mahalanobis0(), DistanceStandardised(), Kernel(3)):
        linkage = link(files, attacker, scale)
        assert [linkage.links(ties) for ties in ("unique", "class", "expected")] == [N - 5, N + 5, N], attacker.name
        assert (linkage.own == 0).all()


def test_nearly_a_key_is_weighed_not_obeyed() -> None:
    """Noise of 10^-7 .. 10^-11 of the spread: links as by the explicit inverse in Fractions.

    Taken for a key, the attribute would decide alone among people closer in it than its noise.
    """
    rng = np.random.default_rng(0)
    for size in (1e-4, 1e-7, 1e-9, 1e-11):
        original = rng.normal(size=(24, 2))
        original[:, 0] = np.repeat(rng.normal(size=6), 4) + size * rng.normal(size=24)
        protected = original + np.column_stack([size * rng.normal(size=24), rng.normal(size=24) / 2])
        comparison = make_comparison(numeric_files(original, protected), "original")
        x, y = comparison.coordinates.original.tolist(), comparison.coordinates.protected.tolist()
        exact = [[[Fraction(v) for v in row] for row in rows] for rows in (x, y)]
        matrix = oracle.mahalanobis_matrix(exact[0], exact[1], range(24))
        slow = np.array([[float(oracle.bilinear(a, b, matrix)) for b in exact[1]] for a in exact[0]])
        expected = sum(bool((np.delete(slow[i], i) > slow[i, i]).all()) for i in range(24))
        distance = Mahalanobis().distance(comparison)
        assert nearest(distance).links() == expected
        np.testing.assert_allclose(np.diag(distances(distance)), np.diag(slow), rtol=1e-2)


def test_a_tiny_preserved_difference_is_not_lost() -> None:
    """V2 - V1 is 10^-7 of their spread and kept exactly; a pseudo-inverse would throw it away."""
    rng = np.random.default_rng(2)
    large = np.round(rng.normal(size=N) * 2**40)
    person = rng.permutation(N) * 2.0**9
    noise = np.round(rng.normal(size=N) * 2**40)
    original = np.column_stack([large, large + person])
    protected = np.column_stack([large + noise, large + noise + person])
    assert link(numeric_files(original, protected), Mahalanobis()).links() == N


@pytest.mark.parametrize("inclusive", [False, True])
def test_an_unprotected_ordinal_is_a_key(inclusive: bool) -> None:
    """Counted inclusively, equal categories differ; the attribute is unprotected all the same."""
    rng = np.random.default_rng(0)
    numbers = numeric_files(rng.normal(size=(4, 1)), rng.normal(size=(4, 1))).columns
    column = label_column("o", Kind.ORDINAL, list(ORDER), list(ORDER), inclusive=inclusive)
    distance = DistanceStandardised().distance(make_comparison(paired([*numbers, column])))
    assert distance.parameters["keys"] == ["o"]
    assert nearest(distance).links() == 4


def test_labels_that_only_strangers_change_are_a_key() -> None:
    """All known people say a; protected records without counterpart say b: that tells them apart."""
    text: list[tuple[Kind, Any]] = [(Kind.NOMINAL, {}), (Kind.TEXT, {})]
    for kind, more in text:
        column = label_column("c", kind, ["a", "a"], ["a", "a", "b"], **more)
        numbers = numeric_files([[0.0], [1.0]], [[0.5], [1.5], [0.1]]).columns
        distance = DistanceStandardised().distance(make_comparison(paired([*numbers, column], [0, 1])))
        assert distance.parameters["keys"] == ["c"]


def test_dbrl2_is_the_definition() -> None:
    """1 / var(a - b) over the true pairs, holes left out; labels by their mean difference."""
    rng = np.random.default_rng(3)
    original, protected = rng.normal(size=(9, 2)), rng.normal(size=(9, 2))
    original[2, 0] = protected[5, 1] = math.nan
    label = label_column("c", Kind.NOMINAL, list("aabbccaab"), list("abbbccaaa"))
    files = paired([*numeric_files(original, protected).columns, label], [1, 0, 2, 3, 4, 5, 6, 7, -1])
    comparison = make_comparison(files, "original")
    rows = [
        [[None if math.isnan(v) else Fraction(v) for v in row] for row in values[:, :2].tolist()]
        for values in (comparison.coordinates.original, comparison.coordinates.protected)
    ]
    weights = [float(w) for w in oracle.dbrl2_weights(rows[0], rows[1], files.own.tolist())]
    pairs = [(label.original[i], label.protected[j]) for i, j in enumerate(files.own) if j >= 0]
    weights.append(len(pairs) / sum(x != y for x, y in pairs))
    np.testing.assert_allclose(DistanceStandardised().distance(comparison).theta, weights, rtol=1e-12)


def test_dbrl2_without_true_pairs_uses_both_variances() -> None:
    """VarA + VarB, as documented; on the scale separate that is 2."""
    rng = np.random.default_rng(4)
    files = numeric_files(rng.normal(size=(9, 2)), rng.normal(size=(9, 2)), [-1] * 9)
    np.testing.assert_allclose(DistanceStandardised().distance(make_comparison(files)).theta, [0.5, 0.5], rtol=1e-12)
    assert link(files, DistanceStandardised()).links() == 0


def test_mahalanobis_needs_two_true_pairs() -> None:
    """The message offers the attacker that needs none."""
    files = numeric_files([[0.0], [1.0]], [[0.0], [1.0]], [0, -1])
    with pytest.raises(ParameterError, match="two true pairs; use mahalanobis0"):
        Mahalanobis().distance(make_comparison(files))


def test_mahalanobis_ignores_labels_with_a_note() -> None:
    """Numbers and dates only; without any, an error that says so."""
    column = label_column("c", Kind.NOMINAL, ["a", "b", "c"], ["a", "b", "c"])
    date = ColumnPair(Attribute("born", Kind.DATE), np.array([1.0, 5.0, 9.0]), np.array([2.0, 5.0, 8.0]))
    for attacker in (Mahalanobis(), Mahalanobis0(), Kernel()):
        distance = attacker.distance(make_comparison(paired([column, date])))
        assert any("leaves out c" in note for note in distance.notes)
        with pytest.raises(ParameterError, match="needs numeric or date attributes"):
            attacker.distance(make_comparison(paired([column])))


@pytest.mark.parametrize("n_records", [1, 2, 3, 50])
def test_transformed_keeps_its_guarantee(n_records: int) -> None:
    """Equal rows give equal rows, alone, in pairs or among many (BLAS does not promise that)."""
    rng = np.random.default_rng(n_records)
    for n in (2, 5, 7, 13):
        rows, matrix = rng.normal(size=(60, n)), rng.normal(size=(n, n))
        np.testing.assert_array_equal(transformed(rows[:n_records], matrix), transformed(rows, matrix)[:n_records])
        np.testing.assert_allclose(transformed(rows, matrix), rows @ matrix, atol=1e-12)


def test_one_person_is_measured_as_among_all() -> None:
    """Restricting the original to one record leaves its distances as they are, to the last bit."""
    rng = np.random.default_rng(0)
    comparison = make_comparison(numeric_files(rng.normal(size=(40, 7)), rng.normal(size=(40, 7))))
    attacker = BilinearPSD(np.eye(7) + 0.5)
    everybody = distances(attacker.distance(comparison))
    for row in (0, 17, 39):
        alone = distances(attacker.distance(comparison.restrict(np.array([row]))))
        np.testing.assert_array_equal(alone[0], everybody[row])


@pytest.mark.parametrize("seed", range(5))
def test_semidefinite_root_keeps_its_guarantee(seed: int) -> None:
    """R R' is the matrix, also when weights differ by 10^20; a negative eigenvalue gives no root."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    base = rng.normal(size=(n, n + 1))
    sizes = 10.0 ** rng.uniform(-10, 0, n)
    matrix = (base @ base.T) * np.outer(sizes, sizes)
    root = semidefinite_root(matrix)
    assert root is not None
    np.testing.assert_allclose(root @ root.T, matrix, rtol=1e-9, atol=1e-12 * matrix.diagonal().min())
    eigenvalues, vectors = np.linalg.eigh(base @ base.T)
    eigenvalues[0] = -1e-6
    assert semidefinite_root((vectors * eigenvalues) @ vectors.T) is None
    zero = semidefinite_root(np.zeros((n, n)))
    assert zero is not None
    assert not zero.any()
