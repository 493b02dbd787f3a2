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
from linkrisk.report.charts.figure import Chart, drawn
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished, rows_high
from linkrisk.report.few import SMALLEST, is_told
from linkrisk.report.tables import Table, make_columns, share_text

HOUSEHOLDS, PEOPLE = "groups", "people"
"""Who is counted."""


@dataclass(frozen=True)
class GroupRow:
    """People, or groups, with one value; ``is_rest`` are those whose values are not told apart."""

    value: str
    n: int
    found: float
    rate: float
    is_rest: bool

    @property
    def is_few(self) -> bool:
        """Whether few are found, or all but few: others must not see how many."""
        return not is_told(self.found, self.n)


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

        What is not confidential tells no number of people, found or not found, that is few. A table in which one would
        stand is left out as a whole: what is hidden in one row follows from the others, and from other tables.
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
            replace(each, is_confidential=False)
            for each in found
            if each.smallest_cell >= SMALLEST and not any(row.is_few for row in each.rows)
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
        """Say which share is largest."""
        most = max(self.rows, key=lambda row: row.rate)
        return f" The largest share is that of {most.value}: {share_text(most.rate)} of {most.n:,}."

    def table(self) -> Table:
        """Return one row per value."""
        rows = ((row.value, f"{row.n:,}", links_text(row.found), share_text(row.rate)) for row in self.rows)
        by = "members" if self.counted == HOUSEHOLDS else self.column
        return Table(make_columns((by,), (self.counted, "found", "share")), tuple(rows), self.title)

    def draw(self) -> Chart:
        """Draw a bar for each value."""
        import altair as alt  # noqa: PLC0415  (slow to import)

        labels = labels_of(row.value for row in self.rows)
        x = share_axis(
            f"share of the {self.counted} found",
            share_end([self.whole, *(row.rate for row in self.rows)]),
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
                "label": label,
                "fill": style.PALE if row.is_rest else style.BLUE,
                "said": f"{links_text(row.found)} of {row.n:,}",
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
