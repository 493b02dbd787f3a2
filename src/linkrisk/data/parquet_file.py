"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from linkrisk.data.frames import raw_file_from_frame
from linkrisk.data.raw_file import RawFile, digest_of_file
from linkrisk.errors import FileError
from linkrisk.printable import file_name


def read(path: Path, *, delimiter: str | None = None) -> RawFile:  # noqa: ARG001 (all readers are called alike)
    """Read a Parquet file."""
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            frame = file.read()
    except (pa.ArrowException, OSError):
        raise FileError(f"{file_name(path)} cannot be read as Parquet; write it again") from None
    return raw_file_from_frame(frame, file_name(path), digest=digest_of_file(path))
