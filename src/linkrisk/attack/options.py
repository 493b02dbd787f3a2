"""Who attacks, on which scales, and what counts as a link: the options of every attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from linkrisk.attackers.options import Counting, CountingKeywords
from linkrisk.differences.scale import Scale
from linkrisk.errors import ParameterError
from linkrisk.name_list import split_names
from linkrisk.options import Choices, Flag, Values, option


@dataclass(frozen=True)
class AttackersKind(Values):
    """Attackers: names, or attackers of `linkrisk.attackers` with or without their parameters."""

    metavar = "NAMES"
    is_list = True

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

    def suggestions(self) -> Sequence[str]:
        """Return the names of all attackers."""
        from linkrisk.attackers.registry import ATTACKERS  # noqa: PLC0415  (imports numpy)

        return tuple(ATTACKERS)

    def plain(self, value: Any) -> list[str | dict[str, Any]]:
        """Return the names; of those with options that are single numbers, a mapping as an assessment file has it."""
        return [entry if isinstance(entry, str) else _plain_attacker(entry) for entry in value]


def _plain_attacker(attacker: Any) -> str | dict[str, Any]:
    """Return the name of an attacker, with those of his numbers that are not what he has by default."""
    usual = {field.name: field.default for field in fields(attacker)}
    given = {name: value for name, value in attacker.options.items() if usual.get(name) != value}
    return {"name": attacker.name, **given} if given else str(attacker.name)


DEFAULT_ATTACKERS = (
    "mean",
    "distance_standardised",
    "mahalanobis",
    "mahalanobis0",
    "kernel",
    "informed",
    "weighted_mean",
)
"""The attackers of assess, compare and tune if none are named: quick ones, and one that is learned."""


@dataclass(frozen=True, kw_only=True)
class Attacking(Counting):
    """Who attacks, on which scales, what counts as a link, and how the work is done."""

    title: ClassVar[str] = "Who attacks"

    attackers: Sequence[Any] = option(
        DEFAULT_ATTACKERS,
        AttackersKind(),
        "Who attacks: names such as mean,probabilistic,owa,choquet,bilinear_psd; parameters that are not given are "
        "learned.",
    )
    scales: Sequence[str] = option(tuple(Scale), Choices(Scale), "Scales on which the files are compared.")
    one_to_one: bool | None = option(
        None,
        Flag(),
        "Also link one to one, by assignment and by the posterior over matchings; by default up to 5,000 records.",
    )


class AttackingKeywords(CountingKeywords, total=False):
    """The options of `Attacking`, for type checkers."""

    attackers: Sequence[Any]
    scales: Sequence[str]
    one_to_one: bool | None
