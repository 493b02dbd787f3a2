"""The border between the caller's frame and the numbers a protection method works on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protect.protection import join_names

FloatArray = NDArray[np.float64]
Name = str | int
"""A column's name; in a numpy array its position, from 0."""


@dataclass(frozen=True)
class Table:
    """A file to be protected: pandas, polars, pyarrow (through narwhals) or a two-dimensional numpy array.

    Numbers are taken out as float64 and put back into a new object of the caller's own kind; columns that are
    not put back, the order of the columns, and the index of a pandas frame stay as they are.
    """

    frame: Any
    names: tuple[Name, ...]
    n_records: int

    @classmethod
    def of(cls, data: Any) -> Table:
        """Wrap the caller's data; raises ParameterError for anything that is no table."""
        if isinstance(data, np.ndarray):
            if data.ndim != 2:
                raise ParameterError("An array to protect must have two dimensions: records, attributes.")
            return cls(data, tuple(range(data.shape[1])), data.shape[0])
        import narwhals as nw  # noqa: PLC0415  (not needed for arrays)

        try:
            frame = nw.from_native(data, eager_only=True)
        except TypeError:
            raise ParameterError(
                "The data must be a pandas or polars data frame, a pyarrow table or a numpy array, in memory."
            ) from None
        except nw.exceptions.DuplicateError:
            raise ColumnError("Two columns have the same name; rename one of them.") from None
        return cls(frame, tuple(frame.columns), len(frame))

    def numbers(self, names: Sequence[Name]) -> FloatArray:
        """Return the columns as a new float64 array, one row per record.

        Raises
        ------
        ColumnError
            If a column is not in the file, is not numeric, or has a missing or infinite value.
        """
        values = np.empty((self.n_records, len(names)))
        for position, name in enumerate(names):
            if name not in self.names:
                raise ColumnError(f"There is no column {name!r} in the file.")
            values[:, position] = self._column(name)
        return values

    def with_numbers(self, names: Sequence[Name], values: FloatArray) -> Any:
        """Return the caller's kind of data with these columns replaced by float64 values."""
        if isinstance(self.frame, np.ndarray):
            protected = self.frame.astype(np.float64)
            protected[:, [int(name) for name in names]] = values
            return protected
        import narwhals as nw  # noqa: PLC0415  (not needed for arrays)

        backend = nw.get_native_namespace(self.frame)
        columns = [
            # pandas also knows columns by numbers, narwhals passes them on.
            nw.new_series(cast("str", name), np.ascontiguousarray(values[:, position]), backend=backend)
            for position, name in enumerate(names)
        ]
        return self.frame.with_columns(*columns).to_native()

    def check_covered(self, used: Collection[Name], leave: Sequence[Name]) -> None:
        """Refuse a protection that would silently leave columns as they are.

        Raises
        ------
        ColumnError
            If a column named in ``leave`` is not in the file.
        ParameterError
            If a column is both protected and left, or neither.
        """
        if not is_list(leave):
            raise ParameterError("leave must be a list of column names.")
        unknown = [name for name in leave if name not in self.names]
        if unknown:
            raise ColumnError(f"leave names columns that are not in the file: {join_names(unknown)}.")
        both = [name for name in leave if name in used]
        if both:
            raise ParameterError(f"Columns to protect are also named in leave: {join_names(both)}.")
        neither = [name for name in self.names if name not in used and name not in leave]
        if neither:
            raise ParameterError(
                f"Nothing is said about {join_names(neither)}; protect these columns, or name them in leave."
            )

    def _column(self, name: Name) -> FloatArray:
        """Take one column out, checked."""
        if isinstance(self.frame, np.ndarray):
            column = self.frame[:, int(name)]
            if column.dtype.kind not in "iuf":
                raise _not_numeric(name)
            values = column.astype(np.float64)
        else:
            series = self.frame[:, self.names.index(name)]
            if not series.dtype.is_numeric():
                raise _not_numeric(name)
            _check_none(series.is_null().to_numpy(), name, "a missing value")
            values = np.asarray(series.to_numpy(), dtype=np.float64)
        _check_none(np.isnan(values), name, "a missing value")
        _check_none(np.isinf(values), name, "an infinite value")
        return values


def is_list(value: object) -> bool:
    """Whether a value can be read as a list of things; a text cannot, though Python takes it by letters."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _not_numeric(name: Name) -> ColumnError:
    return ColumnError(f"Column {name!r} is not numeric; name it in leave to keep it as it is.")


def _check_none(faulty: NDArray[np.bool_], name: Name, what: str) -> None:
    if faulty.any():
        record = int(np.argmax(faulty)) + 1
        raise ColumnError(
            f"Column {name!r} has {what} in record {record} (counted from 1); "
            "fill it in, or take the record out of the file."
        )
