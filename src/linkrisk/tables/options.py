"""What judging matches is asked for: the options of `linkrisk.match`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict

from linkrisk.data.reading import Reading
from linkrisk.options import Choice, Flag, Names, Number, Options, Text, Values, Whole, option, same_option

POSTERIORS = ("auto", "exact", "paper", "sums")
BOUNDS = ("exact", "naive")
MOST_PEOPLE = 10**11
"""More people than have ever lived."""

MECHANISMS = ("exact", "rounded", "random_rounding", "suppressed", "sample")


@dataclass(frozen=True)
class Probabilities(Values):
    """Probabilities above 0, each once, in ascending order."""

    metavar = "0.5,0.9"
    is_list = True

    def check(self, value: Any) -> tuple[float, ...]:
        """Return the probabilities in ascending order."""
        try:
            levels = [float(level) for level in ([value] if isinstance(value, int | float) else value)]
        except (TypeError, ValueError):
            levels = []
        if not levels or not all(0.0 < level <= 1.0 for level in levels):
            raise ValueError("must be probabilities above 0 and at most 1, such as 0.5,0.9")
        return tuple(sorted(set(levels)))

    def from_text(self, text: str) -> list[str]:
        """Return the parts of a list with commas; they are checked afterwards."""
        return text.split(",")

    def plain(self, value: Any) -> list[str]:
        """Return the probabilities as they are typed."""
        return [f"{level:g}" for level in value]


@dataclass(frozen=True)
class Source(Values):
    """Data of any form that linkrisk reads: a path, a frame, or a description."""

    metavar = "FILE"
    is_path = True

    def plain(self, value: Any) -> bool:
        """Tell whether anything was given."""
        return value is not None


@dataclass(frozen=True, kw_only=True)
class MatchOptions(Options):
    """How matches between samples are judged."""

    title: ClassVar[str] = "How matches are judged"

    population: int | None = option(None, Whole(1, MOST_PEOPLE), "Number of people, where no table tells it.")
    overlap: Sequence[str] | None = option(
        None, Names(), "Attributes to match by; by default all that every sample has."
    )
    id: str | None = option(
        None, Text("COLUMN"), "Column of the samples that says who is who, to judge the probabilities by."
    )
    posterior: str = option(
        "auto",
        Choice(POSTERIORS),
        "Which posterior: exact (all populations that fit; costly), paper (naive, Equation 5 of the paper), sums "
        "(naive; tables count as sums of cells, too), or auto: exact if it can be had in time, else paper.",
    )
    bounds: str = option(
        "exact", Choice(BOUNDS), "Which bounds: exact (all tables together) or naive (table by table)."
    )
    truth: Any = option(None, Source(), "The population itself, one row per person, to judge the probabilities by.")
    candidate: Any = option(None, Source(), "A table that is not published yet, to tell whether it may be.")
    contributions: bool = option(True, Flag(), "Leave out each table in turn, to tell what it gives away.")
    confident: Sequence[float] = option((0.5, 0.9), Probabilities(), "Probabilities from which a match is confident.")
    time_limit: float | None = option(
        60.0, Number(0.0), "Seconds for all exact bounds together, and for all exact posteriors; inf: no limit."
    )
    seed: int = option(0, Whole(0), "Seed of Markov chains; it is no secret.")
    delimiter: str | None = same_option(Reading, "delimiter")

    @property
    def seconds(self) -> float:
        """The time limit as a number: inf where there is none."""
        return math.inf if self.time_limit is None else self.time_limit


class MatchKeywords(TypedDict, total=False):
    """The options of `MatchOptions`, for type checkers."""

    population: int | None
    overlap: Sequence[str] | None
    id: str | None
    posterior: str
    bounds: str
    truth: Any
    candidate: Any
    contributions: bool
    confident: Sequence[float]
    time_limit: float | None
    seed: int
    delimiter: str | None
