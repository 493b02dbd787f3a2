"""Microaggregation along a line: records are sorted by one number each and cut into clusters of k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.clusters import choose_centroids, cut_by_order, describe_clusters, replace_by_centroids
from linkrisk.protection.columns import ORDERED, Name
from linkrisk.protection.coordinates import standard_scores
from linkrisk.protection.frame import Frame
from linkrisk.protection.parameters import check_cluster_sizes, check_groups
from linkrisk.protection.protection import Protection


def microaggregate_along(
    data: Any,
    groups: Any,
    k: Any,
    projection: Callable[[FloatArray], FloatArray],
    method: str,
    title: str,
    centroid: Any,
    leave: Sequence[Name],
    schema: Any,
) -> Protection:
    """Sort records by a projection of their z-values, cut them into clusters of k, and replace them by centroids.

    ``projection`` takes the z-values of a group of attributes, one row per record, and returns one number per record;
    everything else is as in `linkrisk.protection.z_scores`.
    """
    table = Frame.of(data, schema)
    checked = check_groups(groups)
    used = [name for group in checked for name in group]
    table.check_covered(used, leave)
    sizes = check_cluster_sizes(k, len(checked), table.n_records)
    columns = {column.name: column for column in table.complete_columns(used, ORDERED, title)}
    centroids = choose_centroids(list(columns.values()), centroid)
    details = []
    for group, size in zip(checked, sizes, strict=True):
        scores = np.column_stack([standard_scores(columns[name]) for name in group])
        labels = cut_by_order(np.argsort(projection(scores), kind="stable"), size)
        details.append(describe_clusters(group, size, scores, labels))
        for name in group:
            columns[name] = replace_by_centroids(columns[name], labels, centroids[name])
    return Protection(
        data=table.with_columns(list(columns.values())),
        method=method,
        title=title,
        parameters={"groups": checked, "k": sizes, "centroid": centroids, "leave": tuple(leave)},
        details=tuple(details),
        n_records=table.n_records,
    )


def sum_rows(scores: FloatArray) -> FloatArray:
    """Return the sum of each row, added from left to right."""
    total = np.zeros(len(scores))
    for column in scores.T:
        total += column
    return total
