"""Risk against loss: releases side by side, or what tuning tried, with the front that no other beats."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.advice.releases import Releases
from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import share_end, share_format
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.marks import LYING_DASH, Mark, mark_channels
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.releases import LETTERS
from linkrisk.report.tables import Table, make_columns, share_text
from linkrisk.result import Result

RELEASE, BEATEN = "nothing has less risk and less loss", "another release is better"
REACHED, MISSED, PARTIAL, TARGET = "reaches the target", "does not", "risks at least this", "target"

MARKS = {
    RELEASE: Mark("circle", style.BLUE, style.BLUE),
    BEATEN: Mark("circle", style.PAPER, style.BLUE),
    REACHED: Mark("circle", style.BLUE, style.BLUE),
    MISSED: Mark("cross", style.ORANGE, style.ORANGE),
    PARTIAL: Mark("triangle-up", style.PAPER, style.ORANGE),
    TARGET: Mark(LYING_DASH),
}
"""How releases look; shapes say what colours say."""

HEIGHT = 320
"""Height of the map, in pixels."""

HALF, ROOM = 0.5, 1.04
"""Risks up to which the map shows less than all, and how much farther than the largest loss it goes, for a label."""

MANY = 15
"""Points from which on they are drawn smaller."""


@dataclass(frozen=True)
class Point:
    """One release: what it risks, as a share of the people, and what it loses, from 0 to 100.

    ``label`` stands beside it; empty where there is no room for all.
    """

    label: str
    release: str
    risk: float
    loss: float
    mark: str
    is_on_front: bool


@dataclass(frozen=True)
class RiskLoss:
    """Releases as points of loss and risk; ``target`` is the risk that was asked for, if one was."""

    rows: tuple[Point, ...]
    n_people: int
    target: float | None = None

    name: ClassVar[str] = "risk_loss"
    title: ClassVar[str] = "Risk against information loss"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, found: Result) -> RiskLoss | None:
        """Take the releases of a comparison, or the trials of a tuning; None where there are none."""
        if isinstance(found, Releases):
            points = tuple(_compared(found))
            return cls(points, found.n_pairs) if points else None
        if isinstance(found, Tuning):
            tried = tuple(_tried(found))
            return cls(tried, found.n_records, found.target) if tried else None
        return None

    @property
    def front(self) -> tuple[Point, ...]:
        """The points such that no other has both less risk and less loss, those of least loss first."""
        return tuple(sorted((row for row in self.rows if row.is_on_front), key=lambda row: (row.loss, -row.risk)))

    @property
    def caption(self) -> str:
        """How many releases there are, which are on the front, and how to read it."""
        many = "1 release" if len(self.rows) == 1 else f"{len(self.rows)} releases"
        head = f"Risk (people found, of {self.n_people:,}) against information loss of {many}; low and left is better."
        return f"{head}{''.join(self._told())}"

    def _told(self) -> Iterator[str]:
        front = self.front
        if front:
            ends = f"from {share_text(front[0].risk)} at loss {front[0].loss:.1f}"
            yield f" The line joins the {len(front)} that no other beats in both, {ends}"
            yield "." if len(front) == 1 else f" to {share_text(front[-1].risk)} at loss {front[-1].loss:.1f}."
        if self.target is not None:
            n_reached = sum(row.mark == REACHED for row in self.rows)
            yield f" {n_reached} reach the target of {share_text(self.target)}."
        if any(row.mark == PARTIAL for row in self.rows):
            yield " A triangle was attacked no further once it was above the target: its risk is at least this."

    def table(self) -> Table:
        """Return one row per release."""
        rows = (
            (
                row.label,
                row.release,
                row.mark,
                _yes(row.is_on_front),
                share_text(row.risk),
                f"{row.loss:.1f}",
            )
            for row in self.rows
        )
        return Table(make_columns(("", "release", "is", "on the front"), ("risk", "loss")), tuple(rows), self.title)

    def draw(self) -> Chart:
        """Draw every release as a point, the front as a line."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        shown = {row.mark for row in self.rows} | ({TARGET} if self.target is not None else set())
        channels = mark_channels({what: mark for what, mark in MARKS.items() if what in shown})
        end = share_end([*(row.risk for row in self.rows), self.target], small=HALF)
        axis = alt.Axis(format=share_format(end), title="risk: share of the people found", tickCount=5)
        y = alt.Y("risk:Q", scale=alt.Scale(domain=[0.0, end], nice=False), axis=axis)
        most = max(row.loss for row in self.rows) * ROOM
        axis = alt.Axis(title="information loss", tickCount=6)
        x = alt.X("loss:Q", scale=alt.Scale(domain=[0.0, most or 1.0], nice=True), axis=axis)
        base = chart_of(asdict(row) for row in self.rows).encode(x=x, y=y)
        front = chart_of(asdict(row) for row in self.front).encode(x=x, y=y)
        layers = [
            front.mark_line(color=style.MUTED, strokeWidth=1.5, interpolate="step-after"),
            base.mark_point(size=110 if len(self.rows) < MANY else 60, strokeWidth=1.6, opacity=1.0).encode(**channels),
            base.mark_text(align="left", dx=8, dy=-8, fontWeight=600).encode(text=alt.Text("label:N")),
        ]
        if self.target is not None:
            target = chart_of([{"target": self.target}]).mark_rule(color=style.INK, strokeDash=[4, 3])
            layers.insert(0, target.encode(y=alt.Y("target:Q")))
        return finished(layers, self.title, height=HEIGHT)


def _compared(found: Releases) -> Iterator[Point]:
    best = found.undominated
    for place, release in enumerate(found.releases):
        is_best, letter = release in best, LETTERS[place % len(LETTERS)]
        if not math.isnan(release.loss):
            mark = RELEASE if is_best else BEATEN
            yield Point(letter, release.name, float(release.risk.rate), float(release.loss), mark, is_best)


def _tried(found: Tuning) -> Iterator[Point]:
    front = found.front
    for trial in found.trials:
        label = "best" if trial == found.best else ""
        yield Point(label, trial.text, float(trial.risk), float(trial.loss), _mark(trial), trial in front)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else ""


def _mark(trial: Trial) -> str:
    if trial.is_reached:
        return REACHED
    return PARTIAL if trial.is_partial else MISSED


def risk_loss(found: Releases | Tuning) -> Chart:
    """Draw risk against information loss, with the front, and the target where one was asked for."""
    return drawn(RiskLoss.of(found), "no release was judged, so there is no risk and no loss to draw")
