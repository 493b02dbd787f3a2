"""What is asked about households, regions and sampling weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from linkrisk.options import Names, Options, Text, Whole, option


@dataclass(frozen=True, kw_only=True)
class Surveying(Options):
    """Which columns of the original tell about households, regions and the sample."""

    title: ClassVar[str] = "Households, regions and sampling weights"

    group: str | None = option(
        None,
        Text("COLUMN"),
        "Column of the original that tells who belongs together, such as a household; it is found as soon as one "
        "member is. Not used for linking unless it is named in attributes.",
    )
    by: Sequence[str] | None = option(
        None, Names(), "Columns of the original, such as a region, by whose values the risk is told."
    )
    smallest_cell: int = option(
        10, Whole(1), "Fewest people, or groups, in a row of such a table; smaller ones are put together."
    )
    weights: str | None = option(
        None,
        Text("COLUMN"),
        "Column of the original with sampling weights: rates are also told for the population, and the risk of "
        "categorical keys. Not used for linking unless it is named in attributes.",
    )
    keys: Sequence[str] | None = option(
        None,
        Names(),
        "Attributes whose combinations are counted as keys; by default, where there are weights, all nominal and "
        "ordinal ones.",
    )


class SurveyingKeywords(TypedDict, total=False):
    """The options of `Surveying`, for type checkers."""

    group: str | None
    by: Sequence[str] | None
    smallest_cell: int
    weights: str | None
    keys: Sequence[str] | None
