"""Numbers in squares: rows against columns, the larger the darker, each with its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.names import labels_of
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.charts.text_width import text_width

if TYPE_CHECKING:
    import altair as alt

DARK = 0.6
"""Share of the largest number from which on a square is so dark that its number is white."""

SIGNED, COUNTED = (style.ORANGE, style.PAPER, style.BLUE), (style.PAPER, style.BLUE)
"""Colours of numbers below and above 0, and of counts; each square says its number, too."""

LONGEST = 14
"""Characters of a label at the foot."""

SLANT, SIDE, BESIDE = -40, 30, 8
"""Degrees by which labels at the foot are turned where they have no room, pixels of the title at the side, and pixels
between labels."""

MANY = 9
"""Columns from which on numbers are written smaller, and with fewer digits."""


@dataclass(frozen=True)
class Square:
    """One number, of a row and a column."""

    row: str
    column: str
    value: float


LEAST_RANGE = 0.1
"""Numbers below this are pale, even if there are no larger ones."""


def draw_squares(
    squares: Sequence[Square], title: str, *, row_title: str = "", column_title: str = "", is_count: bool = False
) -> Chart:
    """Draw squares; those that are not there stay empty. Rows and columns come in the order of the squares."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    rows, columns = ([*dict.fromkeys(names)] for names in ((s.row for s in squares), (s.column for s in squares)))
    row_labels, column_labels = labels_of(rows), labels_of(columns, LONGEST)
    largest = max(LEAST_RANGE, *(abs(square.value) for square in squares))
    places = dict(zip(rows, row_labels, strict=True)), dict(zip(columns, column_labels, strict=True))
    values = [_values(square, *places, largest, is_count=is_count) for square in squares]
    angle = 0 if _have_room(row_labels, column_labels) else SLANT
    foot = alt.Axis(labelAngle=angle, orient="bottom", ticks=False, domain=False, title=column_title or None)
    side = alt.Axis(ticks=False, domain=False, title=row_title or None)
    x = alt.X("column:N", sort=column_labels, scale=alt.Scale(domain=column_labels, padding=0.03), axis=foot)
    y = alt.Y("row:N", sort=row_labels, scale=alt.Scale(domain=row_labels, padding=0.06), axis=side)
    fill = alt.Fill("value:Q", scale=_scale(largest, is_count=is_count), legend=None)
    base = chart_of(values).encode(x=x, y=y)
    size = style.SMALL if len(columns) < MANY else style.SMALL - 2
    layers = [
        base.mark_rect(stroke=style.MUTED, strokeWidth=0.6).encode(fill=fill),
        base.mark_text(fontSize=size).encode(text=alt.Text("said:N"), color=alt.Color("ink:N", scale=None)),
    ]
    return finished(layers, title, height=alt.Step(style.STEP + 6))


def _have_room(rows: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether labels at the foot can stand beside each other: rows of unknown width are taken to be wide."""
    widths = [text_width(label, style.TEXT) for label in (*rows, *columns)]
    known = [width for width in widths if width is not None]
    if len(known) < len(widths):
        return False
    room = (style.WIDTH - SIDE - max(known[: len(rows)])) / len(columns)
    return max(known[len(rows) :]) + BESIDE <= room


def _scale(largest: float, *, is_count: bool) -> alt.Scale:
    """Return colours that are mixed as they are, from orange by white to blue, or from white to blue."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    if is_count:
        return alt.Scale(domain=[0.0, largest], range=list(COUNTED), interpolate="rgb")
    return alt.Scale(domain=[-largest, 0.0, largest], range=list(SIGNED), interpolate="rgb")


def _values(
    square: Square, rows: Mapping[str, str], columns: Mapping[str, str], largest: float, *, is_count: bool
) -> dict[str, object]:
    return {
        "row": rows[square.row],
        "column": columns[square.column],
        "value": square.value,
        "said": number_text(square.value, len(columns), is_count=is_count),
        "ink": style.PAPER if abs(square.value) > DARK * largest else style.INK,
    }


def number_text(value: float, n_columns: int, *, is_count: bool) -> str:
    """Write a number as there is room for, without a zero before the point, with a true minus.

    >>> [number_text(value, n_columns, is_count=False) for value, n_columns in ((-0.4567, 3), (0.4567, 15))]
    ['−.457', '.46']
    """
    if is_count:
        return f"{value:,.0f}"
    digits = 3 if n_columns < MANY else 2
    written = f"{abs(value):.{digits}f}".removeprefix("0") if abs(value) < 1 else f"{abs(value):.{digits - 1}f}"
    is_negative = value < 0 and any(sign not in ".0" for sign in written)
    return f"{'−' if is_negative else ''}{written}"
