"""Keys, individual risks, groups and hidden cells the obvious way: every pair, every outcome, every person."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any


def matches(first: Sequence[Any], second: Sequence[Any], *, wildcard: bool) -> bool:
    """Whether two keys match; a missing value (None) matches everything, or missing ones only."""
    pairs = list(zip(first, second, strict=True))
    if wildcard:
        return all(a is None or b is None or a == b for a, b in pairs)
    return all(a == b for a, b in pairs)


def key_counts(
    records: Sequence[Sequence[Any]], weights: Sequence[float], *, wildcard: bool
) -> tuple[list[int], list[float]]:
    """Return for each record how many match it, and the sum of their weights, by comparing all pairs."""
    found = [
        [w for other, w in zip(records, weights, strict=True) if matches(record, other, wildcard=wildcard)]
        for record in records
    ]
    return [len(matching) for matching in found], [math.fsum(matching) for matching in found]


def expected_reciprocal(frequency: int, fraction: float) -> float:
    """Return E(1 / F) of a negative binomial F >= f, term by term until, beyond the mean, next to nothing is added."""
    if fraction == 1.0:
        return 1.0 / frequency
    logarithm, terms, count = frequency * math.log(fraction), [], frequency
    while True:
        terms.append(math.exp(logarithm) / count)
        if count > frequency / fraction and terms[-1] < 1e-14 * fraction / frequency:
            return math.fsum(terms)
        logarithm += math.log1p(-fraction) + math.log(count / (count - frequency + 1))
        count += 1


def chance_of_one(chances: Sequence[Fraction]) -> Fraction:
    """Return how likely one at least of several independent events happens: the sum over all outcomes with one."""
    total = Fraction(0)
    for outcome in itertools.product((True, False), repeat=len(chances)):
        if any(outcome):
            shares = (c if happens else 1 - c for c, happens in zip(chances, outcome, strict=True))
            total += math.prod(shares, start=Fraction(1))
    return total


def told_counts(counts: Sequence[int], hidden: Sequence[bool]) -> list[int]:
    """Return all counts that follow from a table and its total: those shown, and what they leave of the total.

    What is hidden is known as a sum only, unless it is one cell.
    """
    shown = [count for count, is_hidden in zip(counts, hidden, strict=True) if not is_hidden]
    return [*shown, sum(counts) - sum(shown)] if any(hidden) else shown
