"""The same data in every format give the same pair of files."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from linkrisk.data import FilePair, Kind, pair_files, read_file
from linkrisk.errors import FileError
from tests.data.r_writer import RFrame, RVector, factor, write_rda, write_rds

DAYS = [dt.date(1980, 5, 17), dt.date(1500, 1, 2), None, dt.date(2004, 2, 29)]
ORIGINAL = pd.DataFrame(
    {
        "AGE": [31.0, 45.0, np.nan, 18.0],
        "PAY": [1234.5, 0.1, 1 / 3, 2e6],
        "TOWN": pd.Series(["Wien", "Graz", None, "Wien"], dtype=object),
        "BORN": pd.Series(DAYS, dtype=object),
    }
)
PROTECTED = ORIGINAL.assign(AGE=[30.0, 45.0, 50.0, 20.0], PAY=[1200.0, 0.0, 1.0, 2e6])


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a CSV file."""
    frame.to_csv(path, index=False)


def write_european_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a CSV file with semicolons, decimal commas and the encoding of Windows."""
    frame.to_csv(path, index=False, sep=";", decimal=",", encoding="cp1252")


def write_r(frame: pd.DataFrame, path: Path) -> None:
    """Write an R file."""
    days = [np.nan if day is None else (day - dt.date(1970, 1, 1)).days for day in frame["BORN"]]
    columns = {
        "AGE": frame["AGE"].to_numpy(),
        "PAY": frame["PAY"].to_numpy(),
        "TOWN": frame["TOWN"].to_numpy(dtype=object),
        "BORN": RVector(np.array(days), {"class": "Date"}),
    }
    written = RFrame(columns, classes=("tbl_df", "tbl", "data.frame"))
    if path.suffix == ".rds":
        write_rds(path, written)
    else:
        write_rda(path, {"people": written})


WRITERS: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "a.csv": write_csv,
    "b.csv": write_european_csv,
    "c.csv.gz": write_csv,
    "d.txt": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "a.parquet": lambda frame, path: frame.to_parquet(path, index=False),
    "a.sav": pyreadstat.write_sav,
    "a.zsav": lambda frame, path: pyreadstat.write_sav(frame, path, compress=True),
    "a.por": pyreadstat.write_por,
    "a.dta": pyreadstat.write_dta,
    "a.xpt": pyreadstat.write_xport,
    "a.rds": write_r,
    "a.rda": write_r,
    "a.RData": write_r,
}


def assert_same(one: FilePair, other: FilePair, rtol: float = 0.0) -> None:
    """Check that two pairs of files hold the same attributes and values."""
    assert one.attributes == other.attributes
    assert one.own.tolist() == other.own.tolist()
    for mine, theirs in zip(one.columns, other.columns, strict=True):
        for side in ("original", "protected"):
            values = getattr(mine, side)
            if values.dtype == object:
                assert values.tolist() == getattr(theirs, side).tolist()
            else:
                np.testing.assert_allclose(values, getattr(theirs, side), rtol=rtol, atol=0)


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_pair(tmp_path: Path, name: str) -> None:
    """Numbers, text, dates and gaps survive every format; the kinds inferred are the same."""
    paths = []
    for side, frame in (("original", ORIGINAL), ("protected", PROTECTED)):
        paths.append(tmp_path / f"{side}-{name}")
        WRITERS[name](frame, paths[-1])
    pair = pair_files(*paths)
    expected = pair_files(ORIGINAL, PROTECTED)
    kinds = [attribute.kind for attribute in pair.attributes]
    assert kinds == [Kind.NUMERIC, Kind.NUMERIC, Kind.NOMINAL, Kind.DATE]
    # SPSS portable files and SAS transport files do not keep all 53 bits of a number.
    assert_same(pair, expected, rtol=1e-9 if name in ("a.por", "a.xpt") else 0.0)
    assert pair.original_name == f"original-{name}"
    assert len(pair.original_digest) == 64


def test_formats_can_be_mixed(tmp_path: Path) -> None:
    """The two files need not be of one format."""
    pyreadstat.write_sav(ORIGINAL, tmp_path / "o.sav")
    PROTECTED.to_parquet(tmp_path / "p.parquet")
    assert_same(pair_files(tmp_path / "o.sav", tmp_path / "p.parquet"), pair_files(ORIGINAL, PROTECTED))


def test_spss_user_missing_values(tmp_path: Path) -> None:
    """Ranges, single values and text that SPSS calls missing are missing."""
    path = tmp_path / "x.sav"
    frame = pd.DataFrame(
        {"a": [1.0, 99.0, 2.0], "r": [-1.0, 97.0, 5.0], "s": pd.Series(["zz", "x", "y"], dtype=object)}
    )
    ranges: Any = {"a": [99.0], "r": [{"lo": -9.0, "hi": -1.0}, 97.0], "s": ["zz"]}
    pyreadstat.write_sav(frame, path, missing_ranges=ranges)
    table = read_file(path)
    assert table.column("a").is_missing.tolist() == [False, True, False]
    assert table.column("r").is_missing.tolist() == [True, True, False]
    assert table.column("s").is_missing.tolist() == [True, False, False]


def test_spss_labels_and_measures(tmp_path: Path) -> None:
    """Full value labels make a column nominal, its measure ordinal; labels of some values do not count."""
    path = tmp_path / "x.sav"
    frame = pd.DataFrame({name: [1.0, 3.0, 2.0, np.nan] for name in ("sex", "grade", "scale", "area", "pay")})
    pyreadstat.write_sav(
        frame,
        path,
        variable_value_labels={
            "sex": {1.0: "m", 2.0: "f", 3.0: "x"},
            "grade": {1.0: "low", 2.0: "middle", 3.0: "high"},
            "scale": {1.0: "not at all", 3.0: "very much"},
        },
        variable_measure={"grade": "ordinal", "area": "nominal", "scale": "scale"},
    )
    table = read_file(path)
    declared = {column.name: column.declared for column in table.columns}
    assert declared == {
        "sex": Kind.NOMINAL,
        "grade": Kind.ORDINAL,
        "scale": None,
        "area": Kind.NOMINAL,
        "pay": None,
    }
    pair = pair_files(path, path)
    assert pair.columns[0].original.tolist() == ["1", "3", "2", None]
    assert pair.attributes[1].order == ("1", "2", "3")
    assert pair.attributes[2].kind is Kind.NUMERIC


def test_spss_codes_equal_csv_codes(tmp_path: Path) -> None:
    """The category 1.0 of SPSS is the category "1" of CSV."""
    frame = pd.DataFrame({"sex": [1.0, 2.0]})
    labels: Any = {"sex": {1.0: "m", 2.0: "f"}}
    pyreadstat.write_sav(frame, tmp_path / "o.sav", variable_value_labels=labels)
    (tmp_path / "p.csv").write_text("sex\n2\n1\n")
    pair = pair_files(tmp_path / "o.sav", tmp_path / "p.csv")
    assert pair.attributes[0].kind is Kind.NOMINAL
    assert pair.columns[0].protected.tolist() == ["2", "1"]


def test_stata_missing_values_and_labels(tmp_path: Path) -> None:
    """Stata's .a to .z are missing, and its value labels make categories."""
    path = tmp_path / "x.dta"
    frame = pd.DataFrame({"q": pd.Series([1.0, "a", 3.0], dtype=object), "g": [1, 2, 1]})
    labels: Any = {"g": {1: "one", 2: "two"}}
    pyreadstat.write_dta(frame, path, missing_user_values={"q": ["a"]}, variable_value_labels=labels)
    table = read_file(path)
    np.testing.assert_array_equal(table.column("q").cells, [1.0, np.nan, 3.0])
    assert table.column("g").declared is Kind.NOMINAL


def test_r_factors(tmp_path: Path) -> None:
    """Factors are nominal, ordered factors ordinal with their order; missing codes stay missing."""
    columns = {
        "f": factor([2, None, 1], ["u", "v"]),
        "o": factor([1, 2, None], ["low", "high"], ordered=True),
        "i": np.array([1, -(2**31), 3], dtype=np.int32),
        "t": RVector(np.array([0.0, np.nan, 86400.5]), {"class": np.array(["POSIXct", "POSIXt"])}),
        "b": np.array([True, False, True]),
    }
    write_rds(tmp_path / "x.rds", RFrame(columns))
    table = read_file(tmp_path / "x.rds")
    assert table.column("f").cells.tolist() == ["v", None, "u"]
    assert table.column("f").declared is Kind.NOMINAL
    assert table.column("o").cells.tolist() == ["low", "high", None]
    assert (table.column("o").declared, table.column("o").order) == (Kind.ORDINAL, ("low", "high"))
    np.testing.assert_array_equal(table.column("i").cells, [1.0, np.nan, 3.0])
    assert table.column("t").cells[2] == np.datetime64("1970-01-02T00:00:00.500000")
    assert table.column("b").cells.tolist() == ["true", "false", "true"]


def test_r_file_with_several_or_no_frames(tmp_path: Path) -> None:
    """Which data frame is meant must be clear; other objects beside it do not matter."""
    frame = RFrame({"x": np.array([1.0, 2.0])})
    write_rda(tmp_path / "two.rda", {"first": frame, "second": frame})
    with pytest.raises(FileError, match=re.escape("several data frames (first, second)")):
        read_file(tmp_path / "two.rda")
    write_rda(tmp_path / "one.rda", {"first": frame, "other": np.array([1.0])})
    assert read_file(tmp_path / "one.rda").column_names == ("x",)
    write_rds(tmp_path / "none.rds", np.array([1.0, 2.0]))
    with pytest.raises(FileError, match="holds no data frame"):
        read_file(tmp_path / "none.rds")


@pytest.mark.parametrize(
    "name", ["x.sav", "x.zsav", "x.por", "x.dta", "x.sas7bdat", "x.xpt", "x.rds", "x.rda", "x.parquet"]
)
def test_broken_files_are_named(tmp_path: Path, name: str) -> None:
    """A file that is not what its ending says is refused in one sentence, without quoting it."""
    (tmp_path / name).write_bytes(b"sEcret, and no such file" * 20)
    with pytest.raises(FileError, match=rf"^{re.escape(name)} cannot be read as") as raised:
        read_file(tmp_path / name)
    assert "sEcret" not in str(raised.value)
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(FileError, match="is empty"):
        read_file(tmp_path / name)


def test_files_without_records(tmp_path: Path) -> None:
    """A header without records is not enough, in any format."""
    empty = pd.DataFrame({"x": pd.Series([], dtype=float)})
    pyreadstat.write_sav(empty, tmp_path / "x.sav")
    empty.to_parquet(tmp_path / "x.parquet")
    for name in ("x.sav", "x.parquet"):
        with pytest.raises(FileError, match="has no records"):
            read_file(tmp_path / name)


def test_upper_case_endings(tmp_path: Path) -> None:
    """The case of an ending does not matter."""
    pyreadstat.write_sav(ORIGINAL, tmp_path / "x.sav")
    (tmp_path / "x.sav").rename(tmp_path / "X.SAV")
    assert read_file(tmp_path / "X.SAV").n_records == 4
