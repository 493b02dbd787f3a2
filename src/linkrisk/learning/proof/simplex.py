"""The simplex method in whole numbers, for programmes of few equations: nothing is rounded.

    least sum |s_k|  with  sum lambda_r v_r + sum mu_g g + s = 0,  sum lambda = 1,  lambda, mu >= 0

is the programme of `linkrisk.learning.cover.feasibility_kernels`, for rows v and g of whole numbers. Its minimum is 0
just if no theta has theta . v > 0 and theta . g >= 0 for all of them (docs/mathematics.md#feasibility).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from linkrisk.learning.problem.exact_pairs import Whole

PATIENCE = 20
"""Steps in a row that gain nothing, after which the first column that can enter does, so that no basis comes back."""


@dataclass(frozen=True)
class Column:
    """A vector of the mixture: ``entries`` by place, without zeros. Rows of records count in sum lambda = 1."""

    entries: tuple[tuple[int, int], ...]
    is_row: bool

    @classmethod
    def of(cls, values: Sequence[int], *, is_row: bool) -> Column:
        """Return the column of a vector."""
        return cls(tuple((place, value) for place, value in enumerate(values) if value), is_row)

    def times(self, theta: Sequence[int]) -> int:
        """Return the product with theta."""
        return sum(value * theta[place] for place, value in self.entries)


@dataclass
class WholeSimplex:
    """A basis of the programme and its inverse: each row whole numbers over a positive divisor of its own.

    ``columns`` are the vectors that may enter; more are added at any time. The basis holds their numbers; -1 - k is
    s_k > 0, and -1 - p - k is s_k < 0.
    """

    n_parameters: int
    columns: list[Column] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    inverse: list[Whole] = field(default_factory=list)
    divisors: Whole = field(default_factory=list)
    n_idle: int = 0

    def start(self, row: int) -> None:
        """Begin with one row, and with the s that balance it."""
        p = self.n_parameters
        self.codes = [-1 - k for k in range(p)] + [row]
        self.inverse = [[int(c == k) for c in range(p + 1)] for k in range(p + 1)]
        for place, value in self.columns[row].entries:
            if value > 0:
                self.codes[place] -= p
                self.inverse[place][place] = -1
            self.inverse[place][p] = abs(value)
        self.divisors = [1] * (p + 1)

    def prices(self) -> tuple[Whole, int]:
        """Return theta, the prices of the equations, and the sum of all |s_k|, both times a positive number.

        The sum is 0 if the mixture vanishes. Rows of records in the basis have theta . v equal to it, inequalities in
        the basis theta . g = 0.
        """
        costly = [i for i, code in enumerate(self.codes) if code < 0 and any(self.inverse[i])]
        common = math.lcm(*(self.divisors[i] for i in costly))
        total = [0] * (self.n_parameters + 1)
        for i in costly:
            factor = common // self.divisors[i]
            for k, value in enumerate(self.inverse[i]):
                if value:
                    total[k] += factor * value
        return [-value for value in total[:-1]], total[-1]

    @property
    def is_closed(self) -> bool:
        """Whether the mixture vanishes."""
        return not any(row[-1] for row, code in zip(self.inverse, self.codes, strict=True) if code < 0)

    def multipliers(self) -> dict[int, Fraction]:
        """Return the multipliers of the columns in the basis that are not 0."""
        basis = zip(self.codes, self.inverse, self.divisors, strict=True)
        return {code: Fraction(row[-1], divisor) for code, row, divisor in basis if code >= 0 and row[-1]}

    def enter(self, code: int) -> None:
        """Let a column enter whose price is below its due: theta . v < sum of |s_k|, or theta . g < 0."""
        column = self._product(code)
        leaving = self._leaving(column)
        self.n_idle = self.n_idle + 1 if self.inverse[leaving][-1] == 0 else 0
        pivot, pivot_row = column[leaving], self.inverse[leaving]
        for i, share in enumerate(column):
            if share and i != leaving:
                row = [pivot * a - share * b for a, b in zip(self.inverse[i], pivot_row, strict=True)]
                self._put(i, row, self.divisors[i] * pivot)
        self._put(leaving, pivot_row, pivot)
        self.codes[leaving] = code

    def _put(self, i: int, row: Whole, divisor: int) -> None:
        """Set a row of the inverse, without common factors."""
        common = math.gcd(divisor, *row)
        self.inverse[i] = [value // common for value in row] if common > 1 else row
        self.divisors[i] = divisor // common

    def _product(self, code: int) -> Whole:
        """Return the inverse times a column; each entry times the divisor of its row."""
        p, column = self.n_parameters, self.columns[code]
        return [
            sum(value * row[place] for place, value in column.entries) + (row[p] if column.is_row else 0)
            for row in self.inverse
        ]

    def _leaving(self, column: Whole) -> int:
        """Return who reaches zero first; of several, the one with the smallest code (Bland 1977)."""
        leaving = -1
        for i, share in enumerate(column):
            if share <= 0:
                continue
            if leaving >= 0:
                here, there = self.inverse[i][-1] * column[leaving], self.inverse[leaving][-1] * share
                if here > there or (here == there and self.codes[i] > self.codes[leaving]):
                    continue
            leaving = i
        if leaving < 0:
            raise ArithmeticError("a programme whose minimum is 0 or more has no end; please report this")
        return leaving

    @property
    def is_stuck(self) -> bool:
        """Whether many steps gained nothing: then the first column that can enter must."""
        return self.n_idle > PATIENCE
