"""How attacks are made and counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkrisk.informed.description import Description
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import DEFAULT_TIES, Ties


@dataclass(frozen=True)
class AttackPlan:
    """How attacks are made and counted: the same for every attacker on every scale.

    ``published`` is what the intruder who knows the method has read about it; None: nothing. ``has_ceiling``: what any
    intruder can find is worked out, too.
    """

    ties: Ties = DEFAULT_TIES
    seed: int = 0
    threads: int | None = None
    learning: Learning = field(default_factory=Learning)
    is_one_to_one: bool = False
    has_own_ranks: bool = False
    published: Description | None = None
    has_ceiling: bool = False
