"""IL1s and SSE / SST by their definitions, in fractions except for roots; None is a missing value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Column = Sequence[float | None]


def variance(column: Column) -> Fraction:
    """Variance (n - 1) of the known values, exact; 0 for fewer than two."""
    values = [Fraction(value) for value in column if value is not None]
    if len(values) < 2:
        return Fraction(0)
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def pairs_of(original: Column, protected: Column, own: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """Values before and after of the records that have both."""
    found = [(original[i], protected[j]) for i, j in enumerate(own) if j >= 0]
    return [(Fraction(x), Fraction(y)) for x, y in found if x is not None and y is not None]


def il1s(original: Sequence[Column], protected: Sequence[Column], own: Sequence[int]) -> float | None:
    """Mean over attributes of the mean over pairs of |x - x'| / (sqrt(2) S)."""
    found = []
    for before, after in zip(original, protected, strict=True):
        pairs, spread = pairs_of(before, after, own), variance(before)
        if pairs and spread:
            distance = sum((abs(x - y) for x, y in pairs), Fraction(0)) / len(pairs)
            found.append(float(distance) / math.sqrt(2 * spread))
    return math.fsum(found) / len(found) if found else None


def sse_over_sst(
    original: Sequence[Column], protected: Sequence[Column], own: Sequence[int], is_raw: bool
) -> float | None:
    """Squares lost over squares there, in standard deviations or raw."""
    sse = sst = Fraction(0)
    for before, after in zip(original, protected, strict=True):
        pairs, spread = pairs_of(before, after, own), variance(before)
        if not spread or len({x for x, _ in pairs}) < 2:
            continue
        unit = Fraction(1) if is_raw else spread
        mean = sum((x for x, _ in pairs), Fraction(0)) / len(pairs)
        sse += sum(((x - y) ** 2 for x, y in pairs), Fraction(0)) / unit
        sst += sum(((x - mean) ** 2 for x, _ in pairs), Fraction(0)) / unit
    return float(sse / sst) if sst else None
