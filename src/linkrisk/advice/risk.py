"""The worst case of one release: the strongest of several attackers on several scales."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from linkrisk.attack.attack import AttackOptions, attack
from linkrisk.attack.labels import attacker_labels
from linkrisk.attack.holdout import LearnOptions
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.assessment.result import AttackResult
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scales import Scale
from linkrisk.distances.attacker import Attacker
from linkrisk.distances.family import Family
from linkrisk.distances.registry import is_family
from linkrisk.engine import interrupt
from linkrisk.errors import NotApplicableError, ParameterError
from linkrisk.linkage.linkage import Ties

ATTACKERS = ("mean", "distance_standardised", "mahalanobis", "mahalanobis0", "weighted_mean")
"""Who attacks a release unless told otherwise: all quick ones, and one that is learned."""

TIES = Ties.EXPECTED
"""Releases are compared by what an intruder gains who picks at random among twins: counted by unique links, a file in
which every record has a twin looks safe however near the twins are."""


@dataclass(frozen=True)
class RiskOptions:
    """Who attacks, on which scales, and what counts as a link; ``time_limit`` in seconds for each learned attack."""

    attackers: tuple[Attacker | Family, ...]
    scales: tuple[Scale, ...] = tuple(Scale)
    ties: Ties = TIES
    time_limit: float = math.inf
    seed: int = 0
    threads: int | None = None

    def attack_options(self) -> AttackOptions:
        """Return the options of one attack."""
        learning = LearnOptions(self.time_limit, ties=self.ties, seed=self.seed, threads=self.threads)
        return AttackOptions(self.ties, threads=self.threads, learning=learning)


@dataclass(frozen=True)
class WorstCase:
    """What the strongest of several attacks links.

    ``rate`` is his share of the people, by the tie rule asked for; ``bound`` a share that none of the attackers'
    kinds can exceed (equal to ``rate`` where every search was finished); ``is_partial`` tells that attacks were left
    out, because the rate was above a limit already.
    """

    ties: Ties
    attacks: tuple[AttackResult, ...]
    is_partial: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def strongest(self) -> AttackResult:
        """The attack with most links."""
        return max(self.attacks, key=lambda result: result.links[self.ties])

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
        """Whether no attacker of these kinds links more."""
        return not self.is_partial and self.bound <= self.rate * (1.0 + 1e-9)

    def unfitted_rate(self) -> float | None:
        """Return the rate of the strongest attack that does not use the true pairs."""
        rates = [result.rate(self.ties) for result in self.attacks if not result.has_true_pairs]
        return max(rates, default=None)


def worst_case(
    files: FilePair,
    options: RiskOptions,
    *,
    enough: float = math.inf,
    reporter: Reporter | None = None,
    where: str = "",
) -> WorstCase:
    """Attack a release with every attacker on every scale; learned attackers come last.

    Once an attack links more than the share ``enough`` of the people, learned attackers are left out: the release is
    judged already. Attackers that cannot be used on the files are left out with a note. Cost: that of the attacks.
    """
    reporter = reporter or SilentReporter()
    labelled = zip(attacker_labels(options.attackers), options.attackers, strict=True)
    order = sorted(labelled, key=lambda entry: is_family(entry[1]))
    comparisons = {scale: make_comparison(files, scale) for scale in options.scales}
    found: list[AttackResult] = []
    notes: dict[str, None] = {}
    for label, attacker in order:
        if is_family(attacker) and found and WorstCase(options.ties, tuple(found)).rate > enough:
            return WorstCase(options.ties, tuple(found), is_partial=True, notes=tuple(notes))
        for scale in options.scales:
            interrupt.check()
            reporter.step(f"{where}{label} on scale {scale}")
            try:
                result, _, _ = attack(
                    attacker,
                    comparisons[scale],
                    (),
                    options.attack_options(),
                    reporter.progress,
                    reporter.search,
                )
            except NotApplicableError as problem:
                notes[f"left out: {problem}"] = None
                continue
            found.append(replace(result, label=label))
    if not found:
        raise ParameterError("none of the attackers can be used on these files; choose mean, which always can")
    return WorstCase(options.ties, tuple(found), notes=tuple(notes))
