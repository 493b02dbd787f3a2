"""Writing results: nothing replaced unasked, nothing half written, confidential files for the owner alone."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from linkrisk.data.arrow_arrays import array_of
from linkrisk.data.opening import real_path, reason
from linkrisk.data.raw_file import Dialect
from linkrisk.engine import interrupt
from linkrisk.errors import FileError
from linkrisk.printable import file_name, printable

CONFIDENTIAL_NOTICE = "CONFIDENTIAL: the original data could be rebuilt from this file; it stays with their owner."
"""What a confidential file says first, so that whoever finds it knows."""

DIALECT = Dialect()
"""How CSV is written unless it is a version of a file that is written otherwise."""

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
    name = file_name(path)
    if not path.name:
        raise FileError(f"{name} is a folder; give the name of a file to write")
    _check_place(path, name, overwrite=overwrite)
    if not path.parent.is_dir():
        raise FileError(f"the folder for {name} does not exist; make it first")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        _temporary(path).exists()  # a name too long for the file system fails here
    except (OSError, ValueError) as fault:
        raise FileError(f"{name} cannot be written to its folder {reason(fault)}") from None


def _check_place(path: Path, name: str, *, overwrite: bool) -> None:
    """Refuse a name under which there is something that must not be replaced."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            raise FileError(f"{name} is a link to a file that does not exist; choose another name") from None
        return
    except (OSError, ValueError) as fault:
        raise FileError(f"{name} cannot be written {reason(fault)}") from None
    if not stat.S_ISREG(mode):  # replacing a device such as /dev/null would break the system
        raise FileError(f"{name} is a folder or a device; give the name of a file to write")
    if not overwrite:
        raise FileError(f"{name} exists already; choose another name, or allow it by overwrite (--overwrite)")


def check_folder(folder: Path) -> None:
    """Raise a `FileError` unless a folder is there, or could be made, and could be written to; makes nothing."""
    try:
        above = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not above.is_dir():
            raise FileError(f"{file_name(above)} is a file and cannot be a folder; choose another folder")
        with tempfile.TemporaryFile(dir=above):
            pass
    except (OSError, ValueError) as fault:
        raise FileError(f"the folder {printable(str(folder))} cannot be used {reason(fault)}") from None


def make_folder(folder: Path) -> None:
    """Make a folder for results, and those above it, unless it is there already; `FileError` where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as fault:
        raise FileError(f"the folder {printable(str(folder))} cannot be made {reason(fault)}") from None


@contextlib.contextmanager
def folder_for(folder: Path) -> Iterator[None]:
    """Make a folder for what is written within; where that fails, a folder that was not there before is removed."""
    is_new = not folder.exists()
    make_folder(folder)
    try:
        yield
    except BaseException:
        if is_new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def check_results(results: Iterable[Path | None], inputs: Iterable[Path | None], *, overwrite: bool) -> None:
    """Refuse, before anything is read, results that could not be written or would replace what is read."""
    read = {real_path(path) for path in inputs if path is not None}
    given = [path for path in results if path is not None]
    for path in given:
        if real_path(path) in read:
            raise FileError(f"{file_name(path)} is an input file; write the result to another")
        check_writable(path, overwrite)
    if len({real_path(path) for path in given}) < len(given):
        raise FileError("two results would be written to one file; give each its own")


@dataclass(frozen=True)
class NewFile:
    """A file to be written: where, how, and whether only its owner may read it."""

    path: Path
    write_contents: Callable[[IO[bytes]], Any]
    confidential: bool


def write_together(files: Sequence[NewFile], *, overwrite: bool = False) -> None:
    """Write several files that belong together: all of them, or, where one cannot be written, none.

    Each is written whole beside its place first; only then do they get their names. So a full disk or an interrupt
    leaves nothing half written, no secret of a release that does not exist, and every file there was before.

    Raises
    ------
    FileError
        If one exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
    """
    for file in files:
        check_writable(file.path, overwrite)
    staged = [(file, _temporary(file.path)) for file in files]
    try:
        for file, temporary in staged:
            _write_beside(file, temporary)
        with interrupt.deferred():
            _put_in_place(staged, overwrite=overwrite)
    finally:
        for _, temporary in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def text_file(path: str | os.PathLike[str], text: str, *, confidential: bool) -> NewFile:
    """Return a text file in UTF-8 to be written; a confidential one should say so first (`CONFIDENTIAL_NOTICE`)."""
    contents = text.encode("utf-8", errors="replace")
    return NewFile(Path(path), lambda stream: stream.write(contents), confidential)


def json_file(path: str | os.PathLike[str], contents: Mapping[str, Any]) -> NewFile:
    """Return a document to be written; see `write_json`."""
    text = json.dumps(contents, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    is_confidential = next(iter(contents), None) == "confidential"
    if is_confidential:  # the notice moves up to the first line
        text = text.replace("{\n ", "{", 1)
    return text_file(path, text, confidential=is_confidential)


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
    write_together([text_file(path, text, confidential=confidential)], overwrite=overwrite)


def write_bytes(path: str | os.PathLike[str], contents: bytes, *, confidential: bool, overwrite: bool = False) -> None:
    """Write a file of any kind, whole or not at all; see `write_text`."""
    file = NewFile(Path(path), lambda stream: stream.write(contents), confidential)
    write_together([file], overwrite=overwrite)


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
    write_together([json_file(path, contents)], overwrite=overwrite)


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
    write_together([column_file(path, columns, confidential=confidential)], overwrite=overwrite)


def column_file(
    path: str | os.PathLike[str], columns: Mapping[str, Any], *, confidential: bool, dialect: Dialect = DIALECT
) -> NewFile:
    """Return columns to be written as CSV, in a ``dialect``, or Parquet; see `write_columns`."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise FileError(f"{file_name(path)} cannot be written; give a name ending in {' or '.join(_SUFFIXES)}")
    table = pa.table({name: array_of(values) for name, values in columns.items()})

    def write_contents(stream: IO[bytes]) -> None:
        if suffix == ".csv":
            stream.write(f"# {CONFIDENTIAL_NOTICE}\n".encode() if confidential else b"")
            if dialect == DIALECT:
                pyarrow.csv.write_csv(table, stream)
            else:
                _write_in_dialect(table, stream, dialect)
        else:
            from pyarrow import parquet  # noqa: PLC0415  (slow to import: it brings ways to remote files)

            notice = {"CONFIDENTIAL": CONFIDENTIAL_NOTICE} if confidential else None
            parquet.write_table(table.replace_schema_metadata(notice), stream)

    return NewFile(path, write_contents, confidential)


def _write_in_dialect(table: Any, stream: IO[bytes], dialect: Dialect) -> None:
    """Write CSV as the file was written that it comes from: with its sign between cells, decimals and encoding.

    What the encoding cannot hold is written in UTF-8, the whole file. Cost: a second for some 10^6 cells.
    """
    columns = [_cells_in_dialect(column, dialect) for column in table.columns]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=dialect.delimiter, lineterminator="\n")
    writer.writerow(table.column_names)
    writer.writerows(zip(*columns, strict=True))
    try:
        stream.write(text.getvalue().encode(dialect.encoding))
    except UnicodeEncodeError:
        stream.write(text.getvalue().encode("utf-8-sig"))


def _cells_in_dialect(column: Any, dialect: Dialect) -> list[str | None]:
    """Return the texts of a column; None is missing."""
    texts = column.cast(pa.string())
    if dialect.decimal_comma and pa.types.is_floating(column.type):
        texts = pc.replace_substring(texts, ".", ",")
    found: list[str | None] = texts.to_pylist()
    return found


def _temporary(path: Path) -> Path:
    """Return a name beside a file that nothing has yet."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _write_beside(file: NewFile, temporary: Path) -> None:
    # The mode is set on creation: a confidential file is not readable by others even for a moment.
    mode = _OWNER_ONLY if file.confidential else _ORDINARY
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            file.write_contents(stream)
    except OSError as fault:
        raise FileError(f"{file_name(file.path)} cannot be written {reason(fault)}") from None


def _put_in_place(staged: Sequence[tuple[NewFile, Path]], *, overwrite: bool) -> None:
    """Give every file its name; where one cannot have it, put everything back as it was before."""
    old: dict[Path, Path] = {}
    named: list[Path] = []
    try:
        for file, _ in staged if overwrite and len(staged) > 1 else ():
            _set_aside(file.path, old)
        for file, temporary in staged:
            _name(temporary, file.path, overwrite=overwrite)
            named.append(file.path)
    except OSError as fault:
        for path in reversed(named):
            if path in old:
                old[path].replace(path)
            else:
                path.unlink(missing_ok=True)
        is_taken = isinstance(fault, FileExistsError)
        why = "has appeared meanwhile; choose another name" if is_taken else f"cannot be written {reason(fault)}"
        raise FileError(f"{file_name(file.path)} {why}") from None
    finally:
        for aside in old.values():
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)


def _set_aside(path: Path, old: dict[Path, Path]) -> None:
    """Keep the file that is to be replaced under a second name, for its owner alone where it must be copied."""
    if not os.path.lexists(path):
        return
    old[path] = aside = _temporary(path)
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError:  # a file system without hard links
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as stream:
            stream.write(path.read_bytes())
        shutil.copymode(path, aside)


def _name(temporary: Path, path: Path, *, overwrite: bool) -> None:
    if overwrite:
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)  # fails, unlike replace, when a file has appeared there meanwhile
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        temporary.replace(path)
