"""Who attacks, on which scales, and what counts as a link: the options of every attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict

from linkrisk.differences.scale import Scale
from linkrisk.errors import ParameterError
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.name_list import split_names
from linkrisk.options import Choice, Choices, Kind, Options, Whole, option


@dataclass(frozen=True)
class AttackersKind(Kind):
    """Attackers: names, or attackers of `linkrisk.attackers` with or without their parameters."""

    metavar = "NAMES"

    def check(self, value: Any) -> tuple[Any, ...]:
        """Return the attackers; those given by name are made."""
        from linkrisk.attackers.registry import as_attacker  # noqa: PLC0415  (imports numpy)

        is_one = isinstance(value, str | Mapping) or not isinstance(value, Iterable)
        entries = [value] if is_one else list(value)
        names = [entry for entry in entries if isinstance(entry, str)]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"names {twice[0]!r} twice; name each attacker once")
        if not entries:
            raise ValueError(f"must name at least one attacker, such as {DEFAULT_ATTACKERS[0]}")
        attackers, mistakes = [], []
        for entry in entries:
            try:
                attackers.append(as_attacker(entry))
            except ParameterError as problem:
                mistakes.append(str(problem))
        if mistakes:
            raise ParameterError("; ".join(mistakes))
        return tuple(attackers)

    def from_text(self, text: str) -> list[str]:
        """Return the names of a list with commas."""
        return split_names(text)

    def plain(self, value: Any) -> list[str]:
        """Return the names."""
        return [entry if isinstance(entry, str) else str(entry.name) for entry in value]


DEFAULT_ATTACKERS = ("mean", "distance_standardised", "mahalanobis", "mahalanobis0", "kernel", "weighted_mean")
"""The attackers of assess, compare and tune if none are named: quick ones, and one that is learned."""


@dataclass(frozen=True, kw_only=True)
class Attacking(Options):
    """Who attacks, on which scales, what counts as a link, and how the work is done."""

    title: ClassVar[str] = "Who attacks"

    attackers: Sequence[Any] = option(
        DEFAULT_ATTACKERS,
        AttackersKind(),
        "Who attacks: names such as mean,probabilistic,owa,choquet,bilinear_psd; parameters that are not given are "
        "learned.",
    )
    scales: Sequence[str] = option(tuple(Scale), Choices(Scale), "Scales on which the files are compared.")
    ties: Ties | str = option(
        DEFAULT_TIES,
        Choice(Ties),
        "Links that count: unique (nearer than every other), class (twins do not count against it), or expected (the "
        "chance to pick the right one of its twins).",
    )
    seed: int = option(0, Whole(0), "Seed of everything random in the run; it is no secret.")
    threads: int | None = option(None, Whole(1), "Cores to use, all by default; the result does not depend on it.")


class AttackingKeywords(TypedDict, total=False):
    """The options of `Attacking`, for type checkers."""

    attackers: Sequence[Any]
    scales: Sequence[str]
    ties: Ties | str
    seed: int
    threads: int | None
