"""The charts of releases, compared or searched for."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.risk_loss import RiskLoss
from linkrisk.result import Result


def figures(result: Result, *, confidential: bool) -> Iterator[Figure | None]:
    """Yield risk against loss; nothing in it is confidential."""
    del confidential
    yield RiskLoss.of(result)
