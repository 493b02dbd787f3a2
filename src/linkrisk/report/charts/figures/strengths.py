"""How a measure changes with the strength of a protection: the main chart of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.marks import Mark, mark_channels
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult
from linkrisk.study.specification.measure_names import MEASURES
from linkrisk.study.summary import Group

LOOKS = tuple(
    Mark(shape, fill, stroke)
    for shape in ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
    for fill, stroke in ((style.BLUE, style.BLUE), (style.PAPER, style.ORANGE))
)
"""How lines differ: in shape and in filling, so that colours are not needed."""

HEIGHT = 300
"""Height of the chart, in pixels."""

LONGEST = 40
"""Characters of the name of a line."""

OF_ORIGINAL = {"moments"}
"""Measures that no protection changes: there is nothing to draw."""

SHARES = {"rate", "testing", "highest"}
"""Figures that are shares of the people."""

SAID = {"values": "correlation of protected values with original ones"}
"""What the figure of a measure is, where that is not what the measure is called."""


@dataclass(frozen=True)
class Point:
    """The mean over the repeats at one strength, and one standard error to both sides."""

    mark: str
    strength: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Strengths:
    """Lines of means over one parameter of the grid, one for each data, protection, attacker, scale and tie rule.

    ``n_left_out``: lines for which there are no more marks.
    """

    measure: str
    parameter: str
    rows: tuple[Point, ...]
    n_left_out: int

    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, study: StudyResult) -> list[Strengths]:
        """Take each measure of which there are strengths in numbers, one parameter at a time."""
        return [
            made
            for measure in MEASURES
            if measure not in OF_ORIGINAL
            for parameter in _parameters(study, measure)
            if (made := _of(study, measure, parameter)) is not None
        ]

    @property
    def name(self) -> str:
        """One word, of the measure and the parameter."""
        return f"{self.measure}-{self.parameter}"

    @property
    def title(self) -> str:
        """What is drawn."""
        return f"{self.what[:1].upper()}{self.what[1:]}, by {self.parameter}"

    @property
    def what(self) -> str:
        """What is measured, in words."""
        return SAID.get(self.measure, MEASURES[self.measure].what)

    @property
    def is_share(self) -> bool:
        """Whether the figure is a share, told in percent."""
        return MEASURES[self.measure].main in SHARES

    @property
    def caption(self) -> str:
        """Which line is highest, and how to read it."""
        most = max(self.rows, key=lambda row: row.mean)
        left = f" {self.n_left_out} more lines are in the table of the study." if self.n_left_out else ""
        return (
            f"Means over the repeats, with one standard error to both sides. Highest: {most.mark} at {self.parameter} "
            f"= {most.strength:g}, {most.mean:{'.1%' if self.is_share else ',.3f'}}.{left}"
        )

    def table(self) -> Table:
        """Return one row per point."""
        rows = tuple(
            (row.mark, f"{row.strength:g}", f"{row.mean:.4f}", f"{row.low:.4f}", f"{row.high:.4f}") for row in self.rows
        )
        return Table(make_columns(("line",), (self.parameter, "mean", "from", "to")), rows, self.title)

    def draw(self) -> Chart:
        """Draw a line with its points and errors for each combination."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        lines = list(dict.fromkeys(row.mark for row in self.rows))
        looks = dict(zip(lines, LOOKS, strict=False))
        step = 1 if all(row.strength.is_integer() for row in self.rows) else alt.Undefined
        x = alt.X(
            "strength:Q",
            axis=alt.Axis(title=self.parameter, tickCount=8, tickMinStep=step),
            scale=alt.Scale(zero=False, nice=False, padding=style.POINT),
        )
        axis = alt.Axis(title=self.what, tickCount=5, format="~%" if self.is_share else alt.Undefined)
        y = alt.Y("mean:Q", axis=axis)
        layers = []
        for line, look in looks.items():
            base = chart_of(row for row in self.rows if row.mark == line).encode(x=x)
            layers.append(base.mark_line(color=look.stroke, strokeWidth=1.4).encode(y=y))
            layers.append(base.mark_rule(color=look.stroke).encode(y=alt.Y("low:Q"), y2=alt.Y2("high")))
        points = chart_of(asdict(row) for row in self.rows).mark_point(size=60, opacity=1.0, strokeWidth=1.5)
        return finished(
            [*layers, points.encode(x=x, y=y, **mark_channels(looks, columns=2))], self.title, height=HEIGHT
        )


def _parameters(study: StudyResult, measure: str) -> list[str]:
    """Return the parameters that are numbers and take more than one value."""
    values: dict[str, set[object]] = {}
    for group in study.groups:
        if group.measure == measure:
            for name, value in group.parameters:
                values.setdefault(name, set()).add(value)
    return [name for name, found in values.items() if len(found) > 1 and all(map(_is_number, found))]


def _of(study: StudyResult, measure: str, parameter: str) -> Strengths | None:
    groups = [each for each in study.groups if each.measure == measure and parameter in dict(each.parameters)]
    groups = [each for each in groups if not math.isnan(each.main.mean)]
    words = [_words(group, parameter) for group in groups]
    differing = [place for place in range(len(words[0]) if words else 0) if len({each[place] for each in words}) > 1]
    texts = labels_of([", ".join(each[p] for p in differing if each[p]) or measure for each in words], LONGEST)
    kept = list(dict.fromkeys(texts))
    points = sorted(_points(groups, texts, parameter), key=lambda row: (kept.index(row.mark), row.strength))
    shown = tuple(row for row in points if row.mark in kept[: len(LOOKS)])
    return Strengths(measure, parameter, shown, max(0, len(kept) - len(LOOKS))) if shown else None


def _points(groups: Sequence[Group], texts: Sequence[str], parameter: str) -> Iterator[Point]:
    for group, text in zip(groups, texts, strict=True):
        main = group.main
        error = 0.0 if math.isnan(main.error) else main.error
        strength = float(dict(group.parameters)[parameter])
        yield Point(text, strength, main.mean, main.mean - error, main.mean + error)


def _words(group: Group, parameter: str) -> tuple[str, ...]:
    """Return what tells a line from others."""
    others = " ".join(f"{name}={value}" for name, value in group.parameters if name != parameter)
    return (group.data, group.protection, others, group.attacker_label, group.scale or "", group.ties or "")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
