"""Writing results: nothing replaced unasked, nothing half written, confidential files for the owner alone."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from linkrisk.errors import FileError

CONFIDENTIAL_NOTICE = "CONFIDENTIAL: the original data could be rebuilt from this file; it stays with their owner."
"""What a confidential file says first, so that whoever finds it knows."""

_OWNER_ONLY = 0o600
_ORDINARY = 0o666  # less what the user's umask takes away
_SUFFIXES = (".csv", ".parquet")


def check_writable(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Raise a `FileError` when a file could not be written later; called before long work.

    Parameters
    ----------
    path
        The file to be written.
    overwrite
        Whether a file that is already there may be replaced.
    """
    path = Path(path)
    folder = path.parent
    try:
        is_there = path.exists()
    except OSError as fault:
        raise FileError(f"a name given for a result cannot be used ({fault.strerror}); choose a shorter one") from None
    if is_there and not path.is_file():  # replacing a device such as /dev/null would break the system
        raise FileError(f"{path.name or path} is a folder or a device; give the name of a file to write")
    if is_there and not overwrite:
        raise FileError(f"{path.name} exists already; choose another name, or allow it by overwrite (--overwrite)")
    if not folder.is_dir():
        raise FileError(f"The folder for {path.name} does not exist; make it first")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        path.with_name(f".{path.name}.{8 * 'x'}.part").exists()  # a name too long for the file system fails here
    except OSError as fault:
        raise FileError(
            f"{path.name} cannot be written to its folder ({fault.strerror}); choose another name or folder"
        ) from None


def make_folder(folder: Path) -> None:
    """Make a folder for results, and those above it, unless it is there already; `FileError` where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise FileError(f"the folder {folder} cannot be made ({fault.strerror}); choose another") from None


def check_results(results: Iterable[Path | None], inputs: Iterable[Path | None], *, overwrite: bool) -> None:
    """Refuse, before anything is read, results that could not be written or would replace what is read."""
    read = {path.resolve() for path in inputs if path is not None}
    given = [path for path in results if path is not None]
    for path in given:
        if path.resolve() in read:
            raise FileError(f"{path.name} is an input file; write the result to another")
        check_writable(path, overwrite)
    if len({path.resolve() for path in given}) < len(given):
        raise FileError("two results would be written to one file; give each its own")


def write_text(path: str | os.PathLike[str], text: str, *, confidential: bool, overwrite: bool = False) -> None:
    """Write a text file in UTF-8, whole or not at all.

    Parameters
    ----------
    path
        The file to be written.
    text
        Its contents. A confidential text should say so in its first line; see `CONFIDENTIAL_NOTICE`.
    confidential
        Whether only its owner may read the file.
    overwrite
        Whether a file that is already there may be replaced.
    """
    write_bytes(path, text.encode("utf-8"), confidential=confidential, overwrite=overwrite)


def write_bytes(path: str | os.PathLike[str], contents: bytes, *, confidential: bool, overwrite: bool = False) -> None:
    """Write a file of any kind, whole or not at all; see `write_text`."""
    _write(Path(path), lambda stream: stream.write(contents), confidential=confidential, overwrite=overwrite)


def write_json(path: str | os.PathLike[str], contents: Mapping[str, Any], *, overwrite: bool = False) -> None:
    """Write the document of a result, whole or not at all.

    Parameters
    ----------
    path
        The file to be written.
    contents
        Plain values. A document whose first key is ``confidential`` says so in the first line of its file, which only
        its owner may read; every other may be shared.
    overwrite
        Whether a file that is already there may be replaced.
    """
    text = json.dumps(contents, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    is_confidential = next(iter(contents), None) == "confidential"
    if is_confidential:  # the notice moves up to the first line
        text = text.replace("{\n ", "{", 1)
    write_text(path, text, confidential=is_confidential, overwrite=overwrite)


def write_columns(
    path: str | os.PathLike[str], columns: Mapping[str, Any], *, confidential: bool, overwrite: bool = False
) -> None:
    """Write columns as CSV or Parquet, told by the ending of the name, whole or not at all.

    Parameters
    ----------
    path
        The file to be written, ending in .csv or .parquet.
    columns
        One-dimensional arrays of one length by their names; None and NaN are missing. Numbers are written so
        that they are read back exactly.
    confidential
        Whether only its owner may read the file. A CSV file then says so in its first line, a Parquet file
        in its metadata; `read_file` accepts both.
    overwrite
        Whether a file that is already there may be replaced.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from linkrisk.data import read_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_columns(f"{folder}/people.csv", {"age": np.array([31, 40])}, confidential=True)
    ...     people = read_file(f"{folder}/people.csv")
    >>> people.n_records, people.columns[0].name
    (2, 'age')
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise FileError(f"{path.name} cannot be written; give a name ending in {' or '.join(_SUFFIXES)}")
    table = pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})

    def write_contents(stream: IO[bytes]) -> None:
        if suffix == ".csv":
            stream.write(f"# {CONFIDENTIAL_NOTICE}\n".encode() if confidential else b"")
            pyarrow.csv.write_csv(table, stream)
        else:
            notice = {"CONFIDENTIAL": CONFIDENTIAL_NOTICE} if confidential else None
            pyarrow.parquet.write_table(table.replace_schema_metadata(notice), stream)

    _write(path, write_contents, confidential=confidential, overwrite=overwrite)


def _write(path: Path, write_contents: Callable[[IO[bytes]], Any], *, confidential: bool, overwrite: bool) -> None:
    check_writable(path, overwrite=overwrite)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    # The mode is set on creation: a confidential file is not readable by others even for a moment.
    mode = _OWNER_ONLY if confidential else _ORDINARY
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            write_contents(stream)
        _put_in_place(temporary, path, overwrite=overwrite)
    except OSError as fault:
        raise FileError(f"{path.name} cannot be written ({fault.strerror}); make room or choose another") from None
    finally:
        temporary.unlink(missing_ok=True)


def _put_in_place(temporary: Path, path: Path, *, overwrite: bool) -> None:
    if overwrite:
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)  # fails, unlike replace, when a file has appeared there meanwhile
    except FileExistsError:
        raise FileError(f"{path.name} has appeared meanwhile; choose another name") from None
    except OSError:  # a file system without hard links
        temporary.replace(path)
