"""How clearly people are found, or missed: the margins of one attack in bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.assessment.result import Assessment
from linkrisk.report.charts.bins import Bins, even_edges
from linkrisk.report.charts.choosing import chosen_attack, name_of, records_of
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.histogram import draw_bins
from linkrisk.report.tables import Table

FINE, COARSE = 20, (10, 4, 2)
"""Bins from -1 to 1: for the owner of the data, and for others as many as may be told."""

TIED = 2.0**-40
"""Margins up to this are ties (docs/decisions/0002)."""


@dataclass(frozen=True)
class Margins:
    """People by the margin of one attack: (nearest other - own) / (the larger of the two).

    Of those above 0 the own record is nearer than every other. The confidential form tells all bins; in the other one
    those with few people are hidden. How many are above 0 is known, because the links are.
    """

    attack: str
    bins: Bins
    n_people: int
    n_nearer: int
    is_confidential: bool

    name: ClassVar[str] = "margins"
    title: ClassVar[str] = "How clearly people are found"

    @classmethod
    def of(cls, assessment: Assessment, attack: str | None = None, *, confidential: bool = False) -> Margins | None:
        """Take the margins of an attack, by default those of the strongest; None where there is no such attack."""
        best = chosen_attack(assessment, attack)
        if best is None:
            return None
        margin = records_of(assessment, best).margin
        margin = np.where(np.abs(margin) <= TIED, -TIED, margin)  # a tie is no link
        if confidential:
            bins = Bins.of(margin, even_edges(-1.0, FINE))
        else:
            bins = Bins.telling(margin, [even_edges(-1.0, number) for number in COARSE], parted_at=0.0)
        counted = margin[~np.isnan(margin)]
        return cls(name_of(best), bins, len(counted), int((counted > 0.0).sum()), confidential)

    @property
    def caption(self) -> str:
        """How many own records are nearest, and how to read margins."""
        return (
            f"{self.n_people:,} people by their margin under {self.attack}: how much farther the nearest other record "
            f"is than their own, as a share of the larger distance. Right of 0 the own record is nearest "
            f"({self.n_nearer:,} people), at 1 it is the same; left of 0, or at it, another one is nearer, or "
            f"as near.{self.bins.note_of()}"
        )

    def table(self) -> Table:
        """Return one row per bin."""
        return self.bins.table("margin", self.title)

    def draw(self) -> Chart:
        """Draw a histogram, parted at 0."""
        return draw_bins(self.bins, self.title, "margin", rule=0.0)


def margins(assessment: Assessment, attack: str | None = None, *, confidential: bool = False) -> Chart:
    """Draw how clearly people are found by an attack, by default the strongest; ``confidential`` tells small bins."""
    found = Margins.of(assessment, attack, confidential=confidential)
    return drawn(found, "no such attack was finished, so there are no margins to draw; see the labels in attacks")
