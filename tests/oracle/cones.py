"""The most cones that a point with positive entries lies in, by trying a point in every cell, in rationals.

A record is linked where all its rows are positive: inside a cone. Between walls, where a row is zero, nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

Vector = tuple[Fraction, ...]
Record = Sequence[Sequence[float]]


def weight_linked(point: Vector, records: Sequence[Record], weights: Sequence[float]) -> Fraction:
    """Weight of the records whose rows are all positive at a point."""
    return sum(
        (
            Fraction(weight)
            for rows, weight in zip(records, weights, strict=True)
            if all(sum(x * Fraction(v) for x, v in zip(point, row, strict=True)) > 0 for row in rows)
        ),
        Fraction(0),
    )


def most_linked(records: Sequence[Record], weights: Sequence[float]) -> Fraction:
    """Most weight linked by any point with positive entries, two or three of them."""
    n = len(records[0][0])
    points = points_of_two(records) if n == 2 else points_of_three(records)
    return max((weight_linked(point, records, weights) for point in points), default=Fraction(0))


def points_of_two(records: Sequence[Record]) -> Iterable[Vector]:
    """(w, 1 - w), w between any two neighbouring walls."""
    rows = [tuple(map(Fraction, row)) for rows in records for row in rows]
    walls = {b / (b - a) for a, b in rows if a != b}
    marks = sorted({Fraction(0), Fraction(1), *(w for w in walls if 0 < w < 1)})
    return [((low + high) / 2, 1 - (low + high) / 2) for low, high in pairwise(marks)]


def points_of_three(records: Sequence[Record], step: Fraction = Fraction(1, 10**60)) -> Iterable[Vector]:
    """Points next to every corner of a cell, in all directions between two of the walls that meet there.

    Every cell has a corner; the step must be small compared to the cells.
    """
    sides = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    walls = {tuple(map(Fraction, row)) for row in [*sides, *(row for rows in records for row in rows)]}
    ones = (Fraction(1),) * 3
    for first, second in combinations(sorted(walls), 2):
        corner = cross(first, second)
        if sum(corner) == 0:
            continue
        corner = tuple(x / sum(corner) for x in corner)
        if min(corner) < 0:
            continue
        along = [cross(first, ones), cross(second, ones)]
        for signs in product((step, -step), repeat=2):
            point = tuple(x + signs[0] * a + signs[1] * b for x, a, b in zip(corner, *along, strict=True))
            if min(point) > 0:
                yield point


def cross(u: Vector, v: Vector) -> Vector:
    """Cross product: a vector orthogonal to both."""
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
