"""Microaggregation along a line: records are sorted by one number each and cut into clusters of k."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.protection.microaggregation.clusters import cut_by_order
from linkrisk.protection.microaggregation.coordinates import standard_scores
from linkrisk.protection.microaggregation.groups import GroupMethod
from linkrisk.protection.values.columns import ORDERED, Column


def along_a_line(name: str, title: str, projection: Callable[[FloatArray], FloatArray]) -> GroupMethod:
    """Return a method that sorts records by a projection of their z-values and cuts them into clusters of k.

    ``projection`` takes the z-values of a group of attributes, one row per record, and returns one number per record.
    """

    def cluster(scores: FloatArray, k: int) -> IntArray:
        return cut_by_order(np.argsort(projection(scores), kind="stable"), k)

    return GroupMethod(name, title, ORDERED, _scores, cluster, {})


def _scores(columns: Sequence[Column]) -> FloatArray:
    return np.column_stack([standard_scores(column) for column in columns])


def sum_rows(scores: FloatArray) -> FloatArray:
    """Return the sum of each row, added from left to right."""
    total = np.zeros(len(scores))
    for column in scores.T:
        total += column
    return total
