"""What the box search proves is accepted: its trees show exactly what they say."""

from __future__ import annotations

import pytest

from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning import learn as learning
from linkrisk.learning.boxes.search import BoxResult
from linkrisk.linkage.ties import Ties
from linkrisk.verifier import check_certificate
from tests.verifier.certificates import signed
from tests.verifier.test_learned import certificate_of, noisy

FAMILIES: tuple[WeightedMeanFamily | OWAFamily, ...] = (
    WeightedMeanFamily(),
    WeightedMeanFamily(floor=0.01),
    OWAFamily(),
)


@pytest.fixture(autouse=True)
def _boxes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search for covers give up at its first core."""
    monkeypatch.setattr(learning, "CORES_FIRST", 0)
    monkeypatch.setattr(learning, "LEAST_CORES", 0)
    monkeypatch.setattr(learning, "FEW_RECORDS", 0)


@pytest.mark.parametrize(("n_records", "n_attributes"), [(40, 3), (30, 4), (90, 5)])
@pytest.mark.parametrize("ties", list(Ties))
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_box_searches_are_verified(
    family: WeightedMeanFamily | OWAFamily, ties: Ties, n_records: int, n_attributes: int
) -> None:
    """The tree of a box search shows that nothing links more than what it found, and not that less is linked."""
    learned = learning.learn(family, noisy(n_records, n_attributes, 4), ties=ties)
    assert isinstance(learned.proof, BoxResult)
    certificate = certificate_of(learned)
    assert certificate["status"] == "optimal"
    verdict = check_certificate(certificate, learned.problem.comparison)
    assert verdict, verdict
    assert verdict.bound == learned.links < learned.problem.total
    assert verdict.n_checked["boxes"] > 0
    assert not check_certificate(
        signed(certificate, bound=learned.links - 0.5, status="time_limit"), learned.problem.comparison
    )


@pytest.mark.slow
def test_stopped_box_searches_claim_what_covers_prove() -> None:
    """A box search that was stopped leaves no tree: the certificate claims the bound of the cores, and is accepted."""
    learned = learning.learn(WeightedMeanFamily(), noisy(300, 7, 4), time_limit=0.2)
    assert learned.status == "time_limit"
    certificate = certificate_of(learned)
    assert learned.bound <= certificate["bound"] < learned.problem.total
    verdict = check_certificate(certificate, learned.problem.comparison)
    assert verdict, verdict
