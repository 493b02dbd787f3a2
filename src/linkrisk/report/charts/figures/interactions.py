"""How much two attributes count together, by a fuzzy measure that was learned."""

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
class Interactions:
    """The interaction index of every pair of attributes, from -1 to 1; confidential."""

    attack: str
    squares: tuple[Square, ...]

    name: ClassVar[str] = "interactions"
    title: ClassVar[str] = "Which attributes count together, and which replace each other"
    is_confidential: ClassVar[bool] = True

    @classmethod
    def of(cls, found: Assessment | Learned, attack: str | None = None) -> Interactions | None:
        """Take the indices of an attack, or of what was learned; None where no measure of two attributes was."""
        learned = LearnedMeaning.of(found, "interactions", attack)
        pairs = [] if learned is None else learned.contents["interactions"]
        if learned is None or not pairs:
            return None
        squares = tuple(Square(entry["attributes"][1], entry["attributes"][0], entry["interaction"]) for entry in pairs)
        order = {name: place for place, name in enumerate(learned.contents["shapley"])}
        return cls(learned.attack, tuple(sorted(squares, key=lambda each: (order[each.row], order[each.column]))))

    @property
    def caption(self) -> str:
        """Which pair has the largest index, and how to read it."""
        pair = max(self.squares, key=lambda each: abs(each.value))
        return (
            f"Interaction indices of the fuzzy measure that {self.attack} learned. Above 0 (blue) two attributes count "
            "more together than each alone; below 0 (orange) one replaces the other. The strongest is that of "
            f"{pair.column} and {pair.row}, {pair.value:.3f}."
        )

    def table(self) -> Table:
        """Return one row per pair."""
        rows = tuple((square.column, square.row, f"{square.value:.4f}") for square in self.squares)
        return Table(make_columns(("attribute", "with"), ("interaction",)), rows, self.title, is_confidential=True)

    def draw(self) -> Chart:
        """Draw the indices as squares below the diagonal."""
        return draw_squares(self.squares, self.title)


def interactions(found: Assessment | Learned, attack: str | None = None) -> Chart:
    """Draw the interaction indices of a learned fuzzy measure, by default of the strongest attack; confidential."""
    return drawn(Interactions.of(found, attack), WHY)
