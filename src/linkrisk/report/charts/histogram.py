"""Bins as bars, with the number of people on each; bins that are not told are grey from bottom to top."""

from __future__ import annotations

from linkrisk.report.charts import style
from linkrisk.report.charts.bins import Bins
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.style import chart_of, finished

HEIGHT = 200
"""Height of a histogram, in pixels."""

TOP, ROOM = 1.0, 1.12
"""Height of an axis without anybody, and how much higher than the largest bar it is otherwise, for the number on it."""

NOT_TOLD = "not told"


def draw_bins(
    bins: Bins,
    title: str,
    what: str,
    *,
    counted: str = "people",
    is_percent: bool = False,
    rule: float | None = None,
) -> Chart:
    """Draw bins of ``what``, on an axis in percent or not, with an upright ``rule`` where something changes."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    low, high = bins.bins[0].low, bins.bins[-1].high
    end = ROOM * max((each.people or 0 for each in bins.bins), default=0) or TOP
    rows = [
        {
            "low": each.low,
            "high": each.high,
            "middle": (each.low + each.high) / 2,
            "people": end if each.people is None else each.people,
            "said": NOT_TOLD if each.people is None else str(each.people),
            "kind": NOT_TOLD if each.people is None else "people",
        }
        for each in bins.bins
    ]
    axis = alt.Axis(title=what, format=".0%" if is_percent else "", grid=False, tickCount=len(bins.bins))
    x = alt.X("low:Q", scale=alt.Scale(domain=[low, high], nice=False), axis=axis)
    heights = alt.Axis(title=counted, tickCount=4)
    y = alt.Y("people:Q", scale=alt.Scale(domain=[0.0, end], nice=False), axis=heights)
    known = chart_of(row for row in rows if row["kind"] != NOT_TOLD)
    hidden = chart_of(row for row in rows if row["kind"] == NOT_TOLD)
    layers = [
        hidden.mark_bar(fill=style.GRID, stroke=style.PAPER, strokeWidth=2).encode(x=x, x2="high:Q", y=y),
        hidden.mark_text(angle=270, color=style.MUTED).encode(x="middle:Q", y=alt.value(HEIGHT / 2), text="said:N"),
        known.mark_bar(fill=style.BLUE, stroke=style.PAPER, strokeWidth=2).encode(x=x, x2="high:Q", y=y),
        known.mark_text(baseline="bottom", dy=-3).encode(x="middle:Q", y=y, text="said:N"),
    ]
    if rule is not None:
        layers.append(chart_of([{"rule": rule}]).mark_rule(color=style.INK, strokeDash=[4, 3]).encode(x="rule:Q"))
    return finished(layers, title, height=HEIGHT)
