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
from linkrisk.linkage.search import nearest
from tests.assessment.samples import numeric_frames
from tests.linkage.files import numeric_file_pairs, numeric_files
from tests.linkage.twins import make_twin
from tests.oracle.claims import claims as expected_claims


def distances(files: FilePair) -> list[list[Fraction]]:
    """All distances of the attacker mean, exactly."""
    twin = make_twin(Mean(), make_comparison(files), files)
    return [[twin.distance(i, j) for j in range(files.n_protected)] for i in range(files.n_original)]


def check_claims(files: FilePair) -> None:
    """Compare with the double loop, at ratios that no pair of distances meets exactly."""
    found = claims(nearest(Mean().distance(make_comparison(files))), ratios=(1.0, 0.949, 0.70001, 0.30001, 0.0499))
    matrix = distances(files)
    for claim in found:
        assert (claim.claimed, claim.correct) == expected_claims(matrix, files.own.tolist(), Fraction(claim.ratio))
        assert claim.precision == (claim.correct / claim.claimed if claim.claimed else None)
        assert claim.recall == (claim.correct / files.n_pairs if files.n_pairs else 0.0)


@pytest.mark.slow
@settings(deadline=None)  # the first call loads compiled kernels
@given(numeric_file_pairs(has_holes=False))
def test_claims_equal_the_double_loop(files: FilePair) -> None:
    """Any lengths, any pairing, many ties."""
    check_claims(files)


@pytest.mark.slow
@settings(deadline=None)  # the first call loads compiled kernels
@given(st.integers(0, 20))
def test_claims_with_copies_and_strangers(seed: int) -> None:
    """Protected records in pairs of equal ones, original records without counterpart."""
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(30, 3))
    protected = np.repeat(original[:20:2] + 0.3 * rng.normal(size=(10, 3)), 2, axis=0)
    protected[:5] += 0.01 * rng.normal(size=(5, 3))
    check_claims(numeric_files(original, protected, [*range(20), *[-1] * 10]))


def test_claims_get_fewer_as_the_ratio_is_tightened() -> None:
    """At ratio 1 the correct claims are the unique links; each tighter ratio claims a part of them."""
    original, protected = numeric_frames(noise=1.0)
    for attack in linkrisk.assess(original, protected).attacks:
        assert tuple(claim.ratio for claim in attack.claims) == RATIOS
        assert attack.claims[0].correct == attack.links[Ties.UNIQUE]
        counts = [(claim.claimed, claim.correct) for claim in attack.claims]
        assert all(c >= d and a >= b for (a, c), (b, d) in pairwise(counts))
