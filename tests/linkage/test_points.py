"""Merging equal records, and the tree over what is left."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Mean
from linkrisk.differences import make_comparison
from linkrisk.linkage.points import make_points
from linkrisk.linkage.tree_kernels import hash_rows, order_by_point
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
