"""Frames and arrays from Python: pandas, polars, pyarrow, whatever narwhals knows, and numpy."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from linkrisk.data.arrow_column import column_from_arrow
from linkrisk.data.labels import label_of_number
from linkrisk.data.raw_file import RawColumn, RawFile, check_column_names, digest_of_columns
from linkrisk.errors import FileError
from linkrisk.result import DEFAULT_FRAME


def raw_file_from_frame(frame: Any, name: str, *, digest: str | None = None) -> RawFile:
    """Turn a frame or an array into a `RawFile`.

    Parameters
    ----------
    frame
        A pandas, polars or pyarrow frame or any other that narwhals knows (a lazy one is collected), a
        two-dimensional numpy array (its columns are called V1, V2, ...), or a structured numpy array.
    name
        What messages call it.
    digest
        That of the file the frame was read from; by default that of its contents.

    Examples
    --------
    >>> import numpy as np
    >>> table = raw_file_from_frame(np.array([[1, 2], [3, 4]]), "original")
    >>> table.column_names, table.n_records
    (('V1', 'V2'), 2)
    """
    if isinstance(frame, np.ndarray):
        columns, kind = _numpy_columns(frame, name), DEFAULT_FRAME
    else:
        eager = _eager(frame, name)
        columns, kind = [_series_column(series) for series in eager.iter_columns()], str(eager.implementation.value)
    if not columns:
        raise FileError(f"{name} has no columns; give one with a column for each attribute")
    check_column_names(name, [column.name for column in columns])
    n_records = len(columns[0].cells)
    if n_records == 0:
        raise FileError(f"{name} has no records; give at least two")
    return RawFile(name, tuple(columns), n_records, digest or digest_of_columns(columns), frame_kind=kind)


def frame_kind_of(data: Any) -> str:
    """Return what narwhals calls the library of a frame; pandas for an array, that of its source for a `RawFile`."""
    if isinstance(data, RawFile):
        return data.frame_kind
    return DEFAULT_FRAME if isinstance(data, np.ndarray) else str(nw.from_native(data).implementation.value)


def _numpy_columns(array: NDArray[Any], name: str) -> list[RawColumn]:
    if array.dtype.names is not None and array.ndim == 1:
        return [column_from_python(field, array[field]) for field in array.dtype.names]
    if array.dtype.names is not None or array.ndim != 2:
        raise FileError(
            f"{name} is a numpy array of {array.ndim} dimensions; give two, records by attributes, "
            "or one dimension with named fields"
        )
    return [column_from_python(f"V{k + 1}", array[:, k]) for k in range(array.shape[1])]


def _eager(frame: Any, name: str) -> nw.DataFrame[Any]:
    """Return the frame as narwhals sees it, its columns named apart."""
    try:
        known = nw.from_native(frame, allow_series=False)
        eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    except nw.exceptions.DuplicateError:
        names = frame.column_names if hasattr(frame, "column_names") else frame.columns
        check_column_names(name, [str(column) for column in names])
        raise
    except (TypeError, ValueError) as error:
        raise FileError(
            f"{name} is a {type(frame).__name__}, which cannot be read; give a path, a pandas, polars or "
            "pyarrow frame, or a numpy array"
        ) from error
    check_column_names(name, [str(column) for column in eager.columns])
    return eager


def _series_column(series: Any) -> RawColumn:
    try:
        return column_from_arrow(str(series.name), series.to_arrow())
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError):
        return _column_from_objects(str(series.name), series.to_list())


def column_from_python(name: str, cells: NDArray[Any]) -> RawColumn:
    """Turn a one-dimensional numpy array, of any dtype, into a `RawColumn`."""
    if cells.ndim != 1:
        return _unusable(name, len(cells), "holds more than one value a record")
    try:
        mask = np.ma.getmaskarray(cells) if isinstance(cells, np.ma.MaskedArray) else None
        return column_from_arrow(name, pa.array(np.ascontiguousarray(cells), mask=mask, from_pandas=True))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return _column_from_objects(name, cells.tolist())


def _column_from_objects(name: str, cells: Sequence[Any]) -> RawColumn:
    """Turn cells of several Python types into text, each in the spelling of a label."""
    try:
        spelled = [_spell(cell) for cell in cells]
    except TypeError:
        return _unusable(name, len(cells), "holds values that are neither numbers, text, dates nor truth values")
    return column_from_arrow(name, pa.array(spelled, type=pa.large_string()))


def _unusable(name: str, n_records: int, fault: str) -> RawColumn:
    return RawColumn(name, np.full(n_records, None, dtype=object), fault=fault)


def _spell(cell: Any) -> str | None:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool | np.bool_):
        return str(bool(cell)).lower()
    if isinstance(cell, int | np.integer):
        return str(int(cell))
    if isinstance(cell, float | np.floating | decimal.Decimal):
        return None if math.isnan(cell) else label_of_number(float(cell))
    if isinstance(cell, dt.date):  # a datetime is one too
        return cell.isoformat()
    raise TypeError
