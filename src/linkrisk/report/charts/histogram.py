"""Bins as bars, with the number of people on each; bins that are not told are grey from bottom to top."""

from __future__ import annotations

from dataclasses import dataclass

from linkrisk.report.charts import style
from linkrisk.report.charts.axes import upright_rule
from linkrisk.report.charts.bins import Bin, Bins
from linkrisk.report.charts.figure import Chart
from linkrisk.report.charts.style import chart_of, finished
from linkrisk.report.charts.text_width import text_width

HEIGHT = 200
"""Height of a histogram, in pixels."""

MOST_TICKS = 10
"""Numbers at the foot."""

TOP, ROOM = 1.0, 1.12
"""Height of an axis without anybody, and how much higher than the largest bar it is otherwise, for the number on it."""

NOT_TOLD = "hidden"

SIDE = 70
"""Room at the left of the bars, in pixels: for the numbers and the title of the axis."""

AIR = 3
"""Room around a number on a bar, in pixels."""


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
    axis = alt.Axis(
        title=what, format=".0%" if is_percent else "", grid=False, tickCount=min(len(bins.bins), MOST_TICKS)
    )
    x = alt.X("low:Q", scale=alt.Scale(domain=[low, high], nice=False), axis=axis)
    heights = alt.Axis(title=counted, tickCount=4, tickMinStep=1, format=",.0f", minExtent=SIDE - 20)
    y = alt.Y("people:Q", scale=alt.Scale(domain=[0.0, end], nice=False), axis=heights)
    told = [((each.low, each.high), each.people) for each in bins.bins if each.people is not None]
    known = chart_of(_bar(place, people, "") for place, people in told)
    numbers = chart_of(_bar((each.low, each.high), each.people, each.said) for each in _numbers(bins, end))
    hidden = chart_of(_bar(place, end, NOT_TOLD) for place in _runs(bins, rule))
    middle = {"x": alt.X("middle:Q"), "text": alt.Text("said:N")}
    ends = {"x": x, "x2": alt.X2("high"), "y": y, "y2": alt.datum(0)}
    layers = [
        hidden.mark_bar(fill=style.GRID, stroke=style.PAPER, strokeWidth=2).encode(**ends),
        hidden.mark_text(color=style.MUTED).encode(
            x=alt.X("middle:Q"), y=alt.value(HEIGHT / 2), text=alt.Text("said:N")
        ),
        known.mark_bar(fill=style.BLUE, stroke=style.PAPER, strokeWidth=2).encode(**ends),
        numbers.mark_text(baseline="bottom", dy=-AIR).encode(**middle, y=y),
    ]
    if rule is not None:
        layers.append(upright_rule(rule, "rule"))
    return finished(layers, title, height=HEIGHT)


def _bar(place: tuple[float, float], people: float, said: str) -> dict[str, object]:
    low, high = place
    return {"low": low, "high": high, "middle": (low + high) / 2, "people": people, "said": said}


@dataclass(frozen=True)
class _Number:
    """A number on a bar, and from where to where it reaches."""

    low: float
    high: float
    people: int
    said: str


def _numbers(bins: Bins, end: float) -> list[_Number]:
    """Return the numbers there is room for, the highest first: none lies on a bar, on another one or on the axis."""
    low, high = bins.bins[0].low, bins.bins[-1].high
    pixel = (high - low) / (style.WIDTH - SIDE)
    written: list[_Number] = []
    for each in sorted(bins.bins, key=lambda each: -(each.people or 0)):
        if not each.people:
            continue
        said = f"{each.people:,}"
        half = ((text_width(said, style.SMALL) or 0.0) / 2 + AIR) * pixel
        middle = max((each.low + each.high) / 2, low + half)
        number = _Number(middle - half, middle + half, each.people, said)
        is_on_bar = any(
            _is_beside(number, other) and (other.people is None or other.people > each.people) for other in bins.bins
        )
        is_on_other = any(
            _is_beside(number, other) and (other.people - each.people) * HEIGHT / end < style.SMALL + AIR
            for other in written
        )
        if not (is_on_bar or is_on_other):
            written.append(number)
    return written


def _is_beside(number: _Number, other: Bin | _Number) -> bool:
    """Whether something begins or ends within a number, or goes across it."""
    return other.low < number.high and other.high > number.low


def _runs(bins: Bins, parted_at: float | None) -> list[tuple[float, float]]:
    """Return where bins that are not told stand side by side, from where to where; parted where a rule is drawn."""
    runs: list[tuple[float, float]] = []
    for each in bins.bins:
        if each.people is None and runs and runs[-1][1] == each.low != parted_at:
            runs[-1] = (runs[-1][0], each.high)
        elif each.people is None:
            runs.append((each.low, each.high))
    return runs
