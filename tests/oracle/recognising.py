"""What two columns say about the method between them, one value after the other, from the definitions."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction


def largest_move(originals: Sequence[float], released: Sequence[float], column: Sequence[float]) -> int:
    """Return the least window within which every value can have moved; equal values may stand at any of their ranks.

    Worked by hand: in 1, 2, 2, 9 the value 2 has ranks 1 and 2. From 9 (rank 3) to 2 it is one rank, from 1 to 9 three.

    >>> largest_move([9, 1], [2, 9], [1, 2, 2, 9])
    3
    """
    ranked = sorted(column)
    ranks = {value: [rank for rank, other in enumerate(ranked) if other == value] for value in set(ranked)}
    moves = [min(abs(a - b) for a in ranks[x] for b in ranks[y]) for x, y in zip(originals, released, strict=True)]
    return max(moves, default=0)


def changed_places_in_pairs(originals: Sequence[float], released: Sequence[float]) -> bool:
    """Whether people can be paired so that each got the value of the other, or their own: strike out pairs one by one.

    >>> changed_places_in_pairs([1, 2, 3], [2, 1, 3]), changed_places_in_pairs([1, 2, 3], [2, 3, 1])
    (True, False)
    """
    left = [(x, y) for x, y in zip(originals, released, strict=True) if x != y]
    while left:
        x, y = left.pop()
        if (y, x) not in left:
            return False
        left.remove((y, x))
    return True


def common_divisor(values: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all are whole multiples, by Euclid's algorithm on fractions."""
    result = Fraction(0)
    for value in values:
        a, b = abs(value), result
        while b:
            a, b = b, a - (a // b) * b
        result = a
    return result


def keep_share(originals: Sequence[str], released: Sequence[str]) -> float:
    """Return keep with agreement = keep + (1 - keep) sum f^2, within [0, 1].

    >>> keep_share(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    n = len(originals)
    agreement = Fraction(sum(x == y for x, y in zip(originals, released, strict=True)), n)
    by_chance = sum(Fraction(count, n) ** 2 for count in Counter(originals).values())
    return (
        1.0 if agreement == 1 else float(min(max((agreement - by_chance) / (1 - by_chance), Fraction(0)), Fraction(1)))
    )


def noise_percentage(originals: Sequence[float], released: Sequence[float]) -> float:
    """Return 100 times the root mean square of the differences over the standard deviation of the originals."""
    squares = [(y - x) ** 2 for x, y in zip(originals, released, strict=True)]
    return 100 * math.sqrt(math.fsum(squares) / len(squares)) / statistics.stdev(originals)


def smallest_class(columns: Sequence[Sequence[Hashable]]) -> int:
    """Return how many records share all values of some columns with fewest others."""
    return min(Counter(zip(*columns, strict=True)).values())


def fitting_centroids(originals: Sequence[float], released: Sequence[float]) -> set[str]:
    """Return which of mean, median and mode of the originals the released value of every class is."""
    members = defaultdict(list)
    for x, y in zip(originals, released, strict=True):
        members[y].append(x)
    fits = {"mean", "median", "mode"}
    for y, values in members.items():
        near = {name for name in ("mean", "median") if math.isclose(getattr(statistics, name)(values), y, rel_tol=1e-9)}
        fits &= near | ({"mode"} if y in statistics.multimode(values) else set())
    return fits
