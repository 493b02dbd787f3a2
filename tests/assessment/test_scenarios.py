"""Intruders who know some attributes, or some people."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk import Scenario
from linkrisk.attackers import Attacker, WeightedMean
from linkrisk.errors import SettingsError
from linkrisk.linkage import Ties
from tests.assessment.samples import COLUMNS, mixed_frames, numeric_frames


def play(*scenarios: Scenario, **settings: Any) -> linkrisk.Assessment:
    """Assess the numeric sample with some scenarios."""
    original, protected = numeric_frames(noise=1.0)
    return linkrisk.assess(original, protected, attackers=["mean", "mahalanobis0"], scenarios=scenarios, **settings)


def test_attributes_of_a_scenario_equal_a_run_with_these() -> None:
    """Scaled values of an attribute do not depend on the others, so the answers are the same."""
    result = play(Scenario("tax", ("FEDTAX", "AGI"))).scenarios[0]
    original, protected = numeric_frames(noise=1.0)
    alone = linkrisk.assess(
        original, protected, attributes=["FEDTAX", "AGI"], attackers=["mean", "mahalanobis0"]
    ).attacks
    assert result.attributes == ("FEDTAX", "AGI")
    assert [(a.name, a.scale, a.links, a.claims) for a in result.attacks] == [
        (a.name, a.scale, a.links, a.claims) for a in alone
    ]


def test_people_are_counted_among_all_protected_records() -> None:
    """Links of listed people are their links in the whole run, for an attacker that looks at one record at a time."""
    people = [3, 1, 17, 17, 60]
    assessment = play(Scenario("four", people=people))
    rows = [0, 2, 16, 59]
    assert assessment.records is not None
    result = assessment.scenarios[0]
    assert (result.n_people, result.n_pairs) == (4, 4)
    for attack, record in zip(assessment.scenarios[0].attacks, assessment.records.attacks, strict=True):
        if attack.name == "mean":
            assert attack.links[Ties.UNIQUE] == record.is_linked[rows].sum()
            assert attack.n_pairs == 4


def test_people_by_id() -> None:
    """Where the files are paired by id, people are named by it."""
    original, protected = numeric_frames()
    for frame in (original, protected):
        frame.insert(0, "who", np.arange(60) + 1000)
    by_id = linkrisk.assess(
        original, protected.iloc[:50], id="who", scenarios=[Scenario("s", people=["1000", 1001, 1059])]
    ).scenarios[0]
    assert (by_id.n_people, by_id.n_pairs) == (3, 2)
    with pytest.raises(SettingsError, match="ids of original records"):
        linkrisk.assess(original, protected, id="who", scenarios=[Scenario("s", people=[1])])


def test_a_share_of_people_is_drawn_with_the_seed() -> None:
    """Same seed, same people; at least one; all of them for 1."""
    scenarios = [Scenario("half", people=0.5), Scenario("few", people=1e-9), Scenario("all", people=1)]
    first, again, other = (
        [[a.links for a in s.attacks] for s in play(*scenarios, seed=seed).scenarios] for seed in (4, 4, 5)
    )
    assert first == again != other
    results = play(*scenarios).scenarios
    assert [result.n_people for result in results] == [30, 1, 60]
    whole = play()
    assert [a.links for a in results[2].attacks] == [a.links for a in whole.attacks]


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (Scenario("s", ("AGI", "zebra77")), "'s'.*'zebra77' is not among the attributes"),
        (Scenario("s", ()), "names no attribute"),
        (Scenario("s", ("AGI", "AGI")), "name each once"),
        (Scenario("s", people=0.0), "above 0 and at most 1"),
        (Scenario("s", people=float("nan")), "above 0 and at most 1"),
        (Scenario("s", people=[1, 61]), "entry 2 of people.*record numbers from 1 to 60"),
        (Scenario("s", people=[0]), "entry 1 of people"),
        (Scenario("s", people=[]), "not a known record"),
    ],
)
def test_mistakes_are_told_at_once(scenario: Scenario, words: str) -> None:
    """Mistakes name the scenario, before any attack is run."""

    class Surprise:
        """Fails when work begins."""

        def step(self, label: str) -> None:
            """Fail."""
            raise AssertionError(label)

        def progress(self, done: int, total: int) -> None:
            """Fail."""
            raise AssertionError(f"{done} of {total}")

    with pytest.raises(SettingsError, match=words):
        play(scenario, reporter=Surprise())


def test_two_scenarios_of_one_name() -> None:
    """Their results could not be told apart."""
    with pytest.raises(SettingsError, match="two scenarios 's'"):
        play(Scenario("s", ("AGI",)), Scenario("s", ("FEDTAX",)))


def test_people_without_counterpart_are_told() -> None:
    """A scenario of people who are not in the protected file has no attacks and a note."""
    original, protected = numeric_frames()
    for frame in (original, protected):
        frame.insert(0, "who", np.arange(60))
    scenario = Scenario("gone", people=[0, 1])
    assessment = linkrisk.assess(original, protected.iloc[5:], id="who", scenarios=[scenario], attackers=["mean"])
    assert assessment.scenarios[0].attacks == ()
    assert (assessment.scenarios[0].n_people, assessment.scenarios[0].n_pairs) == (2, 0)
    assert any("gone" in note for note in assessment.notes)


@pytest.mark.slow
def test_attackers_that_need_numbers_stay_out_where_there_are_none() -> None:
    """An intruder who knows labels only is played by the attackers that can use labels."""
    original, protected = mixed_frames(30)
    scenarios = [Scenario("labels", ("region", "job")), Scenario("one person", people=[1])]
    assessment = linkrisk.assess(original, protected, scenarios=scenarios)
    assert {attack.name for attack in assessment.scenarios[0].attacks} == {
        "mean",
        "distance_standardised",
        "informed",
        "weighted_mean",
    }
    assert "mean" in {attack.name for attack in assessment.scenarios[1].attacks}


def test_parameters_that_do_not_fit_a_scenario_do_not_lose_the_rest() -> None:
    """Weights for all attributes cannot serve an intruder who knows fewer: left out there, with a note."""
    original, protected = numeric_frames()
    attackers: list[str | Attacker] = ["mean", WeightedMean(dict.fromkeys(COLUMNS, 0.25))]
    assessment = linkrisk.assess(original, protected, attackers=attackers, scenarios=[Scenario("less", ("AGI",))])
    assert len(assessment.attacks) == 6
    assert [attack.name for attack in assessment.scenarios[0].attacks] == ["mean"] * 3
    assert sum("less" in note and "weighted_mean" in note for note in assessment.notes) == 1
