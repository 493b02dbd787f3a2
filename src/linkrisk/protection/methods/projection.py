"""Microaggregation by a projection: records are sorted along one line and cut into groups of k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.protection.clusters import choose_centroids, describe_clusters, replace_by_centroids
from linkrisk.protection.columns import ORDERED, FloatArray, Name
from linkrisk.protection.coordinates import standard_scores
from linkrisk.protection.frame import Frame
from linkrisk.protection.methods.individual_ranking import cut_by_order
from linkrisk.protection.parameters import check_cluster_sizes, check_groups
from linkrisk.protection.protection import Protection


def z_scores(
    data: Any,
    groups: Sequence[Sequence[Name]],
    k: int | Sequence[int],
    *,
    centroid: str | Mapping[Any, str] | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Sort records by the sum of their z-values, cut them into groups of k, and replace them by centroids.

    For each group of attributes on its own: the z-value of x is (x - mean) / standard deviation (n - 1), of an
    ordinal attribute that of the rank; the last group of records has k to 2k - 1.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a table read by
        `linkrisk.data.read_file`.
    groups
        Columns that are microaggregated together, group by group; no column twice.
    k
        Least number of records in a group, one for all or one for each group of columns; 2 <= k <= n / 2.
    centroid
        ``"mean"`` (numbers), ``"median"`` or ``"mode"``, for all columns or by name; by default mean for numeric,
        median for ordinal attributes.
    leave
        Columns to release as they are. A column that is in no group and not named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it is silent.

    Returns
    -------
    Protection
        ``details`` holds a `MicroaggregatedGroup` for each group, its SSE/SST on z-values. There is no secret.

    Raises
    ------
    ParameterError
        If a k is out of range, groups overlap or leave columns out (they are named).
    ColumnError
        If a column is unknown, nominal, or has missing or infinite values; the method has no rule for them.

    Notes
    -----
    *Guarantee*, checked before returning: every combination of protected values of a group belongs to at least k
    records, and means are kept up to rounding where they are the centroids. Ties go by file order; a constant
    attribute has z-value 0. Cost: a sort for each group.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), as in `microaggregate`; abril2012-weights.txt, section 4.2 (MicZ).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1.0, 10.0], [4.0, 40.0], [2.0, 20.0], [3.0, 30.0], [4.0, 50.0]])
    >>> z_scores(people, [[0, 1]], k=2).data.round(2).tolist()
    [[1.5, 15.0], [3.67, 40.0], [1.5, 15.0], [3.67, 40.0], [3.67, 40.0]]
    """
    return _project(data, groups, k, _sums, "z-scores projection", centroid, leave, schema)


def principal_components(
    data: Any,
    groups: Sequence[Sequence[Name]],
    k: int | Sequence[int],
    *,
    centroid: str | Mapping[Any, str] | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Sort records by their first principal component, cut them into groups of k, and replace them by centroids.

    The component is that of the correlation matrix: the direction v of length 1 in which the z-values z . v of the
    group's attributes vary most, its sign such that the entry farthest from 0 (the first of several) is positive.
    Everything else is as in `z_scores`.

    Parameters
    ----------
    data, groups, k, centroid, leave, schema
        As for `z_scores`.

    Returns
    -------
    Protection
        ``details`` holds a `MicroaggregatedGroup` for each group, its SSE/SST on z-values. There is no secret.

    Raises
    ------
    ParameterError, ColumnError
        As for `z_scores`.

    Notes
    -----
    *Guarantee*, ties, missing values and cost as for `z_scores`. Where two directions vary alike, the attributes
    are uncorrelated and rounding decides between them.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), as in `microaggregate`; abril2012-weights.txt, section 4.2 (MicPCP).

    Examples
    --------
    The two attributes run against each other, which a sum of z-values would not see.

    >>> import numpy as np
    >>> people = np.array([[1.0, 9.0], [4.0, 2.0], [2.0, 7.0], [3.0, 4.0]])
    >>> principal_components(people, [[0, 1]], k=2).data.tolist()
    [[1.5, 8.0], [3.5, 3.0], [1.5, 8.0], [3.5, 3.0]]
    """
    return _project(data, groups, k, _first_component, "principal components projection", centroid, leave, schema)


def _project(
    data: Any,
    groups: Any,
    k: Any,
    projection: Callable[[FloatArray], FloatArray],
    method: str,
    centroid: Any,
    leave: Sequence[Name],
    schema: Any,
) -> Protection:
    table = Frame.of(data, schema)
    checked = check_groups(groups)
    used = [name for group in checked for name in group]
    table.check_covered(used, leave)
    sizes = check_cluster_sizes(k, len(checked), table.n_records)
    columns = {column.name: column for column in table.complete_columns(used, ORDERED, method)}
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
        parameters={"groups": checked, "k": sizes, "centroid": centroids, "leave": tuple(leave)},
        details=tuple(details),
        n_records=table.n_records,
    )


def _sums(scores: FloatArray) -> FloatArray:
    """Return the sum of each row, added from left to right."""
    total = np.zeros(len(scores))
    for column in scores.T:
        total += column
    return total


def _first_component(scores: FloatArray) -> FloatArray:
    """Return the first principal component of standardised columns."""
    _, vectors = np.linalg.eigh(scores.T @ scores / max(len(scores) - 1, 1))
    direction = vectors[:, -1]
    sizes = np.abs(direction)
    farthest = int(np.argmax(sizes >= sizes.max() - 1e-9))  # equal loadings differ in their last bits
    direction = direction * np.sign(direction[farthest])
    return _sums(scores * direction)
