"""What advice is asked for: the options of `linkrisk.compare` and `linkrisk.tune`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from linkrisk.attack.options import Attacking, AttackingKeywords
from linkrisk.data.reading import Reading, ReadingKeywords
from linkrisk.learning.options import Learning
from linkrisk.options import Names, Whole, option, same_option
from linkrisk.protection.options import GroupsKind, ProtectOptions

if TYPE_CHECKING:
    from linkrisk.data.schema import Schema


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Attacking, Reading):
    """How releases are compared; attributes, pairs and kinds are the same for all of them."""

    time_limit: float | None = same_option(Learning, "time_limit")


class CompareKeywords(AttackingKeywords, ReadingKeywords, total=False):
    """The options of `CompareOptions`, for type checkers."""

    time_limit: float | None


@dataclass(frozen=True, kw_only=True)
class TuneOptions(Attacking):
    """How a protection is tuned."""

    title: ClassVar[str] = "What is tuned"

    groups: Sequence[Sequence[str]] | str | None = option(
        None, GroupsKind(), "Attributes protected together: A,B;C,D. By default several sizes of groups are tried."
    )
    raw: bool = same_option(ProtectOptions, "raw")
    attributes: Sequence[str] | None = option(
        None, Names(), "Attributes the intruder knows, to be protected; by default all quasi-identifiers."
    )
    leave: Sequence[str] = same_option(ProtectOptions, "leave")
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = same_option(Reading, "schema")
    missing: Sequence[str | float] | None = same_option(Reading, "missing")
    delimiter: str | None = same_option(Reading, "delimiter")
    time_limit: float | None = same_option(Learning, "time_limit", 2.0)
    trials: int = option(60, Whole(1), "How many releases are made and attacked at most.")
    secret_seed: int | None = same_option(ProtectOptions, "secret_seed")


class TuneKeywords(AttackingKeywords, total=False):
    """The options of `TuneOptions`, for type checkers."""

    groups: Sequence[Sequence[str]] | str | None
    raw: bool
    attributes: Sequence[str] | None
    leave: Sequence[str]
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None
    missing: Sequence[str | float] | None
    delimiter: str | None
    time_limit: float | None
    trials: int
    secret_seed: int | None
