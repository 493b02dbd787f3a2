"""How far the numbers of each attribute moved."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.losses.result import Loss
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import name_axis, text_beside, upright_rule
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns


@dataclass(frozen=True)
class ChangeRow:
    """How far the values of an attribute moved on average, in units of sqrt(2) standard deviations."""

    attribute: str
    moved: float


@dataclass(frozen=True)
class ValueChanges:
    """IL1s of each numeric attribute, in the order of the file, and of all of them."""

    rows: tuple[ChangeRow, ...]
    mean: float

    name: ClassVar[str] = "value_changes"
    title: ClassVar[str] = "How far numbers moved"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, loss: Loss) -> ValueChanges | None:
        """Take IL1s by attribute; None where no numeric attribute varies."""
        found = {} if loss.value_changes is None else loss.value_changes.by_attribute
        rows = tuple(ChangeRow(name, moved) for name, moved in found.items() if not math.isnan(moved))
        return cls(rows, loss.il1s) if rows else None

    @property
    def caption(self) -> str:
        """Which attribute moved most, and what the unit is."""
        most = max(self.rows, key=lambda row: row.moved)
        return (
            "IL1s: the mean distance of values from their originals, in units of sqrt(2) standard deviations of the "
            f"original; {self.mean:.3f} over all attributes (dashed line). {most.attribute} moved most, by "
            f"{most.moved:.3f}."
        )

    def table(self) -> Table:
        """Return one row per attribute."""
        rows = tuple((row.attribute, f"{row.moved:.4f}") for row in self.rows)
        return Table(make_columns(("attribute",), ("IL1s",)), rows, self.title)

    def draw(self) -> Chart:
        """Draw a bar for each attribute."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of(row.attribute for row in self.rows)
        end = max(row.moved for row in self.rows) or 1.0
        axis = alt.Axis(title="mean distance from the original, in sqrt(2) deviations", tickCount=5)
        x = alt.X("moved:Q", scale=alt.Scale(domain=[0.0, end], nice=True), axis=axis)
        rows = [
            {**asdict(row), "label": label, "said": f"{row.moved:.3f}"}
            for row, label in zip(self.rows, labels, strict=True)
        ]
        base = chart_of(rows).encode(y=name_axis(labels))
        layers = [
            base.mark_bar(size=15, fill=style.BLUE).encode(x=x),
            upright_rule(self.mean, "mean"),
            text_beside(base),
        ]
        return finished(layers, self.title, height=rows_high())


def value_changes(loss: Loss) -> Chart:
    """Draw how far the numbers of each attribute moved (IL1s)."""
    return drawn(ValueChanges.of(loss), "no numeric attribute varies, so there are no changes of numbers to draw")
