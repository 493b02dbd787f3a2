"""What a protected file no longer tells: information loss by component and by attribute."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.losses.result import Loss
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import name_axis, text_beside
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns

PARTS = ("means", "variances", "covariances", "correlations", "quantiles")
"""The five parts of PIL."""


@dataclass(frozen=True)
class LossRow:
    """One figure of what is lost, from 0 (nothing) to 100 (everything)."""

    what: str
    lost: float
    is_main: bool = False


@dataclass(frozen=True)
class LossByPart:
    """The figures of a loss that have a scale from 0 to 100: PIL with its parts, tables, entropy."""

    rows: tuple[LossRow, ...]
    n_people: int

    name: ClassVar[str] = "loss"
    title: ClassVar[str] = "What the protected file no longer tells"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, loss: Loss) -> LossByPart | None:
        """Take the figures of a loss that are defined; None where there are none."""
        rows = tuple(row for row in _rows(loss) if not math.isnan(row.lost))
        return cls(rows, loss.n_pairs) if rows else None

    @property
    def caption(self) -> str:
        """What is lost most, and what 0 and 100 mean."""
        most = max(self.rows, key=lambda row: row.lost)
        return (
            "Information loss, from 0 (nothing is lost) to 100 (everything). PIL and its parts: how likely sampling "
            "alone would move a statistic by less. Tables: records in other cells, in percent. Entropy: the share of "
            f"what a category tells that the protected one does not. Most is lost of {most.what}: {most.lost:.1f}."
        )

    def table(self) -> Table:
        """Return one row per figure."""
        rows = tuple((row.what, f"{row.lost:.2f}") for row in self.rows)
        return Table(make_columns(("figure",), ("lost, of 100",)), rows, self.title)

    def draw(self) -> Chart:
        """Draw a bar for each figure; whole ones are dark, their parts pale."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of((row.what for row in self.rows), 30)
        x = alt.X("lost:Q", scale=alt.Scale(domain=[0.0, 100.0]), axis=alt.Axis(title="lost, of 100", tickCount=5))
        rows = [
            {
                **asdict(row),
                "label": label,
                "fill": style.BLUE if row.is_main else style.PALE,
                "said": f"{row.lost:.1f}",
            }
            for row, label in zip(self.rows, labels, strict=True)
        ]
        base = chart_of(rows).encode(y=name_axis(labels))
        layers = [
            base.mark_bar(size=15, stroke=style.BLUE, strokeWidth=1).encode(x=x, fill=alt.Fill("fill:N", scale=None)),
            text_beside(base),
        ]
        return finished(layers, self.title, height=rows_high())


def _rows(loss: Loss) -> Iterator[LossRow]:
    if loss.probabilistic is not None:
        yield LossRow("PIL", loss.probabilistic.pil, is_main=True)
        for part in PARTS:
            yield LossRow(f"PIL of {part}", getattr(loss.probabilistic, part))
    if loss.categories is not None:
        yield LossRow("one-way tables", 100.0 * loss.categories.one_way.moved, is_main=True)
        yield LossRow("two-way tables", 100.0 * loss.categories.two_way.moved, is_main=True)
        yield LossRow("entropy", 100.0 * loss.categories.entropy_share, is_main=True)
        for name, (_, share) in loss.categories.by_attribute.items():
            yield LossRow(f"entropy of {name}", 100.0 * share)


def loss(found: Loss) -> Chart:
    """Draw information loss by component, and by attribute for categories."""
    return drawn(LossByPart.of(found), "no figure of this loss is defined, so there is none to draw")
