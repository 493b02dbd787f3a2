"""The files of a release: the protected file, the secret apart from it, and the record of what was done."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkrisk.data.opening import real_path
from linkrisk.data.raw_file import Dialect, RawFile
from linkrisk.errors import ColumnError, FileError, ParameterError
from linkrisk.printable import file_name
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.values.columns import Name

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn

PathLike = str | os.PathLike[str]
SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True)
class ReleaseFiles:
    """Where a release is written: ``secret`` is None if nothing is drawn, ``record`` is None if it is not wanted."""

    out: Path
    secret: Path | None = None
    record: Path | None = None

    @classmethod
    def of(
        cls, method: str, out: PathLike, secret: PathLike | None, record: PathLike | None, *, draws: bool
    ) -> ReleaseFiles:
        """Return the files of a release by a method; the secret of one that draws goes to OUT.secret by default.

        >>> ReleaseFiles.of("noise", "released.csv", None, None, draws=True).secret.name
        'released.csv.secret'
        """
        if secret is not None and not draws:
            raise ParameterError(f"{method} draws nothing and has no secret; leave out secret (--secret)")
        path = Path(out)
        if not path.name:
            raise FileError(f"{file_name(path)} is a folder; give the name of a file to write")
        side_file = Path(secret) if secret is not None else path.with_name(f"{path.name}.secret")
        return cls(path, side_file if draws else None, None if record is None else Path(record))

    def check(
        self, inputs: Iterable[Path | None], others: Iterable[Path | None] = (), *, overwrite: bool = False
    ) -> None:
        """Refuse files that could not be written, or would replace what is read; called before long work.

        Parameters
        ----------
        inputs
            The original, the schema: whatever was read from files.
        others
            Further results that are written along with the release.
        overwrite
            Whether files that exist may be replaced.

        Raises
        ------
        FileError
            If there is such a file; the message names it and the remedy.
        """
        from linkrisk.data.writing import check_writable  # noqa: PLC0415  (imports pyarrow)

        if self.out.suffix.lower() not in SUFFIXES:
            raise FileError(f"{file_name(self.out)} cannot be written; give a name ending in {' or '.join(SUFFIXES)}")
        results = [path for path in (self.out, self.secret, self.record, *others) if path is not None]
        paths = [real_path(path) for path in (*inputs, *results) if path is not None]
        if len(set(paths)) < len(paths):
            raise FileError("the original, the schema and all files to be written must be different files")
        for path in results:
            check_writable(path, overwrite)


def write_release(
    files: ReleaseFiles,
    data: Any,
    left: Collection[Name],
    secret: Secret | None,
    record: Mapping[str, Any],
    source: Path | None,
    *,
    overwrite: bool = False,
) -> None:
    """Write the secret, the protected file and the record: all of them or none, so that no secret is left alone.

    Parameters
    ----------
    files
        Where to.
    data, left
        The protected data, and the names of the columns that are as they were.
    secret
        The seed, None where nothing was drawn.
    record
        What was done, as plain values.
    source
        The file that was protected, None for a frame or an array.
    overwrite
        Whether files that exist may be replaced.
    """
    from linkrisk.data.writing import column_file, text_file, write_together  # noqa: PLC0415  (imports pyarrow)

    columns = _columns(data, left, source, files.out)
    written = [secret.side_file(files.secret)] if files.secret is not None and secret is not None else []
    dialect = data.dialect if isinstance(data, RawFile) else Dialect()
    written.append(column_file(files.out, columns, confidential=False, dialect=dialect))
    if files.record is not None:
        original = source.name if source is not None else data.name if isinstance(data, RawFile) else None
        names = {"original": original, "protected": files.out.name}
        text = json.dumps({**record, **names}, indent=1, ensure_ascii=False)
        written.append(text_file(files.record, f"{text}\n", confidential=False))
    write_together(written, overwrite=overwrite)


def _columns(data: Any, left: Collection[Name], source: Path | None, out: Path) -> dict[str, Any]:
    """Return what is written, by name; in Parquet, columns that are left keep the types they had."""
    from linkrisk.data.read import open_file  # noqa: PLC0415  (not needed to protect a frame)

    file = open_file(data, "the protected file")
    name = file.name if source is None else source.name
    typed = _typed_columns(data, [str(column) for column in left], source) if out.suffix.lower() == ".parquet" else {}
    return {
        column.name: typed[column.name] if column.name in typed else _cells(column, name) for column in file.columns
    }


def _typed_columns(data: Any, left: Sequence[str], source: Path | None) -> dict[str, Any]:
    """Return the columns that are left with their own types, where a Parquet file or a frame has some."""
    if source is not None and source.suffix.lower() == ".parquet":
        import pyarrow.parquet  # noqa: PLC0415  (only for Parquet)

        with pyarrow.parquet.ParquetFile(source) as stored:
            return {name: stored.read(columns=[name]).column(0).combine_chunks() for name in left}
    if isinstance(data, RawFile | np.ndarray):
        return {}
    import narwhals as nw  # noqa: PLC0415  (only for frames)

    series = {str(column.name): column for column in nw.from_native(data, eager_only=True).iter_columns()}
    typed = {}
    for name in left:
        try:
            typed[name] = series[name].to_arrow()
        except (TypeError, ValueError, NotImplementedError):  # cells of several types, written as they are read
            continue
    return typed


def _cells(column: RawColumn, name: str) -> Any:
    if column.fault is not None:
        raise ColumnError(f"{name}: column {column.name!r} {column.fault}; leave it out of the file")
    if column.holds_dates:
        days = column.cells.astype("datetime64[D]")
        return days if (days.astype(column.cells.dtype) == column.cells)[~column.is_missing].all() else column.cells
    return column.cells
