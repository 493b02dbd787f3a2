"""What each leaf of a partition holds, by the definition, in fractions; imports nothing from linkrisk."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Box = tuple[Sequence[float], Sequence[float]]
"""Lower and upper ends."""


def is_ruled_out(rows: Sequence[Sequence[Fraction]], box: Box) -> bool:
    """Whether one of some rows is positive nowhere in a box: its largest value is not above 0."""
    low, high = box
    return any(
        sum(value * Fraction(high[k] if value > 0 else low[k]) for k, value in enumerate(row)) <= 0 for row in rows
    )


def leaf_sums(
    rows_of: Sequence[Sequence[Sequence[Fraction]]], worths: Sequence[Fraction], leaves: Sequence[Box]
) -> list[Fraction]:
    """Return for each leaf the worth of the records that no row rules out in it."""
    return [
        sum((worths[r] for r, rows in enumerate(rows_of) if not is_ruled_out(rows, leaf)), Fraction(0))
        for leaf in leaves
    ]


def weighted_rows(original: Sequence[float], protected: Sequence[Sequence[float]], own: int) -> list[list[Fraction]]:
    """Return the rows of one record of plain numbers by the weighted mean: (1 - t) d(i, j) - d(i, own), t = 2^-40."""
    near = 1 - Fraction(1, 2**40)

    def squares(j: int) -> list[Fraction]:
        return [(Fraction(x) - Fraction(y)) ** 2 for x, y in zip(original, protected[j], strict=True)]

    mine = squares(own)
    return [
        [near * other - own_one for other, own_one in zip(squares(j), mine, strict=True)]
        for j in range(len(protected))
        if j != own
    ]
