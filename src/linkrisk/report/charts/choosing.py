"""Which attack of an assessment a chart shows, where it shows one."""

from __future__ import annotations

from collections.abc import Callable

from linkrisk.assessment.result import Assessment
from linkrisk.attack.result import AttackResult, RecordAttack, strongest_attack


def chosen_attack(
    assessment: Assessment, attack: str | None, can_show: Callable[[AttackResult], bool] = lambda _: True
) -> AttackResult | None:
    """Return the strongest attack that a chart can show, of those that ``attack`` names; None if there is none.

    An attack is named by its label, or by label and scale as tables write them: ``"choquet"``, ``"choquet, ranks"``.
    """
    named = (each for each in assessment.attacks if attack in {None, each.label, name_of(each)})
    return strongest_attack((each for each in named if can_show(each)), assessment.ties)


def name_of(attack: AttackResult) -> str:
    """Return how an attack is called: label and scale."""
    return f"{attack.label}, {attack.scale}"


def records_of(assessment: Assessment, attack: AttackResult) -> RecordAttack:
    """Return what an attack does to each record; confidential."""
    found = (record for record in assessment.records.attacks if (record.label, record.scale) == _place(attack))
    return next(found)


def _place(attack: AttackResult) -> tuple[str, str]:
    return attack.label, attack.scale
