"""Classic MDAV, word by word, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Point = tuple[Fraction, ...]


def mdav(records: Sequence[Sequence[float]], k: int) -> list[int]:
    """Return the cluster of each record, numbered in the order the clusters are made.

    Worked by hand, k = 2 and eight records on a line::

        record   0  1  2  3  4  5  6  7
        value    0  8  2  6  4  4  0  8

    The mean is 4; records 0, 1, 6 and 7 are all 4 away from it, and 0 comes first in the file. Nearest to
    it is 6 (distance 0): cluster 0 is {0, 6}. Farthest from the value 0 are 1 and 7, both 8; file order
    takes 1, and 7 is nearest to it: cluster 1 is {1, 7}. Left are 2, 3, 4, 5 with values 2, 6, 4, 4:
    fewer than 3k, at least 2k. Their mean is 4, records 2 and 3 are equally far, 2 comes first. Nearest
    to it are 4 and 5, both 2 away; file order takes 4: cluster 2 is {2, 4}, and the rest {3, 5} is
    cluster 3.

    >>> mdav([[0], [8], [2], [6], [4], [4], [0], [8]], 2)
    [0, 1, 2, 3, 2, 3, 0, 1]
    """
    points = [tuple(Fraction(value) for value in record) for record in records]
    left = list(range(len(points)))
    clusters: list[list[int]] = []

    def take(start: int) -> None:
        by_distance = sorted(left, key=lambda i: squared_distance(points[i], points[start]))
        clusters.append(by_distance[:k])
        for i in clusters[-1]:
            left.remove(i)

    def farthest(point: Point) -> int:
        return max(left, key=lambda i: squared_distance(points[i], point))

    while len(left) >= 3 * k:
        first = farthest(mean([points[i] for i in left]))
        take(first)
        take(farthest(points[first]))
    if len(left) >= 2 * k:
        take(farthest(mean([points[i] for i in left])))
    clusters.append(left)
    cluster_of = {i: number for number, cluster in enumerate(clusters) for i in cluster}
    return [cluster_of[i] for i in range(len(points))]


def squared_distance(one: Point, other: Point) -> Fraction:
    """Return the sum of squared differences."""
    return sum(((x - y) ** 2 for x, y in zip(one, other, strict=True)), Fraction(0))


def mean(points: Sequence[Point]) -> Point:
    """Return the mean of each coordinate."""
    return tuple(sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True))


def cluster_means(records: Sequence[Sequence[float]], labels: Sequence[int]) -> list[list[float]]:
    """Replace each record by the mean of its cluster, rounded once."""
    points = [tuple(Fraction(value) for value in record) for record in records]
    means = {
        label: mean([point for point, own in zip(points, labels, strict=True) if own == label]) for label in set(labels)
    }
    return [[float(value) for value in means[label]] for label in labels]
