"""Levels in order, the obvious way: neighbours out of order are pooled until none is, in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def in_order(among: Sequence[float], others: Sequence[float]) -> tuple[list[float], list[float]]:
    """Pool neighbouring levels until among / others does not rise from one to the next; sums of both stay."""
    blocks = [[level] for level in range(len(among))]
    matches, rest = list(map(Fraction, among)), list(map(Fraction, others))

    def share(block: list[int]) -> Fraction:
        pooled = sum(matches[level] for level in block)
        return Fraction(pooled, pooled + sum(rest[level] for level in block))

    place = 0
    while place + 1 < len(blocks):
        if share(blocks[place]) < share(blocks[place + 1]):
            blocks[place : place + 2] = [blocks[place] + blocks[place + 1]]
            place = max(place - 1, 0)
        else:
            place += 1
    shares = [share(block) for block in blocks for _ in block]
    both = [a + b for a, b in zip(matches, rest, strict=True)]
    return [float(s * total) for s, total in zip(shares, both, strict=True)], [
        float((1 - s) * total) for s, total in zip(shares, both, strict=True)
    ]
