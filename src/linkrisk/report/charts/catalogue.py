"""Which charts a result has, and which of them is the main one."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.advice.releases import Releases
from linkrisk.advice.tuning import Tuning
from linkrisk.assessment.result import Assessment
from linkrisk.errors import NoChartError
from linkrisk.report.charts.figure import Chart, Figure
from linkrisk.report.charts.figures.attackers import Attackers
from linkrisk.report.charts.figures.attributes import Attributes
from linkrisk.report.charts.figures.risk_loss import RiskLoss
from linkrisk.result import Result


def figures_of(result: Result, *, confidential: bool = False) -> list[Figure]:
    """Return the figures of a result, the main one first; those that are ``confidential`` only if they are asked for.

    Where a figure has a confidential form, that takes the place of the other.
    """
    found = [figure for figure in _figures(result, confidential=confidential) if figure is not None]
    return [figure for figure in found if confidential or not figure.is_confidential]


def plot(result: Result, name: str | None = None) -> Chart:
    """Return the main chart of a result, or the one of a name."""
    figures = {figure.name: figure for figure in reversed(figures_of(result, confidential=True))}
    if not figures:
        raise NoChartError(f"{type(result).__name__} has nothing to draw")
    asked = list(figures)[-1] if name is None else name
    if asked not in figures:
        raise NoChartError(f"there is no chart {asked!r} of this result; it has {', '.join(reversed(figures))}")
    return figures[asked].draw()


def _figures(result: Result, *, confidential: bool) -> Iterator[Figure | None]:
    if isinstance(result, Assessment):
        yield from _of_assessment(result, confidential=confidential)
    elif isinstance(result, Releases | Tuning):
        yield RiskLoss.of(result)


def _of_assessment(result: Assessment, *, confidential: bool) -> Iterator[Figure | None]:
    yield Attackers.of(result)
    yield Attributes.of(result, parameters=confidential)
