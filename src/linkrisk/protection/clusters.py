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
from linkrisk.protection.columns import Column, Name, list_names

DEFAULT_CENTROIDS = {Kind.NUMERIC: "mean", Kind.ORDINAL: "median", Kind.NOMINAL: "mode"}
_ALLOWED = {Kind.NUMERIC: ("mean", "median", "mode"), Kind.ORDINAL: ("median", "mode"), Kind.NOMINAL: ("mode",)}


@dataclass(frozen=True)
class MicroaggregatedGroup:
    """What became of one group of attributes.

    ``smallest`` is the k reached. ``sse_over_sst`` is the share of the sum of squares lost inside clusters,
    on the values that were clustered (0: nothing lost, 1: all records alike).
    """

    attributes: tuple[Name, ...]
    k: int
    n_clusters: int
    smallest: int
    largest: int
    sse_over_sst: float

    def __str__(self) -> str:
        return (
            f"{list_names(self.attributes)}: k = {self.k}, {self.n_clusters:,} clusters of {self.smallest} "
            f"to {self.largest} records, SSE/SST {self.sse_over_sst:.4f}"
        )


def cut_by_order(order: IntArray, k: int) -> IntArray:
    """Cut records, in this order, into clusters of k; return the cluster of each. The rest joins the last cluster.

    >>> cut_by_order(np.array([2, 0, 1, 4, 3]), k=2).tolist()
    [0, 1, 0, 1, 1]
    """
    labels = np.empty(order.size, np.int64)
    labels[order] = np.minimum(np.arange(order.size) // k, order.size // k - 1)
    return labels


def describe_clusters(names: Sequence[Name], k: int, points: FloatArray, labels: IntArray) -> MicroaggregatedGroup:
    """Describe clusters of points, one row per record, and check their sizes.

    Raises
    ------
    LinkriskError
        If a cluster has fewer than k or more than 2k - 1 records: a fault of ours.
    """
    sizes = np.bincount(labels)
    check_cluster_bounds(sizes, k)
    return MicroaggregatedGroup(
        attributes=tuple(names),
        k=k,
        n_clusters=sizes.size,
        smallest=int(sizes.min()),
        largest=int(sizes.max()),
        sse_over_sst=_share_lost(points, labels),
    )


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
        name = given.get(column.name) or DEFAULT_CENTROIDS[column.kind]
        if name not in _ALLOWED[column.kind]:
            allowed = " or ".join(_ALLOWED[column.kind])
            raise ParameterError(f"the centroid of column {column.name!r}, which is {column.kind}, must be {allowed}")
        chosen[column.name] = name
    return chosen


def replace_by_centroids(column: Column, labels: IntArray, centroid: str) -> Column:
    """Return the column with each value replaced by the centroid of its cluster.

    ``mean`` adds in file order; the mean of all is kept up to rounding, which is checked. ``median`` is the middle
    value; where there are two, their mean for numbers and the lower one for categories. ``mode`` is the
    most frequent value; where several are equally frequent, the one that comes first in the file.
    """
    if centroid == "mean":
        protected = cluster_means(column.values[:, None], labels)[:, 0]
        _check_mean_kept(column.values, protected)
    elif centroid == "median":
        protected = _medians(column.values, labels, is_category=column.kind is not Kind.NUMERIC)[labels]
    else:
        protected = _modes(column.values, labels)[labels]
    return column.with_values(protected)


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


def _share_lost(points: FloatArray, labels: IntArray) -> float:
    """Return SSE / SST, squares about the means of clusters over squares about the mean of all (0 / 0: 0)."""
    small = np.ldexp(points, -exponent_of(points))
    total = float(np.sum((small - small.mean(axis=0)) ** 2))
    within = float(np.sum((small - cluster_means(small, labels)) ** 2))
    return within / total if total > 0 else 0.0


def _check_mean_kept(values: FloatArray, protected: FloatArray) -> None:
    """Raise if the mean of a column moved by more than rounding can explain."""
    scale = float(np.abs(values).max()) or 1.0
    if not abs((protected / scale - values / scale).mean()) <= 1e-9:
        raise LinkriskError("microaggregation did not keep a mean; this is a fault in linkrisk, please report it")
