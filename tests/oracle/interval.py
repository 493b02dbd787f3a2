"""Wilson's interval by its definition: the rates that a score test does not reject."""

from __future__ import annotations

import math


def wilson(links: float, n_records: int, quantile: float) -> tuple[float, float]:
    """Solve |share - p| = quantile * sqrt(p (1 - p) / n) for p on either side of the share, by halving."""
    share = links / n_records

    def is_rejected(p: float) -> bool:
        return abs(share - p) > quantile * math.sqrt(p * (1 - p) / n_records)

    return halve(is_rejected, 0.0, share), halve(is_rejected, 1.0, share)


def halve(is_rejected: object, outside: float, inside: float) -> float:
    """Find where a test begins to accept between a rejected end and an accepted one."""
    assert callable(is_rejected)
    if not is_rejected(outside):
        return outside
    for _ in range(100):
        middle = (outside + inside) / 2
        if is_rejected(middle):
            outside = middle
        else:
            inside = middle
    return inside
