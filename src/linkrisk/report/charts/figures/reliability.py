"""Whether an intruder's probabilities of matches come true, where the truth is known."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns, share_text
from linkrisk.tables.result import MatchReport
from linkrisk.tables.truth import Reliability as ReliabilityBin

HEIGHT = 300
"""Height of the chart, in pixels."""


@dataclass(frozen=True)
class Reliability:
    """What was said and what is true of matches, in bins of what was said; confidential, because bins may hold few."""

    rows: tuple[ReliabilityBin, ...]
    brier: float

    name: ClassVar[str] = "reliability"
    title: ClassVar[str] = "Whether probabilities of matches come true"
    is_confidential: ClassVar[bool] = True

    @classmethod
    def of(cls, report: MatchReport) -> Reliability | None:
        """Take the reliability of a report; None where the truth is not known."""
        judgement = report.judgement
        return cls(judgement.reliability, judgement.brier) if judgement is not None and judgement.reliability else None

    @property
    def caption(self) -> str:
        """How far it is from the truth, and how to read it."""
        n_matches = sum(row.n_matches for row in self.rows)
        return (
            f"{n_matches:,} matches, put together by the probability that the intruder gives them: what he says "
            "against the share that is right. On the dashed line he is as sure as he may be; below it he is too sure. "
            "The size of a point tells how many matches it stands for. "
            f"Brier score {self.brier:.4f}; 0 is perfect."
        )

    def table(self) -> Table:
        """Return one row per bin."""
        rows = (
            (f"{row.low:.0%} to {row.high:.0%}", share_text(row.said), share_text(row.true), f"{row.n_matches:,}")
            for row in self.rows
        )
        columns = make_columns(("probability",), ("said", "true", "matches"))
        return Table(columns, tuple(rows), self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw one point per bin, and the line on which they should be."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        said = alt.Axis(title="probability said", format=".0%", tickCount=5)
        true = alt.Axis(title="share that is right", format=".0%", tickCount=5)
        scale = alt.Scale(domain=[0.0, 1.0], nice=False)
        x, y = alt.X("said:Q", scale=scale, axis=said), alt.Y("true:Q", scale=scale, axis=true)
        most = max(row.n_matches for row in self.rows)
        size = alt.Size("n_matches:Q", scale=alt.Scale(domain=[0, most], range=[20, 500]), legend=None)
        base = chart_of(asdict(row) for row in self.rows).encode(x=x, y=y)
        line = chart_of([{"said": end, "true": end} for end in (0.0, 1.0)]).encode(x=x, y=y)
        says = base.encode(text=alt.Text("n_matches:Q", format=","))
        layers = [
            line.mark_line(color=style.MUTED, strokeDash=[4, 3], strokeWidth=1.5),
            base.mark_point(fill=style.BLUE, stroke=style.PAPER, opacity=1.0).encode(size=size),
            says.mark_text(align="left", dx=14, dy=12, stroke=style.PAPER, strokeWidth=4),  # the line ends there
            says.mark_text(align="left", dx=14, dy=12),
        ]
        return finished(layers, self.title, height=HEIGHT)


def reliability(report: MatchReport) -> Chart:
    """Draw what was said of matches against what is true; confidential."""
    why = "the truth about the matches is not known, so there is no reliability to draw; give the population"
    return drawn(Reliability.of(report), why)
