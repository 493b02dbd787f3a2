"""The border between the caller's data and the columns a protection method works on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from linkrisk.data.attributes import Kind, Role
from linkrisk.data.raw_file import RawFile, digest_of_columns
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection.values.columns import Column, Name, infer_column_kind, list_names, read_column
from linkrisk.protection.values.outcome import check_codes

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn
    from linkrisk.data.schema import Schema


_IN_SENTENCES = (Kind.NUMERIC, Kind.DATE, Kind.ORDINAL, Kind.NOMINAL)


@dataclass(frozen=True, repr=False)
class Frame:
    """Data to be protected: pandas, polars, pyarrow (through narwhals), a numpy array, or a file read by linkrisk.

    Columns are taken out as numbers and put back into a new object of the caller's own kind; columns that are
    not put back, the order of the columns, and the index of a pandas frame stay as they are.
    """

    frame: Any
    names: tuple[Name, ...]
    source: RawFile
    schema: Schema

    @classmethod
    def of(cls, data: Any, schema: Any = None) -> Frame:
        """Wrap the caller's data; raise ParameterError for anything that is no table.

        Parameters
        ----------
        data
            A frame, an array, or a `linkrisk.data.RawFile` as `linkrisk.data.read_file` returns it.
        schema
            Kinds, orders and missing codes, as for `linkrisk.assess`: a schema, a mapping, or a TOML file.
            Columns of an array are called V1, V2, ... in it.
        """
        from linkrisk.data.schema import make_schema  # noqa: PLC0415  (imports pydantic)

        frame, names, n_records = _open(data)
        source = data if isinstance(data, RawFile) else RawFile("original", (), n_records, "")
        table = cls(frame, names, source, make_schema(schema))
        known = {table.told_name(name) for name in names}
        unknown = [name for name in table.schema.attributes if name not in known]
        if unknown:
            raise ColumnError(
                f"the schema names columns that are not in {source.name}: {list_names(unknown)}; correct it"
            )
        return table

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.source.n_records

    def own_names(self, given: Iterable[Name]) -> list[Name]:
        """Return the columns' own names for names given by a user, who may write them as text.

        Columns of an array are known by their positions, 0, 1, ..., and by V1, V2, ..., as in a schema.

        Raises
        ------
        ColumnError
            If there is no such column.
        """
        own: dict[Name, Name] = {self.told_name(name): name for name in self.names}
        own |= {name: name for name in self.names}
        found = list(given)
        unknown = [name for name in found if name not in own]
        if unknown:
            is_array = isinstance(self.frame, np.ndarray)
            remedy = "those of an array are called V1, V2, ... in text" if is_array else "check the name"
            raise ColumnError(f"{self.source.name} has no column {unknown[0]!r}; {remedy}")
        return [own[name] for name in found]

    def column(self, name: Name, kinds: Collection[Kind], method: str) -> Column:
        """Take one column out, missing values and all.

        Raises
        ------
        ColumnError
            If the column is not in the file, is an identifier, has an infinite value, or is of a kind the method is
            not for.
        """
        if name not in self.names:
            raise ColumnError(f"{self.source.name}: there is no column {name!r}; check the name")
        self.check_no_identifier([name])
        schema = self.schema.attribute(self.told_name(name))
        column = read_column(name, self.raw(name), self.source, schema, self.schema.missing)
        if column.kind not in kinds:
            *others, last = [str(kind) for kind in _IN_SENTENCES if kind in kinds]
            suited = f"{', '.join(others)} or {last}" if others else last
            raise ColumnError(
                f"{self.source.name}: column {name!r} is not {suited} but {column.kind}, and {method} has no rule for "
                "that; protect it by another method, or name it in leave (--leave) to keep it as it is"
            )
        return column

    def columns(self, names: Iterable[Name], kinds: Collection[Kind], method: str) -> list[Column]:
        """Take several columns out; see `column`."""
        return [self.column(name, kinds, method) for name in names]

    def kind(self, name: Name) -> Kind | None:
        """Return the kind of a column, None without any value; refuse cells that cannot be read as that kind."""
        schema = self.schema.attribute(self.told_name(name))
        return infer_column_kind(name, self.raw(name), self.source, schema, self.schema.missing)

    def is_confidential(self, name: Name) -> bool:
        """Whether the schema says that a column is confidential."""
        return self.schema.attribute(self.told_name(name)).role is Role.CONFIDENTIAL

    def is_identifier(self, name: Name) -> bool:
        """Whether the schema says that a column is an identifier."""
        return self.schema.attribute(self.told_name(name)).role is Role.IDENTIFIER

    def check_no_identifier(self, names: Iterable[Name]) -> None:
        """Refuse to protect identifiers: they are taken out of the file, or left on purpose."""
        found = ", ".join(f"column {name!r}" for name in names if self.is_identifier(name))
        if found:
            raise ColumnError(
                f"{self.source.name}: no method protects an identifier ({found}); take such a column out by drop "
                "(--drop), or name it in leave (--leave) to keep it as it is"
            )

    def quantity(self, name: Name, kind: Kind | None) -> str | None:
        """Return why a column must not be left unless the user says so (`values.quantities`); None if it may."""
        from linkrisk.protection.values.quantities import quantity_of  # noqa: PLC0415  (imports pyarrow)

        schema = self.schema.attribute(self.told_name(name))
        return quantity_of(kind, self.raw(name), schema, self.schema.missing)

    def without_codes(self, name: Name) -> RawColumn:
        """Return a column as it was read, with the codes for missing of the schema made missing if it can be used."""
        from linkrisk.data.missing import without_codes  # noqa: PLC0415  (imports pyarrow)

        raw = self.raw(name)
        own = self.schema.attribute(self.told_name(name)).missing
        return raw if raw.fault is not None else without_codes(raw, (*self.schema.missing, *own))

    def doubts(self, name: Name) -> list[str]:
        """Return a sentence for each code for missing that lies among the values of a column, as an assessment does."""
        from linkrisk.data.doubts import doubt_about_codes  # noqa: PLC0415  (imports pyarrow)

        raw = self.raw(name)
        if raw.fault is not None:
            return []
        return list(doubt_about_codes(self.source.name, replace(raw, name=self.told_name(name)), self.schema.missing))

    def with_columns(self, columns: Sequence[Column]) -> Any:
        """Return the caller's kind of data with these columns in place of their originals.

        Raises
        ------
        MissingCodeError
            If a protected value is one of the codes for missing in the schema.
        """
        for column in columns:
            own = self.schema.attribute(self.told_name(column.name)).missing
            check_codes(column, (*self.schema.missing, *own), self.source)
        if isinstance(self.frame, np.ndarray):
            return self._new_array(columns)
        if isinstance(self.frame, RawFile):
            new = {column.name: _new_raw(column, self.frame.column(str(column.name))) for column in columns}
            raw = tuple(new.get(old.name, old) for old in self.frame.columns)
            return replace(self.frame, columns=raw, digest=digest_of_columns(raw))
        return self.frame.with_columns(*(self._new_series(column) for column in columns)).to_native()

    def without(self, names: Collection[Name]) -> Any:
        """Return the caller's kind of data without some columns.

        Raises
        ------
        ParameterError
            For an array: its columns are known by their places, and those behind would be taken for others.
        """
        if not names:
            return self.frame if isinstance(self.frame, RawFile | np.ndarray) else self.frame.to_native()
        if isinstance(self.frame, np.ndarray):
            raise ParameterError(
                "columns cannot be dropped from a numpy array, whose columns are known by their places; give a data "
                "frame, or leave the columns out of both arrays"
            )
        kept = [place for place, name in enumerate(self.names) if name not in names]
        if not isinstance(self.frame, RawFile):
            return self.frame[:, kept].to_native()
        raw = tuple(self.frame.columns[place] for place in kept)
        return replace(self.frame, columns=raw, digest=digest_of_columns(raw))

    def check_covered(self, used: Collection[Name], leave: Sequence[Name]) -> None:
        """Refuse a protection that would silently leave columns as they are.

        Raises
        ------
        ColumnError
            If a column to protect, or one named in ``leave``, is not in the file.
        ParameterError
            If a column is both protected and left, or neither.
        """
        if not is_list(leave):
            raise ParameterError("leave must be a list of column names")
        mistaken = [name for name in used if name not in self.names]
        if mistaken:
            raise ColumnError(f"{self.source.name}: there is no column {mistaken[0]!r}; check the name")
        unknown = [name for name in leave if name not in self.names]
        if unknown:
            raise ColumnError(f"leave names columns that are not in the file: {list_names(unknown)}; check the names")
        both = [name for name in leave if name in used]
        if both:
            raise ParameterError(f"columns to protect are also named in leave: {list_names(both)}; choose one for each")
        self.check_mentioned([name for name in self.names if name not in leave], used)

    def check_mentioned(self, names: Iterable[Name], used: Collection[Name]) -> None:
        """Refuse columns that are not to be left and about which nothing is said."""
        neither = [name for name in names if name not in used]
        if neither:
            raise ParameterError(
                f"nothing is said about {list_names(neither)}; protect these columns, or name them in leave (--leave)"
            )

    def check_any(self, used: Collection[Name]) -> None:
        """Refuse a protection of no column at all."""
        if not used:
            raise ParameterError(
                f"{self.source.name}: there is no column to protect; check the kinds in schema (--schema), and "
                "leave (--leave)"
            )

    def told_name(self, name: Name) -> str:
        """Return the name of a column in schemas and results; those of an array are called V1, V2, ..."""
        return f"V{int(name) + 1}" if isinstance(self.frame, np.ndarray) else str(name)

    def raw(self, name: Name) -> RawColumn:
        """Return a column as it was read."""
        if isinstance(self.frame, RawFile):
            return self.frame.column(str(name))
        from linkrisk.data.arrow_column import column_from_arrow  # noqa: PLC0415  (imports pyarrow)
        from linkrisk.data.frames import column_from_python  # noqa: PLC0415  (imports narwhals)

        if isinstance(self.frame, np.ndarray):
            return column_from_python(str(name), self.frame[:, int(name)])
        series = self.frame[:, self.names.index(name)]
        try:
            return column_from_arrow(str(name), series.to_arrow())
        except (TypeError, ValueError, NotImplementedError):  # cells of several types
            cells = np.empty(len(series), dtype=object)
            cells[:] = series.to_list()
            return column_from_python(str(name), cells)

    def _new_array(self, columns: Sequence[Column]) -> NDArray[Any]:
        new = self.frame.astype(np.float64 if self.frame.dtype.kind in "iuf" else object)
        for column in columns:
            place = int(column.name)
            if column.kind is Kind.NUMERIC:
                new[:, place] = column.numbers()
            elif column.kind is Kind.DATE:
                new[:, place] = column.dates(self.frame[:, place])
            elif column.examples is not None:
                new[:, place] = self.frame[column.sources(), place]
            else:
                new = new.astype(object)
                new[:, place] = column.labels()
        return cast("NDArray[Any]", new)

    def _new_series(self, column: Column) -> Any:
        import narwhals as nw  # noqa: PLC0415  (not needed for arrays)

        backend = nw.get_native_namespace(self.frame)
        name = cast("str", column.name)  # pandas also knows columns by numbers, narwhals passes them on
        if column.kind is Kind.DATE:
            return self._new_dates(column)
        if column.kind is not Kind.NUMERIC and column.examples is not None:
            return self.frame[:, self.names.index(name)][column.sources()]
        if column.kind is not Kind.NUMERIC:
            return nw.new_series(name, column.labels().tolist(), nw.String, backend=backend)
        numbers = np.ascontiguousarray(column.numbers())
        if not np.isnan(numbers).any():
            return nw.new_series(name, numbers, backend=backend)
        cells = numbers.astype(object)
        cells[np.isnan(numbers)] = None  # so that polars and pyarrow get a null
        return nw.new_series(name, cells.tolist(), nw.Float64, backend=backend)

    def _new_dates(self, column: Column) -> Any:
        """Return a column of dates with its own type: text, dates or moments."""
        import narwhals as nw  # noqa: PLC0415  (not needed for arrays)

        backend = nw.get_native_namespace(self.frame)
        name = cast("str", column.name)
        old = self.frame[:, self.names.index(column.name)]
        raw = self.raw(column.name)
        cells = column.dates(raw.cells)
        if not raw.holds_dates:
            return nw.new_series(name, cells.tolist(), nw.String, backend=backend)
        if old.dtype in (nw.Date, nw.Datetime):
            moments = [None if moment is None else moment for moment in cells.astype("datetime64[us]").tolist()]
            return nw.new_series(name, moments, nw.Datetime("us"), backend=backend).cast(old.dtype)
        days = cells.astype("datetime64[D]").tolist()  # objects, such as datetime.date in pandas
        return nw.new_series(name, days, backend=backend)


def is_list(value: object) -> bool:
    """Whether a value is a list of things; a text is none, although Python would take it letter by letter."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _open(data: Any) -> tuple[Any, tuple[Name, ...], int]:
    """Return the frame as it is worked on, its names and its number of records."""
    if isinstance(data, RawFile):
        return data, data.column_names, data.n_records
    if isinstance(data, np.ndarray):
        if data.ndim != 2:
            raise ParameterError("an array to protect must have two dimensions: records, attributes")
        return data, tuple(range(data.shape[1])), data.shape[0]
    import narwhals as nw  # noqa: PLC0415  (not needed for arrays)

    try:
        frame = nw.from_native(data, eager_only=True)
    except TypeError:
        raise ParameterError(
            "the data must be a pandas or polars data frame, a pyarrow table, a numpy array, or a file read by "
            "linkrisk, in memory"
        ) from None
    except nw.exceptions.DuplicateError:
        raise ColumnError("two columns have the same name; rename one of them") from None
    names = tuple(frame.columns)
    if len({str(name) for name in names}) < len(names):  # 0 and "0": one name in a file, and one in the draws
        raise ColumnError("two columns have the same name when written as text; rename one of them")
    return frame, names, len(frame)


def _new_raw(column: Column, old: RawColumn) -> RawColumn:
    if column.kind is Kind.NUMERIC:
        return replace(old, cells=column.numbers())
    if column.kind is Kind.DATE:
        return replace(old, cells=column.dates(old.cells))
    if column.examples is not None:
        return replace(old, cells=old.cells[column.sources()])
    order = column.categories if column.kind is Kind.ORDINAL else ()
    return replace(old, cells=column.labels(), declared=column.kind, order=order)
