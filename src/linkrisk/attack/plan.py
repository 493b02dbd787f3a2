"""How attacks are made and counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import DEFAULT_TIES, Ties


@dataclass(frozen=True)
class AttackPlan:
    """How attacks are made and counted: the same for every attacker on every scale."""

    ties: Ties = DEFAULT_TIES
    seed: int = 0
    threads: int | None = None
    learning: Learning = field(default_factory=Learning)
    is_one_to_one: bool = False
    has_own_ranks: bool = False
