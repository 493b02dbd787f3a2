"""Two attributes: the best single weight w of (w, 1 - w), by trying one in every interval, in rationals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tests.oracle.linking import TOLERANCE, have_same_differences

Vector = Sequence[Fraction]
Row = tuple[Fraction, Fraction]


def squared_differences(original: Sequence[Sequence[Any]], protected: Sequence[Sequence[Any]]) -> list[list[Vector]]:
    """d[i][j] of all pairs of records of numbers."""
    return [
        [[(Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y, strict=True)] for y in protected] for x in original
    ]


def from_large_to_small(d: Vector) -> Vector:
    """Return the features of an OWA."""
    return sorted(d, reverse=True)


def best_links(
    d: Sequence[Sequence[Vector]],
    own: Sequence[int],
    features: Callable[[Vector], Vector] = lambda x: x,
    ties: str = "unique",
    t: Fraction = TOLERANCE,
) -> Fraction:
    """Most links that any weights (w, 1 - w) of two features make.

    A row is positive on one side of one w: between two such w nothing changes, and links hold on open intervals.
    """
    records = [record_rows(row, own[i], features, ties, t) for i, row in enumerate(d) if own[i] >= 0]
    walls = {b / (b - a) for rows, _ in records for a, b in rows if a != b}
    marks = sorted({Fraction(0), Fraction(1), *(w for w in walls if 0 < w < 1)})
    return max(links_at((low + high) / 2, records) for low, high in pairwise(marks))


def links_at(w: Fraction, records: Sequence[tuple[Sequence[Row], Fraction]]) -> Fraction:
    """Weight of the records whose rows are all positive at w."""
    return sum((worth for rows, worth in records if all(w * a + (1 - w) * b > 0 for a, b in rows)), Fraction(0))


def record_rows(
    d: Sequence[Vector], own: int, features: Callable[[Vector], Vector], ties: str, t: Fraction = TOLERANCE
) -> tuple[list[Row], Fraction]:
    """Rows (1 - t) phi(j) - phi(own) of one record, and what its link is worth."""
    others = [j for j in range(len(d)) if j != own]
    twins = [j for j in others if have_same_differences(d[own], d[j], t)]
    rivals = others if ties == "unique" else [j for j in others if j not in twins]
    mine = features(d[own])
    rows = [((1 - t) * features(d[j])[0] - mine[0], (1 - t) * features(d[j])[1] - mine[1]) for j in rivals]
    return rows, Fraction(1, len(twins) + 1) if ties == "expected" else Fraction(1)


def least_errors(d: Sequence[Sequence[Vector]], own: Sequence[int], features: Callable[[Vector], Vector]) -> Fraction:
    """Least sum of errors over all w: the sum is convex and has its bends where a row changes sign."""
    rows = [row for i, x in enumerate(d) if own[i] >= 0 for row in record_rows(x, own[i], features, "unique")[0]]
    walls = {b / (b - a) for a, b in rows if a != b}
    bends = [Fraction(0), Fraction(1), *(w for w in walls if 0 < w < 1)]
    return min(sum((max(-(w * a + (1 - w) * b), Fraction(0)) for a, b in rows), Fraction(0)) for w in bends)
