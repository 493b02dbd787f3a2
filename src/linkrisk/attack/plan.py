"""How attacks are made and counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkrisk.informed.description import Description
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

MAX_ONE_TO_ONE = 5_000
"""Records of the longer file up to which links one to one are looked for unless told otherwise."""


@dataclass(frozen=True)
class AttackPlan:
    """How attacks are made and counted: the same for every attacker on every scale.

    ``one_to_one``: whether links one to one are looked for, too; None: up to `MAX_ONE_TO_ONE` records.
    ``published`` is what the intruder who knows the method has read about it; None: nothing. ``foresees``: who learns
    spends no time on looking at people where hardly any would be left to search (`linkrisk.learning.learn.learn`).
    """

    ties: Ties = DEFAULT_TIES
    seed: int = 0
    threads: int | None = None
    learning: Learning = field(default_factory=Learning)
    one_to_one: bool | None = None
    has_own_ranks: bool = False
    published: Description | None = None
    foresees: bool = False

    def is_one_to_one(self, n_records: int) -> bool:
        """Whether links one to one are looked for in files of this length, the longer one counting."""
        return n_records <= MAX_ONE_TO_ONE if self.one_to_one is None else self.one_to_one

    def left_out(self, n_records: int) -> tuple[str, ...]:
        """Return a note where links one to one are left out, although nobody said so."""
        if self.one_to_one is not None or self.is_one_to_one(n_records):
            return ()
        limit, remedy = f"{MAX_ONE_TO_ONE:,} records", "ask for them by one_to_one (--one-to-one)"
        return (f"no links one to one by distances: a file has more than {limit}; {remedy}",)
