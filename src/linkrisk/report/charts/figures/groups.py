"""Risk by the values of a column, such as a region, or of households by their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

from linkrisk.assessment.result import Assessment
from linkrisk.assessment.survey.breakdown import Breakdown, Cell
from linkrisk.report.assessment.sentences import links_text
from linkrisk.report.charts import style
from linkrisk.report.charts.axes import name_axis, share_axis, share_end, text_beside, upright_rule
from linkrisk.report.charts.bins import SMALLEST
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.tables import Table, make_columns, share_text

HOUSEHOLDS, PEOPLE = "groups", "people"
"""Who is counted."""


@dataclass(frozen=True)
class GroupRow:
    """People, or groups, with one value; ``is_rest`` are those whose values are not told apart.

    ``limit`` is "at most" or "at least" where the number found is not told, because it is few, or all but few.
    """

    value: str
    n: int
    found: float
    rate: float
    is_rest: bool
    limit: str = ""

    def without_few(self) -> GroupRow:
        """Return the row with a limit in place of a number that is few, or all but few."""
        if 0.0 < self.found < SMALLEST:
            return replace(self, found=float(SMALLEST), rate=SMALLEST / self.n, limit="at most ")
        if self.n - SMALLEST < self.found < self.n:
            found = self.n - SMALLEST
            return replace(self, found=float(found), rate=found / self.n, limit="at least ")
        return self


@dataclass(frozen=True)
class Groups:
    """What one attack finds by the values of a column; cells of few people are together, as in the table."""

    column: str
    attack: str
    counted: str
    smallest_cell: int
    rows: tuple[GroupRow, ...]
    whole: float
    is_confidential: bool

    name: ClassVar[str] = "groups"

    @classmethod
    def of(cls, assessment: Assessment, column: str | None = None) -> Groups | None:
        """Take the risk by a column, by default the first that was asked for; None where there is none."""
        every = cls.all_of(assessment, confidential=True)
        return next((found for found in every if column in {None, found.column}), None)

    @classmethod
    def all_of(cls, assessment: Assessment, *, confidential: bool = False) -> list[Groups]:
        """Take the risk by every column that was asked for, households first.

        What is not confidential tells no number of people, found or not found, that is few: tables with smaller cells
        are left out.
        """
        survey, best = assessment.survey, assessment.strongest
        found = []
        if survey.groups is not None and survey.groups.attacks:
            most = max(survey.groups.attacks, key=lambda attack: attack.found)
            place = most.label, most.scale
            found.append(cls._of_breakdown(survey.groups.sizes, place, HOUSEHOLDS, survey.groups.column, most.rate))
        if best is not None:
            place = best.label, best.scale
            rate = best.rate(assessment.ties)
            found += [cls._of_breakdown(each, place, PEOPLE, each.column, rate) for each in survey.by]
        if confidential:
            return found
        return [
            replace(each, rows=tuple(row.without_few() for row in each.rows), is_confidential=False)
            for each in found
            if each.smallest_cell >= SMALLEST
        ]

    @classmethod
    def _of_breakdown(cls, found: Breakdown, place: tuple[str, str], counted: str, column: str, whole: float) -> Groups:
        cells = [_row(cell, cell.value, place, is_rest=False) for cell in found.cells]
        if found.others is not None:
            cells.append(_row(found.others, f"{found.n_hidden} others", place, is_rest=True))
        return cls(column, ", ".join(place), counted, found.smallest_cell, tuple(cells), whole, is_confidential=True)

    @property
    def title(self) -> str:
        """Who is found by what."""
        if self.counted == HOUSEHOLDS:
            return f"Groups ({self.column}) found, by number of members"
        return f"People found, by {self.column}"

    @property
    def caption(self) -> str:
        """Where the share is largest, and what is not told apart."""
        rest = " Values of fewer people are put together, with others by which they could be told (pale bar)."
        return (
            f"Share of the {self.counted} that {self.attack} finds, by value; {share_text(self.whole)} of all (dashed "
            f"line).{self._largest()}{rest if any(row.is_rest for row in self.rows) else ''}"
        )

    def _largest(self) -> str:
        """Say which share is largest, where that can be told."""
        if any(row.limit for row in self.rows):
            return (
                f" Where fewer than {SMALLEST} {self.counted} were found, or were not, there is no bar: the number is "
                "hidden, and which share is largest cannot be told."
            )
        most = max(self.rows, key=lambda row: row.rate)
        return f" The largest share is that of {most.value}: {share_text(most.rate)} of {most.n:,}."

    def table(self) -> Table:
        """Return one row per value."""
        rows = (
            (row.value, f"{row.n:,}", f"{row.limit}{links_text(row.found)}", f"{row.limit}{share_text(row.rate)}")
            for row in self.rows
        )
        by = "members" if self.counted == HOUSEHOLDS else self.column
        return Table(make_columns((by,), (self.counted, "found", "share")), tuple(rows), self.title)

    def draw(self) -> Chart:
        """Draw a bar for each value."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of(row.value for row in self.rows)
        x = share_axis(
            f"share of the {self.counted} found",
            share_end([self.whole, *(row.rate for row in self.rows if not row.limit)]),
        )
        fill = alt.Fill("fill:N", scale=None)
        base = chart_of(self._bars(labels)).encode(y=name_axis(labels))
        layers = [
            base.mark_bar(size=15, stroke=style.BLUE, strokeWidth=1).encode(x=x, fill=fill),
            upright_rule(self.whole, "whole"),
            text_beside(base),
        ]
        return finished(layers, self.title, height=rows_high())

    def _bars(self, labels: Sequence[str]) -> list[dict[str, object]]:
        return [
            {
                **asdict(row),
                "rate": None if row.limit else row.rate,
                "label": label,
                "fill": style.PALE if row.is_rest else style.BLUE,
                "said": f"{row.limit}{links_text(row.found)} of {row.n:,}",
            }
            for row, label in zip(self.rows, labels, strict=True)
        ]


def _row(cell: Cell, value: str, place: tuple[str, str], *, is_rest: bool) -> GroupRow:
    rate = next(each for each in cell.attacks if (each.label, each.scale) == place)
    return GroupRow(value, cell.n, rate.found, rate.rate, is_rest)


def groups(assessment: Assessment, column: str | None = None) -> Chart:
    """Draw what is found by the values of a column, or by the size of households; by default the first asked for."""
    why = "no risk by such a column was worked out; name it in by (--by) or group (--group)"
    return drawn(Groups.of(assessment, column), why)
