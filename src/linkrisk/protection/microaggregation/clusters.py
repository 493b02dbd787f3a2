"""What all microaggregation shares: clusters of records, replaced by a centroid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.values.columns import CATEGORICAL, Column, Name, list_names
from linkrisk.protection.values.digits import Resolution

CENTROIDS = {
    Kind.NUMERIC: ("mean", "median", "mode"),
    Kind.DATE: ("mean", "median", "mode"),
    Kind.ORDINAL: ("median", "mode"),
    Kind.NOMINAL: ("mode",),
}
"""What a cluster may be replaced by, by the kind of the attribute; the usual one first."""


@dataclass(frozen=True)
class MicroaggregatedGroup:
    """What became of one group of attributes.

    ``smallest`` is the k reached. ``sse_over_sst`` is the share of the sum of squares lost inside clusters,
    on the values that were clustered (0: nothing lost, 1: all records alike). ``n_unlike`` records lack other values
    than at least k records of their cluster do.
    """

    attributes: tuple[Name, ...]
    k: int
    n_clusters: int
    smallest: int
    largest: int
    sse_over_sst: float
    n_unlike: int = 0

    def __str__(self) -> str:
        unlike = f"; {self.n_unlike:,} lack other values than k of their cluster" if self.n_unlike else ""
        return (
            f"{list_names(self.attributes)}: k = {self.k}, {self.n_clusters:,} clusters of {self.smallest} "
            f"to {self.largest} records, SSE/SST {self.sse_over_sst:.4f}{unlike}"
        )


def cut_by_order(order: IntArray, k: int) -> IntArray:
    """Cut records, in this order, into clusters of k; return the cluster of each. The rest joins the last cluster.

    >>> cut_by_order(np.array([2, 0, 1, 4, 3]), k=2).tolist()
    [0, 1, 0, 1, 1]
    """
    labels = np.empty(order.size, np.int64)
    labels[order] = np.minimum(np.arange(order.size) // k, order.size // k - 1)
    return labels


def check_cluster_bounds(sizes: IntArray, k: int) -> None:
    """Raise if a cluster has fewer than k or more than 2k - 1 records."""
    if sizes.min() < k or sizes.max() >= 2 * k:
        raise LinkriskError(
            "microaggregation made a cluster of a wrong size; this is a fault in linkrisk, please report it"
        )


def choose_centroids(columns: Sequence[Column], centroid: Any) -> dict[Name, str]:
    """Return the centroid of each column: one for all, one for each by name, or that of its kind.

    Raises
    ------
    ParameterError
        If a centroid is unknown or has no meaning for the kind of a column.
    """
    given = centroid if isinstance(centroid, Mapping) else dict.fromkeys((column.name for column in columns), centroid)
    unknown = [name for name in given if name not in {column.name for column in columns}]
    if unknown:
        raise ParameterError(f"centroid names columns that are not protected: {list_names(unknown)}; leave them out")
    chosen = {}
    for column in columns:
        name = given.get(column.name) or CENTROIDS[column.kind][0]
        if name not in CENTROIDS[column.kind]:
            allowed = " or ".join(CENTROIDS[column.kind])
            raise ParameterError(f"the centroid of column {column.name!r}, which is {column.kind}, must be {allowed}")
        chosen[column.name] = name
    return chosen


def replace_by_centroids(column: Column, labels: IntArray, centroid: str, *, continuous: bool = False) -> Column:
    """Return the column with each known value replaced by the centroid of its cluster; missing ones stay missing.

    ``mean``: the mean of all is kept up to rounding, which is checked. ``median`` is the middle
    value; where there are two, their mean for numbers and the lower one for categories. ``mode`` is the most frequent
    value; where several are equally frequent, the one that comes first in the file. Unless ``continuous``, means and
    medians are rounded to the decimals of the column, halves to even, and are the next larger number where they would
    be a code for missing.
    """
    known = np.flatnonzero(~column.is_missing)
    values, own = column.values[known], np.unique(labels[known], return_inverse=True)[1].reshape(-1)
    if centroid == "mode":
        return column.with_values(_put(column, known, _modes(values, own)[own]))
    grid = Resolution.of(column, continuous=continuous)
    if centroid == "mean":
        protected = cluster_means(values[:, None], own)[:, 0]
        _check_mean_kept(values, protected)
        protected = _means_on(grid, values, own) if grid.exponent is not None else protected
    else:
        is_category = column.kind in CATEGORICAL
        protected = _medians(values, own, is_category=is_category)[own]
        protected = protected if is_category else grid.rounded(protected)
    protected = grid.off_codes(protected, column.codes, math.inf)
    return column.with_values(_put(column, known, protected))


def _put(column: Column, known: IntArray, protected: FloatArray) -> FloatArray:
    values = column.values.copy()
    values[known] = protected
    return values


def _means_on(grid: Resolution, values: FloatArray, labels: IntArray) -> FloatArray:
    """Return for each record the mean of its cluster on a grid of decimals, halves to even, whatever the file's order.

    Values are counted in steps of the grid, whose sums are exact below 2^53; beyond that they are added in file order.
    """
    steps = np.rint(values / 10.0 ** (grid.exponent or 0))
    if np.abs(steps).sum() >= 2.0**53:
        return grid.rounded(cluster_means(values[:, None], labels)[:, 0])
    means = np.rint(np.bincount(labels, weights=steps) / np.bincount(labels))
    return grid.rounded(means * 10.0 ** (grid.exponent or 0))[labels]


def cluster_means(values: FloatArray, labels: IntArray) -> FloatArray:
    """Return for each record the mean of its cluster; sums in file order."""
    sizes = np.bincount(labels)
    means = np.empty((sizes.size, values.shape[1]))
    for position, column in enumerate(values.T):
        exponent = exponent_of(column)
        sums = np.bincount(labels, weights=np.ldexp(column, -exponent))
        means[:, position] = np.ldexp(sums / sizes, exponent)
    return means[labels]


def exponent_of(values: FloatArray) -> int:
    """Return the power of two that brings values below 1: exact, and no sum or square of them overflows."""
    return math.frexp(float(np.abs(values).max()))[1]


def _medians(values: FloatArray, labels: IntArray, *, is_category: bool) -> FloatArray:
    """Return the median of each cluster."""
    order = np.lexsort((values, labels))
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    low = values[order[starts + (sizes - 1) // 2]]
    if is_category:
        return np.asarray(low)
    high = values[order[starts + sizes // 2]]
    return np.asarray(low + (high - low) / 2)


def _modes(values: FloatArray, labels: IntArray) -> FloatArray:
    """Return the most frequent value of each cluster, the first in the file where several are equally frequent."""
    distinct, places = np.unique(values, return_inverse=True)
    pairs, first, counts = np.unique(labels * distinct.size + places, return_index=True, return_counts=True)
    clusters = pairs // distinct.size
    best = np.lexsort((first, -counts, clusters))
    _, starts = np.unique(clusters[best], return_index=True)
    return np.asarray(distinct[pairs[best[starts]] % distinct.size])


def squares_lost(points: FloatArray, labels: IntArray, exponent: int) -> tuple[float, float]:
    """Return SSE and SST, squares about the means of clusters and about the mean of all, of points over 2^exponent."""
    small = np.ldexp(points, -exponent)
    total = float(np.sum((small - small.mean(axis=0)) ** 2))
    return float(np.sum((small - cluster_means(small, labels)) ** 2)), total


def _check_mean_kept(values: FloatArray, protected: FloatArray) -> None:
    """Raise if the mean of a column moved by more than rounding can explain."""
    scale = float(np.abs(values).max()) or 1.0
    if not abs((protected / scale - values / scale).mean()) <= 1e-9:
        raise LinkriskError("microaggregation did not keep a mean; this is a fault in linkrisk, please report it")
