"""Which charts a result has, and which of them is the main one."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from linkrisk.errors import NoChartError
from linkrisk.report.charts.figure import Chart, Figure
from linkrisk.result import Result

MODULES = {
    "Assessment": "of_assessment",
    "Loss": "of_loss",
    "MatchReport": "of_matches",
    "PaperComparison": "of_papers",
    "Releases": "of_advice",
    "StudyResult": "of_study",
    "Tuning": "of_advice",
}
"""The module of each result that has charts, loaded when the first is drawn."""


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
    timed = getattr(_module(result), "timed", None)
    course = None if timed is None else timed(result)
    if course is not None:
        yield course
    yield from (figure for figure in _figures(result, confidential=True) if figure is not None)


def _figures(result: Result, *, confidential: bool) -> Iterator[Figure | None]:
    module = _module(result)
    if module is not None:
        yield from module.figures(result, confidential=confidential)


def _module(result: Result) -> Any:
    name = MODULES.get(type(result).__name__)
    return None if name is None else importlib.import_module(f"linkrisk.report.charts.{name}")
