"""A risk-loss map in plain characters, for a terminal and a notebook."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 61, 16


def risk_loss_map(points: Sequence[tuple[float, float]], marks: str, *, target: float | None = None) -> list[str]:
    """Draw points of (loss, risk), both in percent, as lines of text; small is good on both axes.

    The first point gets the first mark, and so on; where there are more points than marks, marks are used again from
    the first. Where two points fall on one spot, the later one is drawn to the right of the earlier. ``target`` draws a
    line of risk.

    Examples
    --------
    >>> print(risk_loss_map([(0.0, 80.0), (60.0, 20.0)], "AB")[0])
    risk %
    """
    if not points:
        return []
    most_loss, most_risk = (_ceiling(max(point[axis] for point in points)) for axis in (0, 1))
    if target is not None:
        most_risk = max(most_risk, _ceiling(target))
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    if target is not None:
        grid[_place(target, most_risk, HEIGHT)] = ["-"] * WIDTH
    for place, (loss, risk) in enumerate(points):
        row = grid[_place(risk, most_risk, HEIGHT)]
        column = _place(loss, most_loss, WIDTH)
        free = [spot for spot in range(column, WIDTH) if row[spot] in " -"]
        if free:
            row[free[0]] = marks[place % len(marks)]
    label = {HEIGHT - 1: f"{most_risk:g}", 0: "0"}
    lines = [f"{label.get(row, ''):>5} |{''.join(grid[row]).rstrip()}" for row in reversed(range(HEIGHT))]
    axis = f"{'':>5} +{'-' * WIDTH}"
    numbers = f"{'':>7}0{f'{most_loss:g}':>{WIDTH - 1}} loss"
    return ["risk %", *lines, axis, numbers]


def _ceiling(largest: float) -> float:
    """Return the end of an axis: the next of 1, 2, 5, 10, 20, 50, 100."""
    return next((end for end in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0) if largest <= end), 100.0)


def _place(value: float, end: float, cells: int) -> int:
    return min(cells - 1, max(0, round(value / end * (cells - 1))))
