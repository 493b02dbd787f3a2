"""Frames in and out, what is printed, and how the secret is kept."""

from __future__ import annotations

import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from linkrisk.errors import ColumnError, FileError, ParameterError
from linkrisk.protection import Protection, Secret, add_noise, microaggregate

WAGES = [10, 30, 20, 40, 50, 60]
AGES = [3.0, 1, 4, 1, 5, 9]
COLUMNS = {"wage": WAGES, "sex": ["f", "m", "f", "m", "f", "m"], "age": AGES}
SEED = 987654321987654321


def protect_both(data: Any, numeric: list[Any], leave: list[Any]) -> list[Protection]:
    """Run each method on the numeric columns."""
    return [
        microaggregate(data, [numeric], 2, leave=leave, raw=True),
        add_noise(data, dict.fromkeys(numeric, 5.0), secret_seed=SEED, leave=leave),
    ]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_the_callers_kind_of_frame_comes_back(make: Callable[[Any], Any]) -> None:
    """Same type, same columns in the same order, the columns left as they were, numbers as from numpy."""
    data = make(COLUMNS)
    array = np.array([WAGES, AGES], dtype=float).T
    from_array = microaggregate(array, [[0, 1]], 2, raw=True).data
    for protection in protect_both(data, ["wage", "age"], ["sex"]):
        assert type(protection.data) is type(data)
        names = protection.data.column_names if make is pa.table else list(protection.data.columns)
        assert names == ["wage", "sex", "age"]
        assert [str(value) for value in protection.data["sex"]] == COLUMNS["sex"]
    protected = microaggregate(data, [["wage", "age"]], 2, leave=["sex"], raw=True).data
    assert np.column_stack([protected["wage"], protected["age"]]).tolist() == from_array.tolist()


def test_pandas_index_and_numbered_columns_are_kept() -> None:
    """An index with duplicates moves no value to another record, and columns may be named by numbers."""
    data = pd.DataFrame({7: [1.0, 9, 3, 7, 5, 5], 8: [0] * 6}, index=[5, 3, 3, 1, 0, 2])
    protected = microaggregate(data, [[7]], 2, leave=[8], raw=True).data
    assert protected.index.tolist() == [5, 3, 3, 1, 0, 2]
    assert protected[7].tolist() == [2, 8, 2, 8, 5, 5]
    assert data[7].tolist() == [1, 9, 3, 7, 5, 5]


@pytest.mark.parametrize("data", [[1, 2, 3], "file.csv", np.zeros(5), pl.LazyFrame({"a": [1]}), None])
def test_what_is_no_table_is_refused(data: Any) -> None:
    """Lists, paths, one-dimensional arrays and lazy frames are no tables in memory."""
    with pytest.raises(ParameterError, match=r"data frame|two dimensions"):
        add_noise(data, 1)


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (pd.Series([1.0, -np.inf, 3.0, 4.0, 77.25, 6.0]), "'x' has an infinite value in row 2"),
        (pd.Series([1, 2, 3, 4, 5, 77.25j]), "'x' holds values that are neither"),
    ],
)
def test_bad_columns_are_named_without_their_values(column: pd.Series[Any], sentence: str) -> None:
    """Column and record are named, no cell is quoted."""
    with pytest.raises(ColumnError, match=sentence) as caught:
        microaggregate(pd.DataFrame({"x": column}), [["x"]], 2)
    assert "77.25" not in str(caught.value)
    with pytest.raises(ColumnError, match=sentence):
        add_noise(pd.DataFrame({"x": column}), 1)


@pytest.mark.parametrize("column", [["a", "b"] * 3, [True, False] * 3])
def test_noise_on_categories_is_refused(column: list[Any]) -> None:
    """The column is named with its kind."""
    with pytest.raises(ColumnError, match="'x' is not numeric or date but nominal"):
        add_noise(pd.DataFrame({"x": column}), 1)


def test_columns_of_the_same_name_are_refused() -> None:
    """Which of the two is meant cannot be known."""
    with pytest.raises(ColumnError, match="same name"):
        add_noise(pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=["a", "a"]), 1)


def test_arrays_that_are_not_numeric() -> None:
    """Truth values and complex numbers get no noise; numbers kept as objects or text are numbers, as in assess."""
    for kind in (bool, complex):
        with pytest.raises(ColumnError, match=r"column 0 is not numeric|column '0' holds values"):
            add_noise(np.ones((4, 1)).astype(kind), 1)
    numbers = np.array([[1.0], [2.0], [4.0], [8.0]])
    for array in (numbers.astype(object), numbers.astype("U3")):
        protected = add_noise(array, 5, secret_seed=1).data
        assert protected.dtype == object
        assert protected[:, 0].tolist() == add_noise(numbers, 5, secret_seed=1).data[:, 0].tolist()


def test_arrays_keep_nothing_but_numbers() -> None:
    """Whole numbers in, float64 out, and the array given is not changed."""
    array = np.array([[1, 5], [2, 6], [3, 7], [4, 8]])
    for protection in protect_both(array, [0], [1]):
        assert protection.data.dtype == np.float64
        assert protection.data[:, 1].tolist() == [5, 6, 7, 8]
    assert array[:, 0].tolist() == [1, 2, 3, 4]


def test_printing_shows_what_was_done_and_never_the_seed() -> None:
    """Method, parameters and results, in both representations."""
    mdav, noise = protect_both(pd.DataFrame(COLUMNS), ["wage", "age"], ["sex"])
    assert str(mdav) == repr(mdav)
    assert "wage, age: k = 2, 3 clusters of 2 to 2 records, SSE/SST " in str(mdav)
    assert "left as they are: sex" in str(mdav)
    assert "wage: p = 5 % of the standard deviation" in str(noise)
    for text in (str(noise), repr(noise), repr(noise.parameters), repr(noise.details), repr(noise.secret)):
        assert str(SEED) not in text
    assert mdav.secret is None


def test_secret_is_written_for_its_owner_only(tmp_path: Path) -> None:
    """Mode 0600, marked in its first line, and enough to repeat the protection."""
    protection = add_noise(np.arange(6.0).reshape(-1, 1), 10)
    assert protection.secret is not None
    path = tmp_path / "seed.toml"
    protection.secret.write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first, second = path.read_text().splitlines()
    assert "CONFIDENTIAL" in first
    seed = int(second.removeprefix("secret_seed = "))
    assert seed == protection.secret.reveal()
    repeated = add_noise(np.arange(6.0).reshape(-1, 1), 10, secret_seed=seed)
    np.testing.assert_array_equal(repeated.data, protection.data)


def test_secret_overwrites_nothing(tmp_path: Path) -> None:
    """A file that is there stays as it is; a folder that is not there is said so."""
    path = tmp_path / "seed.toml"
    path.write_text("precious")
    with pytest.raises(FileError, match=r"seed\.toml exists already"):
        Secret(5).write(path)
    assert path.read_text() == "precious"
    with pytest.raises(FileError, match="folder"):
        Secret(5).write(tmp_path / "missing" / "seed.toml")


def test_import_is_cheap() -> None:
    """Importing the package loads neither numba nor pandas nor narwhals."""
    code = "import sys, linkrisk.protection; sys.exit(bool({'numba', 'pandas', 'narwhals'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603  (own code)


def test_a_secret_is_not_pickled() -> None:
    """A pickled protection would carry its seed to wherever it is sent."""
    with pytest.raises(TypeError, match="side file"):
        pickle.dumps(Secret(1))
