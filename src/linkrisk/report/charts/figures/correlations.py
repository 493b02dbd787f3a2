"""The correlations of the attributes of an original (abril-bilinear.txt, Figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.heat_map import Square, draw_squares
from linkrisk.report.tables import Table, make_columns
from linkrisk.study.result import StudyResult


@dataclass(frozen=True)
class Correlations:
    """Pearson's correlation of every pair of numbers."""

    squares: tuple[Square, ...]

    name: ClassVar[str] = "correlations"
    title: ClassVar[str] = "Correlations of the attributes"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls, study: StudyResult) -> Correlations | None:
        """Take them from the first cell of the measure moments; None where there is none."""
        row = next((row for row in study.rows if row.measure == "moments" and row.problem is None), None)
        if row is None:
            return None
        names, table = row.details["attributes"], row.details["correlations"]
        squares = tuple(
            Square(names[i], names[j], table[i][j])
            for i in range(len(names))
            for j in range(i)
            if table[i][j] is not None
        )
        return cls(squares) if squares else None

    @property
    def caption(self) -> str:
        """Which pair is most alike."""
        most = max(self.squares, key=lambda each: abs(each.value))
        return (
            "Pearson's correlation of each pair of attributes; the largest is that of "
            f"{most.row} and {most.column}, {most.value:.3f}."
        )

    def table(self) -> Table:
        """Return one row per pair."""
        rows = tuple((each.column, each.row, f"{each.value:.4f}") for each in self.squares)
        return Table(make_columns(("attribute", "with"), ("correlation",)), rows, self.title)

    def draw(self) -> Chart:
        """Draw squares below the diagonal."""
        return draw_squares(self.squares, self.title)
