"""What advice is asked for: the options of `linkrisk.compare` and `linkrisk.tune`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from linkrisk.attack.options import Attacking, AttackingKeywords
from linkrisk.attack.rules import ReleaseKeywords, ReleaseRules
from linkrisk.data.reading import Meaning, MeaningKeywords, Reading, ReadingKeywords, split_assignment
from linkrisk.learning.options import Learning
from linkrisk.options import Flag, Names, Values, Whole, option, same_option
from linkrisk.protection.options import GroupsKind, PlanKind, ProtectOptions


@dataclass(frozen=True)
class PublishedByName(Values):
    """What is published about releases, by their names: records of protections, files of them, or several of each."""

    metavar = "RELEASE=FILE"
    is_repeatable = True

    def check(self, value: Any) -> dict[str, Any]:
        """Return the description of each release."""
        from linkrisk.informed.describing import as_descriptions  # noqa: PLC0415  (not needed for help)

        if not isinstance(value, Mapping):
            raise ValueError("must tell by name how each release was made: {'noisy.csv': 'noisy.json'}")  # noqa: TRY004  (the kind of all mistakes in options)
        return {str(name): as_descriptions(given) for name, given in value.items()}

    def from_text(self, text: str) -> tuple[str, str]:
        """Return release and file in ``RELEASE=FILE``."""
        return split_assignment(text)

    def joined(self, values: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
        """Return the files of each release."""
        found: dict[str, list[str]] = {}
        for name, file in values:
            found.setdefault(name, []).append(file)
        return found

    def plain(self, value: Any) -> dict[str, str]:
        """Return the descriptions in words."""
        return {name: str(description) for name, description in (value or {}).items()}


@dataclass(frozen=True, kw_only=True)
class CompareOptions(ReleaseRules, Attacking, Reading):
    """How releases are compared; attributes, pairs and kinds are the same for all of them."""

    published: Mapping[str, Any] | None = option(
        None,
        PublishedByName(),
        "How a release was made: noisy.csv=noisy.json, the file that protect --record wrote; by default every method "
        "that fits the files is tried.",
    )
    time_limit: float | None = same_option(Learning, "time_limit", 2.0)


class CompareKeywords(ReleaseKeywords, AttackingKeywords, ReadingKeywords, total=False):
    """The options of `CompareOptions`, for type checkers."""

    published: Mapping[str, Any] | None
    time_limit: float | None


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Attacking, Meaning):
    """How a protection is tuned."""

    title: ClassVar[str] = "What is tuned"

    plan: Any = option(
        None,
        PlanKind(),
        "Instead of one method, what to do with each column; strengths that are not given are tuned: age,income: mdav; "
        "sex: pram 0.8; id: drop; rest: leave. Or a TOML file with a list of steps.",
    )
    groups: Sequence[Sequence[str]] | str | None = option(
        None, GroupsKind(), "Attributes protected together: A,B;C,D. By default several sizes of groups are tried."
    )
    raw: bool = same_option(ProtectOptions, "raw")
    attributes: Sequence[str] | None = option(
        None, Names(), "Attributes the intruder knows, to be protected; by default all quasi-identifiers."
    )
    leave: Sequence[str] = same_option(ProtectOptions, "leave")
    drop: Sequence[str] = same_option(ProtectOptions, "drop")
    time_limit: float | None = same_option(Learning, "time_limit", 2.0)
    trials: int = option(60, Whole(1, 10**6), "How many releases are made and attacked at most.")
    confirm: bool = option(
        True,
        Flag(),
        "Attack the best release once more, by all attackers, with twice the time, and near the target no less than "
        "assess takes; without that none is proposed, and the best so far is shown as not confirmed.",
    )
    secret_seed: int | None = same_option(ProtectOptions, "secret_seed")


class TuneKeywords(AttackingKeywords, MeaningKeywords, total=False):
    """The options of `TuneOptions`, for type checkers."""

    plan: Any
    groups: Sequence[Sequence[str]] | str | None
    raw: bool
    attributes: Sequence[str] | None
    leave: Sequence[str]
    drop: Sequence[str]
    time_limit: float | None
    trials: int
    confirm: bool
    secret_seed: int | None
