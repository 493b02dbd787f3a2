"""What parameters mean: indices against their definitions, tables of the papers, a family of a user's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.differences import make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family, Numbers
from linkrisk.distances.indices import evenness, matrix_distance, orness
from linkrisk.distances.meaning import (
    FormMeaning,
    Meaning,
    MeasureMeaning,
    PlainMeaning,
    PositionsMeaning,
    WeightsMeaning,
    form_meaning,
    true_pair_covariance,
)
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.weighted_mean import WeightedMeanFamily, simplex_set, summing_to_one
from tests.linkage.attackers import random_measure, random_weights
from tests.linkage.files import numeric_files
from tests.oracle import distances as distance_oracle
from tests.oracle import indices as oracle
from tests.oracle import measures as measure_oracle

NAMES = ("a", "b", "c", "d")


def measure_vector(measure: dict[frozenset[str], float], names: tuple[str, ...]) -> FloatArray:
    """Lay a measure out as theta: by bit mask, without the empty set."""
    theta = np.zeros((1 << len(names)) - 1)
    for subset, value in measure.items():
        if subset:
            theta[sum(1 << names.index(name) for name in subset) - 1] = value
    return theta


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_weights_are_told_with_evenness_and_orness(n: int, seed: int) -> None:
    """Both indices equal their definitions; weights come out as they went in."""
    weights = np.array(random_weights(np.random.default_rng(seed), n))
    names = tuple(f"V{k}" for k in range(n))
    told = WeightedMeanFamily().meaning(7.0 * weights, names)
    assert isinstance(told, WeightsMeaning)
    assert list(told.weights) == list(names)
    np.testing.assert_allclose(list(told.weights.values()), weights)
    assert told.evenness == pytest.approx(oracle.evenness(weights.tolist()), abs=1e-12)
    positions = OWAFamily().meaning(weights, names)
    assert isinstance(positions, PositionsMeaning)
    assert positions.orness == pytest.approx(float(oracle.orness([Fraction(p) for p in weights.tolist()])), abs=1e-12)
    assert positions.evenness == told.evenness


def test_indices_at_their_ends() -> None:
    """Equal weights are even, one weight is not; the maximum has orness 1, the minimum 0, the mean 1/2."""
    assert evenness(np.full(5, 0.2)) == pytest.approx(1.0, abs=1e-15)
    assert evenness(np.array([0.0, 1.0, 0.0])) == 0.0
    assert evenness(np.array([1.0])) == 1.0
    assert orness(np.array([1.0, 0.0, 0.0, 0.0])) == 1.0
    assert orness(np.array([0.0, 0.0, 0.0, 1.0])) == 0.0
    assert orness(np.full(4, 0.25)) == pytest.approx(0.5, abs=1e-15)
    assert orness(np.array([1.0])) == 0.5


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_a_measure_is_told_by_its_definitions(n: int, seed: int) -> None:
    """Möbius values, Shapley values and interaction indices equal sums over all subsets and orders, in rationals."""
    names = NAMES[:n]
    measure = random_measure(np.random.default_rng(seed), names)
    exact = {subset: Fraction(value) for subset, value in measure.items()}
    told = ChoquetFamily().meaning(measure_vector(measure, names), names)
    assert isinstance(told, MeasureMeaning)
    assert told.measure is not None
    assert {frozenset(subset): value for subset, value in told.measure.items()} == {
        subset: value for subset, value in measure.items() if subset
    }
    transform = measure_oracle.mobius(exact, names)
    for subset, value in told.mobius.items():
        assert value == pytest.approx(float(transform[frozenset(subset)]), abs=1e-12)
    np.testing.assert_allclose(
        list(told.shapley.values()), [float(s) for s in measure_oracle.shapley(exact, names)], atol=1e-12
    )
    assert set(told.interaction) == {(a, b) for a in names for b in names if a < b}
    for (first, second), value in told.interaction.items():
        assert value == pytest.approx(float(oracle.interaction(exact, names, first, second)), abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_an_additive_measure_means_the_same_as_the_full_one(seed: int, additivity: int) -> None:
    """Told from its Möbius values of few attributes or from all its subsets: the same Shapley values and indices."""
    rng = np.random.default_rng(seed)
    parts = {s: float(rng.integers(0, 9)) for s in measure_oracle.subsets(NAMES) if 0 < len(s) <= additivity}
    parts[frozenset("a")] += 1.0
    total = sum(parts.values())
    full = measure_oracle.zeta({s: value / total for s, value in parts.items()}, NAMES)
    family = AdditiveChoquetFamily(additivity)
    labels = [frozenset(label.split(",")) for label in family.parameter_labels(NAMES)]
    few = family.meaning(np.array([parts[subset] for subset in labels]), NAMES)
    all_of_it = ChoquetFamily().meaning(measure_vector(full, NAMES), NAMES)
    assert isinstance(few, MeasureMeaning)
    assert isinstance(all_of_it, MeasureMeaning)
    assert few.measure is not None
    assert all_of_it.measure is not None
    assert few.shapley == pytest.approx(all_of_it.shapley, abs=1e-12)
    assert few.interaction == pytest.approx(all_of_it.interaction, abs=1e-12)
    assert few.measure == pytest.approx({s: all_of_it.measure[s] for s in few.measure}, abs=1e-12)


def test_many_attributes_are_told_without_their_subsets() -> None:
    """With more than 16 attributes a measure stays in Möbius values."""
    names = tuple(f"V{k}" for k in range(20))
    family = AdditiveChoquetFamily(2)
    theta = np.zeros(len(family.parameter_labels(names)))
    theta[0], theta[20] = 0.5, 0.5  # V0 alone, V0 and V1 together
    told = family.meaning(theta, names)
    assert isinstance(told, MeasureMeaning)
    assert told.measure is None
    assert told.shapley["V0"] == 0.75
    assert told.shapley["V1"] == 0.25
    assert told.interaction["V0", "V1"] == 0.5
    assert "V0, V1" in str(told)


def test_table_3_of_the_choquet_paper() -> None:
    """abril2012-choquet.txt, Table 3 (M4-28): the first attribute has nearly all of it, under the paper's labels."""
    table = {
        "0001": 0.154253, "0010": 0.003651, "0011": 0.207612, "0100": 0.039292, "0101": 0.154353, "0110": 0.096721,
        "0111": 0.207712, "1000": 0.999168, "1001": 0.999799, "1010": 0.999800, "1011": 0.999899, "1100": 0.999268,
        "1101": 0.999899, "1110": 0.999900, "1111": 0.999999,
    }  # fmt: skip
    theta = np.zeros(15)
    for label, value in table.items():
        theta[sum(1 << k for k, digit in enumerate(label) if digit == "1") - 1] = value
    told = ChoquetFamily().meaning(theta, ("V1", "V2", "V3", "V4"))
    assert isinstance(told, MeasureMeaning)
    assert told.measure is not None
    assert told.labels[("V1",)] == "1000"
    assert told.labels[("V3", "V4")] == "0011"
    assert told.measure[("V3", "V4")] == pytest.approx(0.207612, abs=1e-5)
    assert told.shapley["V1"] > 0.85
    assert all(value < 0 for pair, value in told.interaction.items() if "V1" in pair)  # V1 does instead of any other
    assert "1000  V1" in str(told)


@given(st.integers(1, 5), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=60, deadline=None)
def test_distance_of_matrices_is_that_at_the_best_scale(n: int, seed: int, is_near: bool) -> None:
    """The closed formula equals a search over c; it is symmetric, and no unit of either matrix changes it."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(n, n))
    second = first + 0.1 * rng.normal(size=(n, n)) if is_near else rng.normal(size=(n, n))
    value = matrix_distance(first, second)
    assert value == pytest.approx(oracle.matrix_distance(first.tolist(), second.tolist()), abs=1e-6)
    assert value == pytest.approx(matrix_distance(1000.0 * second, 0.001 * first), abs=1e-9)


def test_distance_of_matrices_at_its_ends() -> None:
    """A multiple has distance 0; what points elsewhere, and nothing, have distance 1."""
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert matrix_distance(matrix, 5.0 * matrix) == pytest.approx(0.0, abs=1e-15)
    assert matrix_distance(matrix, -matrix) == 1.0
    assert matrix_distance(np.zeros((2, 2)), matrix) == 1.0


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_the_mahalanobis_matrix_has_no_distance_to_the_covariance(seed: int) -> None:
    """abril-bilinear.txt, Table 8: S compared with its inverse's target; the inverse covariance is that exactly."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-8, 9, (12, 3)).astype(float)
    y = x + rng.integers(-2, 3, (12, 3))
    x[:3] += np.eye(3)  # no difference is constant
    comparison = make_comparison(numeric_files(x, y))
    covariance = true_pair_covariance(comparison)
    assert covariance is not None
    z = comparison.coordinates
    gaps = [
        [Fraction(a) - Fraction(b) for a, b in zip(p, q, strict=True)]
        for p, q in zip(z.original.T, z.protected.T, strict=True)
    ]
    exact = [[float(value) for value in row] for row in distance_oracle.covariance(gaps, gaps)]
    np.testing.assert_allclose(covariance, exact, atol=1e-12)
    told = form_meaning(np.asarray(np.linalg.inv(covariance), dtype=np.float64), NAMES[:3], covariance)
    assert told.covariance_distance == pytest.approx(0.0, abs=1e-9)
    assert told.precision_distance == pytest.approx(0.0, abs=1e-9)


def test_covariance_leaves_out_pairs_with_holes() -> None:
    """What was filled in is no difference; records without counterpart take no part."""
    x = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 5.0], [4.0, 2.0], [7.0, 7.0]])
    y = np.array([[0.5, 1.0], [1.0, 2.0], [2.0, 4.0], [5.0, 2.0], [np.nan, 3.0]])
    comparison = make_comparison(numeric_files(x, y, [0, 1, 2, 3, -1]))
    z = comparison.coordinates
    gaps = (z.original - z.protected)[[0, 2, 3]]
    covariance = true_pair_covariance(comparison)
    assert covariance is not None
    np.testing.assert_allclose(covariance, np.cov(gaps.T), atol=1e-12)
    assert true_pair_covariance(make_comparison(numeric_files(x, y, [0, -1, -1, -1, -1]))) is None


def test_a_form_is_told_by_its_eigenvectors() -> None:
    """Matrix, eigenvalues from large to small, vectors that rebuild it; a singular one has no inverse to compare."""
    told = BilinearFamily(Form.FREE).meaning(np.array([2.0, 1.0, 2.0]), ("a", "b"), covariance=np.eye(2))
    assert isinstance(told, FormMeaning)
    np.testing.assert_allclose(told.matrix, [[1.0, 0.5], [0.5, 1.0]])
    np.testing.assert_allclose(told.eigenvalues, [1.5, 0.5])
    rebuilt = told.eigenvectors @ np.diag(told.eigenvalues) @ told.eigenvectors.T
    np.testing.assert_allclose(rebuilt, told.matrix, atol=1e-12)
    assert (np.abs(told.eigenvectors).max(axis=0) == told.eigenvectors.max(axis=0)).all()
    assert told.precision_distance == pytest.approx(np.sqrt(0.5 / 2.5))
    assert form_meaning(np.ones((2, 2)), ("a", "b"), np.eye(2)).covariance_distance is None
    assert form_meaning(np.zeros((2, 2)), ("a", "b"), np.zeros((2, 2))).precision_distance is None
    assert form_meaning(np.eye(2), ("a", "b")).precision_distance is None


FAMILIES: tuple[Family, ...] = (
    WeightedMeanFamily(),
    WeightedMeanFamily(0.01),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    AdditiveChoquetFamily(2),
    BilinearFamily(Form.FREE),
    BilinearFamily(),
    BilinearFamily(Form.SEMIDEFINITE),
)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_every_meaning_prints_and_goes_into_json(family: Family, n: int) -> None:
    """Plain numbers and texts only, every attribute named, a label for every parameter."""
    names = ("age", "income", "zip code", "sex", "job")[:n]
    parameters = family.parameter_set(n)
    told = family.meaning(parameters.interior, names)
    assert isinstance(told, Meaning)
    text = json.dumps(told.to_dict(), allow_nan=False)
    if not isinstance(family, OWAFamily):
        assert all(name in text and name in str(told) for name in names)
    assert len(family.parameter_labels(names)) == parameters.n_parameters
    assert len(set(family.parameter_labels(names))) == parameters.n_parameters


class OwnFamily(Family):
    """A user's own family: the largest and the mean difference, weighted."""

    name = "own"
    is_signed = False
    is_nonnegative = False
    tolerance: ClassVar[float] = 0.0

    def features(self, differences: Numbers) -> Numbers:
        """Return largest and mean."""
        return np.stack([differences.max(axis=1), differences.mean(axis=1)], axis=1)

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences."""
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Two weights, whatever the attributes."""
        assert n_attributes
        return simplex_set(2)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return weights that sum to 1."""
        return summing_to_one(theta)


class TalkingFamily(OwnFamily):
    """A user's own family that says what its parameters mean."""

    def meaning(self, theta: FloatArray, names: Sequence[str], covariance: FloatArray | None = None) -> Meaning:
        """Tell the share of the largest difference."""
        assert covariance is None
        return PlainMeaning({"share of the largest": float(self.normalised(theta)[0]), "attributes": list(names)})


def test_a_family_of_ones_own_says_what_it_means() -> None:
    """Its method is asked; without one, parameters are shown as they are, normalised."""
    told = TalkingFamily().meaning(np.array([1.0, 3.0]), ("a", "b", "c"))
    assert told.to_dict() == {"share of the largest": 0.25, "attributes": ["a", "b", "c"]}
    assert str(told) == "share of the largest  0.25\nattributes  ['a', 'b', 'c']"
    plain = OwnFamily().meaning(np.array([1.0, 3.0]), ("a", "b", "c"))
    assert plain == PlainMeaning({"parameter 1": 0.25, "parameter 2": 0.75})


def test_defaults_of_a_family_of_ones_own() -> None:
    """It starts from no other, is not repaired, has no boxes and no certificate, and acts on others as on its own."""
    family = OwnFamily()
    assert family.weaker() == []
    assert [family.is_repaired, family.is_boxed, family.is_verifiable, family.cites_inequalities] == [False] * 4
    assert family.for_others() is family
    assert family.floor is None
    size = family.programme_size(10, 3)
    assert (size.continuous, size.normalisation, size.other) == (2, 1, 2)


@pytest.mark.parametrize("base", [WeightedMeanFamily, OWAFamily, ChoquetFamily, BilinearFamily, HighamFamily])
def test_a_derived_family_inherits_no_proof(base: type[Any]) -> None:
    """What is known of a family's rounding, and to the verifier, is not known of one that changes its features."""
    derived = type("Derived", (base,), {})()
    assert base().is_verifiable
    assert not derived.is_verifiable
    assert not derived.is_boxed


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_weaker_families_make_the_same_distances(seed: int) -> None:
    """Parameters of a weaker family, embedded, give theta . phi the same value on all differences."""
    rng = np.random.default_rng(seed)
    differences = rng.integers(-9, 10, (6, 3)).astype(float)
    for family in FAMILIES:
        for weaker, embedding in family.weaker():
            weights = np.array(random_weights(rng, 3))
            own = differences if family.is_signed else differences**2
            ours = family.features(own) @ embedding(weights)
            np.testing.assert_allclose(ours, weaker.features(differences**2) @ weights, atol=1e-9)
