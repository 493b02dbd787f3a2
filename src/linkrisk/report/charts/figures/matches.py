"""How sure an intruder may be of matches between samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.report.charts.bins import Bins, even_edges
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.histogram import draw_bins
from linkrisk.report.few import SMALLEST
from linkrisk.report.tables import Table
from linkrisk.tables.result import MatchReport

N_BINS = 10
"""Bins from 0 to 1."""


@dataclass(frozen=True)
class Matches:
    """Matches by the probability that they are right, in bins.

    The confidential form tells all bins; in the other one those with few matches are hidden.
    """

    bins: Bins
    n_matches: int
    expected_correct: float
    is_confidential: bool

    name: ClassVar[str] = "matches"
    title: ClassVar[str] = "How sure an intruder may be of each match"

    @classmethod
    def of(cls, report: MatchReport, *, confidential: bool = False) -> Matches | None:
        """Take the posterior of a report; None where nothing matches."""
        if not report.n_matches:
            return None
        probability = report.matches.probability.round(12)
        bins = Bins.of(probability, even_edges(0.0, N_BINS), smallest=0 if confidential else SMALLEST)
        return cls(bins, report.n_matches, report.effect.expected_correct, confidential)

    @property
    def caption(self) -> str:
        """How many matches are expected to be right, and how to read it."""
        return (
            f"{self.n_matches:,} unique matches by their posterior probability to be right; "
            f"{self.expected_correct:,.1f} of them are expected to be.{self.bins.note_of('matches')}"
        )

    def table(self) -> Table:
        """Return one row per bin."""
        return self.bins.table("probability", self.title, counted="matches", is_percent=True)

    def draw(self) -> Chart:
        """Draw a histogram."""
        what = "probability that the match is right"
        return draw_bins(self.bins, self.title, what, counted="matches", is_percent=True)


def matches(report: MatchReport, *, confidential: bool = False) -> Chart:
    """Draw the posterior probabilities of the matches; ``confidential`` tells small bins."""
    return drawn(Matches.of(report, confidential=confidential), "no records match, so there is no posterior to draw")
