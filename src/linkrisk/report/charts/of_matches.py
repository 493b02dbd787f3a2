"""The charts of a report on matches."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.matches import Matches
from linkrisk.report.charts.figures.reliability import Reliability
from linkrisk.tables.result import MatchReport


def figures(result: MatchReport, *, confidential: bool) -> Iterator[Figure | None]:
    """Yield how sure an intruder may be, and how right he is."""
    found = Matches.of(result, confidential=confidential)
    yield None if found is None or found.bins.n_hidden else found  # what is hidden would follow from the verdict
    yield Reliability.of(result)
