"""Where floating point would decide: very long rows, very small weights, ties that are exact, rows of zeros."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from linkrisk.attackers import WeightedMean
from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily
from linkrisk.distances.family import Numbers
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Status
from linkrisk.linkage.search import nearest
from linkrisk.verifier import check_certificate
from tests.learning.families import FAMILIES, LargestAndSum, noisy
from tests.verifier.test_learned import certificate_of


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e9, 1e18, 1e22, 1e60])
@pytest.mark.parametrize("name", ["weighted_mean", "choquet", "bilinear_psd"])
def test_a_column_out_of_all_proportion(name: str, size: float) -> None:
    """Rows are as long as the column; what the others link is not above the bound, and the certificate holds."""
    random = np.random.default_rng(1)
    original = random.normal(size=(20, 3))
    protected = original + 0.02 * random.normal(size=original.shape)
    protected[:, 2] = size * random.normal(size=20)
    comparison = make_comparison(pair_files(original, protected), "original")
    learned = learn(FAMILIES[name], comparison, time_limit=3.0)
    links = nearest(WeightedMean([0.5, 0.5, 0.0]).distance(comparison)).links("unique")
    assert links <= learned.bound
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


@cache
def learned_plainly(name: str) -> Learned:
    """Return what is learned without weights."""
    return learn(FAMILIES[name], noisy(0, 16, 3, 0.6))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [1e-12, 1e-8, 1.0 + 2.0**-20, 1e9])
@pytest.mark.parametrize("name", ["weighted_mean", "choquet", "bilinear_psd"])
def test_the_unit_of_weights_does_not_matter(name: str, unit: float) -> None:
    """Record weights in millions or billionths give the same records."""
    comparison = noisy(0, 16, 3, 0.6)
    plain = learned_plainly(name)
    learned = learn(FAMILIES[name], comparison, weights=np.full(16, unit))
    assert learned.status is Status.OPTIMAL
    assert learned.links == pytest.approx(unit * plain.links, rel=1e-9)
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


@pytest.mark.slow
def test_weights_that_hardly_differ() -> None:
    """A gain of a ten-millionth of a record is a gain."""
    for seed in range(6):
        comparison = noisy(seed, 24, 3, 0.6)
        weights = 1.0 + 1e-7 * np.random.default_rng(seed).random(24)
        learned = learn(FAMILIES["choquet"], comparison, weights=weights)
        assert learned.status is Status.OPTIMAL
        verdict = check_certificate(certificate_of(learned), comparison)
        assert verdict, verdict


def mirrored() -> Comparison:
    """Protected records on either side of an original one, just as far; means 0, deviations 2: nothing is rounded."""
    original = np.array([[0.0, 0.0], [2.0, 2.0], [-2.0, 2.0], [2.0, -2.0], [-2.0, -2.0]])
    protected = original + np.array([[1.0, 0.5], [0.5, 0.0], [0.0, 0.25], [0.5, 0.5], [1.0, 1.5]])
    return make_comparison(pair_files(original, protected), "original")


@pytest.mark.parametrize("form", [BilinearFamily(Form.FREE), HighamFamily()], ids=lambda form: form.name)
def test_mirror_images_are_exact_ties(form: BilinearFamily) -> None:
    """No form tells them apart: the record is lost, and proven to be."""
    learned = learn(form, mirrored(), ties="unique")
    assert 0 in learned.problem.lost
    assert learned.links <= 4
    verdict = check_certificate(certificate_of(learned), learned.problem.comparison)
    assert verdict, verdict


@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"bilinear_free", "bilinear_higham"}))
def test_margins_that_are_met_exactly(name: str) -> None:
    """A row that a margin makes 0 leaves the record open: no crash, and a bound that holds."""
    comparison = make_comparison(
        pair_files(np.array([[-4.0], [0.0], [4.0]]), np.array([[-2.0], [1.0], [9.0]])), "original"
    )
    learned = learn(FAMILIES[name], comparison, margin=0.75)
    assert learned.links <= learned.bound


def test_a_form_that_rounding_makes_negative() -> None:
    """Margins met exactly, at a form whose least distance is 0: one that rounds below 0 is passed over."""
    nan = np.nan
    original = np.array([[0, 2, 0, 0, 1, 0, -1, 1, -1, -1, 1, 0, 0], [3, -1, 0, 6, -2, -2, -6, 0, -5, -7, 0, -3, 4]]).T
    protected = np.array(
        [[1, 2, nan, 0, 1, 1, -1, 1, -1, nan, 0, 0, 0], [2, -1, 0, 6, -2, -3, -6, 0, -5, -6, 0, -3, 3]]
    ).T
    comparison = make_comparison(pair_files(original.astype(float), protected), "original")
    weights = np.array([4.0, 1, 2, 2, 2, 4, 1, 3, 2, 2, 4, 4, 4])
    learned = learn(BilinearFamily(), comparison, ties="class", weights=weights, margin=0.75)
    assert nearest(learned.family.distance(learned.theta, comparison)).nearest.min() >= 0.0
    verdict = check_certificate(certificate_of(learned), comparison)
    assert verdict, verdict


def test_features_must_stay_whole() -> None:
    """A user's family that divides gets an error that says to multiply instead."""

    class Tenth(LargestAndSum):
        def features(self, differences: Numbers) -> Numbers:
            return np.asarray(super().features(differences) * 0.1)

    with pytest.raises(ParameterError, match="multiply by a common factor instead of dividing"):
        learn(Tenth(), noisy(0, 24, 3, 0.6))


def test_the_verdict_names_what_it_depends_on() -> None:
    """A margin, weights or a floor make the bound another one: the reader is told."""
    comparison = noisy(0, 24, 3, 0.6)
    learned = learn(WeightedMeanFamily(floor=0.05), comparison, ties="unique", margin=0.5, weights=np.ones(24) * 2.0)
    reason = check_certificate(certificate_of(learned), comparison).reason
    conditions = "scale separate, ties unique, nearer by a margin of 0.5, floor 0.05, weights of the certificate"
    assert f"(attributes {', '.join(comparison.names)}, {conditions})" in reason
