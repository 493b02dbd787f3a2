"""The intruder who knows the method, in the loop of attacks and in advice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.advice import risk
from linkrisk.attackers import Informed
from linkrisk.errors import ParameterError

PEOPLE = linkrisk.datasets.census_like(120, seed=4).iloc[:, :5]


@pytest.mark.slow
def test_he_attacks_once_and_finds_what_distances_do_not() -> None:
    """Swapped in pairs: told the record, the method, or nothing at all."""
    release = linkrisk.protection.rank_swap(PEOPLE, 30, variant="pairs", secret_seed=3)
    attackers = ["mean", "informed"]
    told = linkrisk.assess(PEOPLE, release.data, published=release, attackers=attackers)
    named = linkrisk.assess(PEOPLE, release.data, method="rank_swap", p=30, attackers=attackers)
    alone = linkrisk.assess(PEOPLE, release.data, attackers=attackers)
    for result in (told, named, alone):
        found = [attack for attack in result.attacks if attack.name == "informed"]
        assert len(found) == 1
        assert result.strongest is found[0]
        assert found[0].found() > 0.9 * len(PEOPLE)
        assert not found[0].has_true_pairs
    assert any("nothing is published" in note for note in alone.notes)


@pytest.mark.slow
def test_the_headline_counts_one_to_one() -> None:
    """What an attack finds is the better of its two ways."""
    release = linkrisk.protection.add_noise(PEOPLE, 40, secret_seed=3)
    result = linkrisk.assess(PEOPLE, release.data, published=release, attackers=["informed"], scales=["ranks"])
    attack = result.attacks[0]
    assert attack.one_to_one is not None
    assert attack.found() == max(attack.links[attack.ties], attack.one_to_one.links[attack.ties])
    assert attack.rate() == attack.found() / 120
    assert attack.ceiling is not None
    assert attack.ceiling.lower - 3.0 * attack.ceiling.error <= attack.ceiling.links
    assert "bayes" in str(result)


def test_a_scenario_is_a_part_of_the_people() -> None:
    """He is told the same, and knows fewer people and attributes."""
    release = linkrisk.protection.add_noise(PEOPLE, 10, secret_seed=3)
    some = linkrisk.Scenario("half", attributes=tuple(PEOPLE.columns[:3]), people=0.5)
    result = linkrisk.assess(
        PEOPLE, release.data, published=release, attackers=["informed"], scales=["ranks"], scenarios=[some]
    )
    played = result.scenarios[0].attacks[0]
    assert played.n_pairs == 60
    assert 0.0 < played.found() <= 60.0


def test_what_is_published_must_belong_to_the_files() -> None:
    """A record of other attributes, a method without its parameters' names, a parameter without a method."""
    release = linkrisk.protection.add_noise(PEOPLE, 10, secret_seed=3)
    other = linkrisk.protection.add_noise(pd.DataFrame({"x": np.arange(5.0)}), 10, secret_seed=1)
    with pytest.raises(ParameterError, match="names none of these attributes"):
        linkrisk.assess(PEOPLE, release.data, attackers=[Informed(other)])
    with pytest.raises(ParameterError, match="name it"):
        linkrisk.assess(PEOPLE, release.data, p=10, attackers=["informed"])
    with pytest.raises(ParameterError, match="given twice"):
        linkrisk.assess(PEOPLE, release.data, published=release, method="noise", attackers=["informed"])


@pytest.mark.slow
def test_tune_proposes_what_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best trial was attacked once more by everybody; what fell then is told, and is not the best."""
    quick: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"], "trials": 8, "time_limit": 0.1}
    monkeypatch.setattr(risk, "USUAL", 0.2)  # seconds to learn for, when a release is confirmed
    people = PEOPLE.iloc[:20, :2]
    tuning = linkrisk.tune(people, "rank_swap", 0.3, secret_seed=3, **quick)
    assert tuning.best is not None
    assert tuning.release is not None
    assert tuning.best.is_confirmed
    assert "The strongest of all attackers links" in str(tuning)
    assert all(trial.risk > 0.3 for trial in tuning.trials if not trial.is_reached)
    assert tuning.best.risk <= 0.3
    learned = ["weighted_mean", "owa", "choquet"]
    result = linkrisk.assess(
        people,
        tuning.release.data,
        published=tuning.release,
        attackers=["mean", "kernel", "probabilistic", "informed", *learned],
    )
    assert result.strongest is not None
    assert result.strongest.rate() <= 0.3


def test_what_was_not_confirmed_is_not_proposed() -> None:
    """It is shown as what it is."""
    quick: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"], "trials": 1, "confirm": False}
    tuning = linkrisk.tune(PEOPLE, "noise", 1.0, secret_seed=3, **quick)
    assert tuning.best is not None
    assert not tuning.best.is_confirmed
    assert "Best so far, not confirmed: noise" in str(tuning)
    assert tuning.attackers == ("mean", "informed")


@pytest.mark.slow
def test_compare_knows_how_a_protection_was_made() -> None:
    """Of a Protection the method is known, of a frame it is recognised: here with the same result."""
    release = linkrisk.protection.rank_swap(PEOPLE, 30, variant="pairs", secret_seed=3)
    found = linkrisk.compare(
        PEOPLE, {"told": release, "bare": release.data}, attackers=["mean", "informed"], scales=["ranks"]
    )
    assert {each.risk.strongest.name for each in found.releases} == {"informed"}
    assert min(each.risk.rate for each in found.releases) > 0.9
