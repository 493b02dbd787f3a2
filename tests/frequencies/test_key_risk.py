"""The risk of a file by its keys."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.frequencies import individual_risk, key_risk
from tests.frequencies.francdat import KEYS, RISKS, WEIGHTS, WITH_MISSING, columns_of


def test_the_published_counts() -> None:
    """Of its example sdcMicro prints: 4 observations violate 2-anonymity, 8 violate 3-anonymity."""
    found, records = key_risk(columns_of(KEYS), WEIGHTS)
    assert found.below == (4, 8, 8)
    assert found.n_keys == 6
    assert found.population == WEIGHTS.sum()
    assert found.expected == pytest.approx(sum(RISKS), abs=5e-8)
    assert found.largest == pytest.approx(max(RISKS), abs=5e-9)
    assert records.risk.tolist() == pytest.approx(RISKS, abs=5e-9)
    assert "confidential" in repr(records)


def test_uniques_of_the_population() -> None:
    """A record unique in the sample is unique in the population with probability 1 / weight: P(F = 1 | f = 1) = p."""
    found, _ = key_risk(columns_of(KEYS), WEIGHTS)
    assert found.population_uniques == pytest.approx(1 / 17 + 1 / 541 + 1 / 8 + 1 / 5)


def test_a_unique_match() -> None:
    """It is pi n1 / (pi n1 + 2 (1 - pi) n2), from n1 = 4 keys that occur once and n2 = 2 that occur twice."""
    found, _ = key_risk(columns_of(KEYS), WEIGHTS)
    pi = 8 / WEIGHTS.sum()
    assert found.unique_match == pytest.approx(4 * pi / (4 * pi + 4 * (1 - pi)))
    alone = [np.array(["a", "b"], dtype=object)]
    assert key_risk(alone, np.array([9.0, 9.0]))[0].unique_match is None
    assert key_risk(alone)[0].unique_match == 1.0
    assert key_risk([np.array(["a", "a"], dtype=object)], np.array([9.0, 9.0]))[0].unique_match is None


def test_missing_values_both_ways() -> None:
    """Wildcards make keys less rare; the number of keys takes a missing value for a category."""
    found, records = key_risk(columns_of(WITH_MISSING), WEIGHTS, missing="wildcard")
    strict, _ = key_risk(columns_of(WITH_MISSING), WEIGHTS)
    assert (found.below, strict.below) == ((0, 3, 8), (6, 8, 8))
    assert found.n_keys == strict.n_keys == 7
    assert found.expected < strict.expected
    assert (
        records.risk.tolist()
        == individual_risk(
            np.array([3, 2, 4, 3, 3, 2, 2, 3]), np.array([149.0, 84.5, 194.5, 563.0, 566.0, 549.0, 22.0, 149.0])
        ).tolist()
    )


def test_a_population_has_one_expected_link_for_each_key() -> None:
    """Without weights risks are 1 / f, which add up to the number of keys.

    So sdcMicro prints 93 expected re-identifications for testdata, 2.03 % of 4,580 records: its five keys have 93
    combinations.
    """
    found, _ = key_risk(columns_of(KEYS))
    assert found.expected == pytest.approx(6.0)
    assert found.rate == pytest.approx(6.0 / 8.0)
