"""Undominated points: no other point is as good everywhere and better somewhere."""

from __future__ import annotations

from collections.abc import Sequence


def dominates(first: Sequence[float], second: Sequence[float]) -> bool:
    """Tell whether the first point is at least as good everywhere, and better somewhere; small is good.

    >>> dominates((0.1, 20.0), (0.1, 25.0)), dominates((0.1, 20.0), (0.05, 25.0))
    (True, False)
    """
    return all(a <= b for a, b in zip(first, second, strict=True)) and tuple(first) != tuple(second)


def undominated(points: Sequence[Sequence[float]]) -> list[int]:
    """Return the places of the points that no other dominates, in order.

    >>> undominated([(0.9, 1.0), (0.5, 5.0), (0.5, 6.0), (0.1, 30.0)])
    [0, 1, 3]
    """
    return [k for k, point in enumerate(points) if not any(dominates(other, point) for other in points)]
