"""Small files for the tests of information loss, and their columns as the twins read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import ColumnPair, FilePair
from tests.linkage.files import IS_TRUE, lists_of, numeric_files, pairings, whole_numbers, with_holes


def plain(values: FloatArray) -> list[float | None]:
    """Return the values as Python numbers, None where missing."""
    return [None if math.isnan(value) else float(value) for value in values]


def sides(files: FilePair) -> tuple[list[list[float | None]], list[list[float | None]]]:
    """Columns of both files, for twins in plain Python."""
    return [plain(c.original) for c in files.columns], [plain(c.protected) for c in files.columns]


@cache
def numbers_up_to(most: int) -> st.SearchStrategy[float]:
    """Whole numbers as files hold them."""
    return st.integers(0, most).map(float)


LARGEST = st.sampled_from([1, 3, 20])


@st.composite
def whole_number_files(draw: st.DrawFn, max_records: int = 9, has_holes: bool = True) -> FilePair:
    """Two files of whole numbers up to 1, 3 or 20 (ties, constants, symmetric values), with holes now and then."""
    n_attributes = draw(whole_numbers(1, 3))
    n_original, n_protected = draw(whole_numbers(2, max_records)), draw(whole_numbers(2, max_records))
    number = numbers_up_to(draw(LARGEST))
    cell = with_holes(number, np.nan, 7) if has_holes and draw(IS_TRUE) else number

    def table(n_records: int) -> Any:
        return draw(lists_of(lists_of(cell, n_attributes), n_records))

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
