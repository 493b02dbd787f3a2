"""Every attacker on every scale: the one loop behind assess, compare and tune."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from linkrisk.arrays import FloatArray
from linkrisk.attack.attack import make_attack, make_informed_attack
from linkrisk.attack.labels import attacker_labels
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.attack.result import Attack, AttackResult
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.informed import Informed
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine import interrupt
from linkrisk.errors import NotApplicableError, ParameterError


@dataclass
class Attacks:
    """Attacks in progress; finished ones are kept, so that an interrupt loses nothing.

    ``is_forgiving``: an attacker whose parameters do not fit is left out with a note (in a scenario they were given for
    other attributes); otherwise that is an error. ``is_partial`` tells that learned attackers were left out, because
    others had linked more than ``enough`` already.
    """

    attackers: Sequence[Attacker]
    comparisons: dict[Scale, Comparison]
    plan: AttackPlan
    files: FilePair
    reporter: Reporter = field(default_factory=SilentReporter)
    where: str = ""
    is_forgiving: bool = False
    is_partial: bool = False
    notes: dict[str, None] = field(default_factory=dict)
    _made: dict[tuple[Scale | None, str], Attack] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._labelled = dict(zip(attacker_labels(self.attackers), self.attackers, strict=True))

    @property
    def made(self) -> list[Attack]:
        """The attacks made, scale by scale, in the order in which the attackers were given."""
        keys = [(scale, label) for scale in (*self.comparisons, None) for label in self._labelled]
        return [self._made[key] for key in keys if key in self._made]

    @property
    def results(self) -> tuple[AttackResult, ...]:
        """What the attacks made have found."""
        return tuple(attack.result for attack in self.made)

    def check(self) -> None:
        """Raise an error, before any long work, if no attacker can be used, or one was told of another release."""
        for attacker in self.attackers:
            if isinstance(attacker, Informed):
                attacker.check_files(self.files)
        if not self._usable(next(iter(self.comparisons.values()))):
            raise ParameterError("none of the attackers can be used on these files; choose mean, which always can")

    def run(self, enough: float = math.inf) -> Iterator[Attack]:
        """Make the attacks one by one: attackers with given parameters first, then those who learn.

        Each attacker who learns starts from the parameters that weaker ones have found before on the same scale. Once
        an attack links more than the share ``enough`` of the people, nobody learns any more, because the release has
        failed already.
        """
        usable = {scale: self._usable(comparison) for scale, comparison in self.comparisons.items()}
        if any(usable.values()):
            self.notes |= dict.fromkeys(self.plan.left_out(max(self.files.n_original, self.files.n_protected)))
        known: dict[Scale, dict[str, FloatArray]] = {scale: {} for scale in self.comparisons}
        for label in sorted(self._labelled, key=self._turn):
            if self._labelled[label].is_learned and self._best_rate() > enough:
                self.is_partial = True
                return
            if isinstance(self._labelled[label], Informed):
                yield self._attack_informed(label)
                continue
            for scale in self.comparisons:
                if label in usable[scale]:
                    yield self._attack(label, scale, known[scale])

    def _turn(self, label: str) -> int:
        """Return when an attacker's turn is: 0 with given parameters, later the more weaker families he starts from."""
        family = self._labelled[label].family() if self._labelled[label].is_learned else None
        return 0 if family is None else 1 + len(family.weaker())

    def _attack(self, label: str, scale: Scale, known: dict[str, FloatArray]) -> Attack:
        interrupt.check()
        attacker = self._labelled[label]
        verb = "learning " if attacker.is_learned else ""
        self.reporter.step(f"{self.where}{verb}{label} on scale {scale}")
        made = make_attack(
            attacker,
            self.comparisons[scale],
            self.plan,
            label=label,
            confidential=self.files.confidential,
            known=known,
            progress=self.reporter.progress,
            watcher=self.reporter.search,
        )
        if made.learned is not None:
            known[made.learned.family.name] = made.learned.theta
        self._made[scale, label] = made
        return made

    def _attack_informed(self, label: str) -> Attack:
        """Attack once, in values as they are: the method has a scale of its own."""
        interrupt.check()
        attacker = self._labelled[label]
        assert isinstance(attacker, Informed)  # noqa: S101  (for the type checker)
        self.reporter.step(f"{self.where}{label}")
        made = make_informed_attack(attacker, self.files, self.plan, label=label, progress=self.reporter.progress)
        self._made[None, label] = made
        return made

    def _best_rate(self) -> float:
        return max((attack.result.rate() for attack in self._made.values()), default=0.0)

    def _usable(self, comparison: Comparison) -> list[str]:
        """Return the labels of the attackers who can attack; the others are left out with a note."""
        usable = []
        for label, attacker in self._labelled.items():
            try:
                attacker.check_usable(comparison, self.plan.learning.margin)
            except NotApplicableError as problem:
                self.notes[f"left out: {problem}"] = None
            except ParameterError as problem:
                if not self.is_forgiving:
                    raise
                self.notes[f"left out, because its parameters do not fit: {problem}"] = None
            else:
                usable.append(label)
        return usable
