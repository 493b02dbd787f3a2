"""A small line chart as SVG, for results that are looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 380, 60, 110, 30, 150
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8a5fbf", "#555555")


def write_chart(path: Path, title: str, labels: Sequence[str], lines: Mapping[str, Sequence[float]]) -> None:
    """Draw one line a name over the labels, values from 0 to 1."""
    step = (WIDTH - LEFT - RIGHT) / max(len(labels) - 1, 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        y = _height(tenth / 10)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>')
    for place, label in enumerate(labels):
        x, y = LEFT + place * step, HEIGHT - BOTTOM + 14
        parts.append(
            f'<text x="{x:.1f}" y="{y}" text-anchor="end" transform="rotate(-30 {x:.1f} {y})">{escape(label)}</text>'
        )
    ends = _spread([_height(values[-1]) for values in lines.values()])
    for number, (name, values) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [(LEFT + place * step, _height(value)) for place, value in enumerate(values)]
        path_ = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path_}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(
            f'<text x="{points[-1][0] + 10:.1f}" y="{ends[number] + 4:.1f}" fill="{colour}">{escape(name)}</text>'
        )
    path.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def _height(value: float) -> float:
    return HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP)


def _spread(heights: list[float], gap: float = 15.0) -> list[float]:
    """Move labels apart that would stand on each other, keeping their order."""
    result = list(heights)
    last = float("-inf")
    for place in sorted(range(len(heights)), key=lambda k: heights[k]):
        result[place] = last = max(heights[place], last + gap)
    return result
