"""Original against protected values, counted in squares (abril2012-weights.txt, Figure 1): no point is a person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult

N_BINS = 24
"""Squares along each side."""

HEIGHT = 300
"""Height of the chart, in pixels."""

FEW = 6
"""People up to which the key of the colours names each number."""


@dataclass(frozen=True)
class Bin:
    """A square: where it begins and ends, and how many people are in it."""

    x: float
    x2: float
    y: float
    y2: float
    people: int


@dataclass(frozen=True)
class ValuePairs:
    """How many people have original and protected values in each square; squares of few people tell of them."""

    attribute: str
    release: str
    bins: tuple[Bin, ...]
    correlation: float

    is_confidential = True

    @classmethod
    def of(cls, study: StudyResult) -> list[ValuePairs]:
        """Take every release of which values were kept."""
        rows = [row for row in study.rows if row.measure == "values" and row.problem is None and row.repeat == 0]
        return [
            cls(
                row.details["attribute"],
                f"{row.protection.partition(',')[0]}, "
                + " ".join(f"{name} = {value}" for name, value in row.parameters),
                _bins(row.details["original"], row.details["protected"]),
                float(row.figures["correlation"]),
            )
            for row in rows
        ]

    @property
    def name(self) -> str:
        """One word, with the strength."""
        return "values-" + "".join(sign for sign in self.release if sign.isalnum()).lower()

    @property
    def title(self) -> str:
        """Which attribute of which release."""
        return f"{self.attribute}, original against protected: {self.release}"

    @property
    def caption(self) -> str:
        """How far values went."""
        return (
            f"Original and protected values of {self.attribute} ({self.release}), counted in squares; their "
            f"correlation is {self.correlation:.3f}."
        )

    def table(self) -> Table:
        """Return one row per square."""
        rows = tuple((f"{b.x:,.0f} to {b.x2:,.0f}", f"{b.y:,.0f} to {b.y2:,.0f}", str(b.people)) for b in self.bins)
        return Table(make_columns(("original", "protected"), ("people",)), rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw squares, the darker the more people."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        x = alt.X("x:Q", axis=alt.Axis(title="original", tickCount=5))
        y = alt.Y("y:Q", axis=alt.Axis(title="protected", tickCount=5))
        most = max(square.people for square in self.bins)
        few = list(range(1, most + 1)) if most <= FEW else alt.Undefined
        legend = alt.Legend(title="people", format=",d", values=few)
        color = alt.Fill("people:Q", scale=alt.Scale(range=[style.PALE, style.BLUE], type="sqrt"), legend=legend)
        rects = chart_of(self.bins).mark_rect().encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=color)
        return finished([rects], self.title, height=HEIGHT)


def _bins(original: list[float], protected: list[float]) -> tuple[Bin, ...]:
    both = np.array([original, protected])
    ends = np.linspace(both.min(), both.max(), N_BINS + 1)
    counts, _, _ = np.histogram2d(both[0], both[1], bins=[ends, ends])
    return tuple(
        Bin(float(ends[i]), float(ends[i + 1]), float(ends[j]), float(ends[j + 1]), int(counts[i, j]))
        for i, j in zip(*np.nonzero(counts), strict=True)
    )
