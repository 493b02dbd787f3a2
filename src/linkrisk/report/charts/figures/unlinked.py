"""What learning weights brings, and how long it takes, against the people that stay unlinked (Figures 2 to 5)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.marks import Mark, mark_channels
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult
from linkrisk.study.store.store import Row
from linkrisk.study.summary import Spread

IMPROVEMENT, SECONDS = "improvement", "seconds"
"""What is drawn: links gained, in points of percent, or seconds of learning."""

PAIR = ("MicAll", "Mic3")
"""The two protections that the paper draws alone (abril2012-weights.txt, Figures 3 and 5)."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
FILLS = (style.BLUE, style.ORANGE)

HEIGHT = 340
"""Height of the chart, in pixels."""

LEAST_SECONDS = 0.001
"""Where an axis of seconds begins."""

POWERS = [10.0**power for power in range(-3, 6)]
"""What is written at an axis of seconds."""


@dataclass(frozen=True)
class Point:
    """One sample, or the mean of the samples of one strength."""

    mark: str
    strength: str
    unlinked: float
    value: float


@dataclass(frozen=True)
class Unlinked:
    """Points of all protections of a study, or of some; each is one sample, or a mean of samples (``is_mean``)."""

    kind: str
    rows: tuple[Point, ...]
    is_mean: bool

    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, study: StudyResult, kind: str, only: Collection[str] = (), *, is_mean: bool = False) -> Unlinked | None:
        """Take every release that `mean` and `weighted_mean` attacked; None where there is none."""
        points = list(_points(study, kind, only))
        if is_mean:
            points = list(_means(points))
        return cls(kind, tuple(points), is_mean) if points else None

    @property
    def name(self) -> str:
        """One word: what is drawn, and of how much."""
        return f"{self.kind}_of_two" if self.is_mean else self.kind

    @property
    def title(self) -> str:
        """What is drawn."""
        what = "What learning weights gains" if self.kind == IMPROVEMENT else "How long learning weights takes"
        return f"{what}, against people that stay unlinked{' (means)' if self.is_mean else ''}"

    @property
    def caption(self) -> str:
        """What is most, and how to read it."""
        what = "the mean of the samples of one strength" if self.is_mean else "one sample"
        most = max(self.rows, key=lambda row: row.value)
        unit = "points of percent" if self.kind == IMPROVEMENT else "seconds"
        told = (
            "How many more people learned weights link than equal ones"
            if self.kind == IMPROVEMENT
            else "How long it takes to learn weights and to prove that none are better"
        )
        return (
            f"{told}, against the people that they leave unlinked; each of {len(self.rows):,} points is {what}. Most: "
            f"{_figure(most.value)} {unit}, {most.mark} {most.strength}."
        )

    def table(self) -> Table:
        """Return the mean, least and most of each protection: there are many points."""
        rows = []
        for mark in dict.fromkeys(row.mark for row in self.rows):
            own = [row for row in self.rows if row.mark == mark]
            unlinked, values = [row.unlinked for row in own], [row.value for row in own]
            rows.append((mark, f"{len(own):,}", *map(_text, (min(unlinked), max(unlinked))), *_summary(values)))
        numbers = ("points", "unlinked from", "to", f"{self.kind}, mean", "least", "most")
        return Table(make_columns(("protection",), numbers), tuple(rows), self.title)

    def draw(self) -> Chart:
        """Draw each point; seconds on a logarithmic scale."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        names = list(dict.fromkeys(row.mark for row in self.rows))
        looks = [Mark(shape, fill, fill) for shape in SHAPES for fill in FILLS]
        channels = mark_channels(dict(zip(names, looks, strict=False)), columns=6)
        x = alt.X("unlinked:Q", axis=alt.Axis(title="people unlinked by the learned weights", tickCount=6))
        if self.kind == SECONDS:
            axis = alt.Axis(title="seconds of learning", values=POWERS, format="~g")
            y = alt.Y("value:Q", scale=alt.Scale(type="log"), axis=axis)
        else:
            y = alt.Y("value:Q", axis=alt.Axis(title="more people linked, in points of percent", tickCount=5))
        rows = [
            {**asdict(row), "value": max(row.value, LEAST_SECONDS) if self.kind == SECONDS else row.value}
            for row in self.rows
        ]
        size = 46 if self.is_mean else 22
        points = chart_of(rows).mark_point(size=size, opacity=0.75, strokeWidth=0.8).encode(x=x, y=y, **channels)
        return finished([points], self.title, height=HEIGHT)


def _points(study: StudyResult, kind: str, only: Collection[str]) -> Iterator[Point]:
    """Yield one point for each release that both attacked."""
    of_mean: dict[tuple[object, ...], float] = {}
    learned: dict[tuple[object, ...], Row] = {}
    for row in study.rows:
        if row.measure == "links" and row.problem is None and (not only or row.protection in only):
            key: tuple[object, ...] = (row.data, row.protection, row.parameters, row.scale, row.ties, row.repeat)
            if row.attacker == "mean":
                of_mean[key] = float(row.figures["rate"])
            elif row.attacker == "weighted_mean":
                learned[key] = row
    for found, row in learned.items():
        if found in of_mean:
            n_people, links = float(row.figures["people"]), float(row.figures["links"])
            gained = 100.0 * (links / n_people - of_mean[found])
            value = gained if kind == IMPROVEMENT else float(row.figures["learning_seconds"])
            strength = " ".join(f"{name} = {one}" for name, one in row.parameters)
            yield Point(row.protection, strength, n_people - links, value)


def _means(points: Sequence[Point]) -> Iterator[Point]:
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.mark, point.strength), []).append(point)
    for (mark, strength), own in groups.items():
        unlinked, value = (Spread.of(each).mean for each in ([p.unlinked for p in own], [p.value for p in own]))
        yield Point(mark, strength, unlinked, value)


def _summary(values: Sequence[float]) -> tuple[str, str, str]:
    return _text(math.fsum(values) / len(values)), _text(min(values)), _text(max(values))


def _figure(value: float) -> str:
    """Write a figure with a decimal, a small one with two digits.

    >>> _figure(1234.56), _figure(0.0372)
    ('1,234.6', '0.037')
    """
    return f"{value:,.1f}" if abs(value) >= 1 else f"{value:.2g}"


def _text(value: float) -> str:
    return f"{value:,.2f}" if value % 1 else f"{value:,.0f}"
