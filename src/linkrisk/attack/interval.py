"""An interval for a rate, and what it covers."""

from __future__ import annotations

import math

INTERVAL_MEANING = (
    "95 % Wilson interval for the rate in another file of this size, drawn from the same population and protected "
    "in the same way, records taken as independent and parameters as not learned on them"
)

QUANTILE_95 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""


def wilson_interval(links: float, n_records: int, quantile: float = QUANTILE_95) -> tuple[float, float]:
    """Wilson score interval for a rate of ``links`` among ``n_records``.

    (p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4 n^2)) / (1 + z^2 / n). It stays within 0 and 1 and does not
    shrink to a point at either end. Reference: Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.

    >>> [round(value, 4) for value in wilson_interval(329, 400)]
    [0.782, 0.8568]
    """
    rate = links / n_records
    square = quantile * quantile / n_records
    centre = rate + square / 2
    half = quantile * math.sqrt(rate * (1.0 - rate) / n_records + square / (4 * n_records))
    return max(0.0, (centre - half) / (1.0 + square)), min(1.0, (centre + half) / (1.0 + square))
