"""Small files for the tests of information loss, and their columns as the twins read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import ColumnPair, FilePair
from tests.linkage.files import numeric_files, pairings


def plain(values: FloatArray) -> list[float | None]:
    """Return the values as Python numbers, None where missing."""
    return [None if math.isnan(value) else float(value) for value in values]


def sides(files: FilePair) -> tuple[list[list[float | None]], list[list[float | None]]]:
    """Columns of both files, for twins in plain Python."""
    return [plain(c.original) for c in files.columns], [plain(c.protected) for c in files.columns]


@st.composite
def whole_number_files(draw: st.DrawFn, max_records: int = 9, has_holes: bool = True) -> FilePair:
    """Two files of whole numbers up to 1, 3 or 20 (ties, constants, symmetric values), with holes now and then."""
    n_attributes = draw(st.integers(1, 3))
    n_original, n_protected = draw(st.integers(2, max_records)), draw(st.integers(2, max_records))
    number = st.integers(0, draw(st.sampled_from([1, 3, 20]))).map(float)
    cell = st.one_of(*[number] * 6, st.just(np.nan)) if has_holes and draw(st.booleans()) else number

    def table(n_records: int) -> Any:
        row = st.lists(cell, min_size=n_attributes, max_size=n_attributes)
        return draw(st.lists(row, min_size=n_records, max_size=n_records))

    return numeric_files(table(n_original), table(n_protected), draw(pairings(n_original, n_protected)))


def permuted(files: FilePair, rows: Sequence[int], protected_rows: Sequence[int]) -> FilePair:
    """Put the same people in another order, in both files."""
    first, second = np.asarray(rows, dtype=np.int64), np.asarray(protected_rows, dtype=np.int64)
    place = np.empty(files.n_protected, dtype=np.int64)
    place[second] = np.arange(files.n_protected)
    own = files.own[first]
    columns = tuple(ColumnPair(c.attribute, c.original[first], c.protected[second]) for c in files.columns)
    return FilePair(columns, np.where(own >= 0, place[own], -1), files.n_original, files.n_protected)


def unchanged(files: FilePair) -> FilePair:
    """Return the original released as it is."""
    columns = tuple(ColumnPair(c.attribute, c.original, c.original) for c in files.columns)
    return FilePair(columns, np.arange(files.n_original), files.n_original, files.n_original)
