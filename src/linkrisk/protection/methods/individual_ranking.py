"""Individual ranking: microaggregation of each attribute on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.raw_file import RawFile
from linkrisk.protection.ladders import cluster_sizes
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.microaggregation.clusters import (
    MicroaggregatedGroup,
    choose_centroids,
    cut_by_order,
)
from linkrisk.protection.microaggregation.holes import Microaggregation
from linkrisk.protection.parameters import check_cluster_size, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import check_quantities, code_notes
from linkrisk.protection.values.columns import ORDERED, QUANTITIES, Column, Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed


def individual_ranking(
    data: Any,
    k: int | Mapping[Any, int],
    *,
    centroid: str | Mapping[Any, str] | None = None,
    continuous: bool = False,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Sort each attribute on its own, cut it into clusters of k, and replace each value by its cluster's centroid.

    The value of rank r (from 1, of n known values) goes to cluster min(ceil(r / k), floor(n / k)).

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    k
        Least number of records in a cluster, one for all columns that are not left, or one for each column by name;
        2 <= k <= n / 2. All clusters have k records, except the last, which has k to 2k - 1.
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
        ``details`` holds a `MicroaggregatedGroup` for each column. Protected numbers are float64; ordinal columns keep
        their type. There is no secret: the method draws nothing.

    Raises
    ------
    ParameterError
        If a k is out of range, columns are left out (they are named), or a centroid has no meaning for a column.
    ColumnError
        If a column is unknown, nominal, has infinite values, or looks like codes or an id, is averaged, and is not
        declared numeric.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: each protected value of an attribute belongs to
    at least k records, and means are kept up to rounding where they are the centroids. A combination of protected
    values may still belong to one record alone: of all microaggregation this method changes least and protects least.

    Missing values stay missing and take no part; n counts the known ones. Ties go by file order. Cost: a sort for each
    attribute; 10^6 values take about a quarter of a second.

    References
    ----------
    Defays, Nanopoulos (1993), Panels of enterprises and confidentiality: the small aggregates method;
    abril2012-weights.txt, section 4.2 (MicIR).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[5.0], [1.0], [5.0], [2.0], [9.0]])
    >>> individual_ranking(people, k=2, continuous=True).data[:, 0].round(2).tolist()
    [6.33, 1.5, 6.33, 1.5, 6.33]
    """
    table = Frame.of(data, schema)
    sizes = each_attribute(k, table, leave)
    columns = table.columns(sizes, ORDERED, "individual ranking")
    for column in columns:
        sizes[column.name] = check_cluster_size(sizes[column.name], int((~column.is_missing).sum()))
    centroids = choose_centroids(columns, centroid)
    averaged = [column for column in columns if centroids[column.name] != "mode"]
    check_quantities(averaged, "individual ranking", table.source.name)
    ranked = [
        _rank_column(column, sizes[column.name], centroids, table.source, continuous=continuous) for column in columns
    ]
    new = [column for column, _ in ranked]
    return Protection(
        data=table.with_columns(new),
        method="individual_ranking",
        title="individual ranking",
        parameters={"k": sizes, "centroid": centroids, "continuous": continuous, "leave": tuple(leave)},
        details=tuple(detail for _, detail in ranked),
        n_records=table.n_records,
        notes=tuple(code_notes(columns)),
        changed=shares_changed(columns, new),
    )


INDIVIDUAL_RANKING = Method(
    "individual_ranking",
    individual_ranking,
    "each attribute sorted on its own, and averaged over clusters of k",
    needed=("k",),
    optional=("centroid", "continuous"),
    shared=("centroid", "continuous"),
    kinds=ORDERED,
    by_default=QUANTITIES,
    strength=Strength("k", cluster_sizes),
)


def _rank_column(
    column: Column, k: int, centroids: Mapping[Name, str], source: RawFile, *, continuous: bool
) -> tuple[Column, MicroaggregatedGroup]:
    def points(columns: Sequence[Column]) -> FloatArray:
        return columns[0].values[:, None]

    def cluster(values: FloatArray) -> IntArray:
        return cut_by_order(np.argsort(values[:, 0], kind="stable"), k)

    (new,), detail = Microaggregation([column], k, points, cluster).protected(centroids, source, continuous=continuous)
    return new, detail
