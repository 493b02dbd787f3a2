"""Rules that a release must keep: what share of the people may be found, and what share may remain possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypedDict

from linkrisk.errors import SettingsError
from linkrisk.options import Number, Options, option

if TYPE_CHECKING:  # options are declared without numpy
    from linkrisk.attack.result import AttackResult
    from linkrisk.linkage.ties import Ties

UNKNOWN_BOUND = (
    "max_bound (--max-bound) cannot be checked, because no bound is known; add an attacker who learns, such as "
    "weighted_mean, or tell how the release was made by published (--published)"
)

WITH_MARGIN = (
    "max_rate (--max-rate) and max_bound (--max-bound) cannot be checked with margin (--margin): links and "
    "bounds are then only those that are nearer by it; leave out one of the two"
)


@dataclass(frozen=True)
class Figure:
    """A share of the people, with words for who finds it or what says that no more is possible."""

    share: float
    told: str


@dataclass(frozen=True, kw_only=True)
class ReleaseRules(Options):
    """Shares that must not be exceeded; a share that is just reached is kept."""

    title: ClassVar[str] = "When a release is refused (exit code 1)"

    max_rate: float | None = option(
        None,
        Number(0.0, 1.0),
        "Share of the people that an attack may link at most: 0.05. The verdict says whether it is kept.",
    )
    max_bound: float | None = option(
        None,
        Number(0.0, 1.0),
        "Share that may be found or cannot be ruled out at most: the largest bound, proven for learned attackers or "
        "expected by the model of the method. It is not kept where no bound is known.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.is_set and getattr(self, "margin", 0.0) > 0.0:  # of a command that also learns
            raise SettingsError(WITH_MARGIN)

    @property
    def is_set(self) -> bool:
        """Whether there is any rule."""
        return self.max_rate is not None or self.max_bound is not None

    def broken(self, rates: Sequence[Figure], bounds: Sequence[Figure]) -> list[str]:
        """Return a sentence for every rule that figures break.

        >>> ReleaseRules(max_rate=0.05).broken([Figure(0.125, "mean on scale ranks links")], [])
        ['max_rate (--max-rate) allows 5.0%, and mean on scale ranks links 12.5% of the people']
        """
        found = _above(self.max_rate, rates)
        if self.max_bound is None or not bounds:
            unknown = [] if self.max_bound is None else [UNKNOWN_BOUND]
            return [*_told({"max_rate (--max-rate)": self.max_rate}, found), *unknown]
        possible = _above(self.max_bound, [*rates, *bounds])
        if found is not None and found is possible:
            return _told({"max_rate (--max-rate)": self.max_rate, "max_bound (--max-bound)": self.max_bound}, found)
        broken_rates = _told({"max_rate (--max-rate)": self.max_rate}, found)
        return broken_rates + _told({"max_bound (--max-bound)": self.max_bound}, possible)

    def kept(self) -> str | None:
        """Return a sentence that says that all rules are kept, None where there is no rule."""
        limits = {"max_rate": self.max_rate, "max_bound": self.max_bound}
        told = [f"{name} {100.0 * limit:.1f}%" for name, limit in limits.items() if limit is not None]
        return f"Release rules kept: {', '.join(told)}." if told else None


class ReleaseKeywords(TypedDict, total=False):
    """The options of `ReleaseRules`, for type checkers."""

    max_rate: float | None
    max_bound: float | None


def rates_of(attacks: Iterable[AttackResult], ties: Ties, where: str = "") -> list[Figure]:
    """Return what each attack finds."""
    return [Figure(attack.rate(ties), f"{where}{_who(attack)} links") for attack in attacks]


def bounds_of(attacks: Iterable[AttackResult], where: str = "") -> list[Figure]:
    """Return what is known of attacks that were not tried: proofs of learned attackers, and the model of the method.

    The bound of a repaired form is about forms before the repair: it is no bound of the attacker.
    """
    proven = [attack for attack in attacks if attack.bound is not None and attack.status != "repaired"]
    figures = [
        Figure(attack.bound / attack.n_pairs, f"{where}{_who(attack)} can, as far as is proven, link up to")
        for attack in proven
        if attack.bound is not None
    ]
    expected = [attack for attack in attacks if attack.bayes is not None]
    return figures + [
        Figure(attack.bayes, f"{where}any intruder without true pairs can expect up to")
        for attack in expected
        if attack.bayes is not None
    ]


def absent(asked: Iterable[str], attacks: Iterable[AttackResult]) -> Iterator[str]:
    """Yield why release rules cannot be checked: attackers who were asked for by name, and did not attack.

    >>> list(absent(["owa"], []))
    ['release rules cannot be checked: owa was asked for and did not attack']
    """
    have_attacked = {attack.name for attack in attacks}
    for name in dict.fromkeys(asked):
        if name not in have_attacked:
            yield f"release rules cannot be checked: {name} was asked for and did not attack"


def _who(attack: AttackResult) -> str:
    return attack.label if attack.certain is not None else f"{attack.label} on scale {attack.scale}"


def _above(limit: float | None, figures: Sequence[Figure]) -> Figure | None:
    """Return the largest figure if it is above a limit; the margin is for rounding, 1 of 20 is 0.05."""
    largest = max(figures, key=lambda figure: figure.share, default=None)
    if limit is None or largest is None or largest.share <= limit * (1.0 + 1e-9):
        return None
    return largest


def _told(limits: Mapping[str, float | None], figure: Figure | None) -> list[str]:
    """Return a sentence on a figure that is above limits; none if there is no such figure."""
    if figure is None:
        return []
    rules = " and ".join(f"{rule} allows {100.0 * limit:.1f}%" for rule, limit in limits.items() if limit is not None)
    return [f"{rules}, and {figure.told} {100.0 * figure.share:.1f}% of the people"]
