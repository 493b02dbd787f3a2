"""Merging equal records, and the tree over what is left."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Mean
from linkrisk.differences import make_comparison
from linkrisk.linkage.distance_kernels import BLOCK
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search_kernels import DEPTH
from linkrisk.linkage.tree_kernels import MOST_UNEVEN, build_tree, hash_rows, order_by_point
from tests.linkage.files import numeric_files


def some_rows(kind: str) -> FloatArray:
    """Rows with copies: few whole numbers, signed zeros, holes, or none alike."""
    rng = np.random.default_rng(7)
    if kind == "all different":
        return rng.normal(size=(500, 2))
    rows = rng.integers(0, 6, (500, 2)).astype(float)
    if kind == "signed zeros":
        rows[:100] *= -1.0
    if kind == "holes":
        rows[rng.random(rows.shape) < 0.3] = np.nan
    return rows


@pytest.mark.parametrize("kind", ["few numbers", "signed zeros", "holes", "all different"])
def test_equal_records_are_one_point(kind: str) -> None:
    """As np.unique finds them; each point knows its first and last record, and how many it stands for."""
    rows = some_rows(kind)
    points = make_points(Mean().distance(make_comparison(numeric_files(rows[:3], rows, np.arange(3)))))
    _, first, inverse, sizes = np.unique(
        rows + 0.0, axis=0, return_index=True, return_inverse=True, return_counts=True, equal_nan=True
    )
    labels = inverse.reshape(-1)
    if kind == "holes":  # np.unique takes every row with a hole for a row of its own
        texts = [str(row) for row in (rows + 0.0).tolist()]
        first = np.array([texts.index(text) for text in dict.fromkeys(texts)])
        labels = np.array([list(dict.fromkeys(texts)).index(text) for text in texts])
        sizes = np.bincount(labels)
    assert points.n_points == len(first)
    assert points.row_of[points.point_of].tolist() == first[labels].tolist()
    assert points.cloud.weights[points.point_of].tolist() == sizes[labels].tolist()
    last = {int(label): row for row, label in enumerate(labels)}
    assert points.last_row_of[points.point_of].tolist() == [last[int(label)] for label in labels]


def test_hashes_of_whole_numbers_spread_over_the_low_bits() -> None:
    """Whole numbers differ in their high bits only; a table of hashes looks at the low ones."""
    hashes = hash_rows(np.arange(4096.0).reshape(-1, 1))
    assert len(np.unique(hashes & np.uint64(8191))) > 2500


def test_order_by_point_is_a_stable_sort() -> None:
    """Records without a point come first, as -1 does."""
    own = np.random.default_rng(1).integers(-1, 20, 300)
    assert order_by_point(own, 20).tolist() == np.argsort(own, kind="stable").tolist()


def test_a_box_is_cut_in_the_middle_of_its_range() -> None:
    """Few far values do not leave every box as wide as the file: none holds fewer than half a leaf.

    Cut into halves by number, every second box would reach to the farthest.
    """
    rng = np.random.default_rng(3)
    rows = np.concatenate([rng.random((4000, 2)), np.column_stack([2.0 ** np.arange(40), np.zeros(40)])])
    cloud = make_points(Mean().distance(make_comparison(numeric_files(rows[:3], rows, np.arange(3))))).cloud
    is_leaf = cloud.children < 0
    sizes = (cloud.ranges[:, 1] - cloud.ranges[:, 0])[is_leaf]
    assert sizes.min() >= BLOCK // 2
    assert sizes.max() <= BLOCK
    assert sizes.sum() == len(rows)
    widths = (cloud.high - cloud.low)[is_leaf, 0]
    assert np.median(widths) < 1e-3 * widths.max()
    for node in range(len(cloud.children)):
        inside = cloud.columns[:, cloud.ranges[node, 0] : cloud.ranges[node, 1]]
        assert np.array_equal(inside.min(axis=1), cloud.low[node])
        assert np.array_equal(inside.max(axis=1), cloud.high[node])


def test_a_tree_is_no_deeper_than_a_search_can_go() -> None:
    """However values are spread, here each a multiple of the one before: below some levels boxes are halved."""
    rows = np.ldexp(1.0, np.arange(-450, 450)).repeat(64)[:, None] * (1.0 + np.arange(57_600) % 64 / 100.0)[:, None]
    order, leaf = np.arange(len(rows)), 2
    n_nodes = 4 * len(rows)
    ranges, children = np.empty((n_nodes, 2), dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    low, high, holes = np.empty((n_nodes, 1)), np.empty((n_nodes, 1)), np.empty((n_nodes, 1), dtype=np.int64)
    used = build_tree(rows, np.ones(1), leaf, order, ranges, children, low, high, holes)
    depth = np.zeros(used, dtype=np.int64)
    for node in np.flatnonzero(children[:used] >= 0):
        depth[children[node] : children[node] + 2] = depth[node] + 1
    assert MOST_UNEVEN < depth.max() < MOST_UNEVEN + 20 < DEPTH
