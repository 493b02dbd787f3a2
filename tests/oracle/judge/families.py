"""Families of distances theta . phi: features, admissible parameters, and the inequalities of these, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tests.oracle.judge.strict import Row, is_semidefinite

WEIGHTS = ("weighted_mean", "weighted_mean_metric", "owa")
MEASURES = ("choquet", "choquet_metric")
FORMS = ("bilinear", "bilinear_free", "bilinear_psd", "bilinear_higham")


@dataclass(frozen=True)
class Family:
    """A family by the name of its attacker; ``additivity`` 0 stands for a measure with a value for every subset."""

    name: str
    n_attributes: int
    floor: Fraction = Fraction(0)
    additivity: int = 0

    @property
    def is_form(self) -> bool:
        """Whether distances are forms of signed differences instead of sums of the d_k."""
        return self.name in FORMS

    @property
    def is_free(self) -> bool:
        """Whether all parameters are admissible; bilinear_higham is bounded as the free forms are."""
        return self.name in {"bilinear_free", "bilinear_higham"}

    @property
    def n_parameters(self) -> int:
        """Number of parameters."""
        if self.is_form:
            return self.n_attributes * (self.n_attributes + 1) // 2
        if self.name not in MEASURES:
            return self.n_attributes
        return len(self.subsets()) if self.additivity else (1 << self.n_attributes) - 1

    def subsets(self) -> list[tuple[int, ...]]:
        """Return the sets that have a Möbius value, by size and then by members."""
        sizes = range(1, min(self.additivity, self.n_attributes) + 1)
        return [members for size in sizes for members in combinations(range(self.n_attributes), size)]

    def features(self, differences: Row) -> list[int]:
        """Return phi of the d_k, or for forms of the signed differences."""
        if self.is_form:
            pairs = _places(self.n_attributes)
            return [differences[k] * differences[m] * (1 if k == m else 2) for k, m in pairs]
        if self.name == "owa":
            return sorted(differences, reverse=True)
        if self.name not in MEASURES:
            return list(differences)
        if self.additivity:
            return [min(differences[k] for k in members) for members in self.subsets()]
        return _increments(differences)

    def inequalities(self) -> list[list[int]]:
        """Return rows that are 0 or more for just the admissible parameters (of weights: see `on_edges`).

        Forms have none here: those of `bilinear` depend on the files, and those of `bilinear_psd` are endless.
        """
        if self.is_form:
            return []
        if self.name not in MEASURES:
            return [[int(k == m) for m in range(self.n_attributes)] for k in range(self.n_attributes)]
        if self.additivity:
            return self._mobius_gains()
        return list(_gains(self.n_attributes)) + (
            list(_second_gains(self.n_attributes)) if self.name == "choquet_metric" else []
        )

    def _mobius_gains(self) -> list[list[int]]:
        """Return mu(A + k) - mu(A) as sums of Möbius values, each once."""
        found: dict[tuple[int, ...], None] = {}
        for k in range(self.n_attributes):
            for base in range(1 << self.n_attributes):
                if not base >> k & 1:
                    within = base | 1 << k
                    inside = [k in s and all(within >> a & 1 for a in s) for s in self.subsets()]
                    found[tuple(map(int, inside))] = None
        return [list(row) for row in found]

    def on_edges(self, row: Row) -> list[int]:
        """Return the products of a row with the edges (1 - n f) e_k + f (1, ..., 1), times a common factor.

        Weights with a floor are the sums of these edges, with multipliers of 0 or more.
        """
        if self.floor == 0:
            return list(row)
        near, far = self.floor.as_integer_ratio()
        common = near * sum(row)
        return [(far - self.n_attributes * near) * value + common for value in row]

    def from_edges(self, multipliers: Row) -> tuple[int, ...]:
        """Return the weights that are a sum of edges, times a common factor."""
        return tuple(self.on_edges(multipliers))

    def is_admissible(self, theta: Sequence[Fraction]) -> bool:
        """Tell whether parameters are admissible exactly; for `bilinear`, distances on the files are not looked at."""
        if len(theta) != self.n_parameters or not any(theta):
            return False
        if self.is_form:
            return self.name != "bilinear_psd" or is_semidefinite(form_matrix(theta))
        if self.name not in MEASURES:
            return min(theta) >= 0 and min(theta) >= self.floor * sum(theta)
        products = (sum(g * x for g, x in zip(row, theta, strict=True) if g) for row in self.inequalities())
        singles = [theta[(1 << k) - 1] for k in range(self.n_attributes)] if self.name == "choquet_metric" else [1]
        return min(products) >= 0 and min(singles) > 0


def form_matrix(theta: Sequence[Fraction | int] | Row) -> list[list[Fraction | int]]:
    """Return the symmetric matrix with this upper triangle."""
    n = 0
    while n * (n + 1) // 2 < len(theta):
        n += 1
    matrix: list[list[Fraction | int]] = [[0] * n for _ in range(n)]
    for place, (k, m) in enumerate(_places(n)):
        matrix[k][m] = matrix[m][k] = theta[place]
    return matrix


def dual_matrix(row: Row) -> list[list[Fraction | int]]:
    """Return M with trace(M S) twice the product of a row and the upper triangle of S."""
    n = len(form_matrix(row))
    return form_matrix([value * (2 if k == m else 1) for value, (k, m) in zip(row, _places(n), strict=True)])


def square_row(vector: Row) -> list[int]:
    """Return the row whose product with the upper triangle of S is u' S u."""
    return [vector[k] * vector[m] * (1 if k == m else 2) for k, m in _places(len(vector))]


def _places(n: int) -> list[tuple[int, int]]:
    return [(k, m) for k in range(n) for m in range(k, n)]


def _increments(differences: Row) -> list[int]:
    """Return the increments of the sorted differences, each at the set of attributes that reach it."""
    phi = [0] * ((1 << len(differences)) - 1)
    reaching, previous = len(phi), 0
    for k in sorted(range(len(differences)), key=differences.__getitem__):
        phi[reaching - 1] += differences[k] - previous
        previous = differences[k]
        reaching -= 1 << k
        if not reaching:
            break
    return phi


def _row_of_sets(signs: dict[int, int], n: int) -> list[int]:
    row = [0] * ((1 << n) - 1)
    for mask, sign in signs.items():
        if mask:
            row[mask - 1] = sign
    return row


def _gains(n: int) -> Iterator[list[int]]:
    """Yield mu(A + k) - mu(A)."""
    for base in range(1 << n):
        for k in range(n):
            if not base >> k & 1:
                yield _row_of_sets({base: -1, base | 1 << k: 1}, n)


def _second_gains(n: int) -> Iterator[list[int]]:
    """Yield mu(A + k) + mu(A + l) - mu(A + k + l) - mu(A)."""
    for k, m in combinations(range(n), 2):
        for base in range(1 << n):
            if not base & (1 << k | 1 << m):
                first, second = base | 1 << k, base | 1 << m
                yield _row_of_sets({first: 1, second: 1, first | second: -1, base: -1}, n)
