"""Fuzzy measures as dictionaries from frozensets, by sums over subsets and permutations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

Measure = Mapping[frozenset[str], Any]


def subsets(names: Iterable[str]) -> Iterator[frozenset[str]]:
    """Every subset, the empty one first."""
    everything = list(names)
    for size in range(len(everything) + 1):
        for chosen in combinations(everything, size):
            yield frozenset(chosen)


def mobius(measure: Measure, names: Sequence[str]) -> dict[frozenset[str], Any]:
    """m(A) = sum over B in A of (-1)^(|A| - |B|) mu(B)."""
    return {a: sum((-1) ** (len(a) - len(b)) * measure[b] for b in subsets(a)) for a in subsets(names)}


def zeta(transform: Measure, names: Sequence[str]) -> dict[frozenset[str], Any]:
    """mu(A) = sum over B in A of m(B)."""
    return {a: sum(transform.get(b, 0) for b in subsets(a)) for a in subsets(names)}


def shapley(measure: Measure, names: Sequence[str]) -> list[Any]:
    """Average what each attribute adds when it arrives, over all orders of arrival."""
    orders = list(permutations(names))
    result = []
    for name in names:
        gains = []
        for order in orders:
            before = frozenset(order[: order.index(name)])
            gains.append(measure[before | {name}] - measure[before])
        result.append(sum(gains) / Fraction(len(orders)))
    return result


def is_monotone(measure: Measure, names: Sequence[str]) -> bool:
    """Whether a subset never weighs more than a set that contains it."""
    everything = list(subsets(names))
    return all(measure[a] <= measure[b] for a in everything for b in everything if a <= b)


def is_submodular(measure: Measure, names: Sequence[str]) -> bool:
    """mu(A) + mu(B) >= mu(A or B) + mu(A and B) for every pair of sets."""
    everything = list(subsets(names))
    return all(measure[a] + measure[b] >= measure[a | b] + measure[a & b] for a in everything for b in everything)
