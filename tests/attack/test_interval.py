"""Wilson's interval, and where it is given."""

from __future__ import annotations

import pytest

import linkrisk
from linkrisk.attack.interval import QUANTILE_95, wilson_interval
from tests.assessment.samples import numeric_frames
from tests.oracle.interval import wilson


@pytest.mark.parametrize("n_records", [1, 2, 7, 400])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.8225, 1.0])
def test_interval_solves_the_score_equation(n_records: int, share: float) -> None:
    """The closed form equals the rates that the score test does not reject."""
    links = share * n_records
    assert wilson_interval(links, n_records) == pytest.approx(wilson(links, n_records, QUANTILE_95), abs=1e-9)


@pytest.mark.slow
def test_interval_is_of_the_tie_rule_asked_for_and_of_unfitted_attackers_only() -> None:
    """The interval belongs to the links shown; an attacker fitted to the records he attacks has none."""
    original, protected = numeric_frames()
    for ties in ("unique", "class", "expected"):
        assessment = linkrisk.assess(original.round(-4), protected.round(-4), ties=ties)
        for attack in assessment.attacks:
            if attack.name in {"distance_standardised", "mahalanobis", "weighted_mean"}:
                assert attack.interval is None
            else:
                assert attack.interval == wilson_interval(attack.found(), 60)
