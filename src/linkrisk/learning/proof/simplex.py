"""The simplex method in whole numbers, for programmes of few equations: nothing is rounded.

    least sum |s_k|  with  sum lambda_r v_r + sum mu_g g + s = 0,  sum lambda = 1,  lambda, mu >= 0

is the programme of `linkrisk.learning.cover.feasibility_kernels`, for rows v and g of whole numbers. Its minimum is 0
just if no theta has theta . v > 0 and theta . g >= 0 for all of them (docs/mathematics.md#feasibility).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

PATIENCE = 20
"""Steps in a row that gain nothing, after which the first column that can enter does, so that no basis comes back."""

Whole = list[int]


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
    """A basis of the programme and its inverse, as whole numbers over one positive whole number.

    ``columns`` are the vectors that may enter; more are added at any time. The basis holds their numbers; -1 - k is
    s_k > 0, and -1 - p - k is s_k < 0.
    """

    n_parameters: int
    columns: list[Column] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    inverse: list[Whole] = field(default_factory=list)
    divisor: int = 1
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
        self.divisor = 1

    @property
    def gap(self) -> int:
        """The sum of all |s_k|, times the divisor: 0 if the mixture vanishes."""
        return sum(row[-1] for row, code in zip(self.inverse, self.codes, strict=True) if code < 0)

    def theta(self) -> Whole:
        """Return the prices of the equations, times the divisor: |theta_k| is at most the divisor at the minimum.

        Rows of records in the basis have theta . v = gap, inequalities in it theta . g = 0.
        """
        total = [0] * self.n_parameters
        for row, code in zip(self.inverse, self.codes, strict=True):
            if code < 0:
                for k in range(self.n_parameters):
                    total[k] -= row[k]
        return total

    def multipliers(self) -> dict[int, int]:
        """Return the multipliers of the columns in the basis that are not 0, times the divisor."""
        return {code: row[-1] for row, code in zip(self.inverse, self.codes, strict=True) if code >= 0 and row[-1]}

    def enter(self, code: int) -> None:
        """Let a column enter whose price is below its due: theta . v < gap, or theta . g < 0."""
        column = self._product(code)
        leaving = self._leaving(column)
        self.n_idle = self.n_idle + 1 if self.inverse[leaving][-1] == 0 else 0
        pivot, old = column[leaving], self.divisor
        pivot_row = self.inverse[leaving]
        for i, share in enumerate(column):
            if i != leaving:
                row = self.inverse[i]
                if share:
                    self.inverse[i] = [(pivot * a - share * b) // old for a, b in zip(row, pivot_row, strict=True)]
                else:
                    self.inverse[i] = [pivot * a // old for a in row]
        self.divisor = pivot
        self.codes[leaving] = code

    def _product(self, code: int) -> Whole:
        """Return the inverse times a column."""
        p = self.n_parameters
        if code < -p:
            return [-row[-1 - p - code] for row in self.inverse]
        if code < 0:
            return [row[-1 - code] for row in self.inverse]
        column = self.columns[code]
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
            if leaving < 0:
                leaving = i
                continue
            here, there = self.inverse[i][-1] * column[leaving], self.inverse[leaving][-1] * share
            if here < there or (here == there and self.codes[i] < self.codes[leaving]):
                leaving = i
        if leaving < 0:
            raise ArithmeticError("a programme with a minimum of 0 or more has no end; please report this")
        return leaving

    @property
    def is_stuck(self) -> bool:
        """Whether many steps gained nothing: then the first column that can enter must."""
        return self.n_idle > PATIENCE
