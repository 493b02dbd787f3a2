"""The worst case of one release: the strongest of several attackers on several scales."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from linkrisk.attack.loop import Attacks
from linkrisk.attack.options import Attacking
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.attack.result import AttackResult
from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.informed.description import Description
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import Ties


@dataclass(frozen=True)
class Threat:
    """Who attacks a release, on which scales, and how attacks are made and counted."""

    attackers: tuple[Attacker, ...]
    scales: tuple[Scale, ...]
    plan: AttackPlan

    @classmethod
    def of(cls, asked: Attacking, time_limit: float | None) -> Threat:
        """Return what a user asked for; ``time_limit`` is for each learned attacker on each scale."""
        learning = Learning(time_limit=time_limit)
        plan = AttackPlan(Ties(asked.ties), asked.seed, asked.threads, learning, one_to_one=asked.one_to_one)
        return cls(tuple(asked.attackers), tuple(Scale(scale) for scale in asked.scales), plan)

    def informed_by(self, published: Description | None) -> Threat:
        """Return the same with what is published about a release."""
        return replace(self, plan=replace(self.plan, published=published))

    def attacks(self, files: FilePair, reporter: Reporter | None = None, where: str = "") -> Attacks:
        """Return the attacks on a release, none of them made yet."""
        comparisons = {scale: make_comparison(files, scale) for scale in self.scales}
        return Attacks(self.attackers, comparisons, self.plan, files, reporter or SilentReporter(), where=where)


@dataclass(frozen=True)
class WorstCase:
    """What the strongest of several attacks links.

    ``rate`` is the share of the people that it links, by the tie rule asked for; ``bound`` is a share that no attacker
    of these kinds can exceed (equal to ``rate`` where every search was finished); ``is_partial`` tells that attacks
    were left out, because the rate was above a limit already.
    """

    ties: Ties
    attacks: tuple[AttackResult, ...]
    is_partial: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def strongest(self) -> AttackResult:
        """The attack with most links."""
        return max(self.attacks, key=lambda result: result.found(self.ties))

    @property
    def rate(self) -> float:
        """Share of the people the strongest attack links."""
        return self.strongest.rate(self.ties)

    @property
    def bound(self) -> float:
        """Share of the people that no attacker of these kinds exceeds."""
        bounds = [result.bound / result.n_pairs for result in self.attacks if result.bound is not None]
        return max([self.rate, *bounds])

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that no attacker of these kinds links more."""
        return not self.is_partial and self.bound <= self.rate * (1.0 + 1e-9)

    def unfitted_rate(self) -> float | None:
        """Return the rate of the strongest attack that does not use the true pairs."""
        rates = [result.rate(self.ties) for result in self.attacks if not result.has_true_pairs]
        return max(rates, default=None)


def worst_case(
    files: FilePair,
    threat: Threat,
    *,
    enough: float = math.inf,
    reporter: Reporter | None = None,
    where: str = "",
) -> WorstCase:
    """Attack a release with every attacker on every scale; learned attackers come last.

    Once an attack links more than the share ``enough`` of the people, learned attackers are left out, because the
    release has failed already. Attackers that cannot be used on the files are left out with a note; where none can be
    used, that is an error. Cost: that of the attacks.
    """
    attacks = threat.attacks(files, reporter, where)
    attacks.check()
    for _ in attacks.run(enough):
        pass
    return WorstCase(threat.plan.ties, attacks.results, attacks.is_partial, tuple(attacks.notes))
