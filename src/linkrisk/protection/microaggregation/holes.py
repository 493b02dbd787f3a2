"""Clusters of records with missing values: whom a record may be averaged with, so that k records look like it.

The *pattern* of a record is which attributes of a group it lacks. The rule, for every method that clusters:

1. Records with the same pattern are clustered with each other where there are at least k of them, as if they were a
   file of their own, on the attributes that they have.
2. Every other record joins the nearest of these clusters whose members have all the attributes that it has: by the
   distance to the centroid over these attributes, each divided by its standard deviation (1 for another category).
3. Holes stay holes, and a cluster's centroid is that of its members' known values, of those that joined, too.

*Guarantee* (docs/mathematics.md#checked): every combination of values that a protected record shows is shown by at
least k records. Records of rule 1 also lack the same values as k records of their cluster; those of rule 2 may not:
whoever knows which values of a person are missing finds them among fewer than k. They are counted (``n_unlike``). A
record that lacks all attributes of a group is in no cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.differences.scales import careful_moments
from linkrisk.engine import interrupt
from linkrisk.errors import TooFewRecordsError
from linkrisk.protection.microaggregation.clusters import (
    CENTROIDS,
    MicroaggregatedGroup,
    check_cluster_bounds,
    exponent_of,
    replace_by_centroids,
    squares_lost,
)
from linkrisk.protection.values.columns import Column, list_names

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawFile

Clustering = Callable[[FloatArray], IntArray]
"""Takes points, one row per record, and returns the cluster of each, in clusters of k to 2k - 1."""

Points = Callable[[Sequence[Column]], FloatArray]
"""Takes columns without missing values and returns points, one row per record."""


@dataclass(frozen=True)
class Microaggregation:
    """A group of attributes to be clustered together.

    Parameters
    ----------
    columns
        The attributes.
    k
        Least number of records in a cluster.
    points, cluster
        How records without missing values become points, and these clusters.
    """

    columns: Sequence[Column]
    k: int
    points: Points
    cluster: Clustering

    def protected(
        self, centroids: Mapping[str | int, str], source: RawFile, *, continuous: bool
    ) -> tuple[list[Column], MicroaggregatedGroup]:
        """Return the columns with centroids in place of their values, and what became of the group."""
        lacks = np.column_stack([column.is_missing for column in self.columns])
        labels, parts = self._founded(lacks)
        founded = labels.copy()
        self._join(labels, lacks, source)
        new = [_replaced(column, labels, centroids[column.name], continuous=continuous) for column in self.columns]
        sizes = np.bincount(founded[founded >= 0])
        check_cluster_bounds(sizes, self.k)
        detail = MicroaggregatedGroup(
            attributes=tuple(column.name for column in self.columns),
            k=self.k,
            n_clusters=sizes.size,
            smallest=int(np.bincount(labels[labels >= 0]).min()),
            largest=int(np.bincount(labels[labels >= 0]).max()),
            sse_over_sst=parts,
            n_unlike=int(((founded < 0) & (labels >= 0)).sum()),
        )
        return new, detail

    def _founded(self, lacks: BoolArray) -> tuple[IntArray, float]:
        """Return the clusters of rule 1, -1 for records in none, and the share of the squares that is lost in them."""
        labels = np.full(len(lacks), -1, dtype=np.int64)
        parts: list[tuple[FloatArray, IntArray]] = []
        for pattern, rows in _patterns(lacks):
            if rows.size < self.k or pattern.all():
                continue
            shown = [column for column, is_lacking in zip(self.columns, pattern, strict=True) if not is_lacking]
            points = self.points([column.with_values(column.values[rows]) for column in shown])
            is_one = rows.size < 2 * self.k
            own = np.zeros(rows.size, dtype=np.int64) if is_one else self.cluster(points)
            labels[rows] = own + labels.max() + 1
            parts.append((points, own))
        return labels, _share_lost(parts)

    def _join(self, labels: IntArray, lacks: BoolArray, source: RawFile) -> None:
        """Let records of rare patterns join the nearest cluster that has all they have; change ``labels``."""
        waiting = np.flatnonzero((labels < 0) & ~lacks.all(axis=1))
        if not waiting.size:
            return
        places, first = np.unique(labels, return_index=True)
        founders = first[places >= 0]
        middles = [_replaced(column, labels, CENTROIDS[column.kind][0], continuous=True) for column in self.columns]
        spreads = [careful_moments(column.values)[1] for column in self.columns]
        for row in waiting.tolist():
            interrupt.check()
            can_join = founders[~(lacks[founders] & ~lacks[row]).any(axis=1)]
            if not can_join.size:
                raise TooFewRecordsError(self._nobody(row, lacks, source))
            distances = self._distances(row, middles, spreads, can_join)
            labels[row] = labels[can_join[int(np.argmin(distances))]]

    def _distances(
        self, row: int, middles: Sequence[Column], spreads: Sequence[float], founders: IntArray
    ) -> FloatArray:
        """Return the squared distances of a record to the centroids of some clusters, over what it has."""
        distances = np.zeros(founders.size)
        for column, middle, spread in zip(self.columns, middles, spreads, strict=True):
            own = column.values[row]
            if np.isnan(own):
                continue
            differences = middle.values[founders] - own
            distances += differences != 0 if column.kind is Kind.NOMINAL else (differences / spread) ** 2
        return distances

    def _nobody(self, row: int, lacks: BoolArray, source: RawFile) -> str:
        names = list_names(
            column.name for column, is_lacking in zip(self.columns, lacks[row], strict=True) if not is_lacking
        )
        return (
            f"{source.name}: no {self.k} records with the same values missing have all of {names}, as row "
            f"{source.row(row)} has; protect columns that are missing for different people in groups (--groups) of "
            "their own, or lower k (--k)"
        )


def _share_lost(parts: Sequence[tuple[FloatArray, IntArray]]) -> float:
    """Return SSE / SST of points and their clusters, the squares of all parts added up (0 / 0: 0)."""
    exponent = max((exponent_of(points) for points, _ in parts), default=0)
    squares = [squares_lost(points, labels, exponent) for points, labels in parts]
    within, total = (sum(each[place] for each in squares) for place in (0, 1))
    return within / total if total > 0 else 0.0


def hole_notes(details: Sequence[MicroaggregatedGroup]) -> list[str]:
    """Return a sentence about each group in which records lack other values than k of their cluster."""
    return [
        f"{detail.n_unlike:,} record{'' if detail.n_unlike == 1 else 's'} of the group {list_names(detail.attributes)} "
        f"share known values with at least k = {detail.k} records, but not the values that are missing: whoever knows "
        "which these are finds such a record among fewer."
        for detail in details
        if detail.n_unlike
    ]


def _replaced(column: Column, labels: IntArray, centroid: str, *, continuous: bool) -> Column:
    """Return the column with centroids for the records that are in a cluster."""
    rows = np.flatnonzero(labels >= 0)
    if rows.size == labels.size:
        return replace_by_centroids(column, labels, centroid, continuous=continuous)
    values = column.values.copy()
    part = column.with_values(values[rows])
    if not part.is_missing.all():
        values[rows] = replace_by_centroids(part, labels[rows], centroid, continuous=continuous).values
    return column.with_values(values)


def _patterns(lacks: BoolArray) -> list[tuple[BoolArray, IntArray]]:
    """Return the patterns in the order in which the file first has them, each with its records."""
    distinct, first, places = np.unique(lacks, axis=0, return_index=True, return_inverse=True)
    places = places.reshape(-1)
    return [(distinct[place], np.flatnonzero(places == place)) for place in np.argsort(first)]
