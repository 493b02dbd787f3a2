"""Rows against positive semidefinite matrices: one of these is positive on all rows, or a mixture of rows on none.

Decided along the central path of

    least y  with  y I - sum lambda_r V_r positive semidefinite,  sum lambda = 1,  lambda >= 0,

by Newton steps in decimal numbers of many digits (Nesterov and Nemirovskii 1994). A mixture with y < 0 is negative
definite: no semidefinite matrix is positive on all rows. Otherwise the inverse of y I - sum lambda_r V_r is positive
definite, and near the end of the path it is positive on all rows, if the least y is. If that is 0, a mixture vanishes
in some directions; these are guessed as fractions, and the multipliers solved for exactly. What is found is only
proposed: whoever asks checks it in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException, getcontext, localcontext
from fractions import Fraction

DIGITS = (110, 500)
"""Decimal digits of the path; a path that leads nowhere is followed once more, with more digits."""

LAST = (Decimal("1e-44"), Decimal("1e-220"))
"""The path ends where the gap between its two values is below this; the least y then counts as 0."""

FACTOR = 16
"""By this factor the gap shrinks from one stage to the next."""

NEWTON_STEPS = 20
"""Newton steps in one stage at most; two or three do."""

GUARD = 10
"""The last digits of a path are left out of what it proposes."""

NOTHINGS = tuple(Decimal(f"1e-{power}") for power in (15, 30, 60, 120))
"""Pivots and multipliers below this are 0 at the end of a path whose least y is 0. Each is tried that is well above the
gap: where values are of very different size, small multipliers count."""

LARGEST_DENOMINATOR = 1 << 60
"""Directions in which a mixture vanishes are guessed with denominators up to this."""

Numbers = list[Decimal]
Matrix = list[Numbers]


@dataclass(frozen=True)
class Proposal:
    """A matrix (its upper triangle, row by row), or multipliers of the rows, in whole numbers; or neither yet."""

    theta: tuple[int, ...] | None = None
    multipliers: tuple[int, ...] | None = None


def proposals(rows: Sequence[Sequence[int]], n: int) -> Iterator[Proposal]:
    """Yield matrices that may be positive on all rows, and mixtures that may be so on no matrix, until the path ends.

    Rows are sums over the upper triangle, as for `linkrisk.distances.polar.is_negative_semidefinite`.

    >>> rows = [[1, 0, -2], [-1, 1, 1]]
    >>> theta = next(found.theta for found in proposals(rows, 2) if found.theta)
    >>> all(sum(a * b for a, b in zip(row, theta)) > 0 for row in rows)
    True
    """
    for digits, last in zip(DIGITS, LAST, strict=True):
        with localcontext() as context:
            context.prec = digits
            path = _Path(rows, n, last)
        while not path.is_over:
            with localcontext() as context:
                context.prec = digits
                try:
                    found = path.advance()
                except (DecimalException, ZeroDivisionError):
                    break
            yield from found or [Proposal()]  # who asks looks at the clock


class _Path:
    """A point of the central path."""

    def __init__(self, rows: Sequence[Sequence[int]], n: int, last: Decimal) -> None:
        self.n = n
        self.last = last
        self.forms = [_form(row, n) for row in rows]
        diagonal = [max(abs(form[k][k]) for form in self.forms) or 1 for k in range(n)]
        self.stretch = [Fraction(2) ** (-(value.bit_length() // 2)) for value in diagonal]
        scaled = [
            [[_decimal(form[k][m] * self.stretch[k] * self.stretch[m]) for m in range(n)] for k in range(n)]
            for form in self.forms
        ]
        self.lengths = [
            max((abs(value) for row in form for value in row), default=Decimal(0)) or Decimal(1) for form in scaled
        ]
        self.rows = [
            [[value / length for value in row] for row in form]
            for form, length in zip(scaled, self.lengths, strict=True)
        ]
        self.lambdas = [Decimal(1) / len(rows)] * len(rows)
        self.y = Decimal(2 * n)
        self.gap = Decimal(8 * n)
        self.is_over = False

    def advance(self) -> list[Proposal]:
        """Go on to the next stage and return what it proposes."""
        if self.gap < self.last:
            self.is_over = True
            small = [nothing for nothing in NOTHINGS if nothing > self.last.sqrt()] or list(NOTHINGS[:1])
            ends = [end for nothing in small for end in (self._multipliers(nothing), self._vanishing(nothing))]
            return [Proposal(multipliers=end) for end in dict.fromkeys(ends) if end is not None]
        for _ in range(NEWTON_STEPS):
            if self._newton() < Decimal("0.01"):
                break
        self.gap /= FACTOR
        inverse = _inverse(self._slack(self.lambdas, self.y))
        found = []
        if inverse is not None and min(_trace(inverse, row) for row in self.rows) > 0:
            found.append(Proposal(theta=self._theta(inverse)))
        if self.y < 0:
            found.append(Proposal(multipliers=self._multipliers()))
        return found

    def _slack(self, lambdas: Numbers, y: Decimal) -> Matrix:
        """Return y I - sum lambda_r V_r."""
        return [
            [
                (y if k == m else Decimal(0))
                - sum(share * row[k][m] for share, row in zip(lambdas, self.rows, strict=True))
                for m in range(self.n)
            ]
            for k in range(self.n)
        ]

    def _newton(self) -> Decimal:
        """Make a step towards the point of the path with this gap; return the square of the Newton decrement."""
        n, m = self.n, len(self.lambdas)
        inverse = _inverse(self._slack(self.lambdas, self.y))
        if inverse is None:
            self.y += max(abs(self.y), Decimal(1))
            return Decimal(1)
        products = [_product(inverse, row) for row in self.rows]
        system = [[Decimal(0)] * (m + 3) for _ in range(m + 2)]
        for r in range(m):
            for s in range(r, m):
                system[r][s] = system[s][r] = _trace(products[r], products[s])
            system[r][r] += 1 / (self.lambdas[r] * self.lambdas[r])
            system[r][m] = system[m][r] = -_trace(products[r], inverse)
            system[r][m + 1] = system[m + 1][r] = Decimal(1)  # the multipliers still sum to 1
            system[r][m + 2] = 1 / self.lambdas[r] - sum(products[r][k][k] for k in range(n))
        system[m][m] = _trace(inverse, inverse)
        system[m][m + 2] = sum(inverse[k][k] for k in range(n)) - (n + m) / self.gap
        right = [row[-1] for row in system]
        step = _solution(system)
        share = Decimal(1)
        while True:
            lambdas = [value + share * change for value, change in zip(self.lambdas, step[:m], strict=True)]
            y = self.y + share * step[m]
            if min(lambdas) > 0 and _inverse(self._slack(lambdas, y)) is not None:
                break
            share /= 2
        total = sum(lambdas)
        self.lambdas, self.y = [value / total for value in lambdas], y
        return sum((a * b for a, b in zip(step, right, strict=True)), Decimal(0)) if share == 1 else Decimal(1)

    def _theta(self, inverse: Matrix) -> tuple[int, ...]:
        """Return a matrix, given in the stretched attributes, as whole numbers."""
        entries = [
            inverse[k][m] * _decimal(self.stretch[k] * self.stretch[m]) for k in range(self.n) for m in range(k, self.n)
        ]
        return _rounded(entries)

    def _multipliers(self, least: Decimal = Decimal(0)) -> tuple[int, ...]:
        """Return the multipliers above ``least``, of rows as they were given, as whole numbers.

        Rows of two vectors vanish in all directions at right angles to these, whatever their multipliers.
        """
        shares = [
            value / length if value > least else Decimal(0)
            for value, length in zip(self.lambdas, self.lengths, strict=True)
        ]
        return _rounded(shares)

    def _vanishing(self, nothing: Decimal) -> tuple[int, ...] | None:
        """Return multipliers of a mixture that vanishes exactly where the one at the end of the path nearly does."""
        kept = [r for r, value in enumerate(self.lambdas) if value > nothing]
        kernel = _kernel(self._slack(self.lambdas, Decimal(0)), nothing)
        if kernel is None:
            return None
        equations = [
            [sum((self.forms[r][k][m] * self.stretch[m] * vector[m] for m in range(self.n)), Fraction(0)) for r in kept]
            for vector in kernel
            for k in range(self.n)
        ]
        guess = [Fraction(self.lambdas[r] / self.lengths[r]) for r in kept]
        exact = _near_solution(equations, guess)
        if exact is None or min(exact) < 0:
            return None
        common = math.lcm(*(value.denominator for value in exact))
        wholes = dict(zip(kept, (int(value * common) for value in exact), strict=True))
        return tuple(wholes.get(r, 0) for r in range(len(self.lambdas)))


def _form(row: Sequence[int], n: int) -> list[list[int]]:
    """Return twice the symmetric matrix that a row over the upper triangle stands for."""
    matrix = [[0] * n for _ in range(n)]
    place = 0
    for k in range(n):
        for m in range(k, n):
            matrix[k][m] = matrix[m][k] = row[place] * (2 if k == m else 1)
            place += 1
    return matrix


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _rounded(values: Sequence[Decimal]) -> tuple[int, ...]:
    largest, unit = max(map(abs, values)), Decimal(10) ** (getcontext().prec - GUARD)
    return tuple(int(value / largest * unit) for value in values)


def _product(first: Matrix, second: Matrix) -> Matrix:
    columns = list(zip(*second, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Decimal(0)) for column in columns] for row in first]


def _trace(first: Matrix, second: Matrix) -> Decimal:
    """Return the trace of the product."""
    return sum(
        (
            a * b
            for row, column in zip(first, zip(*second, strict=True), strict=True)
            for a, b in zip(row, column, strict=True)
        ),
        Decimal(0),
    )


def _inverse(matrix: Matrix) -> Matrix | None:
    """Return the inverse of a symmetric matrix if it is positive definite, otherwise None."""
    n = len(matrix)
    rows = [[*row, *(Decimal(int(k == m)) for m in range(n))] for k, row in enumerate(matrix)]
    for k in range(n):
        if rows[k][k] <= 0:
            return None
        for q in range(k + 1, n):
            share = rows[q][k] / rows[k][k]
            rows[q] = [a - share * b for a, b in zip(rows[q], rows[k], strict=True)]
    for k in reversed(range(n)):
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for q in range(k):
            share = rows[q][k]
            rows[q] = [a - share * b for a, b in zip(rows[q], rows[k], strict=True)]
    return [row[n:] for row in rows]


def _solution(system: Matrix) -> Numbers:
    """Solve linear equations, their right-hand sides in the last column, by elimination with row exchanges."""
    size = len(system)
    for k in range(size):
        best = max(range(k, size), key=lambda q: abs(system[q][k]))
        system[k], system[best] = system[best], system[k]
        for q in range(k + 1, size):
            share = system[q][k] / system[k][k]
            if share:
                system[q] = [a - share * b for a, b in zip(system[q], system[k], strict=True)]
    result = [Decimal(0)] * size
    for k in reversed(range(size)):
        known = sum((system[k][m] * result[m] for m in range(k + 1, size)), Decimal(0))
        result[k] = (system[k][size] - known) / system[k][k]
    return result


def _kernel(matrix: Matrix, nothing: Decimal) -> list[list[Fraction]] | None:
    """Return directions in which a semidefinite matrix nearly vanishes, as fractions; None if they are none."""
    n = len(matrix)
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for _ in range(n):
        free = [k for k in range(n) if k not in pivots]
        best = max(free, key=lambda k: rows[k][k])
        if rows[best][best] < nothing:
            break
        pivots.append(best)
        rows[best] = [value / rows[best][best] for value in rows[best]]
        for q in range(n):
            if q != best and rows[q][best]:
                share = rows[q][best]
                rows[q] = [a - share * b for a, b in zip(rows[q], rows[best], strict=True)]
    basis = []
    for free_place in (k for k in range(n) if k not in pivots):
        vector = [Fraction(int(k == free_place)) for k in range(n)]
        for pivot in pivots:
            guess = Fraction(-rows[pivot][free_place]).limit_denominator(LARGEST_DENOMINATOR)
            if abs(guess + Fraction(rows[pivot][free_place])) > Fraction(1, 10**12):
                return None
            vector[pivot] = guess
        basis.append(vector)
    return basis


def _near_solution(equations: list[list[Fraction]], guess: list[Fraction]) -> list[Fraction] | None:
    """Return a solution of homogeneous equations: the free unknowns as guessed, the others as they follow."""
    rows = [list(row) for row in equations]
    pivots: list[int] = []
    for column in sorted(range(len(guess)), key=lambda c: guess[c]):  # small ones follow from large ones
        place = next((q for q in range(len(pivots), len(rows)) if rows[q][column]), None)
        if place is None:
            continue
        here = len(pivots)
        rows[here], rows[place] = rows[place], rows[here]
        lead = rows[here][column]
        rows[here] = [value / lead for value in rows[here]]
        for q in range(len(rows)):
            if q != here and rows[q][column]:
                share = rows[q][column]
                rows[q] = [a - share * b for a, b in zip(rows[q], rows[here], strict=True)]
        pivots.append(column)
    if len(pivots) == len(guess):
        return None
    rounded = [value.limit_denominator(LARGEST_DENOMINATOR**4) for value in guess]
    result = [Fraction(0) if c in pivots else value for c, value in enumerate(rounded)]
    for q, column in enumerate(pivots):
        result[column] = -sum((rows[q][c] * result[c] for c in range(len(guess)) if c not in pivots), Fraction(0))
    return result
