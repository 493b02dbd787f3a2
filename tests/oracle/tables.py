"""Published tables the obvious way: every cell looked at, every population count tried, in fractions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

Likelihood = Callable[[int, int], Fraction]
"""p(published | population count)."""


def exact(published: int, count: int) -> Fraction:
    """Return 1 for the count itself."""
    return Fraction(int(published == count))


def nearest_rounding(base: int) -> Likelihood:
    """Round to the nearest multiple, halves up."""
    return lambda published, count: Fraction(int((2 * count + base) // (2 * base) * base == published))


def random_rounding(base: int) -> Likelihood:
    """Go up with a probability of the remainder over the base."""

    def likelihood(published: int, count: int) -> Fraction:
        rest = count % base
        below = count - rest
        return Fraction(base - rest, base) * (published == below) + Fraction(rest, base) * (published == below + base)

    return likelihood


def sampling(size: int, population: int) -> Likelihood:
    """Draw without replacement."""
    return lambda published, count: Fraction(
        comb(count, published) * comb(population - count, size - published) if published <= size else 0,
        comb(population, size),
    )


def sum_weights(published: Sequence[int], likelihood: Likelihood, most: int) -> list[Fraction]:
    """Return for each total up to ``most`` the weight of all ways to make it up of cells published so."""
    weights = [Fraction(0)] * (most + 1)
    for counts in itertools.product(range(most + 1), repeat=len(published)):
        if sum(counts) <= most:
            product = Fraction(1)
            for f, count in zip(published, counts, strict=True):
                product *= likelihood(f, count)
            weights[sum(counts)] += product
    return weights


def inside_weights(weights: Sequence[Fraction], n_cells: int) -> list[Fraction]:
    """Return for each count of the first of several cells the weight of all totals they can make up."""
    most = len(weights) - 1
    result = [Fraction(0)] * (most + 1)
    for counts in itertools.product(range(most + 1), repeat=n_cells):
        if sum(counts) <= most:
            result[counts[0]] += weights[sum(counts)]
    return result


def normalised(weights: Sequence[Fraction]) -> list[float]:
    """Return the weights as probabilities."""
    total = sum(weights)
    return [float(weight / total) for weight in weights]
