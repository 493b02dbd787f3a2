"""How well an intruder ranks his matches, while tables are published (smith-elliot-bayesian.txt, An experiment)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.marks import Mark, mark_channels
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult

LOOKS = (
    Mark("circle", style.BLUE, style.BLUE),
    Mark("square", style.PAPER, style.BLUE),
    Mark("triangle-up", style.ORANGE, style.ORANGE),
    Mark("diamond", style.PAPER, style.ORANGE),
)

HEIGHT = 260
"""Height of the chart, in pixels."""


@dataclass(frozen=True)
class Point:
    """A rank correlation, after some tables were published."""

    mark: str
    tables: int
    correlation: float


@dataclass(frozen=True)
class Ranking:
    """Rank correlations of the probabilities said with the true ones, by way of judging, for one population."""

    people: str
    rows: tuple[Point, ...]

    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, study: StudyResult) -> list[Ranking]:
        """Take every matching of a study."""
        found: dict[str, list[Point]] = {}
        for group in study.groups:
            if group.measure == "matching":
                n_tables = int(dict(group.parameters)["tables"])
                found.setdefault(group.data, []).append(Point(_way(group.attacker), n_tables, group.main.mean))
        return [cls(people, tuple(rows)) for people, rows in found.items()]

    @property
    def name(self) -> str:
        """One word, with the people."""
        return "ranking-" + self.people.replace(" ", "-").lower()

    @property
    def title(self) -> str:
        """Which people."""
        return f"Rank correlation of probabilities said and true: {self.people}"

    @property
    def caption(self) -> str:
        """From where it rises to where."""
        last = max(row.tables for row in self.rows)
        return f"{self._before()} After {last} tables: {self._after(last)}."

    def _before(self) -> str:
        if all(row.correlation == 0.0 for row in self.rows if row.tables == 0):
            return "Before any table all matches look alike (0)."
        return f"Before any table: {self._after(0)}."

    def _after(self, tables: int) -> str:
        return "; ".join(f"{row.mark} {row.correlation:.2f}" for row in self.rows if row.tables == tables)

    def table(self) -> Table:
        """Return one row per point."""
        rows = tuple((row.mark, str(row.tables), f"{row.correlation:.3f}") for row in self.rows)
        return Table(make_columns(("way",), ("tables", "correlation")), rows, self.title)

    def draw(self) -> Chart:
        """Draw a line for each way."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        axis = alt.Axis(title="tables published", tickMinStep=1, format="d")
        x = alt.X("tables:Q", axis=axis, scale=alt.Scale(nice=False, padding=style.POINT))
        y = alt.Y("correlation:Q", axis=alt.Axis(title="rank correlation", tickCount=5))
        ways = list(dict.fromkeys(row.mark for row in self.rows))
        channels = mark_channels(dict(zip(ways, LOOKS, strict=False)), columns=2)
        layers = [
            chart_of(row for row in self.rows if row.mark == way)
            .mark_line(color=look.stroke, strokeWidth=1.5)
            .encode(x=x, y=y)
            for way, look in zip(ways, LOOKS, strict=False)
        ]
        points = chart_of(asdict(row) for row in self.rows).mark_point(size=70, opacity=1.0, strokeWidth=1.5)
        return finished([*layers, points.encode(x=x, y=y, **channels)], self.title, height=HEIGHT)


def _way(told: str | None) -> str:
    posterior, bounds = str(told).split()
    return f"{posterior} posterior, {bounds} bounds"
