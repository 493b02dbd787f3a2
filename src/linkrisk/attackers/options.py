"""How links are counted and attackers are fitted: options that `linkrisk.assess` and ``fit`` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypedDict

from linkrisk.data.reading import Reading, ReadingKeywords
from linkrisk.differences.scale import Scale
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.options import Choice, Options, Whole, option, same_option


@dataclass(frozen=True, kw_only=True)
class Counting(Options):
    """What counts as a link, and how the work is done."""

    title: ClassVar[str] = "Who attacks"

    ties: Ties | str = option(
        DEFAULT_TIES,
        Choice(Ties),
        "Links that count: unique (nearer than every other), class (twins do not count against it), or expected (the "
        "chance to pick the right one of its twins).",
    )
    seed: int = option(0, Whole(0), "Seed of everything random in the run; it is no secret.")
    threads: int | None = option(
        None,
        Whole(1, 4096),
        "Cores to use, all by default; the result does not depend on it, as far as no time limit ends a search.",
    )


class CountingKeywords(TypedDict, total=False):
    """The options of `Counting`, for type checkers."""

    ties: Ties | str
    seed: int
    threads: int | None


@dataclass(frozen=True, kw_only=True)
class FitOptions(Counting, Reading):
    """How one attacker is fitted to two files."""

    scale: Scale | str = option(Scale.SEPARATE, Choice(Scale), "Scale on which the two files are compared.")
    time_limit: float | None = same_option(Learning, "time_limit")
    margin: float = same_option(Learning, "margin")


class FitKeywords(CountingKeywords, ReadingKeywords, total=False):
    """The options of `FitOptions`, for type checkers."""

    scale: Scale | str
    time_limit: float | None
    margin: float
