"""The protected records as the kernels want them: distinct points, by attribute, in the order of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.distances.distance import Distance
from linkrisk.linkage.distance_kernels import BLOCK
from linkrisk.linkage.search_kernels import Cloud
from linkrisk.linkage.tree_kernels import build_tree, number_distinct


@dataclass(frozen=True)
class Points:
    """Distinct protected records in the order of the tree.

    In ``cloud``, ``columns[k, j]`` is attribute k of point j, ``weights[j]`` how many protected records it stands
    for, and the remaining arrays are the tree (see `linkrisk.linkage.tree_kernels.build_tree`). ``point_of[row]`` is
    the point of a protected record, ``row_of[j]`` and ``last_row_of[j]`` the first and the last record of a point.
    """

    cloud: Cloud
    point_of: IntArray
    row_of: IntArray
    last_row_of: IntArray

    @property
    def n_points(self) -> int:
        """Number of distinct points."""
        return int(self.cloud.columns.shape[1])


def make_points(distance: Distance, *, is_merging: bool = True) -> Points:
    """Merge equal protected records and build the tree over what is left.

    Microaggregation makes every protected record a copy of others; merged, they are compared once, and ties
    among thousands of copies cost nothing. Cost: N log N time, about twice the protected file in memory.

    *Guarantee* (docs/mathematics.md#merging): equal records have equal distances to the last bit, so that counting each
    point by its number of records changes no result.
    """
    distinct = distinct_points(distance) if is_merging else all_distinct(len(distance.coordinates.protected))
    points = distance.coordinates.protected[distinct.first_row]  # a copy, which the tree reorders
    order = np.arange(len(points))
    n_nodes = 4 * (len(points) // BLOCK) + 8
    n_attributes = points.shape[1]
    ranges = np.empty((n_nodes, 2), dtype=np.int64)
    children = np.empty(n_nodes, dtype=np.int64)
    low = np.empty((n_nodes, n_attributes))
    high = np.empty((n_nodes, n_attributes))
    holes = np.empty((n_nodes, n_attributes), dtype=np.int64)
    spread = split_importance(distance.coordinates, distance.importance)
    used = build_tree(points, spread, BLOCK, order, ranges, children, low, high, holes)
    tree = Tree(ranges[:used], children[:used], low[:used], high[:used], holes[:used])
    return points_in_order(distance, distinct, order, tree)


class Tree(NamedTuple):
    """The arrays of a tree, as `linkrisk.linkage.tree_kernels.build_tree` fills them."""

    ranges: IntArray
    children: IntArray
    low: FloatArray
    high: FloatArray
    holes: IntArray


def points_in_order(distance: Distance, distinct: Distinct, order: IntArray, tree: Tree | None = None) -> Points:
    """Return distinct protected records in a given order; without a tree they cannot be searched through one."""
    if tree is None:
        no_boxes = np.empty((0, distance.coordinates.n_attributes))
        no_nodes = np.empty(0, dtype=np.int64)
        tree = Tree(no_nodes.reshape(0, 2), no_nodes, no_boxes, no_boxes, no_boxes.astype(np.int64))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    rows = distinct.first_row[order]
    columns = np.ascontiguousarray(distance.coordinates.protected[rows].T)
    return Points(
        Cloud(columns, distinct.sizes[order], *tree),
        point_of=place[distinct.labels],
        row_of=rows,
        last_row_of=distinct.last_row[order],
    )


def split_importance(coordinates: Coordinates, importance: FloatArray) -> FloatArray:
    """How much a unit of each coordinate is worth when the tree chooses where to split.

    Codes are scaled to the range of their differences. Text is never split, because a box of strings gives no bound.
    """
    result = np.array(importance, dtype=np.float64)
    for k, rule in enumerate(coordinates.rules):
        if rule == DifferenceRule.LOOKED_UP:
            result[k] = 0.0
        elif rule == DifferenceRule.ORDERED:
            result[k] /= coordinates.divisor[k]
        elif rule == DifferenceRule.EQUAL:
            codes = coordinates.protected[:, k]
            result[k] /= max(float(np.nanmax(codes, initial=0.0)), 1.0)
    return result


class Distinct(NamedTuple):
    """Label of the distinct row each row equals; first and last row of each label, and how many rows have it."""

    labels: IntArray
    first_row: IntArray
    last_row: IntArray
    sizes: IntArray


def distinct_points(distance: Distance) -> Distinct:
    """Tell which protected records are equal in all that is compared; linear time."""
    values = distance.attributes_compared.protected
    labels, first_row, last_row, sizes = (np.empty(len(values), dtype=np.int64) for _ in range(4))
    n_distinct = number_distinct(values, labels, first_row, last_row, sizes)
    return Distinct(labels, first_row[:n_distinct], last_row[:n_distinct], sizes[:n_distinct])


def all_distinct(n_rows: int) -> Distinct:
    """Take every record for one of its own."""
    rows = np.arange(n_rows)
    return Distinct(rows, rows, rows, np.ones(n_rows, dtype=np.int64))
