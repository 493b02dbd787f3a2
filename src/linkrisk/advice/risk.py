"""The risk of one release: what the strongest of several attackers on several scales finds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linkrisk.attack.loop import Attacks, Attempt
from linkrisk.attack.options import Attacking
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.attack.result import AttackResult, LearnedParameters, strongest_attack
from linkrisk.attack.strands import make_until_enough
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.informed import Informed
from linkrisk.attackers.registry import ATTACKERS, make_attacker
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.informed.description import Description
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import Ties

WEAK = 0.75
"""Share of what the strongest attack finds below which one is weak (decision 10)."""


USUAL = Learning().seconds
"""Seconds for learning that an assessment takes by default."""


@dataclass(frozen=True)
class Threat:
    """Who attacks a release, on which scales, and how attacks are made and counted.

    ``is_forgiving``: whoever cannot attack is left out with a note, because nobody asked for him. ``put_off`` are
    attackers, by their labels, on scales on which they do not attack for now (`weak_attacks`). ``learned`` is what was
    learned on other releases, to start from. ``first``, ``longer`` and ``is_verdict``: see
    `linkrisk.attack.loop.Attacks`.
    """

    attackers: tuple[Attacker, ...]
    scales: tuple[Scale, ...]
    plan: AttackPlan
    is_forgiving: bool = False
    put_off: frozenset[Attempt] = frozenset()
    first: tuple[Attempt, ...] = ()
    longer: Learning | None = None
    learned: Mapping[Attempt, LearnedParameters] = field(default_factory=dict, compare=False, repr=False)
    is_verdict: bool = True

    @classmethod
    def of(cls, asked: Attacking, time_limit: float | None) -> Threat:
        """Return what a user asked for, and always the intruder who knows the method.

        ``time_limit`` is for each learned attacker on each scale.
        """
        learning = Learning(time_limit=time_limit)
        plan = AttackPlan(
            ties=Ties(asked.ties),
            seed=asked.seed,
            threads=asked.threads,
            learning=learning,
            one_to_one=asked.one_to_one,
            foresees=True,
        )
        attackers = tuple(asked.attackers)
        return cls(
            (*attackers, *_lacking(attackers, [Informed.name])), tuple(Scale(scale) for scale in asked.scales), plan
        )

    def confirming(self, times: float) -> Threat:
        """Return everybody there is, on every scale, with more time to learn; nobody is put off.

        Who may yet exceed the target has no less time than an assessment takes by default: what is proposed will be
        assessed.
        """
        others = _lacking(self.attackers, ATTACKERS)
        learning = self.plan.learning
        more = None if learning.time_limit is None else times * learning.time_limit
        longer = None if more is None or more >= USUAL else replace(learning, time_limit=USUAL)
        plan = replace(self.plan, learning=replace(learning, time_limit=more))
        attackers = (*self.attackers, *others)
        return replace(
            self,
            attackers=attackers,
            scales=tuple(Scale),
            plan=plan,
            is_forgiving=True,
            put_off=frozenset(),
            longer=longer,
            is_verdict=False,
        )

    def after(self, risk: Risk, target: float) -> Threat:
        """Return the same once a release was attacked: learning starts from what was learned there.

        Who learned, and broke that release, attacks the next one before others who learn.
        """
        breakers = [
            (result.label, Scale(result.scale))
            for result in risk.attacks
            if result.bound is not None and result.rate(risk.ties) > target
        ]
        first = dict.fromkeys((*breakers, *self.first))
        return replace(self, learned={**self.learned, **risk.learned}, first=tuple(first))

    def informed_by(self, published: Description | None) -> Threat:
        """Return the same with what is published about a release."""
        return replace(self, plan=replace(self.plan, published=published))

    def attacks(self, files: FilePair, reporter: Reporter | None = None, where: str = "") -> Attacks:
        """Return the attacks on a release, none of them made yet."""
        comparisons = _Comparisons(files, self.scales)
        return Attacks(
            self.attackers,
            comparisons,
            self.plan,
            files,
            reporter or SilentReporter(),
            is_forgiving=self.is_forgiving,
            where=where,
            put_off=self.put_off,
            first=self.first,
            longer=self.longer,
            before=self.learned,
            is_verdict=self.is_verdict,
            is_once=True,
        )


class _Comparisons(Mapping[Scale, Comparison]):
    """Two files on several scales, each put on a scale when somebody first attacks on it."""

    def __init__(self, files: FilePair, scales: Sequence[Scale]) -> None:
        self._files = files
        self._made: dict[Scale, Comparison | None] = dict.fromkeys(scales)

    def __getitem__(self, scale: Scale) -> Comparison:
        made = self._made[scale]
        if made is None:
            made = self._made[scale] = make_comparison(self._files, scale)
        return made

    def __iter__(self) -> Iterator[Scale]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


@dataclass(frozen=True)
class Risk:
    """What the strongest of several attacks links.

    ``rate`` is the share of the people that it links, by the tie rule asked for, in the better of its ways (each record
    to its nearest, or one to one). ``bound`` is a share that no parameters of the learned attackers exceed, if each
    record is linked to its nearest, and None where nothing was learned; ``is_proven`` tells that it is not above the
    rate. ``is_partial`` tells that attacks were left out, because the rate was above a limit already. ``bayes`` is what
    any intruder without true pairs can expect, where that was worked out. ``left_out`` says who could not attack, and
    why. ``learned`` are the parameters that were learned, to start from on other releases: they are confidential.
    ``hurried`` are those who learned without time to look at all people: nothing was searched, and their bounds say
    next to nothing. ``unlearned`` are those who did not even begin, because they would have started far below the
    limit: nothing is proven of them, either.
    """

    ties: Ties
    attacks: tuple[AttackResult, ...]
    is_partial: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False)
    left_out: tuple[str, ...] = field(default=(), compare=False)
    learned: Mapping[Attempt, LearnedParameters] = field(default_factory=dict, compare=False, repr=False)
    hurried: frozenset[Attempt] = field(default=frozenset(), compare=False)
    unlearned: frozenset[Attempt] = field(default=frozenset(), compare=False)

    @property
    def strongest(self) -> AttackResult:
        """The attack with most links; of equals one that does not use the true pairs."""
        best = strongest_attack(self.attacks, self.ties)
        assert best is not None  # noqa: S101  (a release is attacked by somebody, see `Attacks.check`)
        return best

    @property
    def rate(self) -> float:
        """Share of the people the strongest attack links."""
        return self.strongest.rate(self.ties)

    @property
    def bound(self) -> float | None:
        """Share of the people that no parameters of the learned attackers exceed, each record to its nearest."""
        bounds = self._bounds()
        return max([self.rate, *bounds]) if bounds else None

    @property
    def is_proven(self) -> bool:
        """Whether it is proven that no parameters of the learned attackers link more; not where nothing was learned."""
        return self.is_bounded_by(self.rate)

    def is_bounded_by(self, share: float) -> bool:
        """Whether it is proven that no parameters of the learned attackers link more than a share of the people."""
        bounds = self._bounds()
        return not self.is_partial and bool(bounds) and max(bounds) <= share * (1.0 + 1e-9)

    @property
    def bayes(self) -> float | None:
        """Share of the people that any intruder without true pairs can expect; None where that was not worked out."""
        return max((result.bayes for result in self.attacks if result.bayes is not None), default=None)

    def stays_below(self, target: float) -> bool:
        """Whether no attack links more than a share of the people, and nobody without true pairs can expect to.

        A release may be lucky: of those that are tried, one is found in which an attacker missed more than he should
        have expected. What can be expected does not hang on that luck.
        """
        return max(self.rate, self.bayes or 0.0) <= target

    def _bounds(self) -> list[float]:
        """Return what is proven of each learned attacker.

        The bound of a repaired form is about forms before the repair: it is no bound of the attacker.
        """
        bounded = [result for result in self.attacks if result.status != "repaired"]
        bounds = [result.bound / result.n_pairs for result in bounded if result.bound is not None]
        return [*bounds, 1.0] if self.unlearned else bounds

    def unfitted_rate(self) -> float | None:
        """Return the rate of the strongest attack that does not use the true pairs."""
        rates = [result.rate(self.ties) for result in self.attacks if not result.has_true_pairs]
        return max(rates, default=None)


def attack_release(
    files: FilePair,
    threat: Threat,
    *,
    enough: float = math.inf,
    reporter: Reporter | None = None,
    where: str = "",
) -> Risk:
    """Attack a release with every attacker on every scale; learned attackers come last.

    Once an attack links more than the share ``enough`` of the people, or any intruder can expect to, the others are
    left out, because the release has failed already. Attackers that cannot be used on the files are left out with a
    note; where none can be used, that is an error. Cost: that of the attacks.
    """
    attacks = threat.attacks(files, reporter, where)
    attacks.check()
    if not threat.is_verdict:
        make_until_enough(attacks, threat.plan.threads, enough)
    for _ in attacks.run(enough):
        pass
    told = [note for result in attacks.results for note in result.notes if result.certain is not None]
    notes = tuple(dict.fromkeys([*attacks.notes, *told]))
    return Risk(
        ties=threat.plan.ties,
        attacks=attacks.results,
        is_partial=attacks.is_partial,
        notes=notes,
        left_out=tuple(attacks.left_out),
        learned=attacks.learned(),
        hurried=attacks.hurried(),
        unlearned=frozenset(attacks.unlearned),
    )


def weak_attacks(risk: Risk) -> frozenset[Attempt]:
    """Return the attackers, by label and scale, who found less than three quarters of what the strongest found.

    Not those who learn, because bounds come from them, unless they had no time to search; nor who knows the method: he
    is the strongest in most releases.
    """
    weak = [result for result in risk.attacks if result.certain is None and result.rate(risk.ties) < WEAK * risk.rate]
    places = {(result.label, Scale(result.scale)): result for result in weak}
    return frozenset(place for place, result in places.items() if result.bound is None or place in risk.hurried)


def _lacking(attackers: Sequence[Attacker], names: Iterable[str]) -> tuple[Attacker, ...]:
    """Return the attackers of some names who are not among those given with what they are by default."""
    usual = {attacker.name for attacker in attackers if attacker.is_default()}
    return tuple(make_attacker(name) for name in names if name not in usual)
