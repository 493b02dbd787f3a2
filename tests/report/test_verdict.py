"""The verdict says in plain words what the figures say, and nothing that is not known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

import linkrisk
from linkrisk import Assessment
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.findings import most_missed, verdict
from linkrisk.report.few import share_of
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames


def told(assessment: Assessment) -> str:
    """Return the verdict as one text."""
    return " ".join(verdict(assessment))


def test_it_is_the_end_of_the_report() -> None:
    """On the terminal and in Python, with details and without."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean"], scales=["separate"])
    last = "\n".join(verdict(found))
    assert str(found).endswith(f"\n\n{last}")
    assert found.to_text().endswith(f"\n\n{last}")


def test_who_finds_how_many() -> None:
    """The strongest attack, and, if it was fitted to the true pairs, the strongest that was not."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean", "weighted_mean"], scales=["separate"], time_limit=5)
    best, plain = found.strongest, found.strongest_unfitted
    assert best is not None
    assert plain is not None
    words = told(found)
    assert f"finds {best.found():g} of 60 people ({best.rate():.1%}) by {best.label} on scale separate" in words
    assert ("Without the true pairs" in words) == best.has_true_pairs
    assert f"{plain.found():g} of 60 people" in words
    assert "Guessing blindly finds 1." in words


def test_proven_is_said_only_where_it_is() -> None:
    """A search that ended tells of all weightings; one that was cut short says how many it cannot rule out."""
    proven = linkrisk.assess(*numeric_frames(), attackers=["weighted_mean"], scales=["separate"], time_limit=20)
    (attack,) = proven.attacks
    assert attack.status == "optimal"
    assert f"Proven: no weighting of the attributes, on scale separate, links more than {attack.bound:g}" in told(
        proven
    )
    cut = replace(attack, status="time_limit", bound=attack.found() + 5.0)
    words = told(replace(proven, attacks=(cut,)))
    assert "Proven" not in words
    assert f"Not proven: weighted_mean on scale separate may link up to {cut.bound:g} people to nearest" in words


def test_what_carries_it_is_what_is_missed_most() -> None:
    """The attributes without which fewest are linked; none where leaving any one out loses nobody."""
    original, protected = numeric_frames()
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    links = {risk.name: risk.without[Ties.EXPECTED] for risk in found.attributes if risk.without is not None}
    whole = found.attacks[0].links[Ties.EXPECTED]
    missed = most_missed(found)
    assert missed is not None
    assert missed.names == tuple(name for name, left in links.items() if left == min(links.values()))
    assert (missed.links, missed.whole) == (f"{min(links.values()):g}", f"{whole:g}")
    assert missed.carries_most == (len(missed.names) == 1 and min(links.values()) < whole / 2)
    said = f"{missed.names[0]} carries most" if missed.carries_most else "No single attribute carries it: without"
    assert said in told(found)
    copies = pd.DataFrame({"a": np.arange(30.0), "b": np.arange(30.0)})
    same = linkrisk.assess(copies, copies, attackers=["mean"], scales=["separate"])
    assert most_missed(same) is None
    assert "carries" not in told(same)


def test_one_attribute_carries_it_only_if_most_is_lost_without_it() -> None:
    """A key beside noise does; of two attributes that are both needed, each does."""
    random = np.random.default_rng(1)
    key, noise = np.arange(50.0), random.normal(size=50)
    one = pd.DataFrame({"key": key, "noise": noise})
    found = linkrisk.assess(one, one.assign(noise=random.permutation(noise)), attackers=["mean"], scales=["ranks"])
    assert most_missed(replace(found, faults=())) is None or "key carries most of it" in told(found)
    cell = pd.DataFrame({"row": np.repeat(np.arange(7.0), 7), "column": np.tile(np.arange(7.0), 7)})
    both = linkrisk.assess(cell, cell, attackers=["mean"], scales=["separate"])
    missed = most_missed(both)
    assert missed is not None
    assert missed.names == ("row", "column")
    assert "Each of row and column carries most of it: without one of them" in told(both)


def test_what_he_learns_is_beside_what_he_knew() -> None:
    """Confidential values that follow from links, and those that anybody would have guessed."""
    found = linkrisk.assess(*mixed_frames(), schema=MIXED_SCHEMA, attackers=["mean"], scales=["ranks"])
    (disclosure,) = found.attacks[0].disclosures
    most = max(disclosure.picked or 0.0, disclosure.guessed or 0.0)
    assert disclosure.before is not None
    words = f"tells most of {disclosure.attribute} gives the true value of {share_of(most, 80)} of the people"
    assert words in told(found)
    assert f"without any link {share_of(disclosure.before, 80)}." in told(found)


def test_few_people_are_not_told_apart_by_the_verdict() -> None:
    """Neither those with a rare confidential value, nor the only one of a scenario, nor those left out of one."""
    random = np.random.default_rng(2)
    people = pd.DataFrame({"x": np.arange(60.0), "illness": ["rare"] * 2 + ["none"] * 58})
    noisy = people.assign(x=people.x + random.normal(scale=0.1, size=60))
    schema = {"attributes": {"illness": {"role": "confidential", "kind": "nominal"}}}
    scenarios = [linkrisk.Scenario("one", people=[9]), linkrisk.Scenario("all but two", people=list(range(1, 59)))]
    found = linkrisk.assess(
        people, noisy, attackers=["mean"], scales=["ranks"], schema=schema, scenarios=scenarios, one_to_one=False
    )
    words = told(found)
    assert "without any link above 83.3%" in words
    assert "58" not in words.partition("The attack that tells most")[2]
    assert "Intruders who know less" not in words


def test_other_tie_rules_are_said_in_their_own_words() -> None:
    """A class is not a person found, nobody unique is not nobody, and what to do follows from expected links."""
    original, _ = numeric_frames()
    protected = linkrisk.protect(original, "mdav", k=3).data
    by_rule = {
        rule: told(linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"], ties=rule))
        for rule in ("unique", "class", "expected")
    }
    assert "narrows" in by_rule["class"]
    assert "Guessing blindly" not in by_rule["class"]
    assert "finds 0 of 60 people (0.0%)" in by_rule["unique"]
    assert "counting nobody with an equal record; picking one of them at random finds" in by_rule["unique"]
    assert all("What would change it" in words for words in by_rule.values())


def test_luck_is_called_luck() -> None:
    """Where somebody finds more than anybody can expect, the limit is one of means."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean", "informed"], scales=["separate"], method="noise")
    (informed,) = (attack for attack in found.attacks if attack.ceiling is not None)
    assert informed.ceiling is not None
    for links, is_lucky in ((0.5, True), (1000.0, False)):
        ceiling = replace(informed.ceiling, links=links)
        attacks = tuple(replace(a, ceiling=ceiling) if a is informed else a for a in found.attacks)
        assert ("is partly luck" in told(replace(found, attacks=attacks))) == is_lucky


def test_faults_come_before_anything_else_to_do() -> None:
    """Where there are some, nothing else is advised; without them, what would change the risk."""
    original, protected = numeric_frames()
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    assert "What would change it" in told(found)
    untouched = linkrisk.assess(original, original, attackers=["mean"], scales=["separate"])
    assert untouched.faults
    assert "What to do first: mend the faults that are named in this report." in told(untouched)
    assert "What would change it" not in told(untouched)


def test_nothing_is_said_where_nothing_was_finished() -> None:
    """An interrupt before the first attack leaves no verdict."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean"], scales=["separate"])
    assert list(verdict(replace(found, attacks=()))) == ["No attack was finished: nothing is known of the risk."]


def test_columns_that_nobody_was_taken_to_know_are_named() -> None:
    """Those that are in both files and that no attack used, whether others were named or they are ignored."""
    frames = numeric_frames()
    all_of_them = linkrisk.assess(*frames, attackers=["mean"], scales=["separate"])
    first, second, *others = all_of_them.attribute_names
    assert "no attack used" not in told(all_of_them)
    found = linkrisk.assess(*frames, attributes=[first, second], attackers=["mean"], scales=["separate"])
    assert found.not_known == tuple(others)
    others_told = "are released, too, and no attack used them: who knows them may find more."
    assert f"{', '.join(others)} {others_told}" in told(found)
    assert found.to_dict()["attributes_not_known"] == others
    ignored = {"attributes": {first: {"role": "ignored"}}}
    found = linkrisk.assess(*frames, schema=ignored, attackers=["mean"], scales=["separate"])
    assert f"{first} is released, too, and no attack used it" in told(found)
