"""Two files as plain data: who counts against whom, what a link is worth, and what given parameters link."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tests.oracle.judge.families import Family
from tests.oracle.judge.strict import Row, product

TWINS = Fraction(1, 2**40)
"""Two d_k are the same if neither is less than the other by more than this share."""

Table = Sequence[Sequence[float]]


@dataclass(frozen=True, eq=False)
class Case:
    """Scaled values of two files (NaN: missing) and the rules by which links are counted.

    ``tables`` are the d_k of attributes that are no numbers, for every pair, by attribute; ``missing`` the d_k of
    values missing in one file, and in both, of every attribute. For forms the attributes are the numeric ones, and
    ``vectors`` both files with their holes filled.
    """

    family: str
    original: Table
    protected: Table
    own: Sequence[int]
    ties: str = "unique"
    tolerance: Fraction = Fraction(1, 2**40)
    weights: Sequence[float] | None = None
    floor: Fraction = Fraction(0)
    additivity: int = 0
    tables: Mapping[int, Table] = field(default_factory=dict)
    missing: Sequence[tuple[float, float]] | None = None
    vectors: tuple[Table, Table] | None = None

    @cached_property
    def distance(self) -> Family:
        """The family of distances."""
        return Family(self.family, len(self.protected[0]), self.floor, self.additivity)

    @property
    def people(self) -> list[int]:
        """The original records that have a protected version."""
        return [i for i, j in enumerate(self.own) if j >= 0]

    @cached_property
    def _ratio(self) -> tuple[int, int]:
        return (1 - self.tolerance).as_integer_ratio()

    @cached_property
    def squares(self) -> list[list[list[int]]]:
        """All d_k, by original record, protected record and attribute, in whole numbers of one unit."""
        costs = self.missing or [(2.0, 0.0)] * len(self.protected[0])
        numbers = [k for k in range(len(self.protected[0])) if k not in self.tables]
        values = [row[k] for rows in (self.original, self.protected) for row in rows for k in numbers]
        others = [d for table in self.tables.values() for row in table for d in row]
        others += [cost for pair in costs for cost in pair]
        shift = max(_shift(values), (_shift(others) + 1) // 2)
        x, y = _whole_rows(self.original, shift), _whole_rows(self.protected, shift)
        one, both = ([_whole(pair[q], 2 * shift) for pair in costs] for q in (0, 1))

        def d(i: int, j: int, k: int) -> int:
            if k in self.tables:
                return _whole(self.tables[k][i][j], 2 * shift)
            a, b = x[i][k], y[j][k]
            if a is None or b is None:
                return both[k] if a is None and b is None else one[k]
            return (a - b) ** 2

        attributes = range(len(self.protected[0]))
        return [[[d(i, j, k) for k in attributes] for j in range(len(y))] for i in range(len(x))]

    @cached_property
    def differences(self) -> list[list[list[int]]]:
        """What features are made of: the d_k, or for forms the signed differences of vectors, in whole numbers."""
        if not self.distance.is_form:
            return self.squares
        x, y = self.vectors or (self.original, self.protected)
        shift = _shift([value for rows in (x, y) for row in rows for value in row])
        a, b = ([[_whole(value, shift) for value in row] for row in rows] for rows in (x, y))
        return [[[p - q for p, q in zip(first, second, strict=True)] for second in b] for first in a]

    @cached_property
    def features(self) -> list[list[list[int]]]:
        """Phi of every pair."""
        return [[self.distance.features(d) for d in row] for row in self.differences]

    def is_twin(self, i: int, j: int) -> bool:
        """Tell whether protected record j differs from record i as its own does, on every attribute."""
        near, far = (1 - TWINS).as_integer_ratio()
        pairs = zip(self.squares[i][j], self.squares[i][self.own[i]], strict=True)
        return all(near * a <= far * b and near * b <= far * a for a, b in pairs)

    def counting(self, i: int) -> list[int]:
        """Return the protected records that count against record i."""
        if self.ties == "unique":
            return [j for j in range(len(self.protected)) if j != self.own[i]]
        return [j for j in range(len(self.protected)) if not self.is_twin(i, j)]

    def worth(self, i: int) -> Fraction:
        """Return what a link of record i is worth."""
        weight = Fraction(1) if self.weights is None else Fraction(self.weights[i])
        if self.ties != "expected":
            return weight
        return weight / sum(self.is_twin(i, j) for j in range(len(self.protected)))

    def row(self, i: int, j: int) -> list[int]:
        """Return v(i, j) = (1 - t) phi(i, j) - phi(i, own(i)), times a common factor."""
        near, far = self._ratio
        return [near * a - far * b for a, b in zip(self.features[i][j], self.features[i][self.own[i]], strict=True)]

    def is_admissible(self, theta: Sequence[Fraction | float | int]) -> bool:
        """Tell whether parameters are admissible, exactly."""
        exact = [Fraction(value) for value in theta]
        if not self.distance.is_admissible(exact):
            return False
        if self.family != "bilinear":
            return True
        whole = whole_numbers(exact)
        return all(product(whole, phi) >= 0 for row in self.features for phi in row)

    def linked(self, theta: Sequence[Fraction | float | int]) -> list[int]:
        """Return the original records that parameters link, exactly."""
        whole = whole_numbers([Fraction(value) for value in theta])
        return [i for i in self.people if all(product(whole, self.row(i, j)) > 0 for j in self.counting(i))]

    def count(self, theta: Sequence[Fraction | float | int]) -> Fraction:
        """Return the worth of what parameters link."""
        return sum((self.worth(i) for i in self.linked(theta)), Fraction(0))


def whole_numbers(values: Sequence[Fraction]) -> list[int]:
    """Return numbers times their common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    return [int(value * common) for value in values]


def _shift(values: Sequence[float]) -> int:
    """Return the least power of two that makes all known numbers whole."""
    return max((v.as_integer_ratio()[1].bit_length() - 1 for v in values if v == v), default=0)  # noqa: PLR0124


def _whole(value: float, shift: int) -> int:
    top, bottom = value.as_integer_ratio()
    return top * ((1 << shift) // bottom)


def _whole_rows(rows: Table, shift: int) -> list[list[int | None]]:
    return [[None if math.isnan(value) else _whole(value, shift) for value in row] for row in rows]


__all__ = ["Case", "Row", "whole_numbers"]
