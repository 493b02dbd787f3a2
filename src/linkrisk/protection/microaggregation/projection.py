"""Microaggregation along a line: records are sorted by one number each and cut into clusters of k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.microaggregation.clusters import choose_centroids, cut_by_order
from linkrisk.protection.microaggregation.coordinates import standard_scores
from linkrisk.protection.microaggregation.holes import Microaggregation, hole_notes
from linkrisk.protection.parameters import check_cluster_sizes, check_groups
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import check_quantities, code_notes
from linkrisk.protection.values.columns import ORDERED, Column, Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed


def microaggregate_along(
    data: Any,
    groups: Any,
    k: Any,
    projection: Callable[[FloatArray], FloatArray],
    method: str,
    title: str,
    centroid: Any,
    continuous: bool,
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
    before = table.columns(used, ORDERED, title)
    centroids = choose_centroids(before, centroid)
    check_quantities([column for column in before if centroids[column.name] != "mode"], title, table.source.name)
    columns = {column.name: column for column in before}
    details = []
    for group, size in zip(checked, sizes, strict=True):
        clustering = Microaggregation(
            [columns[name] for name in group],
            size,
            _scores,
            lambda scores, k=size: cut_by_order(np.argsort(projection(scores), kind="stable"), k),  # type: ignore[misc]
        )
        new, detail = clustering.protected(centroids, table.source, continuous=continuous)
        columns |= {column.name: column for column in new}
        details.append(detail)
    return Protection(
        data=table.with_columns(list(columns.values())),
        method=method,
        title=title,
        parameters={
            "groups": checked,
            "k": sizes,
            "centroid": centroids,
            "continuous": continuous,
            "leave": tuple(leave),
        },
        details=tuple(details),
        n_records=table.n_records,
        notes=(*code_notes(before), *hole_notes(details)),
        changed=shares_changed(before, list(columns.values())),
    )


def _scores(columns: Sequence[Column]) -> FloatArray:
    return np.column_stack([standard_scores(column) for column in columns])


def sum_rows(scores: FloatArray) -> FloatArray:
    """Return the sum of each row, added from left to right."""
    total = np.zeros(len(scores))
    for column in scores.T:
        total += column
    return total
