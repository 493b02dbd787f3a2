"""Levels in order, the obvious way: neighbours out of order are pooled until none is."""

from __future__ import annotations

from collections.abc import Sequence


def in_order(among: Sequence[float], others: Sequence[float]) -> tuple[list[float], list[float]]:
    """Pool neighbouring levels until among / others does not rise from one to the next; sums of both stay."""
    blocks = [[level] for level in range(len(among))]

    def share(block: list[int]) -> float:
        matches = sum(among[level] for level in block)
        return matches / (matches + sum(others[level] for level in block))

    place = 0
    while place + 1 < len(blocks):
        if share(blocks[place]) < share(blocks[place + 1]):
            blocks[place : place + 2] = [blocks[place] + blocks[place + 1]]
            place = max(place - 1, 0)
        else:
            place += 1
    both = [a + b for a, b in zip(among, others, strict=True)]
    shares = [share(block) for block in blocks for _ in block]
    return [s * total for s, total in zip(shares, both, strict=True)], [
        (1.0 - s) * total for s, total in zip(shares, both, strict=True)
    ]
