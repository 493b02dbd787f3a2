"""Ranges of parameters against corners found in rationals; carriers of planted risk."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.differences import make_comparison
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.explanation.carriers import Carrier, Carrying, carriers
from linkrisk.learning.explanation.ranges import parameter_ranges
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.linkage.search import nearest
from tests.linkage.files import microaggregated, numeric_files
from tests.oracle import cells as oracle

PRECISION = 1e-6


def small_files(seed: int, n_attributes: int = 2, most: int = 7) -> Comparison:
    """Few records with rough noise, whole numbers (many ties) or real ones; some files have copies."""
    rng = np.random.default_rng(seed)
    n_records = int(rng.integers(3, most + 1))
    x = rng.normal(size=(n_records, n_attributes))
    y = x + rng.normal(0.0, 0.6, x.shape)
    if seed % 2:
        x, y = np.round(2.0 * x), np.round(2.0 * y)
    return make_comparison(numeric_files(x, microaggregated(y, 2) if seed % 5 == 0 else y))


def exact_rows(learned: Learned, features: oracle.Features) -> list[list[Fraction]]:
    """Rows of the linked records, from the scaled values."""
    coordinates = learned.problem.comparison.coordinates
    x, y = (
        [[Fraction(v) for v in row] for row in values.tolist()]
        for values in (coordinates.original, coordinates.protected)
    )
    records = np.flatnonzero(learned.linkage.is_linked("unique")).tolist()
    return oracle.linking_rows(x, y, records, features, Fraction(learned.problem.tolerance))


def check_ranges(learned: Learned, corners: list[list[Fraction]]) -> None:
    """Assert that the ranges are those of the corners, and hold the learned parameters."""
    ranges = parameter_ranges(learned)
    expected = oracle.ranges(corners)
    np.testing.assert_allclose(ranges.low, [float(low) for low, _ in expected], atol=PRECISION)
    np.testing.assert_allclose(ranges.high, [float(high) for _, high in expected], atol=PRECISION)
    theta = learned.family.normalised(learned.theta)
    assert (ranges.low <= theta).all()
    assert (theta <= ranges.high).all()


def unit_rows(n: int) -> list[list[Fraction]]:
    """Rows theta_k >= 0."""
    return [[Fraction(k == m) for m in range(n)] for k in range(n)]


@pytest.mark.parametrize("seed", range(40))
def test_ranges_of_two_weights_are_the_interval_of_the_cell(seed: int) -> None:
    """Weighted mean and OWA of two attributes: the exact interval in which the same records stay linked."""
    comparison = small_files(seed)
    ones = [Fraction(1), Fraction(1)]
    for family, features in ((WeightedMeanFamily(), oracle.weighted), (OWAFamily(), oracle.ordered)):
        learned = learn(family, comparison, ties="unique")
        check_ranges(learned, oracle.corners([*exact_rows(learned, features), *unit_rows(2)], ones))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ranges_of_three_weights(seed: int) -> None:
    """Three attributes, with and without a floor: the corners of the polygon."""
    comparison = small_files(seed, n_attributes=3)
    ones = [Fraction(1)] * 3
    for floor in (0.0, 0.01):
        learned = learn(WeightedMeanFamily(floor), comparison, ties="unique")
        least = [[value - Fraction(floor) for value in row] for row in unit_rows(3)]
        check_ranges(learned, oracle.corners([*exact_rows(learned, oracle.weighted), *least], ones))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ranges_of_a_measure(seed: int) -> None:
    """Choquet integral of two attributes: mu(1) and mu(2) between 0 and 1, mu(all) = 1."""
    learned = learn(ChoquetFamily(), small_files(seed), ties="unique")
    order = [[Fraction(v) for v in row] for row in ((1, 0, 0), (0, 1, 0), (-1, 0, 1), (0, -1, 1))]
    normal = [Fraction(0), Fraction(0), Fraction(1)]
    check_ranges(learned, oracle.corners([*exact_rows(learned, oracle.two_increments), *order], normal))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ranges_of_a_free_form(seed: int) -> None:
    """Entries over the largest one, whichever that is: every face of the box is looked at."""
    learned = learn(BilinearFamily(Form.FREE), small_files(seed, most=6), ties="unique")
    check_ranges(learned, oracle.corners_of_largest_entry(exact_rows(learned, oracle.two_products), 3))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_ranges_of_a_nonnegative_form(seed: int) -> None:
    """Also, no pair of the two files may have a negative distance."""
    learned = learn(BilinearFamily(), small_files(seed, most=4), ties="unique")
    coordinates = learned.problem.comparison.coordinates
    pairs = [
        oracle.two_products([Fraction(a) - Fraction(b) for a, b in zip(x, y, strict=True)])
        for x in coordinates.original.tolist()
        for y in coordinates.protected.tolist()
    ]
    rows = [*exact_rows(learned, oracle.two_products), *pairs]
    check_ranges(learned, oracle.corners_of_largest_entry(rows, 3))


def test_ranges_of_semidefinite_matrices_without_any_link() -> None:
    """Nothing linked, the cell is the whole cone: a diagonal entry lies in [0, 1], another in [-1, 1]."""
    alike = np.ones((4, 2))
    learned = learn(
        BilinearFamily(Form.SEMIDEFINITE), make_comparison(numeric_files(np.eye(4)[:, :2], alike)), ties="unique"
    )
    assert learned.links == 0
    ranges = parameter_ranges(learned)
    np.testing.assert_allclose(ranges.low, [0.0, -1.0, 0.0], atol=PRECISION)
    np.testing.assert_allclose(ranges.high, [1.0, 1.0, 1.0], atol=PRECISION)


FAMILIES: tuple[Family, ...] = (
    WeightedMeanFamily(),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    AdditiveChoquetFamily(2),
    BilinearFamily(Form.FREE),
    BilinearFamily(),
    BilinearFamily(Form.SEMIDEFINITE),
)


def noisy_files(n_records: int, seed: int, scale: FloatArray | float = 1.0) -> Comparison:
    """Three attributes with noise, on a scale of their own each."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_records, 3)) * scale
    return make_comparison(numeric_files(x, x + rng.normal(0.0, 0.3, x.shape) * scale))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_no_parameters_with_the_same_links_lie_outside(family: Family) -> None:
    """Guarantee of `parameter_ranges`: whatever links the same records nearby is within the ranges."""
    learned = learn(family, noisy_files(40, seed=3))
    ranges = parameter_ranges(learned)
    theta = family.normalised(learned.theta)
    linked = learned.linkage.is_linked("unique")
    rng = np.random.default_rng(1)
    n_inside = 0
    for size in np.repeat([0.0003, 0.001, 0.003, 0.01, 0.03, 0.1], 10):
        other = learned.problem.parameters.inside(theta + size * rng.normal(size=len(theta)) * np.abs(theta).max())
        if family.is_nonnegative and len(learned.problem.source.negative(other, 1)[0]):
            continue
        found = nearest(family.distance(other, learned.problem.comparison))
        if (found.is_linked("unique") | ~linked).all():
            n_inside += 1
            values = family.normalised(other)
            assert (values >= ranges.low - PRECISION).all()
            assert (values <= ranges.high + PRECISION).all()
    assert n_inside >= 5


def test_small_weights_are_as_exact_as_large_ones() -> None:
    """A weight of some 1e-9, beside one near 1, has a range of its own size."""
    x = np.array([[0.0, 0.0], [1e-4, 0.0], [0.0, 100.0], [1e-4, 100.0], [-1.0, 50.0], [1.0, 50.0]])
    y = x + np.array([[0.0, 15.0], [0.0, -15.0], [0.0, 10.0], [0.0, 20.0], [0.0, 5.0], [0.0, 0.0]])
    learned = learn(WeightedMeanFamily(), make_comparison(numeric_files(x, y), "original"))
    corners = oracle.corners([*exact_rows(learned, oracle.weighted), *unit_rows(2)], [Fraction(1), Fraction(1)])
    expected = [(float(low), float(high)) for low, high in oracle.ranges(corners)]
    assert 0.0 < expected[1][1] < 1e-6
    ranges = parameter_ranges(learned)
    assert ranges.high[1] == pytest.approx(expected[1][1], rel=1e-3)


def test_a_weight_that_nothing_depends_on_is_free() -> None:
    """An attribute that is the same for everybody may have any weight short of all."""
    x = np.column_stack([np.arange(5.0), np.full(5, 7.0)])
    for noise in ([0.1, 0.1, 0.1, 0.1, 0.1], [0.1, 0.6, 0.0, -0.9, 0.0]):
        y = x + np.column_stack([noise, np.zeros(5)])
        learned = learn(WeightedMeanFamily(), make_comparison(numeric_files(x, y), "original"))
        assert learned.links > 0
        np.testing.assert_allclose(parameter_ranges(learned), [[0.0, 0.0], [1.0, 1.0]], atol=PRECISION)


def test_ranges_stop_in_time() -> None:
    """What is not finished is NaN, and only that."""
    learned = learn(ChoquetFamily(), noisy_files(40, seed=3))
    ranges = parameter_ranges(learned, time_limit=0.0)
    assert np.isnan(ranges.low).all()
    assert np.isnan(ranges.high).all()
    low, high = parameter_ranges(learned)
    assert np.isfinite(low).all()
    assert np.isfinite(high).all()


def informative_files(seed: int = 0, n_records: int = 30) -> Comparison:
    """One attribute that tells people apart, and one of pure noise."""
    rng = np.random.default_rng(seed)
    told = rng.permutation(n_records).astype(float)
    x = np.column_stack([told, rng.normal(size=n_records)])
    y = np.column_stack([told + rng.uniform(-0.2, 0.2, n_records), rng.normal(size=n_records)])
    return make_comparison(numeric_files(x, y), "original")


@pytest.mark.parametrize("family", [WeightedMeanFamily(), ChoquetFamily(), BilinearFamily(Form.SEMIDEFINITE)])
def test_the_attribute_that_tells_people_apart_carries_the_risk(family: Family) -> None:
    """Planted: everything links by the first attribute alone, next to nothing by the second."""
    learned = learn(family, informative_files())
    assert learned.links == 30
    first, second = carriers(learned)
    assert first.verdict is Carrying.CARRIER
    assert first.bound_without < 30
    assert second.verdict is Carrying.NOT_A_CARRIER
    assert second.links_without == 30
    assert first.to_dict()["verdict"] == "carrier"


def test_attributes_that_stand_in_for_each_other_carry_nothing() -> None:
    """Either of two copies does; a single attribute carries all there is."""
    x = np.arange(6.0)
    both = learn(WeightedMeanFamily(), make_comparison(numeric_files(np.column_stack([x, x]), np.column_stack([x, x]))))
    assert [carrier.verdict for carrier in carriers(both)] == [Carrying.NOT_A_CARRIER] * 2
    alone = learn(WeightedMeanFamily(), make_comparison(numeric_files(x[:, None], x[:, None])))
    assert carriers(alone) == (Carrier("V1", 6.0, 6.0, 0.0, 0.0),)


def test_a_verdict_needs_a_proof() -> None:
    """Guarantee of `Carrier.verdict`: without proven bounds on both sides it stays open."""
    assert Carrier("a", 10, 12, 9, 9).verdict is Carrying.CARRIER
    assert Carrier("a", 10, 10, 9, 10).verdict is Carrying.OPEN
    assert Carrier("a", 10, 12, 10, 10).verdict is Carrying.OPEN  # with all attributes there may be 12
    assert Carrier("a", 10, 12, 12, 13).verdict is Carrying.NOT_A_CARRIER
    without_time = carriers(learn(ChoquetFamily(), noisy_files(40, seed=3)), time_limit=0.0)
    full = carriers(learn(ChoquetFamily(), noisy_files(40, seed=3)), time_limit=math.inf)
    for hurried, settled in zip(without_time, full, strict=True):
        assert hurried.links_without <= settled.links_without == settled.bound_without <= hurried.bound_without


def test_carriers_keep_weights_and_margin() -> None:
    """Records that weigh nothing do not make an attribute a carrier; the margin holds without it, too."""
    comparison = informative_files()
    first_alone = learn(WeightedMeanFamily(), comparison)
    weights = np.zeros(30)
    weights[:1] = 1.0
    one = learn(WeightedMeanFamily(), comparison, weights=weights)
    assert max(carrier.links for carrier in carriers(one)) <= 1.0 < first_alone.links
    strict = learn(WeightedMeanFamily(), comparison, margin=0.99)
    first, second = carriers(strict)
    assert first.links == strict.links < 30
    assert second.links_without <= strict.links
