"""What a measurement of information loss is asked for: the options of `linkrisk.loss`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from linkrisk.data.reading import Reading, ReadingKeywords
from linkrisk.options import Flag, Names, Text, option


@dataclass(frozen=True, kw_only=True)
class LossOptions(Reading):
    """What is compared, and how."""

    title: ClassVar[str] = "What is compared"

    attributes: Sequence[str] | None = option(
        None,
        Names(),
        "Attributes to compare, by their names in the original; by default all columns that both files have, "
        "confidential ones among them.",
    )
    target: str | None = option(
        None, Text("COLUMN"), "Attribute to be explained in regressions; by default each numeric one in turn."
    )
    interactions: bool = option(True, Flag(), "Use squares and products of numbers in the propensity score.")


class LossKeywords(ReadingKeywords, total=False):
    """The options of `LossOptions`, for type checkers."""

    target: str | None
    interactions: bool
