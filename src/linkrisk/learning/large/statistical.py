"""A bound that a sample of people gives: for all leaves of a partition at once, with a stated confidence."""

from __future__ import annotations

import math
from dataclasses import dataclass

CONFIDENCE = 1.0 - 1e-6
"""Confidence of the bound, unless another is asked for."""

STEPS = 200
"""Halvings in which the bound is found: more than float64 can tell apart."""


@dataclass(frozen=True)
class StatisticalBound:
    """Links that no parameters exceed, with a confidence: told by a sample of the people, and no proof.

    ``n_people`` were drawn at random, and not used to make the partition, whose leaves are ``n_leaves``, those of
    partitions that were tried before it included.
    """

    bound: float
    confidence: float
    n_people: int
    n_leaves: int

    def __str__(self) -> str:
        return (
            f"with a confidence of {100.0 * self.confidence:.6g} % no parameters link more than {self.bound:,.0f} "
            f"(from {self.n_people:,} people drawn at random)"
        )


def upper_mean(mean: float, n: int, failure: float) -> float:
    """Return a bound on the mean of numbers from 0 to 1, of which ``n`` drawn at random have a given mean.

    The bound of Chernoff and Hoeffding: the largest p with n KL(mean, p) <= log(1 / failure). It holds for draws with
    or without replacement (Hoeffding 1963, Theorems 1 and 4), whatever the numbers, except with probability
    ``failure``.

    >>> 0.5 < upper_mean(0.5, 10_000, 1e-6) < 0.53, upper_mean(1.0, 10, 0.1), upper_mean(0.0, 100, math.exp(-1))
    (True, 1.0, 0.00995016625083...)
    """
    least = math.log(1.0 / failure) / n
    low, high = mean, 1.0
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        if _divergence(mean, middle) <= least:
            low = middle
        else:
            high = middle
    return high


def _divergence(mean: float, p: float) -> float:
    """Return the relative entropy of a coin with one mean to a coin with another."""
    found = mean * math.log(mean / p) if mean > 0.0 else 0.0
    if mean < 1.0:
        if p >= 1.0:
            return math.inf
        found += (1.0 - mean) * math.log((1.0 - mean) / (1.0 - p))
    return found
