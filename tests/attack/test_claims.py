"""How sure an intruder would be, against a double loop over all distances."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.attack.claims import RATIOS, claims
from linkrisk.attackers import Mean
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.linkage import Ties
from linkrisk.linkage.nearest_class import nearest_classes
from linkrisk.linkage.search import nearest
from tests.assessment.samples import numeric_frames
from tests.linkage.files import microaggregated, numeric_file_pairs, numeric_files
from tests.linkage.twins import exact_differences
from tests.oracle.claims import claims as expected_claims


def check_claims(files: FilePair) -> None:
    """Compare with the double loop, at ratios that no pair of distances meets exactly."""
    comparison = make_comparison(files)
    distance, measure = Mean().distance(comparison), exact_differences(comparison, files)
    linkage = nearest(distance)
    classes = nearest_classes(distance, linkage)
    apart = [[measure(i, j) for j in range(files.n_protected)] for i in range(files.n_original)]
    values = list(zip(*(column.protected.tolist() for column in files.columns), strict=True))
    for ties in Ties:
        for claim in claims(linkage, classes, ties, ratios=(1.0, 0.949, 0.70001, 0.30001, 0.0499)):
            ratio = Fraction(claim.ratio)
            claimed, correct = expected_claims(apart, files.own.tolist(), values, ratio, str(ties))
            assert claim.claimed == claimed
            assert claim.correct == pytest.approx(float(correct))
            assert claim.precision == (claim.correct / claim.claimed if claim.claimed else None)
            assert claim.recall == (claim.correct / files.n_pairs if files.n_pairs else 0.0)


@pytest.mark.slow
@settings(deadline=None, max_examples=50)  # the first call loads compiled kernels
@given(numeric_file_pairs(has_holes=False))
def test_claims_equal_the_double_loop(files: FilePair) -> None:
    """Any lengths, any pairing, many ties, every tie rule."""
    check_claims(files)


@pytest.mark.slow
@settings(deadline=None, max_examples=10)  # the first call loads compiled kernels
@given(st.integers(0, 20))
def test_claims_with_copies_and_strangers(seed: int) -> None:
    """Protected records in pairs of equal ones, original records without counterpart."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(18, 3))
    protected = np.repeat(original[:12:2] + 0.3 * rng.normal(size=(6, 3)), 2, axis=0)
    protected[:3] += 0.01 * rng.normal(size=(3, 3))
    check_claims(numeric_files(original, protected, [*range(12), *[-1] * 6]))


@pytest.mark.parametrize("ties", list(Ties))
def test_claims_get_fewer_as_the_ratio_is_tightened(ties: Ties) -> None:
    """At ratio 1 the correct claims are the links by the rule asked for; each tighter ratio claims a part of them."""
    original, protected = numeric_frames(noise=1.0)
    protected = protected.round(-5)  # many records alike
    for attack in linkrisk.assess(original, protected, attackers=["mean", "mahalanobis0"], ties=ties).attacks:
        assert tuple(claim.ratio for claim in attack.claims) == RATIOS
        assert attack.claims[0].correct == attack.links[ties]
        counts = [(claim.claimed, claim.correct) for claim in attack.claims]
        assert all(c >= d and a >= b for (a, c), (b, d) in pairwise(counts))


def test_who_faces_five_equal_records_picks_one() -> None:
    """Every protected record has four copies: nobody is claimed as a single record, everybody as one of five."""
    original = np.arange(20.0)[:, None] ** 2
    files = numeric_files(original, microaggregated(original, 5))
    distance = Mean().distance(make_comparison(files))
    linkage = nearest(distance)
    classes = nearest_classes(distance, linkage)
    single, expected = (claims(linkage, classes, ties, ratios=(1.0,))[0] for ties in (Ties.UNIQUE, Ties.EXPECTED))
    assert (single.claimed, single.correct) == (0, 0)
    assert expected.claimed == 20
    assert expected.correct == linkage.links(Ties.EXPECTED) == linkage.links(Ties.CLASS) / 5 > 2.0
