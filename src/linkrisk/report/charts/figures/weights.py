"""The weights of a weighted mean, or of the positions of an OWA, that were learned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.learning.learned import Learned
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import interval_layers, name_axis, text_beside
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.meanings import WHY, LearnedMeaning, weight_text
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns, without_empty


@dataclass(frozen=True)
class WeightRow:
    """A weight, and the least and the largest it can be while the same people are linked, where that is known."""

    what: str
    weight: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Weights:
    """The weights of attributes, or of positions from the largest difference on; confidential."""

    attack: str
    rows: tuple[WeightRow, ...]

    name: ClassVar[str] = "weights"
    title: ClassVar[str] = "The weights that link most"
    is_confidential: ClassVar[bool] = True

    @classmethod
    def of(cls, found: Assessment | Learned, attack: str | None = None) -> Weights | None:
        """Take the weights of an attack, or of what was learned; None where there are none."""
        learned = LearnedMeaning.of(found, "weights", attack)
        if learned is None:
            return None
        told = learned.contents["weights"]
        is_named = isinstance(told, Mapping)
        weights = told if is_named else {f"position {place}": weight for place, weight in enumerate(told, 1)}
        rows = []
        for label, weight in weights.items():
            low, high = learned.ranges.get(label, (math.nan, math.nan))
            is_known = math.isfinite(low) and math.isfinite(high)
            what = label if is_named else f"{label.removeprefix('position ')}. largest difference"
            rows.append(WeightRow(what, weight, low if is_known else None, high if is_known else None))
        return cls(learned.attack, tuple(rows))

    @property
    def caption(self) -> str:
        """Which weight is largest, and what the lines are."""
        most = max(self.rows, key=lambda row: row.weight)
        head = f"The weights that {self.attack} learned; they add up to 1. The largest is that of {most.what}, "
        ranges = " Lines: how far each may be changed while the same people are linked."
        return f"{head}{weight_text(most.weight)}.{ranges if any(row.low is not None for row in self.rows) else ''}"

    def table(self) -> Table:
        """Return one row per weight."""
        rows = (
            (row.what, f"{row.weight:.4f}", *("-" if end is None else f"{end:.4f}" for end in (row.low, row.high)))
            for row in self.rows
        )
        columns = make_columns(("",), ("weight", "from", "to"))
        return without_empty(Table(columns, tuple(rows), self.title, is_confidential=True))

    def draw(self) -> Chart:
        """Draw a bar for each weight."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of(row.what for row in self.rows)
        end = 1.05 * max(max(row.weight, row.high or 0.0) for row in self.rows)
        x = alt.X("weight:Q", scale=alt.Scale(domain=[0.0, end], nice=True), axis=alt.Axis(title="weight", tickCount=5))
        rows = [
            {**asdict(row), "label": label, "said": weight_text(row.weight)}
            for row, label in zip(self.rows, labels, strict=True)
        ]
        base = chart_of(rows).encode(y=name_axis(labels))
        layers = [
            base.mark_bar(size=15, fill=style.BLUE).encode(x=x),
            *interval_layers(base),
            text_beside(base),
        ]
        return finished(layers, self.title, height=rows_high())


def weights(found: Assessment | Learned, attack: str | None = None) -> Chart:
    """Draw the learned weights of attributes or positions, by default of the strongest attack; confidential."""
    return drawn(Weights.of(found, attack), WHY)
