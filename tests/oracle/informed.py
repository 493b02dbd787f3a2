"""What a protection method says about a pair of records, from its definition; and swaps by enumeration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

Record = Sequence[float]


def noise_cost(x: Record, y: Record, deviations: Sequence[float]) -> float:
    """-log of the density of y = x + normal noise, without its constant."""
    return sum(0.5 * ((b - a) / s) ** 2 for a, b, s in zip(x, y, deviations, strict=True))


def pram_probability(x: str, y: str, keep: float, column: Sequence[str]) -> float:
    """Chance that x becomes y: kept, or drawn from the frequencies of the column."""
    return keep * (x == y) + (1.0 - keep) * sum(value == y for value in column) / len(column)


def random_rounding_probability(x: float, y: float, base: float) -> float:
    """Chance that x is rounded to y, a multiple of the base."""
    below = base * math.floor(x / base)
    if y == below:
        return 1.0 - (x - below) / base
    return (x - below) / base if y == below + base else 0.0


def swapped_matchings(x: Sequence[Record], y: Sequence[Record], window: int) -> list[tuple[int, ...]]:
    """All ways to say who is who (j = matching[i]) in which values changed places in pairs, at most a window away.

    Values are distinct in each column. In a column let person i have become record j, and let p(i) be the person whose
    value j shows: then p must be its own inverse, and the ranks of i and p(i) must be near.
    """
    n, n_attributes = len(x), len(x[0])
    ranks = [sorted(record[k] for record in x) for k in range(n_attributes)]
    return [
        matching
        for matching in permutations(range(n))
        if all(_is_swap(x, y, matching, k, ranks[k], window) for k in range(n_attributes))
    ]


def _is_swap(
    x: Sequence[Record], y: Sequence[Record], matching: Sequence[int], k: int, ordered: Sequence[float], window: int
) -> bool:
    holder = {record[k]: i for i, record in enumerate(x)}
    partner = [holder[y[matching[i]][k]] for i in range(len(x))]
    rank = [ordered.index(record[k]) for record in x]
    return all(partner[partner[i]] == i and abs(rank[partner[i]] - rank[i]) <= window for i in range(len(x)))


def window_share(first: Sequence[int], second: Sequence[int], window: int) -> float:
    """How often a rank of the first and one of the second are at most a window apart."""
    return sum(abs(a - b) <= window for a in first for b in second) / (len(first) * len(second))


def permuted_columns(x: Record, window: int) -> Counter[tuple[float, ...]]:
    """Count in how many ways each column can be released: equal values in any order, then any permutation of ranks."""
    n, ordered = len(x), sorted(x)
    found: Counter[tuple[float, ...]] = Counter()
    for order in permutations(range(n)):
        if any(x[order[rank]] != ordered[rank] for rank in range(n)):
            continue
        for taken in permutations(range(n)):
            if all(abs(rank - other) <= window for rank, other in enumerate(taken)):
                place = {record: rank for rank, record in enumerate(order)}
                found[tuple(ordered[taken[place[record]]] for record in range(n))] += 1
    return found
