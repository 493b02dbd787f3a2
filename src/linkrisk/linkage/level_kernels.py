"""Linking by levels of agreement, compiled: every original record against all distinct protected ones."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules
from linkrisk.differences.twin_kernels import is_twin
from linkrisk.distances.probabilistic.agreement_kernels import BLOCK, Limits
from linkrisk.distances.probabilistic.cost_kernels import Costs, fill_costs
from linkrisk.engine.jit import kernel
from linkrisk.linkage.search_kernels import (
    BEATEN,
    FIRST,
    LOOKED,
    NEARER,
    NEAREST,
    OWN,
    SECOND,
    TIED,
    TWINS,
    TwinTest,
)


@kernel
def measure_levels(
    queries: FloatArray,
    columns: FloatArray,
    rules: AttributeRules,
    graded: Limits,
    costs: Costs,
    values: FloatArray,
) -> None:
    """Write all distances between queries and points."""
    d = np.empty((columns.shape[0], BLOCK))
    levels = np.empty((columns.shape[0], BLOCK), np.uint8)
    for i in range(queries.shape[0]):
        fill_costs(queries, i, columns, rules, graded, costs, d, levels, values, i)


@kernel
def link_levels(
    queries: FloatArray,
    own: IntArray,
    columns: FloatArray,
    weights: IntArray,
    rules: AttributeRules,
    graded: Limits,
    costs: Costs,
    tolerance: float,
    test: TwinTest,
    states: FloatArray,
    counts: IntArray,
) -> None:
    """Fill states and counts of the queries as `search_kernels` describes them, complete in all cases."""
    n_points = columns.shape[1]
    d = np.empty((columns.shape[0], BLOCK))
    levels = np.empty((columns.shape[0], BLOCK), np.uint8)
    values = np.empty((1, n_points))
    near = 1.0 - tolerance
    for i in range(queries.shape[0]):
        fill_costs(queries, i, columns, rules, graded, costs, d, levels, values, 0)
        mine = values[0, own[i]] if own[i] >= 0 else np.nan
        first = np.inf
        second = np.inf
        nearest = -1
        counts[i, :] = 0
        for j in range(n_points):
            value = values[0, j]
            others = weights[j] - 1 if j == own[i] else weights[j]
            if others == 0:
                continue
            if value < first:
                second = value if others > 1 else first
                first = value
                nearest = j
            elif value < second:
                second = value
            if own[i] < 0 or near * value > mine:
                continue
            is_nearer = value < near * mine
            is_same = j == own[i] or is_twin(test.queries, i, test.columns, j, own[i], test.attributes)
            if is_nearer:
                counts[i, NEARER] += others
                counts[i, BEATEN] += 0 if is_same else others
            else:
                counts[i, TIED] += others
            counts[i, TWINS] += others if is_same else 0
        states[i, OWN] = mine
        states[i, FIRST] = first
        states[i, SECOND] = second
        counts[i, NEAREST] = nearest
        counts[i, LOOKED] = n_points
