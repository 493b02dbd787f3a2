"""What the learner certifies is accepted by code that shares nothing with it, and by no other."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.proof import certificate as written
from linkrisk.verifier import certificate_digest, check_certificate, data_digest
from tests.linkage.files import mixed_file_pairs, numeric_files

FAMILIES: tuple[Family, ...] = (
    WeightedMeanFamily(),
    WeightedMeanFamily(floor=0.01),
    OWAFamily(),
    ChoquetFamily(),
    ChoquetFamily(is_metric=True),
    AdditiveChoquetFamily(2),
    BilinearFamily(Form.NONNEGATIVE),
    BilinearFamily(Form.FREE),
    BilinearFamily(Form.SEMIDEFINITE),
)


def noisy(n_records: int, n_attributes: int, seed: int) -> Comparison:
    """Return a file and the same with noise: some records are linked by few parameters, some by none."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_records, n_attributes))
    return make_comparison(numeric_files(x, x + 0.7 * rng.normal(size=x.shape)))


def certificate_of(learned: Learned) -> dict[str, Any]:
    """Return the certificate as it is read from its file."""
    body = written.make_certificate(learned, original_digest="0" * 64, protected_digest="1" * 64)
    result: dict[str, Any] = json.loads(json.dumps(body))
    return result


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["unique", "expected"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f"{f.name}{getattr(f, 'additivity', '')}")
def test_learned_attackers_are_verified(family: Family, ties: str) -> None:
    """An optimum is accepted with its proof, and rejected when links or bound are others, or the file is."""
    learned = learn(family, noisy(24, 3, 1), ties=ties)
    assert learned.status == "optimal"
    assert learned.links < 24
    certificate = certificate_of(learned)
    verdict = check_certificate(certificate, learned.problem.comparison)
    assert verdict, verdict
    assert verdict.links == verdict.bound == learned.links
    for change in ({"links": learned.links + 1}, {"bound": learned.bound - 1, "status": "time_limit"}):
        tampered = {**certificate, **change}
        assert not check_certificate(tampered, learned.problem.comparison)
        tampered["digest"] = certificate_digest(tampered)
        assert not check_certificate(tampered, learned.problem.comparison)
    assert not check_certificate(certificate, noisy(24, 3, 2))


def test_stopped_searches_are_verified() -> None:
    """A bound that was all there was time for is proven as well."""
    learned = learn(ChoquetFamily(), noisy(40, 4, 3), time_limit=0.0)
    verdict = check_certificate(certificate_of(learned), learned.problem.comparison)
    assert verdict, verdict


@settings(max_examples=30)
@given(files=mixed_file_pairs())
def test_both_sides_digest_data_alike(files: FilePair) -> None:
    """The digest of the scaled values is the one specified, in the solver's code and in the verifier's."""
    comparison = make_comparison(files)
    assert written.data_digest(comparison) == data_digest(comparison)
