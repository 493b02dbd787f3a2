"""What learned parameters mean, as an assessment holds it: the attacks whose meaning has something a chart shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.assessment.result import Assessment
from linkrisk.learning.learned import Learned
from linkrisk.report.charts.choosing import chosen_attack, name_of


@dataclass(frozen=True)
class LearnedMeaning:
    """The parameters of one attacker, as `linkrisk.distances.meaning` tells them, with the range of each if known."""

    attack: str
    contents: Mapping[str, Any]
    ranges: Mapping[str, tuple[float, float]]

    @classmethod
    def of(cls, found: Assessment | Learned, key: str, attack: str | None = None) -> LearnedMeaning | None:
        """Take the meaning of what was learned, or of the strongest attack whose meaning has a key; None without."""
        if isinstance(found, Learned):
            contents = found.meaning().to_dict()
            return cls(found.family.name, contents, {}) if key in contents else None
        chosen = chosen_attack(found, attack, lambda each: key in each.meaning)
        if chosen is None:
            return None
        ranges = {} if chosen.explanation is None else chosen.explanation.ranges
        return cls(name_of(chosen), chosen.meaning, ranges)


def weight_text(weight: float) -> str:
    """Write a weight that is part of 1.

    >>> weight_text(0.25), weight_text(0.0), weight_text(1e-9)
    ('0.250', '0', '< 0.001')
    """
    if 0.0 < weight < 0.0005:
        return "< 0.001"
    return f"{weight:.3f}" if weight else "0"


WHY = "no such attacker was learned, so there are no parameters of this kind to draw; see the labels in attacks"
"""Why there is no chart of parameters."""
