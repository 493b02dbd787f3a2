"""Microaggregation along the sum of z-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkrisk.protection.ladders import cluster_sizes
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.microaggregation.projection import along_a_line, sum_rows
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import ORDERED, QUANTITIES, Name
from linkrisk.protection.values.frame import Frame


def z_scores(
    data: Any,
    groups: Sequence[Sequence[Name]],
    k: int | Sequence[int],
    *,
    centroid: str | Mapping[Any, str] | None = None,
    continuous: bool = False,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Sort records by the sum of their z-values, cut them into clusters of k, and replace them by centroids.

    Each group of attributes is protected on its own. The z-value of x is z = (x - mean) / standard deviation (n - 1);
    x is the rank where the attribute is ordinal. All clusters have k records, except the last, which has k to 2k - 1.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    groups
        Columns that are protected together, group by group; no column twice.
    k
        Least number of records in a cluster, one for all groups or one for each; 2 <= k <= n / 2.
    centroid
        ``"mean"`` (numbers), ``"median"`` (numbers, ordinal) or ``"mode"`` (all kinds), for all columns or by name;
        by default mean for numeric attributes and dates, median for ordinal, mode for nominal ones.
    continuous
        Release means with all their digits, and not rounded to the decimals of their column, halves to even.
    leave
        Columns to release as they are. A column that is neither protected nor named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it says nothing.

    Returns
    -------
    Protection
        ``details`` holds a `MicroaggregatedGroup` for each group, its SSE/SST on z-values. There is no secret.

    Raises
    ------
    ParameterError
        If a k is out of range, groups overlap or leave columns out (they are named).
    ColumnError
        If a column is unknown, nominal, has infinite values, or looks like codes or an id, is averaged, and is not
        declared numeric; if a record has values that fewer than k others have
        (`linkrisk.protection.microaggregation.holes`).

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: every combination of protected values of a
    group belongs to at least k records, and means are kept up to rounding where they are the centroids. Missing values
    stay missing, with the rule and the promise of `linkrisk.protection.microaggregation.holes`. Ties go by file order;
    a constant attribute has z-value 0. Cost: a sort for each group.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), as in `microaggregate`; abril2012-weights.txt, section 4.2 (MicZ).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1.0, 10.0], [4.0, 40.0], [2.0, 20.0], [3.0, 30.0], [4.0, 50.0]])
    >>> z_scores(people, [[0, 1]], k=2, continuous=True).data.round(2).tolist()
    [[1.5, 15.0], [3.67, 40.0], [1.5, 15.0], [3.67, 40.0], [3.67, 40.0]]
    """
    how = along_a_line("z_scores", "z-scores projection", sum_rows)
    table = Frame.of(data, schema)
    return how.protect(table, groups, k, centroid=centroid, continuous=continuous, leave=leave)


Z_SCORES = Method(
    "z_scores",
    z_scores,
    "records sorted by the sum of their z-values, and averaged over clusters of k",
    needed=("groups", "k"),
    optional=("centroid", "continuous"),
    shared=("centroid", "continuous"),
    kinds=ORDERED,
    by_default=QUANTITIES,
    strength=Strength("k", cluster_sizes),
)
