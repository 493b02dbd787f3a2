"""What an assessment may tell to others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from linkrisk.assessment.result import Assessment, ScenarioResult
from linkrisk.attack.result import AttackResult, strongest_attack
from linkrisk.linkage.ties import Ties
from linkrisk.report.assessment.findings import verdict
from linkrisk.report.assessment.sentences import most_telling, opening, untouched_text
from linkrisk.report.blocks import likewise
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.course import SearchCourse
from linkrisk.report.few import is_told, share_of, tell_no_figures, without_few
from linkrisk.report.loss import loss_table
from linkrisk.report.shareable.figures import checked
from linkrisk.report.tables import Table
from linkrisk.report.verdict import Verdict

SETTINGS = {
    "scales": "scales",
    "ties": "links counted",
    "one_to_one": "one-to-one linkage",
    "max_rate": "share that may be found",
    "max_bound": "share that may remain possible",
    "by": "risk told by",
    "group": "groups",
    "published": "what is published about the method",
}
"""Settings that are told to others, and what they are called: none of them can hold a value of the file."""

LEARNING = {
    "time_limit": "seconds for each attacker who learns",
    "holdout": "share of the pairs held out",
    "margin": "margin that links must have",
}
"""The same of the settings of learning."""


@dataclass(frozen=True)
class SharedScenario:
    """What an intruder who knows less finds; shares of few people are told as limits."""

    name: str
    knows: tuple[str, ...]
    n_people: str
    attack: str
    share: str

    @classmethod
    def of(cls, scenario: ScenarioResult, ties: Ties, n_all: int) -> SharedScenario:
        """Take what may be told of a scenario: no share, where few of all people are in it, or left out of it."""
        best = strongest_attack(scenario.attacks, ties) if is_told(scenario.n_pairs, n_all) else None
        n_people = f"{scenario.n_pairs:,}" if is_told(scenario.n_pairs, n_all) else "hidden"
        attack = "-" if best is None else f"{best.label}, {best.scale}"
        share = "-" if best is None else share_of(best.found(ties), best.n_pairs)
        return cls(scenario.name, scenario.attributes, n_people, attack, share)


@dataclass(frozen=True)
class SharedDisclosure:
    """What links tell of a confidential attribute, as shares of the people whose value is known."""

    attribute: str
    attack: str
    before: str
    true: str

    @classmethod
    def among(cls, assessment: Assessment) -> Iterator[SharedDisclosure]:
        """Take what may be told of each confidential attribute."""
        for place, measured in enumerate(assessment.diversity if assessment.attacks else ()):
            attack, told = most_telling(assessment, place)
            true = max(told.picked or 0.0, told.guessed or 0.0)
            before = "-" if told.before is None else share_of(told.before, told.people)
            yield cls(measured.attribute, f"{attack.label}, {attack.scale}", before, share_of(true, told.people))


@dataclass(frozen=True)
class SharedAttack:
    """Who attacked on which scale, how a search ended, and how long it took."""

    label: str
    scale: str
    status: str
    seconds: float
    is_learned: bool

    @classmethod
    def of(cls, attack: AttackResult) -> SharedAttack:
        """Take what may be told of an attack besides what it found."""
        return cls(attack.label, attack.scale, attack.status, attack.seconds, attack.bound is not None)


@dataclass(frozen=True)
class SharedAssessment:
    """What a report on an assessment is made of that may leave the building.

    Sentences, names of attributes, rates, ranks of attributes, and figures whose bins and groups of fewer than 10
    people are hidden with others by which they could be told. There is no array in it, no value of a record, no
    parameter of an attacker and no hash of the original.
    """

    original_name: str
    protected_name: str
    protected_digest: str
    opening: str
    is_complete: bool
    verdict: Verdict
    untouched: str
    faults: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]
    scenarios: tuple[SharedScenario, ...]
    disclosures: tuple[SharedDisclosure, ...]
    loss: Table | None
    course: Figure | None
    attacks: tuple[SharedAttack, ...]
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, assessment: Assessment) -> SharedAssessment:
        """Take from an assessment what may be told to others."""
        subjects = (*assessment.attribute_names, *(attack.label for attack in assessment.attacks))
        return cls(
            original_name=assessment.original_name,
            protected_name=assessment.protected_name,
            protected_digest=""
            if assessment.protected_digest == assessment.original_digest
            else assessment.protected_digest,
            opening=without_few(opening(assessment)),
            is_complete=assessment.is_complete,
            verdict=verdict(assessment),
            untouched=untouched_text(assessment) if assessment.untouched else "",
            faults=tuple(without_few(fault.message) for fault in assessment.faults),
            left_out=assessment.left_out,
            notes=tell_no_figures(likewise(assessment.notes, subjects), subjects),
            figures=checked(
                [*figures_of(assessment), *([] if assessment.loss is None else figures_of(assessment.loss))]
            ),
            scenarios=tuple(
                SharedScenario.of(scenario, assessment.ties, assessment.n_pairs) for scenario in assessment.scenarios
            ),
            disclosures=tuple(SharedDisclosure.among(assessment)),
            course=SearchCourse.of(assessment),
            loss=None if assessment.loss is None else _without_missing(loss_table(assessment.loss)),
            attacks=tuple(map(SharedAttack.of, assessment.attacks)),
            settings=tuple(shared_settings(assessment.settings)),
        )


def shared_settings(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the settings that are told to others: of attackers their names alone, for parameters may be given."""
    attackers = [entry if isinstance(entry, str) else str(entry["name"]) for entry in settings.get("attackers", ())]
    yield "attackers", ", ".join(attackers)
    learning = settings.get("learning", {})
    told = [(SETTINGS[name], settings.get(name)) for name in SETTINGS if name != "published"]
    told.append((SETTINGS["published"], _without_parameters(settings.get("published"))))
    told += [(LEARNING[name], learning.get(name) or None) for name in LEARNING]
    yield from ((name, _in_words(value)) for name, value in told if value is not None)


def _without_parameters(published: Any) -> str | None:
    """Return methods and columns alone: parameters may name categories, or be worked out from the true pairs."""
    return re.sub(r" \(.*?\)(?=; |$)", "", published) if isinstance(published, str) else None


def _without_missing(table: Table) -> Table:
    """Return a table of losses without the share of missing values, which may be that of few people."""
    return replace(table, rows=tuple(row for row in table.rows if row[0] != "missing values"))


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
