"""Axes: shares from 0 to all of the people, unless everything there is to see is near 0, and rows that have names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from linkrisk.report.charts import style

if TYPE_CHECKING:
    import altair as alt

SMALL = 0.2
"""Where no share is larger than this, an axis ends earlier."""

ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Where it may end then."""


def share_end(shares: Iterable[float | None], *, small: float = SMALL) -> float:
    """Return where an axis of shares ends: 1, unless all are small.

    >>> share_end([0.3, None]), share_end([0.03, 0.04]), share_end([]), share_end([0.3], small=0.5)
    (1.0, 0.05, 0.01, 0.5)
    """
    largest = max((share for share in shares if share is not None), default=0.0)
    return next((end for end in ENDS if largest <= end <= small), 1.0)


def share_format(end: float) -> str:
    """Return how shares are written on an axis that ends there, as d3 has it: with a decimal where it is short."""
    return ".1%" if end < 0.05 else ".0%"


def share_axis(title: str, end: float, *, field: str = "rate") -> alt.X:
    """Return the axis of a share, in percent, from 0 to an end."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    axis = alt.Axis(format=share_format(end), title=title, tickCount=5, domain=False)
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=[0.0, end], nice=False), axis=axis)


def name_axis(labels: Sequence[str], *, field: str = "label") -> alt.Y:
    """Return the axis of rows that have names, in their order."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    domain = list(dict.fromkeys(labels))
    axis = alt.Axis(title=None, ticks=False, domain=False, labelPadding=8)
    return alt.Y(f"{field}:N", sort=domain, scale=alt.Scale(domain=domain), axis=axis)


def interval_layers(base: alt.Chart) -> list[alt.Chart]:
    """Return lines from the field low to the field high, dark with a light edge, so that dark bars do not hide them."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    ends = {"x": alt.X("low:Q"), "x2": alt.X2("high")}
    looks = ((style.PAPER, 4.5), (style.INK, 1.5))
    return [base.mark_rule(color=color, strokeWidth=width).encode(**ends) for color, width in looks]


def text_beside(base: alt.Chart) -> alt.Chart:
    """Return what is said of each row, in a column of its own at the right."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    text: alt.Chart = base.mark_text(align="left", dx=12).encode(x=alt.value("width"), text=alt.Text("said:N"))
    return text


def upright_rule(value: float, field: str, color: str = style.INK) -> alt.Chart:
    """Return a dashed upright line at a value, which the data call by the name of a field."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    line = style.chart_of([{field: value}]).mark_rule(color=color, strokeDash=[4, 3])
    rule: alt.Chart = line.encode(x=alt.X(f"{field}:Q"))
    return rule
