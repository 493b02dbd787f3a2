"""Text in charts as SVG that benchmarks draw themselves."""

from __future__ import annotations

from html import escape


def text_at(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = "#222222", weight: int = 400
) -> str:
    """Return a text that stands at a place."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"
