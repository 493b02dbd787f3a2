"""Reading one file or frame: the right reader for what was given."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from linkrisk.data.opening import check_readable
from linkrisk.data.raw_file import RawFile
from linkrisk.errors import FileError
from linkrisk.printable import file_name
from linkrisk.result import Result

_READERS = {
    "csv_file": (".csv", ".tsv", ".txt", ".csv.gz"),
    "parquet_file": (".parquet",),
    "statistics_file": (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
    "r_file": (".rds", ".rda", ".rdata"),
}
SUFFIXES = tuple(suffix for suffixes in _READERS.values() for suffix in suffixes)
"""The endings of the files that can be read, in lower case; their case does not matter."""


def read_file(path: str | os.PathLike[str], *, delimiter: str | None = None) -> RawFile:
    """Read one file, its format told by its ending.

    Parameters
    ----------
    path
        A file with one of the endings in `SUFFIXES`: CSV (also tab-separated and gzipped), Parquet, SPSS,
        Stata, SAS, R.
    delimiter
        CSV only: the sign between cells, where it should not be found out from the file.

    Returns
    -------
    RawFile
        The columns as they stand in the file.

    Raises
    ------
    FileError
        When the file is missing, unreadable, empty or of an unknown kind, has no records, or has two columns
        of one name.
    """
    path = Path(path)
    reader = _reader(path)
    _check_delimiter(delimiter)
    check_readable(path)
    if path.stat().st_size == 0:
        raise FileError(f"{file_name(path)} is empty; give a file with a header line and at least two records")
    table: RawFile = reader.read(path, delimiter=delimiter)
    return table


def open_file(source: Any, name: str, *, delimiter: str | None = None) -> RawFile:
    """Return a `RawFile` from a path, a frame, an array, a table, or a result that holds one (a `Protection`).

    Parameters
    ----------
    source
        What to read.
    name
        What messages call a frame or an array; a file goes by its base name.
    delimiter
        See `read_file`.

    Examples
    --------
    >>> import numpy as np
    >>> people = open_file(np.array([[31.0, 1.0], [40.0, 2.0]]), "people")
    >>> people.n_records, [column.name for column in people.columns]
    (2, ['V1', 'V2'])
    """
    if isinstance(source, Result) and hasattr(source, "data"):
        return open_file(source.data, name, delimiter=delimiter)
    if isinstance(source, RawFile):
        return source
    if isinstance(source, str | os.PathLike):
        return read_file(source, delimiter=delimiter)
    frames = importlib.import_module("linkrisk.data.frames")
    table: RawFile = frames.raw_file_from_frame(source, name)
    return table


def _reader(path: Path) -> ModuleType:
    """Return the module that reads files of this ending, loaded only now: some are slow to import."""
    name = path.name.lower()
    for module, suffixes in _READERS.items():
        if name.endswith(suffixes):
            return importlib.import_module(f"linkrisk.data.{module}")
    endings = ", ".join(SUFFIXES)
    if path.is_dir():
        raise FileError(f"{file_name(path)} is a folder; give a file")
    raise FileError(f"{file_name(path)} is of no kind that linkrisk reads; give a file ending in {endings}")


def _check_delimiter(delimiter: str | None) -> None:
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n'):
        raise FileError("delimiter (--delimiter) must be one sign; give ',' or ';' or a tab")
