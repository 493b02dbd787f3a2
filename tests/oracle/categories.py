"""Tables and entropy by counting, in fractions except for roots and logarithms; None is a category like others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction


def table_distances(original: Sequence[Hashable], protected: Sequence[Hashable]) -> tuple[float, float, float]:
    """Mean difference of a cell, half the sum of differences, Hellinger distance."""
    before, after = Counter(original), Counter(protected)
    cells = set(before) | set(after)
    shares = [(Fraction(before[c], len(original)), Fraction(after[c], len(protected))) for c in cells]
    total = sum((abs(p - q) for p, q in shares), Fraction(0))
    roots = math.fsum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in shares)
    return float(total / len(cells)), float(total / 2), math.sqrt(roots / 2)


def unknown_bits(original: Sequence[Hashable], protected: Sequence[Hashable]) -> tuple[float, float]:
    """H(original | protected), protected value by protected value, and H(original)."""
    bits = 0.0
    for value in set(protected):
        group = [x for x, y in zip(original, protected, strict=True) if y == value]
        bits += len(group) / len(original) * entropy(group)
    return bits, entropy(original)


def entropy(values: Sequence[Hashable]) -> float:
    """Entropy in bits."""
    shares = [Fraction(count, len(values)) for count in Counter(values).values()]
    return math.fsum(-float(p) * math.log2(p) for p in shares)
