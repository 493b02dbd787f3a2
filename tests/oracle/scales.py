"""The three scales, attribute by attribute, from their definitions. A missing value is None."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

Value = float | None


def separate(original: Sequence[Value], protected: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """Each file by its own mean and standard deviation (n - 1)."""
    return standardised(original, *moments(original)), standardised(protected, *moments(protected))


def by_original(original: Sequence[Value], protected: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """Both files by mean and standard deviation of the original.

    Where the original is constant, the unit is the root mean square of what the protected file differs from it by.
    """
    mean, deviation = moments(original)
    if len({value for value in original if value is not None}) < 2:
        squares = [(Fraction(value) - mean) ** 2 for value in protected if value is not None]
        deviation = math.sqrt(sum(squares, Fraction(0)) / len(squares)) if any(squares) else 1.0
    return standardised(original, mean, deviation), standardised(protected, mean, deviation)


def ranks(original: Sequence[Value], protected: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """Each file by its midranks, (m - (n + 1) / 2) sqrt(12) / n."""
    return standard_ranks(original), standard_ranks(protected)


SCALES = {"separate": separate, "original": by_original, "ranks": ranks}


def moments(values: Sequence[Value]) -> tuple[Fraction, float]:
    """Exact mean and standard deviation (n - 1) of the known values; a deviation of 0 counts as 1."""
    known = [Fraction(value) for value in values if value is not None]
    if not known:
        return Fraction(0), 1.0
    mean = sum(known, Fraction(0)) / len(known)
    squares = sum(((value - mean) ** 2 for value in known), Fraction(0))
    return mean, math.sqrt(squares / (len(known) - 1)) if squares else 1.0


def standardised(values: Sequence[Value], mean: Fraction, deviation: float) -> list[Value]:
    """Subtract the mean exactly, then divide."""
    return [None if value is None else float(Fraction(value) - mean) / deviation for value in values]


def standard_ranks(values: Sequence[Value]) -> list[Value]:
    """Midrank of each known value by counting who is smaller and who is equal."""
    known = [value for value in values if value is not None]
    result: list[Value] = []
    for value in values:
        if value is None:
            result.append(None)
            continue
        smaller = sum(other < value for other in known)
        equal = sum(other == value for other in known)
        midrank = smaller + (equal + 1) / 2
        result.append((midrank - (len(known) + 1) / 2) * math.sqrt(12) / len(known))
    return result
