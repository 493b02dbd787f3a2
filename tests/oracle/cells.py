"""The parameters that link the same records: a polytope whose corners are found one by one, in rationals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from operator import mul

Row = Sequence[Fraction]
Features = Callable[[Row], list[Fraction]]


def weighted(difference: Row) -> list[Fraction]:
    """Squared differences."""
    return [x * x for x in difference]


def ordered(difference: Row) -> list[Fraction]:
    """Squared differences, the largest first."""
    return sorted(weighted(difference), reverse=True)


def two_increments(difference: Row) -> list[Fraction]:
    """Return the factors of mu(1), mu(2) and mu(1, 2) in the Choquet integral of two attributes."""
    first, second = weighted(difference)
    return [max(first - second, Fraction(0)), max(second - first, Fraction(0)), min(first, second)]


def two_products(difference: Row) -> list[Fraction]:
    """Return the factors of S_11, S_12 and S_22 in a form of two attributes."""
    first, second = difference
    return [first * first, 2 * first * second, second * second]


def linking_rows(
    original: Sequence[Row], protected: Sequence[Row], records: Sequence[int], features: Features, t: Fraction
) -> list[list[Fraction]]:
    """Rows that are positive where record i is nearer to protected record i than to every other one."""
    rows = []
    for i in records:
        own = features([x - y for x, y in zip(original[i], protected[i], strict=True)])
        for j in range(len(protected)):
            if j != i:
                other = features([x - y for x, y in zip(original[i], protected[j], strict=True)])
                rows.append([(1 - t) * b - a for a, b in zip(own, other, strict=True)])
    return rows


def determinant(rows: Sequence[Sequence[int]]) -> int:
    """By its first row."""
    if not rows:
        return 1
    return sum(
        (-1) ** k * x * determinant([[*row[:k], *row[k + 1 :]] for row in rows[1:]]) for k, x in enumerate(rows[0]) if x
    )


def orthogonal(rows: Sequence[Sequence[int]], n: int) -> list[int]:
    """Return n whole numbers that are orthogonal to n - 1 rows; all 0 where these depend on each other."""
    return [(-1) ** k * determinant([[*row[:k], *row[k + 1 :]] for row in rows]) for k in range(n)]


def in_whole_numbers(row: Row) -> tuple[int, ...]:
    """Return a row times a positive number."""
    factor = math.lcm(*(x.denominator for x in row))
    return tuple(int(x * factor) for x in row)


def corners(rows: Sequence[Row], normal: Row) -> list[list[Fraction]]:
    """Corners of the bounded set rows . theta >= 0, normal . theta = 1: where n - 1 of the rows are 0."""
    n = len(normal)
    distinct = [row for row in dict.fromkeys(in_whole_numbers(row) for row in rows) if any(row)]
    found = []
    for chosen in combinations(distinct, n - 1):
        theta = orthogonal(chosen, n)
        size = sum(a * b for a, b in zip(normal, theta, strict=True))
        side = (size > 0) - (size < 0)
        if side and all(side * sum(map(mul, row, theta)) >= 0 for row in distinct):
            found.append([x / Fraction(size) for x in theta])
    return found


def ranges(points: Sequence[Row]) -> list[tuple[Fraction, Fraction]]:
    """Least and largest value of each entry."""
    return [(min(values), max(values)) for values in zip(*points, strict=True)]


def corners_of_largest_entry(rows: Sequence[Row], n: int) -> list[list[Fraction]]:
    """Corners of the set rows . theta >= 0 on every face where one entry is 1 or -1 and no other is larger."""
    found = []
    for k in range(n):
        for sign in (1, -1):
            normal = [Fraction(sign * (m == k)) for m in range(n)]
            box = [
                [Fraction(sign * (m == k) + side * (m == other)) for m in range(n)]
                for other in range(n)
                if other != k
                for side in (1, -1)
            ]
            found += corners([*rows, *box], normal)
    return found
