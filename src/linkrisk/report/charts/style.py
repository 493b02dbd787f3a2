"""One look for all charts: colours that everybody can tell apart, sizes, and text of one kind.

Nothing is told by colour alone: what differs in colour differs in shape, in outline or in its label, too, so that
charts can be read in black and white.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkrisk.report.charts.figure import Chart
from linkrisk.report.plain import plain

if TYPE_CHECKING:
    import altair as alt

WIDTH = 600
"""Width of a chart with its labels, in pixels: on a narrow screen it shrinks, and its text stays legible."""

STEP = 26
"""Height of one row of a chart with rows, in pixels."""

POINT = 8
"""Pixels between an axis and the points nearest to it."""

TEXT, SMALL = 13, 12
"""Sizes of text, in pixels."""

INK, MUTED, LINES, GRID, PAPER = "#1c2733", "#4d5a66", "#b7c2cb", "#dfe4e8", "#ffffff"
"""Colours of text and lines, and of what is behind them."""

BLUE, PALE, ORANGE = "#2a6ca6", "#d9e7f3", "#b6500f"
"""Colours of marks: blue and orange, which people with any kind of sight tell apart, and a light blue."""

FONT = "Arial, Helvetica, Liberation Sans, sans-serif"


def chart_of(rows: Iterable[Any]) -> alt.Chart:
    """Return an empty chart of rows: mappings, or dataclasses whose fields are the columns."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    values = [plain(row if isinstance(row, Mapping) else dataclasses.asdict(row)) for row in rows]
    return alt.Chart(alt.InlineData(values=values))


def finished(layers: Sequence[alt.Chart], title: str, *, height: int | alt.Step, width: int = WIDTH) -> Chart:
    """Return layers as a chart with its title, its size and the look that all have, whatever theme is enabled."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    heading = alt.TitleParams(text=title, anchor="start", frame="bounds", fontSize=15, fontWeight=600, offset=12)
    autosize = alt.AutoSizeParams(type="fit-x", contains="padding")
    chart = alt.layer(*layers).properties(width=width, height=height, title=heading, autosize=autosize)
    made: Chart = chart.configure(**_look())
    return made


def rows_high() -> alt.Step:
    """Return the height of a chart with rows: so much for each."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    return alt.Step(STEP)


def _look() -> dict[str, Any]:
    return {
        "aria": False,
        "background": PAPER,
        "padding": 4,
        "font": FONT,
        "view": {"stroke": None},
        "title": {"color": INK},
        "axis": {
            "labelColor": INK,
            "titleColor": MUTED,
            "labelFontSize": TEXT,
            "titleFontSize": SMALL,
            "titleFontWeight": "normal",
            "gridColor": GRID,
            "domainColor": MUTED,
            "tickColor": MUTED,
            "labelFlush": False,
            "labelLimit": 240,
        },
        "legend": {
            "labelColor": INK,
            "titleColor": MUTED,
            "labelFontSize": SMALL,
            "titleFontSize": SMALL,
            "titleFontWeight": "normal",
            "labelLimit": 260,
            "orient": "top",
            "direction": "horizontal",
            "symbolSize": 110,
            "symbolStrokeWidth": 1.5,
        },
        "text": {"color": INK, "fontSize": SMALL},
    }
