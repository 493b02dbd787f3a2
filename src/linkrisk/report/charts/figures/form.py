"""The matrix of a bilinear form that was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.learning.learned import Learned
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.heat_map import Square, draw_squares
from linkrisk.report.charts.meanings import WHY, LearnedMeaning
from linkrisk.report.tables import Table, make_columns


@dataclass(frozen=True)
class Form:
    """Every entry of the matrix S of a form diff' S diff, row by row; confidential."""

    attack: str
    squares: tuple[Square, ...]

    name: ClassVar[str] = "form"
    title: ClassVar[str] = "The form that links most: how differences count together"
    is_confidential: ClassVar[bool] = True

    @classmethod
    def of(cls, found: Assessment | Learned, attack: str | None = None) -> Form | None:
        """Take the matrix of an attack, or of what was learned; None where no form was learned."""
        learned = LearnedMeaning.of(found, "matrix", attack)
        if learned is None:
            return None
        matrix = learned.contents["matrix"]
        return cls(learned.attack, tuple(Square(r, c, value) for r, row in matrix.items() for c, value in row.items()))

    @property
    def caption(self) -> str:
        """Which attribute and which pair count most, and how to read it."""
        alone = max((square for square in self.squares if square.row == square.column), key=lambda each: each.value)
        pairs = [square for square in self.squares if square.row < square.column]
        head = (
            f"The matrix that {self.attack} learned. On the diagonal: how much a difference in one attribute counts; "
            f"most in {alone.row} ({alone.value:.3g})."
        )
        if not pairs:
            return head
        pair = max(pairs, key=lambda each: abs(each.value))
        return (
            f"{head} Beside it: what differences in two attributes count together, blue where the same sign brings "
            f"records apart, orange where opposite signs do; most for {pair.row} and {pair.column} "
            f"({pair.value:.3g})."
        )

    def table(self) -> Table:
        """Return one row per entry of the matrix."""
        rows = tuple((square.row, square.column, f"{square.value:.4g}") for square in self.squares)
        return Table(make_columns(("attribute", "with"), ("entry",)), rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw the matrix as squares."""
        return draw_squares(self.squares, self.title)


def form(found: Assessment | Learned, attack: str | None = None) -> Chart:
    """Draw the matrix of a learned bilinear form, by default of the strongest attack that has one; confidential."""
    return drawn(Form.of(found, attack), WHY)
