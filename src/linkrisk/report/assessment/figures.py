"""The figures of an assessment as columns, one row per attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkrisk.assessment.result import Assessment
from linkrisk.attack.result import AttackResult
from linkrisk.linkage.ties import Ties


def columns(assessment: Assessment) -> dict[str, list[Any]]:
    """Return one row per attacker and scale."""
    ties = assessment.ties
    figures: dict[str, Callable[[AttackResult], Any]] = {
        "attacker": lambda attack: attack.label,
        "scale": lambda attack: attack.scale,
        "links_unique": lambda attack: float(attack.links[Ties.UNIQUE]),
        "links_class": lambda attack: float(attack.links[Ties.CLASS]),
        "links_expected": lambda attack: float(attack.links[Ties.EXPECTED]),
        "n_pairs": lambda attack: attack.n_pairs,
        "ties": lambda _: str(ties),
        "found": lambda attack: float(attack.found(ties)),
        "rate": lambda attack: float(attack.rate(ties)),
        "chance": lambda attack: float(attack.chance),
        "interval_low": lambda attack: None if attack.interval is None else float(attack.interval[0]),
        "interval_high": lambda attack: None if attack.interval is None else float(attack.interval[1]),
        "bound": lambda attack: None if attack.bound is None else float(attack.bound),
        "status": lambda attack: attack.status,
        "has_true_pairs": lambda attack: attack.has_true_pairs,
        "held_out_rate": lambda attack: None if attack.holdout is None else attack.holdout.rate,
        "held_out_spread": lambda attack: None if attack.holdout is None else attack.holdout.spread,
        "one_to_one_links": lambda attack: None if attack.one_to_one is None else float(attack.one_to_one.links[ties]),
        "one_to_one_way": lambda attack: None if attack.one_to_one is None else str(attack.one_to_one.way),
        "one_to_one_status": lambda attack: None if attack.one_to_one is None else attack.one_to_one.status,
        "one_to_one_gap": lambda attack: None if attack.one_to_one is None else float(attack.one_to_one.gap),
        "seconds": lambda attack: attack.seconds,
    }
    return {name: [figure(attack) for attack in assessment.attacks] for name, figure in figures.items()}
