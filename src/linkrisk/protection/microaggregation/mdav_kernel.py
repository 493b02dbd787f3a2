"""The clustering of MDAV in machine code: memory is linear in the records, and each cluster scans those left.

Records not yet in a cluster are kept together, in file order, at the front of the arrays. So a scan that
keeps the first of equals settles ties by file order, and sums are added in file order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel

BoolArray = NDArray[np.bool_]


class Clustering(NamedTuple):
    """A clustering in progress: ``left`` and ``rows`` hold the records in no cluster, in file order, at their front."""

    left: FloatArray
    rows: IntArray
    labels: IntArray
    taken: BoolArray
    distances: FloatArray
    counts: IntArray
    """How many records are left, and how many clusters there are."""


def start_clustering(points: FloatArray) -> Clustering:
    """Return a clustering in which all records are left."""
    n_records = len(points)
    return Clustering(
        left=points.copy(),
        rows=np.arange(n_records),
        labels=np.empty(n_records, np.int64),
        taken=np.zeros(n_records, np.bool_),
        distances=np.empty(n_records),
        counts=np.array([n_records, 0]),
    )


@kernel
def make_pairs(clustering: Clustering, k: int, most: int) -> None:
    """Make at most ``most`` pairs of clusters, while 3k or more records are left."""
    left, rows, labels, taken, distances, counts = clustering
    for _ in range(most):
        n_left, label = counts
        if n_left < 3 * k:
            return
        first = _farthest_from_centroid(left, n_left)
        _measure(left, n_left, left[first], distances)
        cluster = _nearest_not_taken(distances, taken, n_left, k)
        taken[cluster] = True
        labels[rows[cluster]] = label
        second = _farthest_not_taken(distances, taken, n_left)
        _measure(left, n_left, left[second], distances)
        cluster = _nearest_not_taken(distances, taken, n_left, k)
        taken[cluster] = True
        labels[rows[cluster]] = label + 1
        counts[0] = _close_gaps(left, rows, taken, n_left)
        counts[1] = label + 2


@kernel
def finish_clustering(clustering: Clustering, k: int) -> None:
    """Make one more cluster where 2k or more records are left, and the last one of the rest."""
    left, rows, labels, taken, distances, counts = clustering
    n_left, label = counts
    if n_left >= 2 * k:
        first = _farthest_from_centroid(left, n_left)
        _measure(left, n_left, left[first], distances)
        cluster = _nearest_not_taken(distances, taken, n_left, k)
        taken[cluster] = True
        labels[rows[cluster]] = label
        n_left = _close_gaps(left, rows, taken, n_left)
        label += 1
    labels[rows[:n_left]] = label


@kernel
def _farthest_from_centroid(left: FloatArray, n_left: int) -> int:
    """Return the first of the records farthest from the mean of those left.

    The distance of n x to the sum is compared, instead of that of x to the mean: integers then stay integers, and ties
    are true ties as long as the squares stay below 2^53.
    """
    n_attributes = left.shape[1]
    total = np.zeros(n_attributes)
    for i in range(n_left):
        for a in range(n_attributes):
            total[a] += left[i, a]
    farthest = 0
    largest = -1.0
    for i in range(n_left):
        distance = 0.0
        for a in range(n_attributes):
            difference = n_left * left[i, a] - total[a]
            distance += difference * difference
        if distance > largest:
            largest = distance
            farthest = i
    return farthest


@lean_kernel
def _measure(left: FloatArray, n_left: int, point: FloatArray, distances: FloatArray) -> None:
    """Write the squared distance of each record left to a point."""
    for i in range(n_left):
        distance = 0.0
        for a in range(left.shape[1]):
            difference = left[i, a] - point[a]
            distance += difference * difference
        distances[i] = distance


@kernel
def _nearest_not_taken(distances: FloatArray, taken: BoolArray, n_left: int, k: int) -> IntArray:
    """Return the k nearest records that are in no cluster; among equally near ones the first."""
    nearest = np.empty(k, np.int64)
    count = 0
    for i in range(n_left):
        if taken[i] or (count == k and distances[i] >= distances[nearest[k - 1]]):
            continue
        place = min(count, k - 1)
        while place > 0 and distances[nearest[place - 1]] > distances[i]:
            nearest[place] = nearest[place - 1]
            place -= 1
        nearest[place] = i
        count = min(count + 1, k)
    return nearest


@lean_kernel
def _farthest_not_taken(distances: FloatArray, taken: BoolArray, n_left: int) -> int:
    """Return the first of the farthest records that are in no cluster."""
    farthest = 0
    largest = -1.0
    for i in range(n_left):
        if distances[i] > largest and not taken[i]:
            largest = distances[i]
            farthest = i
    return farthest


@lean_kernel
def _close_gaps(left: FloatArray, rows: IntArray, taken: BoolArray, n_left: int) -> int:
    """Move the records not taken to the front, in file order, and return how many they are."""
    kept = 0
    for i in range(n_left):
        if taken[i]:
            taken[i] = False
            continue
        if kept < i:
            rows[kept] = rows[i]
            for a in range(left.shape[1]):
                left[kept, a] = left[i, a]
        kept += 1
    return kept
