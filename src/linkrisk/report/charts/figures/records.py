"""How many people are found with which chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.assessment.result import Assessment
from linkrisk.report.charts.bins import Bins, even_edges
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.histogram import draw_bins
from linkrisk.report.tables import Table, share_text

FINE, COARSE = 10, (5, 2)
"""Bins from 0 to 1: for the owner of the data, and for others as many as may be told."""


@dataclass(frozen=True)
class Records:
    """People by the chance with which the attack that is best for each finds them.

    The confidential form tells all bins; in the other one those with few people are hidden. Then the ``mean`` chance is
    None: where chances are 0 or 1, it would tell how many people are hidden.
    """

    bins: Bins
    n_people: int
    mean: float | None
    is_confidential: bool

    name: ClassVar[str] = "records"
    title: ClassVar[str] = "How many people are found with which chance"

    @classmethod
    def of(cls, assessment: Assessment, *, confidential: bool = False) -> Records | None:
        """Take the chances of the people who have a counterpart; None where no attack was finished."""
        if not assessment.attacks:
            return None
        records = assessment.records
        chances = np.clip(records.highest_chance[records.has_counterpart].round(12), 0.0, 1.0)
        if confidential:
            bins = Bins.of(chances, even_edges(0.0, FINE))
        else:
            bins = Bins.telling(chances, [even_edges(0.0, number) for number in COARSE])
        mean = None if bins.n_hidden else float(chances.mean())
        return cls(bins, len(chances), mean, confidential)

    @property
    def caption(self) -> str:
        """How likely people are found on average, and how to read it."""
        average = "" if self.mean is None else f", {share_text(self.mean)} on average"
        return (
            f"{self.n_people:,} people by the chance to be found by the attack that is best for each{average}. No "
            f"single intruder finds all of them, because he has to choose one attack.{self.bins.note_of()}"
        )

    def table(self) -> Table:
        """Return one row per bin."""
        return self.bins.table("chance", self.title, is_percent=True)

    def draw(self) -> Chart:
        """Draw a histogram."""
        return draw_bins(self.bins, self.title, "chance to be found", is_percent=True)


def records(assessment: Assessment, *, confidential: bool = False) -> Chart:
    """Draw how many people are found with which chance; ``confidential`` tells small bins."""
    found = Records.of(assessment, confidential=confidential)
    return drawn(found, "no attack was finished, so nobody has a chance to be drawn")
