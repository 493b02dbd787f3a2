"""Marks that a legend explains: each has a shape, a fill and an outline of its own, and one legend shows them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.report.charts import style

LINE, DASH = "M0,-1L0,1", "M0,-1L0,-0.4M0,-0.15L0,0.25M0,0.5L0,1"
"""Shapes of upright lines."""

ACROSS, LYING_DASH = "M-1,0L1,0", "M-1.2,0L-0.5,0M-0.2,0L0.4,0M0.7,0L1.2,0"
"""Shapes of lying lines."""


@dataclass(frozen=True)
class Mark:
    """How a kind of mark looks; ``shape`` is a name that vega knows or a path within -1 to 1."""

    shape: str
    fill: str = style.PAPER
    stroke: str = style.INK


def mark_channels(marks: Mapping[str, Mark], *, columns: int = 3, field: str = "mark") -> dict[str, Any]:
    """Return the channels shape, fill and stroke of a field that names marks, with one legend in some columns."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    legend = alt.Legend(title=None, columns=columns, symbolOpacity=1.0)
    channels = {"shape": alt.Shape, "fill": alt.Fill, "stroke": alt.Stroke}
    return {
        name: channel(
            f"{field}:N",
            scale=alt.Scale(domain=list(marks), range=[getattr(mark, name) for mark in marks.values()]),
            legend=legend,
        )
        for name, channel in channels.items()
    }
