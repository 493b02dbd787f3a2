"""Indices of weights, measures and matrices from their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.measures import Measure, subsets


def evenness(weights: Sequence[float]) -> float:
    """Entropy to the base n."""
    return -sum(p * math.log(p, len(weights)) for p in weights if p > 0)


def orness(weights: Sequence[Fraction]) -> Fraction:
    """Sum of (n - r) p_r over n - 1, positions counted from 1."""
    n = len(weights)
    return sum(((n - r) * p for r, p in enumerate(weights, 1)), Fraction(0)) / (n - 1)


def interaction(measure: Measure, names: Sequence[str], first: str, second: str) -> Any:
    """Average the gain of two attributes over the sum of their own gains, by Murofushi and Soneda's weights."""
    n = len(names)
    total: Any = Fraction(0)
    for rest in subsets(name for name in names if name not in (first, second)):
        gain = measure[rest | {first, second}] - measure[rest | {first}] - measure[rest | {second}] + measure[rest]
        share = Fraction(math.factorial(n - len(rest) - 2) * math.factorial(len(rest)), math.factorial(n - 1))
        total += share * gain
    return total


def matrix_distance(matrix: Sequence[Sequence[float]], target: Sequence[Sequence[float]]) -> float:
    """Least ||c S - T|| / ||T|| over c >= 0, by halving the interval in which the convex function falls."""
    entries = [(s, t) for row, other in zip(matrix, target, strict=True) for s, t in zip(row, other, strict=True)]

    def size(c: float) -> float:
        return math.sqrt(math.fsum((c * s - t) ** 2 for s, t in entries))

    low, high = 0.0, 1.0
    while size(2 * high) < size(high):
        high *= 2
    high *= 2
    for _ in range(300):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if size(left) <= size(right) else (left, high)
    return size(low) / math.sqrt(math.fsum(t * t for _, t in entries))
