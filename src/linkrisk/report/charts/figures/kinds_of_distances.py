"""Which distances are special cases of which (abril-bilinear.txt, Figure 1), asked of the families themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.registry import as_attacker
from linkrisk.distances.family import Family
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.heat_map import Square, draw_squares
from linkrisk.report.tables import Table, make_columns

FAMILIES = ("weighted_mean", "owa", "choquet", "bilinear_psd", "bilinear", "bilinear_free")

MEMBERS = {"mean": ("weighted_mean", "owa"), "mahalanobis": ("bilinear_psd",)}
"""Distances without parameters, and the smallest families that each belongs to: with equal weights, and with the
inverse of a covariance as matrix."""


@dataclass(frozen=True)
class KindsOfDistances:
    """A square of 1 where the distance of a row can be that of a column, whatever the files."""

    squares: tuple[Square, ...]

    name: ClassVar[str] = "kinds_of_distances"
    title: ClassVar[str] = "Which distances are special cases of which"
    is_confidential: ClassVar[bool] = False

    @classmethod
    def of(cls) -> KindsOfDistances:
        """Ask each family what it contains."""
        names = [*MEMBERS, *FAMILIES]
        return cls(tuple(Square(row, column, float(_contains(row, column))) for row in FAMILIES for column in names))

    @property
    def caption(self) -> str:
        """How to read it."""
        return (
            "1: every distance of the kind at the foot is one of the kind at the left, so who learns the latter never "
            "links fewer. Choquet integrals and forms do not contain each other."
        )

    def table(self) -> Table:
        """Return one row for each pair that is so."""
        rows = tuple((each.column, each.row) for each in self.squares if each.value and each.row != each.column)
        return Table(make_columns(("distance", "is a case of")), rows, self.title)

    def draw(self) -> Chart:
        """Draw filled and empty squares."""
        return draw_squares(self.squares, self.title, is_count=True)


def _contains(row: str, column: str) -> bool:
    wider: Callable[[Family], bool] = _family(row).contains
    return any(wider(_family(name)) for name in MEMBERS.get(column, (column,)))


def _family(name: str) -> Family:
    family = as_attacker(name).family()
    if family is None:
        raise ValueError(f"{name} is no family")
    return family
