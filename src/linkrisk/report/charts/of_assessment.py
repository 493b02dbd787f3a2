"""The charts of an assessment."""

from __future__ import annotations

from collections.abc import Iterator

from linkrisk.assessment.result import Assessment
from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.figures.attackers import Attackers
from linkrisk.report.charts.figures.attributes import Attributes
from linkrisk.report.charts.figures.course import SearchCourse
from linkrisk.report.charts.figures.form import Form
from linkrisk.report.charts.figures.groups import Groups
from linkrisk.report.charts.figures.interactions import Interactions
from linkrisk.report.charts.figures.lattice import Lattice
from linkrisk.report.charts.figures.margins import Margins
from linkrisk.report.charts.figures.records import Records
from linkrisk.report.charts.figures.values import values_of
from linkrisk.report.charts.figures.weights import Weights


def figures(result: Assessment, *, confidential: bool) -> Iterator[Figure | None]:
    """Yield the charts, the main one first; what they do not apply to is None."""
    yield Attackers.of(result)
    yield Attributes.of(result, parameters=confidential)
    yield _whole(Records.of(result, confidential=confidential))
    yield Margins.of(result, confidential=confidential)
    yield from Groups.all_of(result, confidential=confidential)
    if confidential:
        yield Weights.of(result)
        yield Lattice.of(result)
        yield Interactions.of(result)
        yield Form.of(result)
        for name in result.attribute_names:
            yield values_of(result, name)


def _whole(found: Records | None) -> Records | None:
    """Return a chart of which no bin is hidden: what is hidden would follow from margins and verdict."""
    return None if found is None or found.bins.n_hidden else found


def timed(result: Assessment) -> Figure | None:
    """Return the chart that differs from run to run: the course of the longest search."""
    return SearchCourse.of(result)
