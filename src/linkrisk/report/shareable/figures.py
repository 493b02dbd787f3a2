"""Figures that may be handed on."""

from __future__ import annotations

from collections.abc import Iterable

from linkrisk.errors import LinkriskError
from linkrisk.report.charts.figure import Figure


def checked(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    """Return figures of which none is confidential.

    Raises
    ------
    LinkriskError
        If one is: a report that is handed on must not hold it, whoever put it there.
    """
    kept = tuple(figures)
    for figure in kept:
        if figure.is_confidential:
            raise LinkriskError(
                f"the chart {figure.name} is confidential; this is a fault in linkrisk, please report it"
            )
    return kept
