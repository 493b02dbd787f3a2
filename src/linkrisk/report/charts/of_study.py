"""The charts of a user's study."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.strengths import Strengths
from linkrisk.study.result import StudyResult


def figures(result: StudyResult, *, confidential: bool) -> Iterator[Figure]:
    """Yield a chart for each measure and parameter; nothing in them is confidential."""
    del confidential
    yield from Strengths.of(result)
