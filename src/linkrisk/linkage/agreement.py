"""Linking by levels of agreement: distances, nearest records and candidates of some original records."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.rules import rules_for
from linkrisk.distances.probabilistic.patterns import make_limits
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.linkage.level_kernels import link_levels, measure_levels
from linkrisk.linkage.search_kernels import Found, TwinTest

MAX_MATRIX = 1 << 22
"""Distances kept at a time while candidates are looked for (32 MB)."""


def agreement_distances(distance: AgreementDistance, rows: IntArray, columns: FloatArray) -> FloatArray:
    """All distances between some original records and the protected ones given by attribute."""
    queries = np.ascontiguousarray(distance.coordinates.original[rows])
    rules = rules_for(distance.coordinates, queries)
    limits = make_limits(distance.agreement, distance.coordinates)
    values = np.empty((len(rows), columns.shape[1]))
    measure_levels(queries, columns, rules, limits, distance.costs, values)
    return values


def search_agreement(
    distance: AgreementDistance, rows: IntArray, own: IntArray, columns: FloatArray, weights: IntArray, found: Found
) -> None:
    """Link some original records to the points; ``own`` are their own ones, ``weights`` records a point stands for."""
    queries = np.ascontiguousarray(distance.coordinates.original[rows])
    rules = rules_for(distance.coordinates, queries)
    limits = make_limits(distance.agreement, distance.coordinates)
    test = TwinTest(queries, columns, rules, is_apart=True)
    link_levels(
        queries,
        own,
        columns,
        weights,
        rules,
        limits,
        distance.costs,
        distance.tolerance,
        test,
        found.states,
        found.counts,
    )


def agreement_candidates(
    distance: AgreementDistance, rows: IntArray, columns: FloatArray, near: FloatArray, who: IntArray
) -> None:
    """Fill the nearest points of some original records, nearest first, equal distances in the order of the points."""
    step = max(1, MAX_MATRIX // columns.shape[1])
    length = near.shape[1]
    for start in range(0, len(rows), step):
        values = agreement_distances(distance, rows[start : start + step], columns)
        order = np.argsort(values, axis=1, kind="stable")[:, :length]
        who[start : start + step] = order
        near[start : start + step] = np.take_along_axis(values, order, axis=1)
