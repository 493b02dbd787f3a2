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
        self._floats: list[list[float]] = []
        self._matrix: NDArray[np.float64] = np.zeros((0, n_parameters))

    def add(self, row: Row) -> int:
        """Add a row, brought to its least length in whole numbers; return its number."""
        factor = math.gcd(*row) or 1
        whole = [value // factor for value in row]
        largest = max((abs(value) for value in whole), default=0) or 1
        self.rows.append(whole)
        self.factors.append(factor)
        self._floats.append([value / largest for value in whole])
        return len(self.rows) - 1

    def solve(self, numbers: Iterable[int]) -> Answer:
        """Decide whether the rows of these numbers can all be positive at once."""
        chosen = list(dict.fromkeys(numbers))
        if not chosen:
            return Answer((1,) + (0,) * (self.n_parameters - 1), None)
        for number in chosen:
            if not any(self.rows[number]):
                return Answer(None, {number: 1})
        theta, margin, support = _guess(self._part(chosen))
        self.near = {chosen[place]: value for place, value in support.items()}
        if margin > 0.0 and (found := self._as_theta(theta, chosen)) is not None:
            return Answer(found, None)
        near = list(self.near)
        if (mixture := self._as_mixture(near)) is not None:
            return Answer(None, mixture)
        return self._solve_exactly(chosen, near)

    def length(self, number: int) -> int:
        """Return the largest entry of a row as it came."""
        return self.factors[number] * max(map(abs, self.rows[number]))

    def _part(self, chosen: list[int]) -> NDArray[np.float64]:
        if len(self._matrix) < len(self._floats):
            self._matrix = np.array(self._floats)
        return self._matrix[chosen]

    def _as_theta(self, theta: NDArray[np.float64], chosen: list[int]) -> tuple[int, ...] | None:
        """Return theta in whole numbers if it is positive on all rows."""
        exponent = 60 - math.frexp(float(np.abs(theta).max()) or 1.0)[1]
        for bits in (20, 60):  # short numbers are quicker to work with
            whole = tuple(round(math.ldexp(value, exponent - 60 + bits)) for value in theta.tolist())
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

    def _solve_exactly(self, chosen: list[int], near: list[int]) -> Answer:
        """Solve for some rows, and add those that are not positive then, until all are or none can be."""
        self.n_exact += 1
        active = near or chosen[:1]
        while True:
            answer = solve_exactly([self.rows[number] for number in active])
            if answer.mixture is not None:
                return Answer(None, {active[place]: value for place, value in answer.mixture.items()})
            theta = answer.theta or ()
            waiting = set(chosen).difference(active)
            wrong = [(self._depth(theta, number), number) for number in waiting]
            wrong = sorted(item for item in wrong if item[0] <= 0.0)
            if not wrong:
                wrong = [(0.0, number) for number in waiting if product(theta, self.rows[number]) <= 0]
            if not wrong:
                return Answer(theta, None)
            active += [number for _, number in wrong[: 2 + len(wrong) // 4]]

    def _depth(self, theta: Row, number: int) -> float:
        """Return how far a row is from being positive; a sign that rounding hides is found out exactly later."""
        row = self.rows[number]
        return product(theta, row) / ((max(map(abs, row)) or 1) * (max(map(abs, theta)) or 1))


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
    outside = 1.0 - abs(float(theta[place]))
    if by_row[row] <= min(outside, 0.0) and by_row[row] < -1e-13:
        return row
    if outside < -1e-12:
        return n_rows + place if theta[place] < 0.0 else n_rows + p + place
    return row if by_row[row] < -1e-13 else NO_COLUMN


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
    """Decide in whole numbers, by a first phase of the simplex method with Bland's rule, in a tableau.

    >>> solve_exactly([[1, 0], [0, 1]]).is_possible, solve_exactly([[1, 0], [-2, 0]]).mixture
    (True, {0: 2, 1: 1})
    """
    for place, row in enumerate(rows):
        if not any(row):
            return Answer(None, {place: 1})
    return _Tableau(rows).run()


class _Tableau:
    """Means of the rows that are 0: p equations and the sum of multipliers, with one artificial column per equation.

    All entries are whole numbers over one common denominator (Edmonds 1967), so that nothing is rounded.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.n_rows, p = len(rows), len(rows[0])
        self.sign = [-1 if value > 0 else 1 for value in rows[0]]
        self.lines: list[list[int]] = []
        for k, sign in enumerate(self.sign):
            unit = [int(q == k) for q in range(p)]
            self.lines.append([sign * (row[k] - rows[0][k]) for row in rows] + unit + [-sign * rows[0][k]])
        self.costs = [-sum(column) for column in zip(*self.lines, strict=True)]
        self.costs[self.n_rows : self.n_rows + p] = [0] * p
        self.lines.append([1] * self.n_rows + [0] * p + [1])
        self.basis = [self.n_rows + k for k in range(p)] + [0]
        self.denominator = 1
        self.n_greedy = 4 * p

    def run(self) -> Answer:
        """Pivot until the artificial columns are 0, or cannot become so."""
        while self.costs[-1] and (column := self._entering()) != NO_COLUMN:
            self._pivot(self._leaving(column), column)
        if self.costs[-1]:
            ends = self.costs[self.n_rows : -1]
            theta = [-sign * (self.denominator - cost) for sign, cost in zip(self.sign, ends, strict=True)]
            factor = math.gcd(*theta) or 1
            return Answer(tuple(value // factor for value in theta), None)
        values = {q: line[-1] for q, line in zip(self.basis, self.lines, strict=True) if q < self.n_rows and line[-1]}
        factor = math.gcd(*values.values())
        return Answer(None, {row: value // factor for row, value in sorted(values.items())})

    def _entering(self) -> int:
        costs = self.costs[: self.n_rows]
        if self.n_greedy > 0:
            self.n_greedy -= 1
            column = min(range(self.n_rows), key=costs.__getitem__)
            return column if costs[column] < 0 else NO_COLUMN
        return next((q for q, cost in enumerate(costs) if cost < 0), NO_COLUMN)

    def _leaving(self, column: int) -> int:
        best = NO_COLUMN
        for place, line in enumerate(self.lines):
            if line[column] <= 0:
                continue
            if best == NO_COLUMN:
                best = place
                continue
            there = self.lines[best]
            first, second = line[-1] * there[column], there[-1] * line[column]
            if first < second or (first == second and self.basis[place] < self.basis[best]):
                best = place
        return best

    def _pivot(self, place: int, column: int) -> None:
        pivot_line, last = self.lines[place], self.denominator
        pivot = pivot_line[column]
        for other, line in enumerate(self.lines):
            if other != place:
                self.lines[other] = _eliminated(line, pivot_line, line[column], pivot, last)
        self.costs = _eliminated(self.costs, pivot_line, self.costs[column], pivot, last)
        self.basis[place] = column
        self.denominator = pivot


def _eliminated(line: list[int], pivot_line: list[int], share: int, pivot: int, last: int) -> list[int]:
    if share == 0:
        return line if pivot == last else [pivot * a // last for a in line]
    return [(pivot * a - share * b) // last for a, b in zip(line, pivot_line, strict=True)]


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
