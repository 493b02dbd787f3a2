"""Rows of a problem, and cores, in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import highspy
import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.polar import whole_row
from linkrisk.engine.highs import quiet_highs
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.problem.exact_pairs import ExactPairs, Whole
from linkrisk.learning.problem.problem import Problem

SAFETY = 1e-290
"""Larger than the error in a sum of products from numbers that underflow to 0."""


class ExactRows:
    """The rows of a problem as whole numbers: times ``unit`` they are the rows themselves.

    *Guarantee* (docs/mathematics.md#whole-numbers): nothing is rounded.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.pairs = ExactPairs(problem.family, problem.comparison, problem.pairs, problem.tolerance)
        self.unit = self.pairs.unit
        self.row = lru_cache(maxsize=200_000)(self._row)

    def features(self, i: int, j: int) -> Whole:
        """Return phi of original record i and protected record j."""
        return self.pairs.features(i, j)

    def cut(self, cut: int, feasibility: Feasibility) -> Whole:
        """Return an inequality of the parameter set, up to its length."""
        return self.cut_with_unit(cut, feasibility)[0]

    def cut_with_unit(self, cut: int, feasibility: Feasibility) -> tuple[Whole, Fraction]:
        """Return an inequality of the parameter set in whole numbers, and the unit that makes it the inequality."""
        if cut in feasibility.pair_of_cut:
            i, point = feasibility.pair_of_cut[cut]
            return self.features(i, int(self.problem.row_of[point])), self.pairs.feature_unit
        row = feasibility.whole_cuts.get(cut)
        return whole_row(feasibility.given_cuts[cut]) if row is None else row, Fraction(1)

    def _row(self, record: int, point: int) -> Whole:
        """Return the row of a record and a point of the problem."""
        return self.pairs.row(int(self.problem.records[record]), point)


def proven_core(core: Core, rows: ExactRows, feasibility: Feasibility) -> Core | None:
    """Return the core, its multipliers corrected if necessary, if it is infeasible in exact arithmetic; otherwise None.

    *Guarantee* (docs/mathematics.md#core-exact): with W the sum of multipliers times rows, W . theta <= 0 for all
    admissible theta; so not all rows can be positive. Where the set of parameters has no test of its own for that, the
    multipliers of its inequalities show it (`_is_outweighed`), or that some make the sum vanish beyond any rounding.
    ``feasibility`` knows the inequalities that the core names.
    """
    if is_proven_by_floats(core, rows, feasibility):
        return core
    parameters = rows.problem.parameters
    wholes = [rows.row(i, j) for i, j in zip(core.records, core.points, strict=True)]
    if parameters.is_endless:
        return None  # its inequalities are rounded eigenvectors: only mixtures of rows prove anything
    if parameters.rays is None:
        return core if is_clearly_positive(wholes + [rows.cut(cut, feasibility) for cut in core.cuts]) else None
    better = _deepest(core, rows.problem)
    deepest = None if better is None else mixed_rows(wholes, raw_multipliers(better, rows))
    return better if deepest is not None and parameters.is_polar(deepest.total) else None


def is_proven_by_floats(core: Core, rows: ExactRows, feasibility: Feasibility) -> bool:
    """Whether the mixture with the multipliers as they are, rounded, is nowhere positive, exactly."""
    parameters = rows.problem.parameters
    wholes = [rows.row(i, j) for i, j in zip(core.records, core.points, strict=True)]
    mixture = mixed_rows(wholes, raw_multipliers(core, rows))
    if mixture is None:
        return False
    is_polar = parameters.is_polar(mixture.total)
    if is_polar is None:
        return parameters.normal is not None and _is_outweighed(core, rows, feasibility, mixture)
    return is_polar


def _deepest(core: Core, problem: Problem) -> Core | None:
    """Return a core's multipliers that make its mixture as negative as possible on every ray its rows look at, or None.

    How negative is measured relative to the size of the rows on that ray.
    """
    rays = problem.parameters.rays
    values = problem.source.rows_of(np.array(core.records), np.array(core.points))
    if rays is None:
        return None
    on_rays = values @ rays.T
    size = np.abs(on_rays).max(axis=0)
    is_used = size > 0.0
    multipliers = _least_on_all((on_rays[:, is_used] / size[is_used]).T)
    if multipliers is None:
        return None
    return replace(core, multipliers=tuple(multipliers.tolist()), cuts=(), cut_multipliers=())


def _least_on_all(values: FloatArray) -> FloatArray | None:
    """Return multipliers >= 0 with sum 1 for the columns of a matrix whose largest mixture is least, if below 0.

    >>> _least_on_all(np.array([[-1.0, 1.0], [0.5, -1.0]])).round(6).tolist()
    [0.571429, 0.428571]
    >>> _least_on_all(np.array([[1.0, 1.0]])) is None
    True
    """
    n_rows, n_columns = values.shape
    highs = quiet_highs(parallel="off")
    highs.addVars(n_columns + 1, np.append(np.zeros(n_columns), -np.inf), np.append(np.ones(n_columns), 1.0))
    highs.changeColCost(n_columns, -1.0)  # how far below 0 the largest mixture is
    entries = np.vstack([np.column_stack([values, np.ones(n_rows)]), np.append(np.ones(n_columns), 0.0)])
    lower, upper = np.append(np.full(n_rows, -np.inf), 1.0), np.append(np.zeros(n_rows), 1.0)
    row, column = np.nonzero(entries)
    starts = np.searchsorted(row, np.arange(n_rows + 1)).astype(np.int32)
    highs.addRows(n_rows + 1, lower, upper, len(row), starts, column.astype(np.int32), entries[row, column])
    highs.run()
    found = np.array(highs.getSolution().col_value)
    is_found = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal and found[-1] > 0.0
    return np.maximum(found[:-1], 0.0) if is_found else None


def raw_multipliers(core: Core, rows: ExactRows) -> list[float]:
    """Return the multipliers for rows as they are, not of length 1."""
    return [
        multiplier / rows.problem.source.length(i, j)
        for i, j, multiplier in zip(core.records, core.points, core.multipliers, strict=True)
    ]


class Mixture(NamedTuple):
    """The sum of multipliers times rows, in whole numbers; times ``unit`` it is the sum itself."""

    total: Whole
    unit: Fraction


def mixed_rows(rows: list[Whole], multipliers: Sequence[float]) -> Mixture | None:
    """Mix rows with multipliers >= 0, which are floats and taken as they are; None unless one is positive and finite.

    >>> mixed_rows([[1, 0], [0, 3]], [0.0, 0.0]) is None, mixed_rows([[1, 0], [0, 3]], [0.5, 1.0])
    (True, Mixture(total=[1, 6], unit=Fraction(1, 2)))
    """
    largest = max(multipliers, default=0.0)
    if not 0.0 < largest < math.inf or min(multipliers) < 0.0:
        return None
    wholes = whole_row(multipliers)
    unit = Fraction(largest) / max(wholes)
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


def is_clearly_positive(rows: list[Whole]) -> bool:
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
    underflow = SAFETY * (1.0 + float(np.abs(inverse).sum()))
    defect = np.abs(np.eye(n) - inverse @ a) + unit * (np.abs(inverse) @ np.abs(a) + np.eye(n)) + underflow
    contraction = float(defect.sum(axis=1).max()) * (1.0 + unit)
    residual = np.abs(b - a @ y) + 2.0 * unit * (np.abs(b) + np.abs(a) @ np.abs(y)) + SAFETY * (1.0 + np.abs(y).sum())
    if not contraction < 0.5:
        return False
    error = float((np.abs(inverse) @ residual).max()) * (1.0 + unit) / (1.0 - contraction)
    return bool((y > 2.0 * error).all())
