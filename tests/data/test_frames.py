"""Frames and arrays of every library become the same table."""

from __future__ import annotations

import datetime as dt
import decimal
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from linkrisk.data import Kind, open_file
from linkrisk.errors import FileError

CONTENTS: dict[str, list[Any]] = {
    "n": [1, 2, 3],
    "x": [0.5, None, -1.0],
    "s": ["a", None, " b "],
    "b": [True, False, None],
    "d": [dt.date(2020, 1, 31), None, dt.date(1969, 12, 31)],
    "t": [dt.datetime(2020, 1, 31, 12, 30), None, dt.datetime(2021, 1, 1)],
}
MAKERS: list[Callable[[dict[str, list[Any]]], Any]] = [
    pd.DataFrame,
    pl.DataFrame,
    pa.table,
    lambda contents: pl.DataFrame(contents).lazy(),
    lambda contents: pd.DataFrame(contents).convert_dtypes(),
]


@pytest.mark.parametrize("make", MAKERS)
def test_every_library_gives_the_same_table(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    """Values, kinds and digest do not depend on the library that held the frame."""
    table = open_file(make(CONTENTS), "original")
    assert table.digest == open_file(pa.table(CONTENTS), "original").digest
    np.testing.assert_array_equal(table.column("n").cells, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(table.column("x").cells, [0.5, np.nan, -1.0])
    assert table.column("s").cells.tolist() == ["a", None, "b"]
    assert table.column("b").cells.tolist() == ["true", "false", None]
    assert table.column("b").declared is Kind.NOMINAL
    assert table.column("d").cells[0] == np.datetime64("2020-01-31")
    assert table.column("t").cells[0] == np.datetime64("2020-01-31T12:30")
    assert table.row(0) == 1


def test_numpy_arrays() -> None:
    """A plain array has columns V1, V2, ...; a structured one has its fields; digests agree with frames."""
    array = np.array([[1.0, 2.0], [3.0, np.nan]])
    plain = open_file(array, "original")
    assert plain.column_names == ("V1", "V2")
    assert plain.digest == open_file(pd.DataFrame({"V1": [1, 3], "V2": [2.0, None]}), "protected").digest
    structured = np.array([(1, "u"), (2, "v")], dtype=[("n", "i4"), ("s", "U1")])
    table = open_file(structured, "original")
    assert table.column("n").cells.tolist() == [1.0, 2.0]
    assert table.column("s").cells.tolist() == ["u", "v"]


def test_object_and_masked_numpy_cells() -> None:
    """Arrays of Python objects are taken cell by cell, and masked cells are missing."""
    table = open_file(np.array([[1, "a"], [None, "b"]], dtype=object), "original")
    np.testing.assert_array_equal(table.column("V1").cells, [1.0, np.nan])
    assert table.column("V2").cells.tolist() == ["a", "b"]
    masked: Any = np.ma.MaskedArray([[1.0], [2.0]], mask=[[False], [True]])
    assert open_file(masked, "original").column("V1").is_missing.tolist() == [False, True]


def test_digest_depends_on_contents() -> None:
    """Another value, another name or another order is another digest."""
    digests = {
        open_file(pd.DataFrame(contents), "original").digest
        for contents in (
            {"a": [1, 2], "b": [3, 4]},
            {"a": [1, 2], "b": [3, 5]},
            {"a": [1, 2], "c": [3, 4]},
            {"b": [3, 4], "a": [1, 2]},
            {"a": ["1", "2"], "b": [3, 4]},
            {"a": ["12", ""], "b": [3, 4]},
            {"a": ["1", None], "b": [3, 4]},
        )
    }
    assert len(digests) == 7


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["low", "high", None], dtype=pd.CategoricalDtype(["low", "high"], ordered=True)),
        pl.Series(["low", "high", None], dtype=pl.Enum(["low", "high"])),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["low", "high"]), ordered=True),
    ],
)
def test_ordered_categories_are_ordinal(column: Any) -> None:
    """Ordered categories keep their order."""
    frames = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    frame = frames[type(column).__module__.split(".")[0]]({"c": column})
    read = open_file(frame, "original").column("c")
    assert (read.declared, read.order) == (Kind.ORDINAL, ("low", "high"))
    assert read.cells.tolist() == ["low", "high", None]


def test_unordered_categories_are_nominal_and_keep_numbers() -> None:
    """Categories without an order are nominal, also when they are numbers."""
    read = open_file(pd.DataFrame({"c": pd.Categorical([3, 1, 3])}), "original").column("c")
    assert read.declared is Kind.NOMINAL
    assert read.cells.tolist() == [3.0, 1.0, 3.0]


def test_mixed_objects_become_text() -> None:
    """A pandas column of several Python types is spelled out."""
    cells = ["x", 1, 2.0, 2.5, True, None, np.nan, dt.date(2020, 1, 2), decimal.Decimal("1.50"), pd.NaT]
    read = open_file(pd.DataFrame({"c": pd.Series(cells, dtype=object)}), "original").column("c")
    expected = ["x", "1", "2", "2.5", "true", None, None, "2020-01-02", "1.5", None]
    assert read.cells.tolist() == expected


def test_large_integers_stay_exact() -> None:
    """Integers that float64 cannot tell apart are kept as text."""
    read = open_file(pd.DataFrame({"id": [2**60, 2**60 + 1]}), "original").column("id")
    assert read.cells.tolist() == [str(2**60), str(2**60 + 1)]


def test_times_durations_decimals_and_zones() -> None:
    """Times and durations are seconds, decimals are numbers, moments are in UTC."""
    frame = pa.table(
        {
            "time": pa.array([dt.time(1, 0), None], pa.time64("us")),
            "span": pa.array([dt.timedelta(days=1), None]),
            "price": pa.array([decimal.Decimal("1.25"), None]),
            "moment": pa.array([dt.datetime(2020, 1, 1, tzinfo=dt.UTC), None]),
            "empty": pa.nulls(2),
        }
    )
    table = open_file(frame, "original")
    assert table.column("time").cells[0] == 3600.0
    assert table.column("span").cells[0] == 86400.0
    assert table.column("price").cells[0] == 1.25
    assert table.column("moment").cells[0] == np.datetime64("2020-01-01")
    assert table.column("empty").is_missing.all()


def test_nested_columns_fail_only_when_used() -> None:
    """A column of lists is read, and marked unusable."""
    table = open_file(pa.table({"l": [[1], [2]], "x": [1, 2]}), "original")
    assert table.column("l").fault is not None
    odd = open_file(pd.DataFrame({"o": [object(), object()], "x": [1, 2]}), "original")
    assert odd.column("o").fault is not None


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (np.zeros(3), "numpy array of 1 dimensions"),
        (np.zeros((2, 2, 2)), "numpy array of 3 dimensions"),
        ({"a": [1, 2]}, "original is a dict, which cannot be read"),
        (7, "original is a int, which cannot be read"),
        (pd.DataFrame(), "original has no columns"),
        (pd.DataFrame({"a": []}), "original has no records"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "columns 1 and 2 are both named 'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "columns 1 and 2 are both named 'a'"),
    ],
)
def test_what_cannot_be_read(frame: Any, message: str) -> None:
    """Objects that are no frames, and frames without names of their own, are refused in one sentence."""
    with pytest.raises(FileError, match=re.escape(message)):
        open_file(frame, "original")


def test_a_table_is_passed_through() -> None:
    """What was read already is not read again."""
    table = open_file(np.ones((2, 2)), "original")
    assert open_file(table, "protected") is table
