"""The charts of information loss."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.losses.result import Loss
from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.loss import LossByPart
from linkrisk.report.charts.figures.value_changes import ValueChanges


def figures(result: Loss, *, confidential: bool) -> Iterator[Figure | None]:
    """Yield what is lost, by figure and by attribute; nothing in it is confidential."""
    del confidential
    yield LossByPart.of(result)
    yield ValueChanges.of(result)
