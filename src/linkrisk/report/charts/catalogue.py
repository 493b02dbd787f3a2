"""Which charts a result has, and which of them is the main one."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.advice.releases import Releases
from linkrisk.advice.tuning import Tuning
from linkrisk.assessment.result import Assessment
from linkrisk.errors import NoChartError
from linkrisk.losses.result import Loss
from linkrisk.report.charts.figure import Chart, Figure
from linkrisk.report.charts.figures.attackers import Attackers
from linkrisk.report.charts.figures.attributes import Attributes
from linkrisk.report.charts.figures.course import SearchCourse
from linkrisk.report.charts.figures.form import Form
from linkrisk.report.charts.figures.groups import Groups
from linkrisk.report.charts.figures.interactions import Interactions
from linkrisk.report.charts.figures.lattice import Lattice
from linkrisk.report.charts.figures.loss import LossByPart
from linkrisk.report.charts.figures.margins import Margins
from linkrisk.report.charts.figures.matches import Matches
from linkrisk.report.charts.figures.records import Records
from linkrisk.report.charts.figures.reliability import Reliability
from linkrisk.report.charts.figures.risk_loss import RiskLoss
from linkrisk.report.charts.figures.value_changes import ValueChanges
from linkrisk.report.charts.figures.values import values_of
from linkrisk.report.charts.figures.weights import Weights
from linkrisk.result import Result
from linkrisk.tables.result import MatchReport


def figures_of(result: Result, *, confidential: bool = False) -> list[Figure]:
    """Return the figures of a result, the main one first; those that are ``confidential`` only if they are asked for.

    Where a figure has a confidential form, that takes the place of the other one. The course of a search is not among
    them, because its times differ from run to run (`linkrisk.report.charts.SearchCourse`).
    """
    found = [figure for figure in _figures(result, confidential=confidential) if figure is not None]
    return [figure for figure in found if confidential or not figure.is_confidential]


def plot(result: Result, name: str | None = None) -> Chart:
    """Return the main chart of a result, or the one of a name; the form that may be shared, where there are two."""
    names: dict[str, None] = {}
    for figure in _all_figures(result):
        if name in {None, figure.name}:
            return figure.draw()
        names[figure.name] = None
    what = type(result).__name__
    if not names:
        raise NoChartError(f"this {what} has nothing to draw")
    raise NoChartError(f"this {what} has no chart {name!r}; it has {', '.join(names)}")


def _all_figures(result: Result) -> Iterator[Figure]:
    yield from figures_of(result)
    course = SearchCourse.of(result) if isinstance(result, Assessment) else None
    if course is not None:
        yield course
    yield from (figure for figure in _figures(result, confidential=True) if figure is not None)


def _figures(result: Result, *, confidential: bool) -> Iterator[Figure | None]:
    if isinstance(result, Assessment):
        yield from _of_assessment(result, confidential=confidential)
    elif isinstance(result, Releases | Tuning):
        yield RiskLoss.of(result)
    elif isinstance(result, MatchReport):
        yield Matches.of(result, confidential=confidential)
        yield Reliability.of(result)
    elif isinstance(result, Loss):
        yield LossByPart.of(result)
        yield ValueChanges.of(result)


def _of_assessment(result: Assessment, *, confidential: bool) -> Iterator[Figure | None]:
    yield Attackers.of(result)
    yield Attributes.of(result, parameters=confidential)
    yield Records.of(result, confidential=confidential)
    yield Margins.of(result, confidential=confidential)
    yield from Groups.all_of(result, confidential=confidential)
    if confidential:
        yield Weights.of(result)
        yield Lattice.of(result)
        yield Interactions.of(result)
        yield Form.of(result)
        for name in result.attribute_names:
            yield values_of(result, name)
