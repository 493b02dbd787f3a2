"""The verdict says in plain words what the figures say, and nothing that is not known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

import linkrisk
from linkrisk import Assessment
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.verdict import carrying, verdict
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
    assert f"Not proven: up to {cut.bound:g} links by weighted_mean on scale separate cannot be ruled out" in words


def test_what_carries_it_is_what_is_missed_most() -> None:
    """The attribute without which fewest are linked; none where leaving any one out loses nobody."""
    original, protected = numeric_frames()
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    links = {risk.name: risk.without[Ties.EXPECTED] for risk in found.attributes if risk.without is not None}
    carrier, words = carrying(found)
    assert carrier is not None
    assert links[carrier.name] == min(links.values())
    assert words == f"{min(links.values()):g} instead of {found.attacks[0].links[Ties.EXPECTED]:g}"
    copies = pd.DataFrame({"a": np.arange(30.0), "b": np.arange(30.0)})
    same = linkrisk.assess(copies, copies, attackers=["mean"], scales=["separate"])
    assert carrying(same) == (None, "")
    assert "carries most" not in told(same)


def test_what_he_learns_is_beside_what_he_knew() -> None:
    """Confidential values that follow from links, and those that anybody would have guessed."""
    found = linkrisk.assess(*mixed_frames(), schema=MIXED_SCHEMA, attackers=["mean"], scales=["ranks"])
    (disclosure,) = found.attacks[0].disclosures
    most = max(disclosure.picked or 0.0, disclosure.guessed or 0.0)
    assert f"He then knows {disclosure.attribute} of {most:g} of {disclosure.people} people" in told(found)
    assert f"without any link {disclosure.before:g}." in told(found)


def test_faults_come_before_anything_else_to_do() -> None:
    """Where there are some, nothing else is advised; without them, what would change the risk."""
    original, protected = numeric_frames()
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    assert "What would change it" in told(found)
    untouched = linkrisk.assess(original, original, attackers=["mean"], scales=["separate"])
    assert untouched.faults
    assert "What to do first: mend the faults above." in told(untouched)
    assert "What would change it" not in told(untouched)


def test_nothing_is_said_where_nothing_was_finished() -> None:
    """An interrupt before the first attack leaves no verdict."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean"], scales=["separate"])
    assert verdict(replace(found, attacks=())) == ["No attack was finished: nothing is known of the risk."]
