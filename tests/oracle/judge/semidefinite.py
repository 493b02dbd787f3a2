"""Strict linear systems over positive semidefinite matrices: a matrix, or a mixture of rows that no matrix satisfies.

The cone is described by cuts u' S u >= 0, added where a solution violates them. A mixture W of rows is positive for no
semidefinite matrix just if its matrix is negative semidefinite. Both are tested in whole numbers. Where a problem has
solutions on the border of the cone only, mixtures with small multipliers are tried; the rest stays open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from tests.oracle.judge.case import whole_numbers
from tests.oracle.judge.families import dual_matrix, form_matrix, square_row
from tests.oracle.judge.strict import StrictSystem, is_semidefinite, product

ROUNDS = 80
"""Rounds of cuts before a question stays open."""

MAX_BITS = 4000
"""Length of numbers beyond which a question stays open."""

SHORT = (26, 52, 104, 208, 416, 832)
"""Numbers of bits to which cuts are rounded: as few as still cut."""

Vector = list[Fraction]

Found = tuple[Sequence[int] | None, list[int] | None]


class SemidefiniteSystem(StrictSystem):
    """Rows over the upper triangle of matrices of some size."""

    def __init__(self, n_attributes: int) -> None:
        super().__init__(n_attributes * (n_attributes + 1) // 2)
        unit = [[int(k == m) for m in range(n_attributes)] for k in range(n_attributes)]
        vectors = unit + [
            [a + sign * b for a, b in zip(first, second, strict=True)]
            for first, second in combinations(unit, 2)
            for sign in (1, -1)
        ]
        self.polar: dict[int, bool] = {}
        self.cuts = [self.add(square_row(u)) for u in vectors]

    def solve_semidefinite(self, numbers: Sequence[int]) -> Found:
        """Return a semidefinite matrix at which rows are positive, or rows that cannot be so; both None: undecided."""
        for number in numbers:
            if number not in self.polar:
                self.polar[number] = self._is_polar({number: 1})
            if self.polar[number]:
                return None, [number]
        for turn in range(ROUNDS):
            answer = self.solve([*numbers, *self.cuts])
            if answer.mixture is not None:
                return None, [number for number in answer.mixture if number in set(numbers)]
            theta = answer.theta or ()
            if is_semidefinite(form_matrix(theta)):
                return theta, None
            inner = self._moved_inside(theta, numbers)
            if inner is not None:
                return inner, None
            if turn >= 2:
                core = next((core for core in self._mixtures(set(numbers)) if self._is_polar(core)), None)
                if core is not None:
                    return None, sorted(core)
            if max(map(int.bit_length, theta)) > MAX_BITS or not self._cut_off(theta):
                break
        return None, None

    def solve_across(self, numbers: Sequence[int], owns: Sequence[Sequence[int]]) -> Sequence[int] | None:
        """Return a matrix that is 0, or next to 0, on some vectors, and at which rows are positive.

        With these vectors the own differences of records, their own distances vanish and others need not.
        """
        across = orthogonal(owns)
        if not across:
            return None
        n = len(owns[0])
        places = [(k, m) for k in range(n) for m in range(k, n)]
        squares = [sum(z[k] * z[m] for z in across) for k, m in places]
        unit = 1 << max(max(squares).bit_length() - 20, 0)
        for bits in (0, 20, 60, 120, 240):
            added = unit if bits else 0
            theta = [(value << bits) + (added if k == m else 0) for value, (k, m) in zip(squares, places, strict=True)]
            if all(product(theta, self.rows[number]) > 0 for number in numbers):
                return theta
        return None

    def _moved_inside(self, theta: Sequence[int], numbers: Sequence[int]) -> Sequence[int] | None:
        """Return theta plus a multiple of the identity that makes it semidefinite, if all rows stay positive."""
        n = len(form_matrix(theta))
        places = [int(k == m) for k in range(n) for m in range(k, n)]
        largest = max(map(abs, theta))
        least = float(np.linalg.eigvalsh(_float_matrix(theta))[0])
        for factor in (1.0, 1.5, 4.0):
            added = int(Fraction(max(-least, 0.0) * factor + 1e-15) * largest) + 1
            moved = [value + added * place for value, place in zip(theta, places, strict=True)]
            if is_semidefinite(form_matrix(moved)):
                if all(product(moved, self.rows[number]) > 0 for number in numbers):
                    return moved
                return None
        return None

    def _cut_off(self, theta: Sequence[int]) -> bool:
        """Add cuts that theta violates: eigenvectors of negative eigenvalues, or where these are tiny an exact one."""
        values, vectors = np.linalg.eigh(_float_matrix(theta))
        rows = [square_row([round(entry * 2**26) for entry in u]) for u in vectors.T[values < -1e-9].tolist()]
        rows = [row for row in rows if product(theta, row) < 0]
        if not rows:
            exact = negative_direction(theta)
            depth = Fraction(product(theta, square_row(exact)), product(exact, exact))
            short = (_rounded(exact, bits) for bits in SHORT)
            deep = (u for u in short if any(u) and 2 * product(theta, square_row(u)) <= depth * product(u, u))
            rows = [square_row(u) for u in deep][:1]
        self.cuts += [self.add(row) for row in rows]
        return bool(rows)

    def _mixtures(self, numbers: set[int]) -> Iterator[dict[int, Fraction]]:
        """Yield mixtures of rows near the last one: as it is, and with small multipliers of the rows as they came."""
        sizes = {number: value for number, value in self.near.items() if number in numbers and value > 1e-9}
        if not sizes:
            return
        natural = {number: Fraction(value) / self.length(number) for number, value in sizes.items()}
        top = max(natural.values())
        shares = {number: value / top for number, value in natural.items()}
        yield shares
        for limit in (1, 2, 12, 1000):
            rounded = {number: value.limit_denominator(limit) for number, value in shares.items()}
            yield {number: value for number, value in rounded.items() if value}

    def _is_polar(self, mixture: dict[int, Fraction] | dict[int, int]) -> bool:
        """Tell whether a mixture of rows, as they came, is positive for no semidefinite matrix."""
        if not mixture:
            return False
        multipliers = whole_numbers([Fraction(value) for value in mixture.values()])
        total = [0] * self.n_parameters
        for number, multiplier in zip(mixture, multipliers, strict=True):
            scaled = multiplier * self.factors[number]
            total = [a - scaled * b for a, b in zip(total, self.rows[number], strict=True)]
        return is_semidefinite(dual_matrix(total))


def negative_direction(theta: Sequence[int]) -> list[int]:
    """Return a vector u of whole numbers with u' S u < 0 for a matrix that is not semidefinite.

    >>> negative_direction([1, 2, 3]), negative_direction([0, 1, 0])
    ([-2, 1], [-1, 2])
    """
    matrix = form_matrix(theta)
    n = len(matrix)

    def form(u: Vector, v: Vector) -> Fraction:
        return sum((u[k] * matrix[k][m] * v[m] for k in range(n) for m in range(n)), Fraction(0))

    conjugate: list[tuple[Vector, Fraction]] = []
    for unit in [[Fraction(int(k == m)) for m in range(n)] for k in range(n)]:
        u = unit
        for other, size in conjugate:
            share = form(other, unit) / size
            u = [a - share * b for a, b in zip(u, other, strict=True)]
        size = form(u, u)
        if size < 0:
            return whole_numbers(u)
        if size > 0:
            conjugate.append((u, size))
            continue
        for v in [[Fraction(int(k == m)) for m in range(n)] for k in range(n)]:
            if cross := form(u, v):
                share = -(form(v, v) + 1) / (2 * cross)
                return whole_numbers([share * a + b for a, b in zip(u, v, strict=True)])
    raise ValueError("the matrix is semidefinite")


def orthogonal(vectors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return vectors that span everything orthogonal to some vectors.

    >>> orthogonal([[1, 2]]), orthogonal([[1, 0], [1, 1]])
    ([[-2, 1]], [])
    """
    n = len(vectors[0])
    lines: list[list[Fraction]] = []
    pivots: list[int] = []
    for vector in vectors:
        line = [Fraction(value) for value in vector]
        for other, place in zip(lines, pivots, strict=True):
            line = [a - line[place] * b for a, b in zip(line, other, strict=True)]
        if not any(line):
            continue
        pivot = next(k for k, value in enumerate(line) if value)
        line = [value / line[pivot] for value in line]
        lines = [[a - old[pivot] * b for a, b in zip(old, line, strict=True)] for old in lines]
        lines.append(line)
        pivots.append(pivot)
    result = []
    for free in (k for k in range(n) if k not in pivots):
        found = [Fraction(int(k == free)) for k in range(n)]
        for line, pivot in zip(lines, pivots, strict=True):
            found[pivot] = -line[free]
        result.append(whole_numbers(found))
    return result


def _rounded(vector: Sequence[int], bits: int) -> list[int]:
    """Return a vector of about the same direction with entries of at most so many bits."""
    excess = max(max(map(int.bit_length, vector)) - bits, 0)
    return [(value + (1 << excess >> 1)) >> excess for value in vector]


def _float_matrix(theta: Sequence[int]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    largest = max(map(abs, theta)) or 1
    return np.array([[float(value / largest) for value in row] for row in form_matrix(theta)])
