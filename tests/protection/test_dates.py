"""Dates: every method that takes them, in every kind of file, written as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linkrisk
from linkrisk.data import read_file
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import code_extremes, generalise
from linkrisk.protection.values.dates import middle_of_period

METHODS: dict[str, dict[str, Any]] = {
    "noise": {"p": 20},
    "correlated_noise": {"p": 20},
    "rank_swap": {"p": 20},
    "mdav": {"k": 3},
    "individual_ranking": {"k": 3},
    "z_scores": {"k": 3},
    "principal_components": {"k": 3},
    "coding": {"top_percent": {"born": 10}},
    "generalise": {"into": {"born": "year"}},
}


def days(n_records: int = 60) -> pd.Series:
    """Make days of birth, some missing."""
    random = np.random.default_rng(7)
    born = pd.Series(pd.Timestamp("1950-01-01") + pd.to_timedelta(random.integers(0, 20_000, n_records), "D"))
    return born.where(born.index != n_records // 2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spelling", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", None])
def test_dates_are_written_as_they_were(method: str, spelling: str | None) -> None:
    """Text in the column's own format, moments as moments; in the range, whole days, and changed."""
    born = days()
    column = born if spelling is None else born.dt.strftime(spelling)
    released = linkrisk.protect(pd.DataFrame({"born": column}), method, **METHODS[method]).data["born"]
    found = released if spelling is None else pd.to_datetime(released, format=spelling)
    assert found.isna().equals(born.isna())
    assert (found.dropna() == found.dropna().dt.normalize()).all()
    assert (found != born).sum() > 5
    if method != "generalise":
        assert born.min() <= found.min() <= found.max() <= born.max()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_every_kind_of_frame(make: Any) -> None:
    """Dates stay dates in polars and pyarrow."""
    table = pa.table({"born": pa.array(days().dt.date, type=pa.date32())})
    frame = {pd.DataFrame: table.to_pandas, pl.DataFrame: lambda: pl.DataFrame(table), pa.table: lambda: table}[make]()
    released = linkrisk.protect(frame, "generalise", into="born:month").data
    cells = released["born"].to_pylist() if make is pa.table else list(released["born"])
    assert {cell.day for cell in cells if cell is not None and not pd.isna(cell)} == {15}
    if make is pl.DataFrame:
        assert released.schema == frame.schema


def test_files_keep_single_digits_and_missing_codes(tmp_path: Path) -> None:
    """1.3.1970 is not padded, and a code for missing stays what it was."""
    path = tmp_path / "people.csv"
    rows = [f"{day}.{day % 12 + 1}.19{50 + day}" for day in range(1, 29)]
    path.write_text("born\n" + "\n".join(["unknown", *rows]) + "\n")
    schema = {"attributes": {"born": {"missing": ["unknown"]}}}
    protection = linkrisk.protect(path, "rank_swap", p=20, schema=schema)
    protection.write(tmp_path / "released.csv")
    cells = read_file(tmp_path / "released.csv").columns[0].cells.tolist()
    assert cells[0] == "unknown"
    assert sorted(cells[1:]) == sorted(rows)


def test_periods() -> None:
    """The 15th of a month, of a quarter's second month, and the 1st of July; or runs of days."""
    frame = pd.DataFrame({"born": ["2020-01-01", "2020-03-31", "1969-12-31"]})
    into = {"month": ["2020-01-15", "2020-03-15", "1969-12-15"], "quarter": ["2020-02-15", "2020-02-15", "1969-11-15"]}
    for period, expected in into.items():
        assert generalise(frame, period).data["born"].tolist() == expected
    assert generalise(frame, "year").data["born"].tolist() == ["2020-07-01", "2020-07-01", "1969-07-01"]
    assert generalise(frame, 7).data["born"].tolist()[2] == "1969-12-28"  # Thursday 25 to Wednesday 31, its middle
    with pytest.raises(ParameterError, match="must be month, quarter, year, or 2 or more days"):
        generalise(frame, {"born": "week"})


@pytest.mark.parametrize(("period", "most"), [("month", 16), ("quarter", 46), ("year", 183)])
def test_dates_stay_near_and_in_order(period: str, most: int) -> None:
    """Over all days of eight years: how far one moves at most, and none passes another."""
    before = np.arange(10_957.0, 13_879.0)  # 2000 to 2007
    after = middle_of_period(before, period)
    assert np.abs(after - before).max() == most
    assert (np.diff(after) >= 0).all()


def test_coding_by_a_date() -> None:
    """Given as the column writes it, or as 2020-03-31; rounding has no rule for dates."""
    frame = pd.DataFrame({"born": ["01.02.1930", "15.06.1999", "31.12.2012"]})
    coded = code_extremes(frame, bottom="01.01.1940", top="2005-12-31")
    assert coded.data["born"].tolist() == ["01.01.1940", "15.06.1999", "31.12.2005"]
    with pytest.raises(ParameterError, match=r"top of column 'born' must be a date"):
        code_extremes(frame, top="soon")
    with pytest.raises(ColumnError, match="'born' is not numeric but date"):
        linkrisk.protection.round_values(frame, 10)


@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_the_share_changed_is_that_of_the_release(method: str) -> None:
    """Noise of less than half a day is gone once dates are written: the original is not released."""
    file = pd.DataFrame({"born": days().dt.strftime("%Y-%m-%d")})
    with pytest.raises(ParameterError, match="no value would change"):
        linkrisk.protect(file, method, p=0.001, continuous=True)
    clock = pd.DataFrame({"at": (days() + pd.Timedelta("10:20:30")).dt.strftime("%Y-%m-%d %H:%M:%S")})
    protection = linkrisk.protect(clock, method, p=0.001, continuous=True)
    is_known = clock["at"].notna()
    assert protection.changed["at"] == pytest.approx((protection.data["at"] != clock["at"])[is_known].mean())


@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_dates_that_cannot_be_written_are_refused(method: str) -> None:
    """9999-12-31 with noise would be in the year 10,000."""
    file = pd.DataFrame({"born": days().dt.strftime("%Y-%m-%d").where(days().index > 20, "9999-12-31")})
    with pytest.raises(ParameterError, match=r"'born' would be beyond the years 1 to 9999; .*--continuous.*--missing"):
        linkrisk.protect(file, method, p=20, continuous=True)
    linkrisk.protect(file, method, p=20)
