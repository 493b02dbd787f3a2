"""The parameters that link the same records: a polytope whose corners are found one by one, in rationals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

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


def solve(rows: Sequence[Row], values: Row) -> list[Fraction] | None:
    """Solve a square system by elimination; None where it has no single solution."""
    n = len(rows)
    table = [[*row, value] for row, value in zip(rows, values, strict=True)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if table[r][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for r in range(n):
            if r != k and table[r][k]:
                table[r] = [x - table[r][k] * y for x, y in zip(table[r], table[k], strict=True)]
    return [row[n] for row in table]


def corners(rows: Sequence[Row], normal: Row) -> list[list[Fraction]]:
    """Corners of the bounded set rows . theta >= 0, normal . theta = 1."""
    n = len(normal)
    distinct = [list(row) for row in dict.fromkeys(tuple(row) for row in rows) if any(row)]
    found = []
    for chosen in combinations(distinct, n - 1):
        theta = solve([*chosen, normal], [*[Fraction(0)] * (n - 1), Fraction(1)])
        if theta is not None and all(sum(a * b for a, b in zip(row, theta, strict=True)) >= 0 for row in distinct):
            found.append(theta)
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
