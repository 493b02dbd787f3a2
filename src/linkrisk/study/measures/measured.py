"""What a measure finds, and what it is given."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linkrisk.attack.plan import AttackPlan
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import as_attacker
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.study.specification.cells import Variant

Figure = float | str | None
"""A number, a word such as a status, or None where a figure is not defined."""


@dataclass(frozen=True)
class Measured:
    """Figures by name; ``details`` are more plain values, parameters of attackers among them."""

    figures: Mapping[str, Figure]
    details: Mapping[str, Any] = field(default_factory=dict)


def attacker_of(variant: Variant) -> Attacker:
    """Return the attacker of a cell."""
    told = variant.attacker or ""
    return as_attacker(json.loads(told) if told.startswith("{") else told)


def plan_of(variant: Variant, seed: int, **others: Any) -> AttackPlan:
    """Return how the attack of a cell is made."""
    limit = dict(variant.settings).get("time_limit")
    learning = Learning(time_limit=math.inf if limit is None else limit)
    ties = DEFAULT_TIES if variant.ties is None else Ties(variant.ties)
    return AttackPlan(**{"ties": ties, "seed": seed, "learning": learning, "one_to_one": False, **others})
