"""Distances made of levels of agreement, compiled: of a record to all others, summed over rivals; nearest records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.distances.probabilistic.agreement_kernels import BLOCK, Limits, fill_levels
from linkrisk.distances.probabilistic.values import LevelArray
from linkrisk.engine.jit import inlined_kernel, kernel


class Costs(NamedTuple):
    """What a pair costs: ``table[k, l]`` for level l of attribute k, and more for the query and for the point."""

    table: FloatArray
    queries: FloatArray
    points: FloatArray


@inlined_kernel
def fill_costs(
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    rules: AttributeRules,
    graded: Limits,
    costs: Costs,
    d: FloatArray,
    levels: LevelArray,
    values: FloatArray,
    row: int,
) -> None:
    """Write the distances of query i to all points to a row of ``values``.

    Attributes are added first to last, then what the point and the query cost: the order everywhere, so that equal
    pairs have equal distances to the last bit.
    """
    n_attributes, n_points = columns.shape
    for start in range(0, n_points, BLOCK):
        stop = min(start + BLOCK, n_points)
        for j in range(start, stop):
            values[row, j] = 0.0
        for k in range(n_attributes):
            fill_levels(queries[i, k], columns, k, start, stop, rules, graded, d, levels)
            for j in range(stop - start):
                values[row, start + j] += costs.table[k, levels[k, j]]
        for j in range(start, stop):
            values[row, j] += costs.points[j]
            values[row, j] += costs.queries[i]


@kernel
def sum_rivals(
    queries: FloatArray,
    columns: FloatArray,
    point_weights: IntArray,
    rules: AttributeRules,
    graded: Limits,
    costs: Costs,
    nobody: float,
    sums: FloatArray,
) -> None:
    """Compute log2(2^-nobody + sum over the points of weight . 2^-distance) of each query, without overflow."""
    n_attributes, n_points = columns.shape
    d = np.empty((n_attributes, BLOCK))
    levels = np.empty((n_attributes, BLOCK), np.uint8)
    values = np.empty((1, n_points))
    for i in range(queries.shape[0]):
        fill_costs(queries, i, columns, rules, graded, costs, d, levels, values, 0)
        least = nobody
        for j in range(n_points):
            least = min(least, values[0, j])
        total = np.exp2(least - nobody)
        for j in range(n_points):
            total += point_weights[j] * np.exp2(least - values[0, j])
        sums[i] = np.log2(total) - least


@kernel
def spread_nearest(
    queries: FloatArray,
    query_weights: IntArray,
    columns: FloatArray,
    point_weights: IntArray,
    rules: AttributeRules,
    graded: Limits,
    tolerance: float,
    matched: FloatArray,
) -> None:
    """Add up the levels of each query and its nearest point by the sum of the d_k; points as near share a query."""
    n_attributes, n_points = columns.shape
    d = np.empty((n_attributes, BLOCK))
    levels = np.empty((n_attributes, BLOCK), np.uint8)
    sums = np.empty(n_points)
    for i in range(queries.shape[0]):
        least = np.inf
        for start in range(0, n_points, BLOCK):
            stop = min(start + BLOCK, n_points)
            sums[start:stop] = 0.0
            for k in range(n_attributes):
                fill_differences(queries[i, k], columns, k, start, stop, rules, d)
                for j in range(stop - start):
                    sums[start + j] += d[k, j]
            for j in range(start, stop):
                least = min(least, sums[j])
        limit = least * (1.0 + tolerance)
        tied = 0
        for j in range(n_points):
            tied += point_weights[j] if sums[j] <= limit else 0
        for j in range(n_points):
            if sums[j] <= limit:
                for k in range(n_attributes):
                    fill_levels(queries[i, k], columns, k, j, j + 1, rules, graded, d, levels)
                    matched[k, levels[k, 0]] += query_weights[i] * point_weights[j] / tied
