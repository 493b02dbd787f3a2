"""A small line chart as SVG, for results that are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

WIDTH, PLOT, LEFT, TOP, RIGHT, LINE = 760, 260, 60, 30, 150, 17
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8a5fbf", "#555555")


def write_chart(path: Path, title: str, labels: Sequence[str], lines: Mapping[str, Sequence[float]]) -> None:
    """Draw one line a name over numbered places, values from 0 to 1; below, what the numbers stand for."""
    step = (WIDTH - LEFT - RIGHT) / max(len(labels) - 1, 1)
    height = TOP + PLOT + 30 + LINE * (len(labels) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        text_at(LEFT, 18, title, size=14),
    ]
    for tenth in range(0, 11, 2):
        y = _height(tenth / 10)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text_at(LEFT - 8, y + 4, f"{tenth / 10:.1f}", anchor="end"))
    for place, label in enumerate(labels):
        parts.append(text_at(LEFT + place * step, TOP + PLOT + 18, str(place), anchor="middle"))
        parts.append(text_at(LEFT, TOP + PLOT + 30 + LINE * (place + 1), f"{place}: {label}"))
    ends = _spread([_height(values[-1]) for values in lines.values()])
    for number, (name, values) in enumerate(lines.items()):
        points = [(LEFT + place * step, _height(value)) for place, value in enumerate(values)]
        parts += _line(points, COLOURS[number % len(COLOURS)], name, ends[number])
    path.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def _line(points: Sequence[tuple[float, float]], colour: str, name: str, end: float) -> list[str]:
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return [
        f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points),
        text_at(points[-1][0] + 10, end + 4, name, colour=colour),
    ]


def text_at(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = "#222222", weight: int = 400
) -> str:
    """Return a text that stands at a place."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"


def _height(value: float) -> float:
    return TOP + PLOT - value * PLOT


def _spread(heights: list[float], gap: float = 15.0) -> list[float]:
    """Move labels apart that would stand on each other, keeping their order."""
    result = list(heights)
    last = float("-inf")
    for place in sorted(range(len(heights)), key=lambda k: heights[k]):
        result[place] = last = max(heights[place], last + gap)
    return result
