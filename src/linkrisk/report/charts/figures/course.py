"""How learning closed in: the links of the best parameters and the bound, over time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.attack.course import CoursePoint
from linkrisk.report.assessment.sentences import links_text
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import share_end, share_format
from linkrisk.report.charts.choosing import chosen_attack, name_of
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns

HEIGHT = 200
"""Height of the chart, in pixels."""

HALF = 0.5
"""Shares up to which the chart shows less than all."""

BEST, BOUND = "best found", "bound"

LOOKS = {BOUND: (style.ORANGE, [6, 3]), BEST: (style.BLUE, [1, 0])}
"""Colour and dashes of each line."""

LOW = 0.12
"""Share of the height below which there is no room for a name under a line."""


@dataclass(frozen=True)
class LinePoint:
    """A point of one of the lines, with what is written at its end."""

    seconds: float
    line: str
    share: float
    said: str


@dataclass(frozen=True)
class SearchCourse:
    """Where the search of a learned attacker stood, over time; its times differ from run to run."""

    attack: str
    points: tuple[CoursePoint, ...]
    n_people: int

    name: ClassVar[str] = "course"
    title: ClassVar[str] = "How the search for the best attacker closed in"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, assessment: Assessment, attack: str | None = None) -> SearchCourse | None:
        """Take the course of an attack, by default the one that took longest; None where it was over at once."""
        told = [each for each in assessment.attacks if len(each.course) > 1]
        if attack is None:
            chosen = max(told, key=lambda each: each.course[-1].seconds, default=None)
        else:
            chosen = chosen_attack(assessment, attack, lambda each: each in told)
        return None if chosen is None else cls(name_of(chosen), chosen.course, chosen.n_pairs)

    @property
    def caption(self) -> str:
        """Where the search ended, and how to read it."""
        last = self.points[-1]
        bound = "no bound" if last.bound is None else f"a bound of {links_text(last.bound)}"
        return (
            f"{self.attack}: after {last.seconds:.1f} seconds the best parameters link {links_text(last.best)} of "
            f"{self.n_people:,} people to nearest records, with {bound}. The true optimum lies between the two lines."
        )

    def table(self) -> Table:
        """Return one row per point of time."""
        rows = (
            (f"{at.seconds:.1f}", links_text(at.best), "-" if at.bound is None else links_text(at.bound))
            for at in self.points
        )
        return Table(make_columns((), ("seconds", BEST, BOUND)), tuple(rows), self.title)

    def draw(self) -> Chart:
        """Draw two lines that close in."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        rows = list(self._rows())
        end = share_end((row.share for row in rows), small=HALF)
        axis = alt.Axis(title="share of the people", format=share_format(end), tickCount=5)
        seconds = alt.Axis(title="seconds", tickCount=6)
        last = self.points[-1].seconds
        x = alt.X("seconds:Q", scale=alt.Scale(domain=[0.0, last], nice=False), axis=seconds)
        y = alt.Y("share:Q", scale=alt.Scale(domain=[0.0, end], nice=False), axis=axis)
        layers = []
        for what, (color, dash) in LOOKS.items():
            own = [row for row in rows if row.line == what]
            is_above = what == BOUND or own[-1].share < LOW * end
            line = chart_of(own).encode(x=x, y=y)
            layers.append(line.mark_line(color=color, strokeWidth=2.2, strokeDash=dash, interpolate="step-after"))
            end_of_line = chart_of(own[-1:]).encode(x=x, y=y, text=alt.Text("said:N"))
            layers.append(
                end_of_line.mark_text(align="right", dx=-4, dy=-9 if is_above else 9, color=color, fontWeight=600)
            )
        return finished(layers, self.title, height=HEIGHT)

    def _rows(self) -> Iterator[LinePoint]:
        for at in self.points:
            for what, links in ((BOUND, at.bound), (BEST, at.best)):
                if links is not None:
                    yield LinePoint(at.seconds, what, links / self.n_people, f"{what} {links_text(links)}")


def course(assessment: Assessment, attack: str | None = None) -> Chart:
    """Draw how learning an attacker closed in, by default of the one that took longest."""
    why = "no such attacker was learned for long enough to draw how that went on; see the labels in attacks"
    return drawn(SearchCourse.of(assessment, attack), why)
