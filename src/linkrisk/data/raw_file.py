"""One file as it was read, before its columns are given a meaning."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import IntArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import FileError
from linkrisk.result import DEFAULT_FRAME


@dataclass(frozen=True)
class RawColumn:
    """One column of one file, its cells typed but not interpreted.

    Parameters
    ----------
    name
        Column name in this file.
    cells
        float64 with NaN where missing (infinities are kept, so that they can be reported), or datetime64[us]
        with NaT where missing, or dtype object holding str, or None where missing. Text is stripped of
        surrounding blanks and is never empty.
    declared
        The kind the file itself states: SPSS and Stata value labels, categorical columns and R factors,
        truth values. None when the file says nothing.
    order
        The categories from low to high, where the file states their order.
    decimal_comma
        Text only: "1,5" may be a number here.
    fault
        Why the column cannot be used, where its cells are of no kind linkrisk knows. Reported only when
        the column is needed.

    Examples
    --------
    >>> import numpy as np
    >>> RawColumn("AGE", np.array([31.0, np.nan])).is_missing
    array([False,  True])
    """

    name: str
    cells: NDArray[Any]
    declared: Kind | None = None
    order: tuple[str, ...] = ()
    decimal_comma: bool = False
    fault: str | None = None

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """What was worked out of the cells, by what it is: kept as long as the column, for who asks again."""
        return {}

    @property
    def holds_numbers(self) -> bool:
        """Whether the cells are float64."""
        return self.cells.dtype.kind == "f"

    @property
    def holds_dates(self) -> bool:
        """Whether the cells are datetime64."""
        return self.cells.dtype.kind == "M"

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """Which records have no value."""
        if self.holds_numbers:
            return np.asarray(np.isnan(self.cells))
        if self.holds_dates:
            return np.asarray(np.isnat(self.cells))
        return np.asarray(self.cells == None, dtype=np.bool_)  # noqa: E711  (each cell is compared)


@dataclass(frozen=True)
class Dialect:
    """How a CSV file was written: the sign between cells, whether numbers have decimal commas, and the encoding."""

    delimiter: str = ","
    decimal_comma: bool = False
    encoding: str = "utf-8"


@dataclass(frozen=True)
class RawFile:
    """One file, or one frame, as it was read.

    Parameters
    ----------
    name
        What messages call it: the base name of a file (never its path), "original" or "protected" for a
        frame.
    columns
        In the order of the file.
    n_records
        Number of records.
    digest
        SHA-256, in hexadecimal: of the bytes of a file; of the contents of a frame, so that the same columns
        in pandas, polars, pyarrow and numpy have the same digest.
    first_row
        The row in which a person sees record 0. In a CSV file the header is row 1, so record 0 stands in
        row 2, as a spreadsheet shows it; the viewers of SPSS, Stata, SAS, R and Parquet count records from 1,
        and so do messages about frames.
    notes
        Sentences about what was left out while reading.
    frame_kind
        What narwhals calls the library of the frame it came from; pandas for files and arrays. Results are turned into
        frames of this kind.
    dialect
        How it was written, where it is a CSV file: a protected version is written in the same way.
    """

    name: str
    columns: tuple[RawColumn, ...]
    n_records: int
    digest: str
    first_row: int = 1
    notes: tuple[str, ...] = ()
    frame_kind: str = DEFAULT_FRAME
    dialect: Dialect = Dialect()

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> RawColumn:
        """Return the column of that name; the caller has made sure that it exists."""
        return self.columns[self.column_names.index(name)]

    def row(self, record: int) -> int:
        """Return the row, as a person sees it, of a record counted from 0."""
        return record + self.first_row

    def taken(self, rows: IntArray) -> RawFile:
        """Return a file with these records alone, in this order."""
        columns = tuple(replace(column, cells=column.cells[rows]) for column in self.columns)
        return replace(self, columns=columns, n_records=len(rows), digest=digest_of_columns(columns))

    def selected(self, names: Sequence[str]) -> RawFile:
        """Return a file with these columns alone, in this order; the caller has made sure that they exist."""
        columns = tuple(map(self.column, names))
        return replace(self, columns=columns, digest=digest_of_columns(columns))


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_column_names(name: str, column_names: Sequence[str]) -> None:
    """Raise a `FileError` when two columns of one file have the same name."""
    seen: set[str] = set()
    for position, column in enumerate(column_names, start=1):
        if column in seen:
            first = column_names.index(column) + 1
            raise FileError(f"{name}: columns {first} and {position} are both named {column!r}; rename or remove one")
        seen.add(column)


def digest_of_columns(columns: Sequence[RawColumn]) -> str:
    """Return the SHA-256 of names and cells, the same whichever library held them.

    Examples
    --------
    >>> import numpy as np
    >>> one = digest_of_columns([RawColumn("X", np.array([1.0, 0.0]))])
    >>> one == digest_of_columns([RawColumn("X", np.array([1.0, -0.0]))])
    True
    """
    state = hashlib.sha256()
    for column in columns:
        name = column.name.encode()
        state.update(f"{len(name)} {len(column.cells)} ".encode() + name)
        for part in _canonical_parts(column):
            state.update(part)
    return state.hexdigest()


def _canonical_parts(column: RawColumn) -> tuple[bytes, ...]:
    missing = column.is_missing
    if missing.all():  # an empty column has another type in every library
        return (b"empty",)
    if column.holds_numbers:
        numbers = np.where(missing, np.nan, column.cells + 0.0)  # one NaN, and no negative zero
        return b"numbers", numbers.astype("<f8").tobytes()
    if column.holds_dates:
        return b"dates", column.cells.astype("datetime64[us]").astype("<i8").tobytes()
    from linkrisk.data.arrow_arrays import text_array  # noqa: PLC0415  (imports pyarrow, only for text)

    _, offsets, contents = text_array(column.cells).buffers()  # in UTF-8, one after the other
    ends = np.frombuffer(offsets, dtype=np.int64, count=len(column.cells) + 1)
    lengths = np.where(missing, -1, np.diff(ends)).astype("<i8").tobytes()
    return b"text", lengths, contents.to_pybytes()[: ends[-1]]
