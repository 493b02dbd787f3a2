"""Rows and cores in exact arithmetic: scaled values are floats, and floats are fractions of a power of two.

Everything is a whole number here: differences are multiplied by 2^shift, products by its square, and rows by 2^40 for
the tolerance. Common factors change no sign.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from linkrisk.arrays import FloatArray
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.problem.contract import checked_whole
from linkrisk.learning.problem.problem import Problem

Whole = list[int]

MIXED = 120
"""Bits of the largest multiplier of a mixture. Rounded multipliers prove as much: any will do that are not negative."""

MIN_SHIFT = 80
"""Differences of text and ordinal values are floats too, of at least 2^-107: 160 bits hold them."""


class ExactRows:
    """The rows of a problem as whole numbers: times ``unit`` they are the rows themselves.

    *Guarantee* (docs/mathematics.md#whole-numbers): nothing is rounded.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.family = problem.family
        coordinates = problem.comparison.coordinates
        if self.family.is_signed:
            _, original, protected = problem.comparison.vectors()
        else:
            original, protected = coordinates.original, coordinates.protected
        self._original, self._protected = original, protected
        self._own = coordinates.own
        self._rules = coordinates.rules
        self._shift = max(_shift(original), _shift(protected), MIN_SHIFT)
        self._near, self._far = (1 - Fraction(problem.tolerance)).as_integer_ratio()
        self.unit = Fraction(1, self._far << 2 * self._shift)
        self.feature_factor = 1 << 2 * self._shift
        self.row = lru_cache(maxsize=200_000)(self._row)

    def features(self, i: int, j: int) -> Whole:
        """Return phi of original record i and protected record j."""
        differences = np.array([[self._difference(i, j, k) for k in range(self._original.shape[1])]], dtype=object)
        return [checked_whole(value, self.family) for value in self.family.features(differences)[0]]

    def cut(self, cut: int, feasibility: Feasibility) -> Whole:
        """Return an inequality of the parameter set, up to its length."""
        if cut not in feasibility.pair_of_cut:
            return whole_row(feasibility.given_cuts[cut])
        i, point = feasibility.pair_of_cut[cut]
        return self.features(i, int(self.problem.row_of[point]))

    def _row(self, record: int, point: int) -> Whole:
        """Return the row of a record and a point of the problem."""
        i = int(self.problem.records[record])
        j = int(self.problem.row_of[point])
        other, own = self.features(i, j), self.features(i, int(self._own[i]))
        return [self._near * a - self._far * b for a, b in zip(other, own, strict=True)]

    def _difference(self, i: int, j: int, k: int) -> int:
        """Return the difference of attribute k times a power of two: signed, or d_k."""
        x, y = float(self._original[i, k]), float(self._protected[j, k])
        is_number = self.family.is_signed or self._rules[k] == DifferenceRule.SQUARED
        if is_number and not (math.isnan(x) or math.isnan(y)):
            delta = _whole(x, self._shift) - _whole(y, self._shift)
            return delta if self.family.is_signed else delta * delta
        return _whole(self.problem.difference(i, j, k), 2 * self._shift)


def proven_core(core: Core, rows: ExactRows, feasibility: Feasibility) -> Core | None:
    """Return the core, its multipliers corrected if necessary, if it is infeasible in exact arithmetic; otherwise None.

    *Guarantee* (docs/mathematics.md#core-exact): with W the sum of multipliers times rows, W . theta <= 0 for all
    admissible theta; so not all rows can be positive. Where the set of parameters has no test of its own for that, the
    multipliers of its inequalities show it (`_is_outweighed`). Where rounding leaves that open too, the multipliers
    that make the sum vanish are computed. ``feasibility`` knows the inequalities that the core names.
    """
    parameters = rows.problem.parameters
    wholes = [rows.row(i, j) for i, j in zip(core.records, core.points, strict=True)]
    mixture = mixed_rows(wholes, raw_multipliers(core, rows))
    if mixture is None:
        return None
    is_polar = parameters.is_polar(mixture.total)
    if is_polar is None:
        is_proven = (parameters.normal is not None and _is_outweighed(core, rows, feasibility, mixture)) or (
            has_positive_combination(wholes + [rows.cut(cut, feasibility) for cut in core.cuts])
        )
        return core if is_proven else None
    if is_polar or parameters.rays is None:
        return core if is_polar else None
    better = _deepest(core, rows.problem)
    deepest = None if better is None else mixed_rows(wholes, raw_multipliers(better, rows))
    return better if deepest is not None and parameters.is_polar(deepest.total) else None


def _deepest(core: Core, problem: Problem) -> Core | None:
    """Return a core's multipliers that make its mixture as negative as possible on every ray its rows look at, or None.

    How negative is measured relative to the size of the rows on that ray.
    """
    rays = problem.parameters.rays
    values = np.array([problem.source.row(i, j) for i, j in zip(core.records, core.points, strict=True)])
    if rays is None:
        return None
    on_rays = values @ rays.T
    size = np.abs(on_rays).max(axis=0)
    is_used = size > 0.0
    found = linprog(
        np.append(np.zeros(len(values)), -1.0),
        A_ub=np.column_stack([(on_rays[:, is_used] / size[is_used]).T, np.ones(int(is_used.sum()))]),
        b_ub=np.zeros(int(is_used.sum())),
        A_eq=np.append(np.ones(len(values)), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * len(values) + [(None, 1.0)],
    )
    if found.status != 0 or found.x is None or found.x[-1] <= 0.0:
        return None
    return replace(core, multipliers=tuple(np.maximum(found.x[:-1], 0.0).tolist()), cuts=(), cut_multipliers=())


def raw_multipliers(core: Core, rows: ExactRows) -> list[float]:
    """Return the multipliers for rows as they are, not of length 1."""
    return [
        multiplier / rows.problem.source.length(i, j)
        for i, j, multiplier in zip(core.records, core.points, core.multipliers, strict=True)
    ]


class Mixture(NamedTuple):
    """The sum of multipliers, rounded down, times rows, in whole numbers; times ``unit`` it is the sum itself."""

    total: Whole
    unit: Fraction


def mixed_rows(rows: list[Whole], multipliers: Sequence[float]) -> Mixture | None:
    """Mix rows with multipliers >= 0, of which the largest gets `MIXED` bits; None unless one is positive and finite.

    >>> mixed_rows([[1, 0], [0, 3]], [0.0, 0.0]) is None
    True
    """
    largest = max(multipliers, default=0.0)
    if not 0.0 < largest < math.inf or min(multipliers) < 0.0:
        return None
    shift = MIXED - math.frexp(largest)[1]
    unit = Fraction(2) ** -shift
    wholes = [int(Fraction(multiplier) / unit) for multiplier in multipliers]
    total = [sum(m * value for m, value in zip(wholes, column, strict=True)) for column in zip(*rows, strict=True)]
    return Mixture(total, unit)


def _is_outweighed(core: Core, rows: ExactRows, feasibility: Feasibility, mixture: Mixture) -> bool:
    """Whether the inequalities of the parameter set show that the mixture is nowhere positive.

    *Guarantee* (docs/mathematics.md#outweighed): every admissible theta with normal . theta = 1 has, for any s >= 0 and
    any multipliers m >= 0 of inequalities g, W . theta <= sum of |W_k + sum of m g_k + s normal_k| bounds_k - s.
    """
    parameters = rows.problem.parameters
    normal, bounds = parameters.normal, parameters.bounds
    if normal is None or bounds is None:
        return False
    total = [value * rows.unit * mixture.unit for value in mixture.total]
    slack = Fraction(0)
    for cut, multiplier in zip(core.cuts, core.cut_multipliers, strict=True):
        if cut == 0:
            slack = Fraction(multiplier / float(np.linalg.norm(normal)))
        else:
            given = feasibility.given_cuts[cut]
            factor = Fraction(multiplier / float(np.linalg.norm(given)))
            for k in np.flatnonzero(given).tolist():
                total[k] += factor * Fraction(float(given[k]))
    noise = Fraction(0)
    for value, direction, bound in zip(total, normal.tolist(), bounds.tolist(), strict=True):
        noise += abs(value + slack * Fraction(direction)) * Fraction(bound)
    return noise <= slack


def whole_row(row: FloatArray) -> Whole:
    """Return a row of floats as whole numbers, times a power of two.

    >>> import numpy as np
    >>> whole_row(np.array([0.5, 1.0]))
    [1, 2]
    """
    shift = _shift(row)
    while shift and all(float(value * 2.0 ** (shift - 1)).is_integer() for value in row.tolist()):
        shift -= 1
    return [_whole(value, shift) for value in row.tolist()]


def has_positive_combination(rows: list[Whole]) -> bool:
    """Whether the rows, one more than their rank, have positive multipliers that make their sum 0.

    *Guarantee* (docs/mathematics.md#null-vector): True only if there are such multipliers. Decided in floating point
    where rounding leaves no doubt, otherwise by fraction-free elimination on the transposed rows; the null vector is
    unique up to its length.
    """
    if _is_clearly_positive(rows):
        return True
    size = len(rows)
    matrix = [list(column) for column in zip(*rows, strict=True)]
    rank, previous = 0, 1
    pivots: list[int] = []
    for column in range(size):
        place = next((q for q in range(rank, len(matrix)) if matrix[q][column]), None)
        if place is None:
            continue
        matrix[rank], matrix[place] = matrix[place], matrix[rank]
        lead = matrix[rank][column]
        for q in range(len(matrix)):
            if q != rank:
                share = matrix[q][column]
                matrix[q] = [(lead * a - share * b) // previous for a, b in zip(matrix[q], matrix[rank], strict=True)]
        previous = lead
        pivots.append(column)
        rank += 1
    if rank != size - 1:
        return False
    free = next(c for c in range(size) if c not in pivots)
    # Row q reads lead * x_pivot + entry * x_free = 0, so all are positive when every entry has the sign of -lead.
    return all(matrix[q][free] * matrix[q][pivots[q]] < 0 for q in range(rank))


def _is_clearly_positive(rows: list[Whole]) -> bool:
    """Whether n + 1 rows of n entries have a positive combination that vanishes, beyond any rounding.

    *Guarantee* (docs/mathematics.md#near-null-vector): let A have the first n rows as columns, and b be minus the last
    one. For any approximate inverse R with ||I - R A|| <= a < 1 and any y, the solution of A x = b has |x - y| <= ||R
    (b - A y)|| / (1 - a) (Krawczyk); so x > 0 where y exceeds this. Every product computed here is off by at most (n +
    4) u times the product of absolute values, entries of A and b themselves by u each.
    """
    n = len(rows[0])
    if len(rows) != n + 1:
        return False
    # Python divides whole numbers with one rounding; each row is first brought to about 1.
    floats = np.array([[value / (1 << max(map(abs, row)).bit_length()) for value in row] for row in rows])
    a, b = floats[:-1].T, -floats[-1]
    try:
        inverse = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return False
    unit = (n + 6) * 2.0**-53
    y = inverse @ b
    defect = np.abs(np.eye(n) - inverse @ a) + unit * (np.abs(inverse) @ np.abs(a) + np.eye(n))
    contraction = float(defect.sum(axis=1).max()) * (1.0 + unit)
    residual = np.abs(b - a @ y) + 2.0 * unit * (np.abs(b) + np.abs(a) @ np.abs(y))
    if not contraction < 0.5:
        return False
    error = float((np.abs(inverse) @ residual).max()) * (1.0 + unit) / (1.0 - contraction)
    return bool((y > 2.0 * error).all())


def _shift(values: FloatArray) -> int:
    """Power of two that makes all values whole."""
    known = values[np.isfinite(values) & (values != 0.0)]
    if not known.size:
        return 0
    _, exponent = np.frexp(known)
    return max(0, 53 - int(exponent.min()))


def _whole(value: float, shift: int) -> int:
    numerator, denominator = value.as_integer_ratio()
    whole, rest = divmod(numerator << shift, denominator)
    if rest:
        raise ArithmeticError("a value is finer than the scale chosen for it")
    return whole
