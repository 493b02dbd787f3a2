"""Tables and entropy against counting, and by hand."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.losses import categorical_loss, missing_shares
from tests.linkage.files import label_column, mixed_file_pairs, paired
from tests.oracle.categories import table_distances, unknown_bits


@pytest.mark.slow
@given(mixed_file_pairs())
@settings(max_examples=80, deadline=None)
def test_twins(files: FilePair) -> None:
    """Nominal, ordinal and text attributes with holes, records without counterpart."""
    columns = [c for c in files.columns if c.attribute.kind not in (Kind.NUMERIC, Kind.DATE)]
    found = categorical_loss(files)
    one = [table_distances(list(c.original), list(c.protected)) for c in columns]
    two = [
        table_distances(
            *(list(zip(x, y, strict=True)) for x, y in ((c.original, d.original), (c.protected, d.protected)))
        )
        for c, d in itertools.combinations(columns, 2)
    ]
    for tables, expected in ((found.one_way, one), (found.two_way, two)):
        assert tables.n_tables == len(expected)
        if expected:
            means = np.mean(expected, axis=0)
            assert (tables.cells, tables.moved, tables.hellinger) == pytest.approx(tuple(means), abs=1e-12)
    rows = [i for i in range(files.n_original) if files.own[i] >= 0]
    for column in columns if rows else []:
        bits, total = unknown_bits([column.original[i] for i in rows], [column.protected[files.own[i]] for i in rows])
        share = bits / total if total else math.nan
        assert found.by_attribute[column.attribute.name] == pytest.approx((bits, share), abs=1e-9, nan_ok=True)


def nominal(original: Any, protected: Any) -> FilePair:
    """Return files of one nominal attribute."""
    return paired([label_column("c", Kind.NOMINAL, list(original), list(protected))])


def test_renaming_loses_no_entropy() -> None:
    """The protected value tells the original one; the table is another."""
    found = categorical_loss(nominal("aabb", "xxyy"))
    assert found.entropy == 0
    assert found.one_way.moved == found.one_way.hellinger == 1


def test_one_category_for_all_loses_everything() -> None:
    """H(X | X') = H(X) = 1 bit."""
    found = categorical_loss(nominal("aabb", "xxxx"))
    assert (found.entropy, found.entropy_share) == (1.0, 1.0)


def test_merging_two_of_three() -> None:
    """Categories a, b, c, c; a and b become one: one bit on half of the records, of 1.5 bits."""
    found = categorical_loss(nominal("abcc", "xxcc"))
    assert (found.entropy, found.entropy_share) == pytest.approx((0.5, 1 / 3))


def test_constant_category_is_said() -> None:
    """Its share of nothing is undefined."""
    found = categorical_loss(nominal("aaa", "aab"))
    assert found.entropy == 0
    assert math.isnan(found.entropy_share)
    assert "c" in found.notes[0]


def test_missing_is_a_category() -> None:
    """Suppressing one of four values moves a quarter of the records, and is counted."""
    files = nominal("aabb", ["a", "a", "b", None])
    found = categorical_loss(files)
    assert found.one_way.moved == 0.25
    assert found.entropy == 0
    shares = missing_shares(files)
    assert (shares.original, shares.protected) == (0, 0.25)
    assert shares.by_attribute == {"c": (0.0, 0.25)}
