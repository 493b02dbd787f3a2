"""MDAV on attributes of several kinds, and its centroids, from the definition and in exact arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Record = Sequence[Any]
Centroid = list[Any]
"""A number for a numeric or ordinal attribute, a Counter of shares for a nominal one."""


def mixed_mdav(records: Sequence[Record], kinds: Sequence[Any], k: int, *, standardise: bool) -> list[int]:
    """Return the cluster of each record, numbered in the order the clusters are made.

    ``kinds`` has for each attribute "numeric", "nominal", or the number of categories of an ordinal one, whose values
    are ranks from 0.
    """
    units = [unit(records, a, kind) if standardise else Fraction(1) for a, kind in enumerate(kinds)]
    left = list(range(len(records)))
    clusters: list[list[int]] = []

    def take(start: int) -> None:
        origin = centroid([records[start]], kinds)
        by_distance = sorted(left, key=lambda i: distance(records[i], origin, kinds, units))
        clusters.append(by_distance[:k])
        for i in clusters[-1]:
            left.remove(i)

    def farthest(members: Sequence[int]) -> int:
        middle = centroid([records[i] for i in members], kinds)
        return max(left, key=lambda i: distance(records[i], middle, kinds, units))

    while len(left) >= 3 * k:
        first = farthest(left)
        take(first)
        take(farthest([first]))
    if len(left) >= 2 * k:
        take(farthest(left))
    clusters.append(left)
    cluster_of = {i: number for number, cluster in enumerate(clusters) for i in cluster}
    return [cluster_of[i] for i in range(len(records))]


def difference(one: Any, other: Any, kind: Any) -> Fraction:
    """Difference d_k of two values."""
    if kind == "nominal":
        return Fraction(one != other)
    unit_of_rank = 1 if kind == "numeric" else max(kind - 1, 1)
    return ((Fraction(one) - Fraction(other)) / unit_of_rank) ** 2


def unit(records: Sequence[Record], attribute: int, kind: Any) -> Fraction:
    """Half the mean difference between two different records; 1 where all are alike."""
    pairs = list(combinations([record[attribute] for record in records], 2))
    total = sum((difference(one, other, kind) for one, other in pairs), Fraction(0))
    return total / len(pairs) / 2 or Fraction(1)


def centroid(records: Sequence[Record], kinds: Sequence[Any]) -> Centroid:
    """Means, and shares of categories."""
    middle: Centroid = []
    for a, kind in enumerate(kinds):
        values = [record[a] for record in records]
        if kind == "nominal":
            middle.append({label: Fraction(count, len(values)) for label, count in Counter(values).items()})
        else:
            middle.append(sum((Fraction(value) for value in values), Fraction(0)) / len(values))
    return middle


def distance(record: Record, middle: Centroid, kinds: Sequence[Any], units: Sequence[Fraction]) -> Fraction:
    """Squared distance of a record to a centroid; nominal: half the squared distance of the shares."""
    total = Fraction(0)
    for value, mean, kind, size in zip(record, middle, kinds, units, strict=True):
        if kind == "nominal":
            labels = {value, *mean}
            gaps = [(Fraction(label == value) - mean.get(label, Fraction(0))) ** 2 for label in labels]
            total += sum(gaps, Fraction(0)) / 2 / size
        else:
            total += difference(value, mean, kind) / size
    return total


def median_category(values: Sequence[int]) -> int:
    """Middle value, of an even number the lower one."""
    return sorted(values)[(len(values) - 1) // 2]


def mode(values: Sequence[Any]) -> Any:
    """Most frequent value, of several the one that comes first."""
    return max(values, key=lambda value: (values.count(value), -values.index(value)))
