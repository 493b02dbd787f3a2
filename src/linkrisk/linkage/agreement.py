"""Linking by levels of agreement: distances, nearest records and candidates of some original records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules
from linkrisk.differences.rules import rules_for
from linkrisk.distances.probabilistic.agreement_kernels import Limits
from linkrisk.distances.probabilistic.cost_kernels import Costs
from linkrisk.distances.probabilistic.patterns import make_limits
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.linkage.level_kernels import link_levels, measure_levels
from linkrisk.linkage.search_kernels import Found, TwinTest

MAX_MATRIX = 1 << 22
"""Distances kept at a time while candidates are looked for (32 MB)."""


class _Task(NamedTuple):
    """Some original records and the protected ones they are compared with, as the kernels read them."""

    queries: FloatArray
    columns: FloatArray
    rules: AttributeRules
    limits: Limits
    costs: Costs


def _task(distance: AgreementDistance, rows: IntArray, candidates: IntArray) -> _Task:
    coordinates = distance.coordinates
    queries, rules = rules_for(coordinates, coordinates.original[rows])
    columns = np.ascontiguousarray(coordinates.protected[candidates].T)
    of_original, of_protected = distance.extras
    costs = Costs(distance.costs, of_original[rows], of_protected[candidates])
    return _Task(queries, columns, rules, make_limits(distance.agreement, coordinates), costs)


def agreement_distances(distance: AgreementDistance, rows: IntArray, candidates: IntArray) -> FloatArray:
    """All distances between some original records and some protected ones."""
    task = _task(distance, rows, candidates)
    values = np.empty((len(rows), len(candidates)))
    measure_levels(task.queries, task.columns, task.rules, task.limits, task.costs, values)
    return values


def search_agreement(
    distance: AgreementDistance, rows: IntArray, own: IntArray, candidates: IntArray, weights: IntArray, found: Found
) -> None:
    """Link some original records to distinct protected ones, the points.

    ``candidates`` are rows of the points, ``weights`` the records each stands for, ``own`` the points of the original
    records themselves.
    """
    task = _task(distance, rows, candidates)
    test = TwinTest(task.queries, task.columns, task.rules, is_apart=True)
    link_levels(
        task.queries,
        own,
        task.columns,
        weights,
        task.rules,
        task.limits,
        task.costs,
        distance.tolerance,
        test,
        found.states,
        found.counts,
    )


def agreement_candidates(
    distance: AgreementDistance, rows: IntArray, candidates: IntArray, near: FloatArray, who: IntArray
) -> None:
    """Fill places and distances of the nearest candidates of some original records, nearest first.

    Which of those tied at the end of a list are on it is left open.
    """
    step = max(1, MAX_MATRIX // len(candidates))
    length = near.shape[1]
    for start in range(0, len(rows), step):
        values = agreement_distances(distance, rows[start : start + step], candidates)
        some = np.sort(np.argpartition(values, length - 1, axis=1)[:, :length], axis=1)
        least = np.take_along_axis(values, some, axis=1)
        order = np.argsort(least, axis=1, kind="stable")
        who[start : start + step] = np.take_along_axis(some, order, axis=1)
        near[start : start + step] = np.take_along_axis(least, order, axis=1)
