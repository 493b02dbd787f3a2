"""Rows as the box search takes them: their values on the rays of the parameter set, with what they may be off by."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.problem.sources import ListedRows

ROUNDING = 2.0**-47
"""Share of the sizes of its two terms, on all rays, that an entry of a row may be off by: some twenty roundings."""


ROWS_AT_A_TIME = 1 << 16
"""Rows that are worked on at a time."""


def rows_on_rays(problem: Problem) -> tuple[Rows, FloatArray]:
    """Return the rows of a problem on the rays of its set, and the errors of their entries.

    theta is the sum of lambda_k times ray k with lambda >= 0, so that theta . v = lambda . (v on the rays).

    *Guarantee* (docs/mathematics.md#box-rows): a row in exact arithmetic, on exact rays, exceeds the one returned
    nowhere by more than its errors.
    """
    source, rays = problem.source, problem.parameters.rays
    if rays is None or not isinstance(source, ListedRows):
        raise AssertionError("boxes are searched where rows are listed and parameters are independent")
    rows = source.rows()
    own, owner = own_features(problem), owners(rows)
    errors = np.empty_like(rows.values)
    for first in range(0, len(errors), ROWS_AT_A_TIME):  # so that no further copies of all rows are made
        piece = slice(first, first + ROWS_AT_A_TIME)
        sizes = np.abs(rows.values[piece]) + 2.0 * own[owner[piece]] / source.lengths[piece, None]
        errors[piece] = ROUNDING * (sizes @ np.abs(rays).T)
        rows.values[piece] = rows.values[piece] @ rays.T
    return rows, errors


def on_rays(problem: Problem, theta: FloatArray) -> FloatArray:
    """Return lambda >= 0 with theta = sum of lambda_k times ray k, up to rounding."""
    rays = problem.parameters.rays
    if rays is None:
        raise AssertionError("only a set of independent parameters has rays")
    return np.asarray(np.linalg.solve(rays.T, theta).clip(0.0))


def own_features(problem: Problem) -> FloatArray:
    """Return the features of each record against its own protected one."""
    pairs = problem.pairs
    own = [pairs.differences(int(i))[pairs.own[i]] for i in problem.records]
    return problem.family.features(np.array(own).reshape(len(own), len(problem.names)))


def owners(rows: Rows) -> IntArray:
    """Return the record of each row.

    >>> owners(Rows(np.zeros((3, 1)), np.array([0, 2, 3]), np.zeros(3), np.ones(2))).tolist()
    [0, 0, 1]
    """
    return np.repeat(np.arange(rows.n_records), np.diff(rows.start))
