"""How attackers are learned: the options of the learner."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from linkrisk.options import Choice, Flag, Number, Options, Whole, option

POOLS = ("all", "test")
"""Who the candidates are for people that were held out."""


@dataclass(frozen=True, kw_only=True)
class Learning(Options):
    """How attackers are learned, and what is worked out beside.

    ``time_limit`` holds for an attacker on a scale; the repetitions with held-out records together get as much again,
    and so do the ranges of the parameters and each attribute that ``explain`` leaves out.

    >>> Learning(time_limit=60, holdout=0.5).repeats
    5
    """

    title: ClassVar[str] = "How attackers learn"

    time_limit: float | None = option(
        10.0,
        Number(0.0),
        "Seconds for learning each attacker on each scale; then the best so far and its bound stand. inf: no limit.",
    )
    holdout: float = option(
        0.0, Number(0.0, 0.9), "Share of the true pairs held out while learning, for an honest rate: 0.5."
    )
    repeats: int = option(5, Whole(1, 10**4), "How often pairs are held out.")
    pool: str = option(
        "all", Choice(POOLS), "Candidates for people held out: all protected records, or those of the test records."
    )
    margin: float = option(
        0.0, Number(0.0, below=1.0), "Learn links that are nearer by this share of the distance to the next record."
    )
    explain: bool = option(
        False, Flag(), "Also tell how far each parameter can move, and without which attributes links are lost."
    )

    @property
    def seconds(self) -> float:
        """The time limit as a number: inf where there is none."""
        return math.inf if self.time_limit is None else self.time_limit


class LearningKeywords(TypedDict, total=False):
    """The options of `Learning`, for type checkers."""

    time_limit: float | None
    holdout: float
    repeats: int
    pool: str
    margin: float
    explain: bool
