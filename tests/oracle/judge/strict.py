"""Strict linear systems in whole numbers: a theta that makes all rows positive, or a mixture of rows that is 0.

One of the two exists, and not both (Gordan 1873). A simplex method in floating point guesses which; whatever is
returned was shown in whole numbers. Where the guess does not stand, a simplex method in whole numbers decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = Sequence[int]

NO_COLUMN = -1


@dataclass(frozen=True)
class Answer:
    """Either ``theta``, positive on all rows, or ``mixture``: multipliers of rows, by their number, whose sum is 0."""

    theta: tuple[int, ...] | None
    mixture: dict[int, int] | None

    @property
    def is_possible(self) -> bool:
        """Whether all rows can be positive at once."""
        return self.theta is not None


class StrictSystem:
    """Rows of whole numbers, to be asked which of them can be positive at once; rows can be added.

    ``factors`` are what rows as they came were divided by; ``near`` are the multipliers of the last guess, of rows
    with largest entry 1; ``n_exact`` counts the questions that guesses did not settle.
    """

    def __init__(self, n_parameters: int) -> None:
        self.n_parameters = n_parameters
        self.rows: list[list[int]] = []
        self.factors: list[int] = []
        self.near: dict[int, float] = {}
        self.n_exact = 0
        self._scaled = _ScaledRows(self.rows)

    def add(self, row: Row) -> int:
        """Add a row, brought to its least length in whole numbers; return its number."""
        factor = math.gcd(*row) or 1
        self.rows.append([value // factor for value in row])
        self.factors.append(factor)
        return len(self.rows) - 1

    def length(self, number: int) -> int:
        """Return the largest entry of a row as it came."""
        return self.factors[number] * max(map(abs, self.rows[number]))

    def solve(self, numbers: Iterable[int]) -> Answer:
        """Decide whether the rows of these numbers can all be positive at once."""
        chosen = list(dict.fromkeys(numbers))
        answer = self._solve(chosen)
        if answer.mixture is not None:
            assert min(answer.mixture.values()) > 0
            columns = zip(*(self.rows[number] for number in answer.mixture), strict=True)
            assert not any(product(list(answer.mixture.values()), column) for column in columns)
        return answer

    def _solve(self, chosen: list[int]) -> Answer:
        if not chosen:
            return Answer((1,) + (0,) * (self.n_parameters - 1), None)
        for number in chosen:
            if not any(self.rows[number]):
                return Answer(None, {number: 1})
        matrix = self._scaled.part(chosen)
        theta, margin, support = _guess(matrix)
        self.near = {chosen[place]: value for place, value in support.items()}
        if margin > 0.0 and (found := self._as_theta(theta, chosen)) is not None:
            return Answer(found, None)
        if (mixture := self._as_mixture(list(self.near))) is not None:
            return Answer(None, mixture)
        self.n_exact += 1
        answer = _ExactSimplex(
            [self.rows[number] for number in chosen], matrix, self._scaled.columns, list(support)
        ).run()
        if answer.mixture is None:
            assert all(product(answer.theta or (), self.rows[number]) > 0 for number in chosen)
            return answer
        return Answer(None, {chosen[place]: value for place, value in answer.mixture.items()})

    def _as_theta(self, theta: NDArray[np.float64], chosen: list[int]) -> tuple[int, ...] | None:
        """Return theta in whole numbers if it is positive on all rows."""
        least = min(self._scaled.columns)
        for bits in (20, 60):  # short numbers are quicker to work with
            whole = tuple(
                round(math.ldexp(value, bits)) << (exponent - least)
                for value, exponent in zip(theta.tolist(), self._scaled.columns, strict=True)
            )
            if all(product(whole, self.rows[number]) > 0 for number in chosen):
                return whole
        return None

    def _as_mixture(self, numbers: list[int]) -> dict[int, int] | None:
        """Return positive multipliers of just these rows whose sum is 0, if there is one null vector only."""
        vector = null_vector([self.rows[number] for number in numbers])
        if vector is None:
            return None
        if min(vector) < 0:
            vector = [-value for value in vector]
        if min(vector) < 0:
            return None
        return {number: value for number, value in zip(numbers, vector, strict=True) if value}


class _ScaledRows:
    """Rows in floating point, largest entry 1, after columns were multiplied by powers of two, 2^``columns``."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
        self.columns: list[int] = []
        self._matrix: NDArray[np.float64] = np.zeros((0, 0))

    def part(self, chosen: list[int]) -> NDArray[np.float64]:
        """Return some of the rows."""
        if len(self._matrix) < len(self.rows):
            self._fill()
        return self._matrix[chosen]

    def _fill(self) -> None:
        added = self.rows[len(self._matrix) :]
        sizes = np.array([[value.bit_length() if value else -np.inf for value in row] for row in added])
        if not self.columns:
            self.columns = self._column_exponents(sizes)
        tops = (sizes + np.array(self.columns)).max(axis=1)
        tops = np.where(np.isfinite(tops), tops, 0.0).astype(int).tolist()
        new = [
            [_ldexp(value, exponent - top) for value, exponent in zip(row, self.columns, strict=True)]
            for row, top in zip(added, tops, strict=True)
        ]
        self._matrix = np.array([*self._matrix, *new])

    @staticmethod
    def _column_exponents(sizes: NDArray[np.float64]) -> list[int]:
        """Return powers that bring the largest entries of columns to the same size, in rows of the same size."""
        columns = np.zeros(sizes.shape[1])
        for _ in range(3):
            tops = (sizes + columns).max(axis=1, keepdims=True)
            shares = (sizes + columns - np.where(np.isfinite(tops), tops, 0.0)).max(axis=0)
            columns -= np.where(np.isfinite(shares), shares, 0.0)
        return [0] * len(columns) if np.ptp(columns) < 8 else columns.astype(int).tolist()


def _ldexp(value: int, exponent: int) -> float:
    """Return value times 2^exponent, 0 where that is next to nothing."""
    excess = max(value.bit_length() - 100, 0)
    return math.ldexp(float(value >> excess), max(exponent + excess, -1100))


def product(first: Row, second: Row) -> int:
    """Return the inner product."""
    return sum(map(int.__mul__, first, second))


def _guess(matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, dict[int, float]]:
    """Return a theta in the unit cube with a large least product, that product, and the rows that determine it.

    The least sum of |r_k|, r being a mean of the rows, by a simplex method with an explicit inverse: basic columns
    are rows of the matrix or unit vectors with a sign. Its dual is the greatest least product.
    """
    n_rows, p = matrix.shape
    sign = np.where(matrix[0] > 0.0, -1.0, 1.0)
    inverse = np.zeros((p + 1, p + 1))
    inverse[np.arange(p), np.arange(p)] = sign
    inverse[:p, p] = -sign * matrix[0]
    inverse[p, p] = 1.0
    basis = [n_rows + k if sign[k] > 0 else n_rows + p + k for k in range(p)] + [0]
    cost = np.array([1.0] * p + [0.0])
    theta, margin = np.zeros(p), 0.0
    for _ in range(60 + 12 * p):
        dual = cost @ inverse
        theta, margin = -dual[:p], float(dual[p])
        if margin < 1e-13:
            break
        column = _entering(matrix, theta, margin)
        if column == NO_COLUMN:
            break
        entering = _column(matrix, column)
        direction = inverse @ entering
        value = inverse[:, p]
        usable = direction > 1e-11
        if not usable.any():
            break
        ratio = np.where(usable, np.maximum(value, 0.0) / np.where(usable, direction, 1.0), np.inf)
        leaving = int(ratio.argmin())
        inverse[leaving] /= direction[leaving]
        direction[leaving] = 0.0
        inverse -= np.outer(direction, inverse[leaving])
        basis[leaving] = column
        cost[leaving] = 0.0 if column < n_rows else 1.0
    values = inverse[:, p]
    support = {row: float(values[q]) for q, row in enumerate(basis) if row < n_rows and values[q] > 1e-13}
    return theta, margin, support


def _entering(matrix: NDArray[np.float64], theta: NDArray[np.float64], margin: float) -> int:
    """Return the column with the least reduced cost, `NO_COLUMN` where none is negative."""
    n_rows, p = matrix.shape
    by_row = matrix @ theta - margin
    row, place = int(by_row.argmin()), int(np.abs(theta).argmax())
    outside, lowest = 1.0 - abs(float(theta[place])), float(by_row[row])
    if lowest < -1e-13 and lowest <= outside:
        return row
    if outside < -1e-12:
        return int(n_rows + place + (0 if float(theta[place]) < 0.0 else p))
    return row if lowest < -1e-13 else NO_COLUMN


def _column(matrix: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    n_rows, p = matrix.shape
    result = np.zeros(p + 1)
    if column < n_rows:
        result[:p], result[p] = matrix[column], 1.0
    else:
        place = column - n_rows
        result[place % p] = 1.0 if place < p else -1.0
    return result


def null_vector(rows: Sequence[Row]) -> list[int] | None:
    """Return multipliers of the rows, in whole numbers, that make their sum 0; None unless they are unique.

    >>> null_vector([[1, 0], [0, 1], [-2, -3]])
    [2, 3, 1]
    >>> null_vector([[1, 0], [0, 1]]) is None
    True
    """
    n = len(rows)
    if n == 0 or n > len(rows[0]) + 1:
        return None
    equations = [list(column) for column in zip(*rows, strict=True) if any(column)]
    pivots: list[int] = []
    last = 1
    for k in range(n):
        start = len(pivots)
        candidates = [q for q in range(start, len(equations)) if equations[q][k]]
        if not candidates:
            continue
        best = min(candidates, key=lambda q: (n - equations[q].count(0), abs(equations[q][k])))
        equations[start], equations[best] = equations[best], equations[start]
        lead, pivot_row = equations[start][k], equations[start]
        for q, row in enumerate(equations):
            if q != start:
                share = row[k]
                equations[q] = [(lead * a - share * b) // last for a, b in zip(row, pivot_row, strict=True)]
        last = lead
        pivots.append(k)
    free = [k for k in range(n) if k not in pivots]
    if len(free) != 1:
        return None
    # Reduced: last * x_pivot + entry * x_free = 0 in every equation.
    result = [0] * n
    result[free[0]] = last
    for q, k in enumerate(pivots):
        result[k] = -equations[q][free[0]]
    factor = math.gcd(*result) * (1 if last > 0 else -1)
    return [value // factor for value in result]


def solve_exactly(rows: Sequence[Row]) -> Answer:
    """Decide in whole numbers alone.

    >>> solve_exactly([[1, 0], [0, 1]]).is_possible, solve_exactly([[1, 0], [-2, 0]]).mixture
    (True, {0: 2, 1: 1})
    """
    for place, row in enumerate(rows):
        if not any(row):
            return Answer(None, {place: 1})
    scaled = _ScaledRows([list(row) for row in rows])
    return _ExactSimplex(rows, scaled.part(list(range(len(rows)))), scaled.columns, []).run()


class _ExactSimplex:
    """Means of the rows that are 0, by the first phase of a revised simplex method in whole numbers.

    Equations: the p entries of the mean, and the sum of multipliers, 1. Basic columns are rows, or unit vectors with a
    sign, whose sum is made least. ``inverse`` is that of the basis times the ``denominator`` (Edmonds 1967): nothing is
    rounded. Which row enters is chosen in floating point as long as that makes progress, then by Bland's rule.
    """

    def __init__(self, rows: Sequence[Row], matrix: NDArray[np.float64], columns: list[int], first: list[int]) -> None:
        self.rows = rows
        self.matrix = matrix
        self.columns = columns
        start = first.pop() if first else 0
        self.first = first
        p = len(rows[0])
        self.sign = [-1 if value > 0 else 1 for value in rows[start]]
        self.inverse = [[self.sign[k] if k == m else 0 for m in range(p)] for k in range(p)]
        for line, sign, value in zip(self.inverse, self.sign, rows[start], strict=True):
            line.append(-sign * value)
        self.inverse.append([0] * p + [1])
        self.basis = [len(rows) + k for k in range(p)] + [start]
        self.denominator = 1
        self.n_idle = 0

    def run(self) -> Answer:
        """Pivot until the unit vectors are gone, or cannot go."""
        while True:
            artificial = [line for q, line in zip(self.basis, self.inverse, strict=True) if q >= len(self.rows)]
            dual = [sum(column) for column in zip(*artificial, strict=True)] if artificial else [0]
            if dual[-1] == 0:
                return self._mixture()
            theta = [-value for value in dual[:-1]]
            row = self._entering(theta, dual[-1])
            if row == NO_COLUMN:
                factor = math.gcd(*theta) or 1
                return Answer(tuple(value // factor for value in theta), None)
            self._enter(row)

    def _mixture(self) -> Answer:
        values = {q: line[-1] for q, line in zip(self.basis, self.inverse, strict=True) if q < len(self.rows)}
        factor = math.gcd(*values.values())
        return Answer(None, {row: value // factor for row, value in sorted(values.items()) if value})

    def _entering(self, theta: list[int], margin: int) -> int:
        """Return a row whose product with theta is below the margin; none if all products are positive."""
        while self.first:
            row = self.first.pop()
            if row not in self.basis and product(theta, self.rows[row]) < margin:
                return row
        if self.n_idle < 4 * len(theta):
            row = self._lowest(theta)
            if product(theta, self.rows[row]) < min(margin, 1):
                return row
        products = [product(theta, row) for row in self.rows]
        if min(products) > 0:
            return NO_COLUMN
        if self.n_idle < 4 * len(theta):
            longest = max(map(abs, theta))
            lengths = [longest * max(map(abs, row)) for row in self.rows]
            wrong = [q for q, value in enumerate(products) if value <= 0]
            return min(wrong, key=lambda q: products[q] / lengths[q])
        return next(q for q, value in enumerate(products) if value < margin)

    def _lowest(self, theta: list[int]) -> int:
        """Return the row whose product is least, rows being of one length, as far as floating point can tell."""
        most = max(self.columns)
        shifted = [value << (most - exponent) for value, exponent in zip(theta, self.columns, strict=True)]
        top = max(map(int.bit_length, shifted))
        seen = self.matrix @ np.array([_ldexp(value, -top) for value in shifted])
        return int(seen.argmin())

    def _enter(self, row: int) -> None:
        p = len(self.sign)
        entering = [*self.rows[row], 1]
        direction = [product(line, entering) for line in self.inverse]
        place = self._leaving(direction)
        pivot_line, pivot, last = self.inverse[place], direction[place], self.denominator
        self.n_idle = 0 if pivot_line[p] else self.n_idle + 1
        for other, line in enumerate(self.inverse):
            if other != place:
                share = direction[other]
                self.inverse[other] = [(pivot * a - share * b) // last for a, b in zip(line, pivot_line, strict=True)]
        self.basis[place] = row
        self.denominator = pivot

    def _leaving(self, direction: list[int]) -> int:
        best = NO_COLUMN
        for place, (line, step) in enumerate(zip(self.inverse, direction, strict=True)):
            if step <= 0:
                continue
            if best == NO_COLUMN:
                best = place
                continue
            first, second = line[-1] * direction[best], self.inverse[best][-1] * step
            if first < second or (first == second and self.basis[place] < self.basis[best]):
                best = place
        return best


def is_semidefinite(matrix: Sequence[Sequence[Any]]) -> bool:
    """Tell whether a symmetric matrix of whole numbers or fractions is positive semidefinite, by elimination.

    >>> is_semidefinite([[1, 2], [2, 4]]), is_semidefinite([[1, 2], [2, 3]])
    (True, False)
    """
    rest = [list(row) for row in matrix]
    while rest:
        lead, first = rest[0][0], rest[0]
        if lead < 0 or (lead == 0 and any(first)):
            return False
        if lead == 0:
            rest = [row[1:] for row in rest[1:]]
        else:
            rest = [[lead * row[q] - row[0] * first[q] for q in range(1, len(row))] for row in rest[1:]]
    return True
