"""Two files in, one `FilePair` out: read, checked, and paired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.counterparts import (
    NO_COUNTERPART,
    Ids,
    make_ids,
    open_pairs,
    pair_by_id,
    pair_by_list,
    pair_by_order,
)
from linkrisk.data.interpret import Side, interpret_attribute
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading, ReadingKeywords
from linkrisk.data.schema import Schema
from linkrisk.data.selection import Selection, select_columns
from linkrisk.engine import interrupt
from linkrisk.errors import FileError
from linkrisk.options import takes


@takes(Reading)
def pair_files(
    original: Any, protected: Any, *, reading: Reading | None = None, **options: Unpack[ReadingKeywords]
) -> FilePair:
    """Read two files, settle what their columns mean, and pair their records.

    Parameters
    ----------
    original, protected
        A path (CSV, Parquet, SPSS, Stata, SAS, R), a pandas, polars or pyarrow frame or any other that
        narwhals knows, a numpy array, or a `RawFile`.
    @options
    reading
        All these options at once, in place of single ones.

    Returns
    -------
    FilePair
        Everything later steps need of the data.

    Raises
    ------
    InputError
        One sentence that names file, column, row and remedy, and no cell.

    Examples
    --------
    >>> import numpy as np
    >>> pair = pair_files(np.array([[1, 5], [2, 7]]), np.array([[1, 6], [3, 7]]))
    >>> [attribute.name for attribute in pair.attributes], pair.own
    (['V1', 'V2'], array([0, 1]))
    """
    asked = Reading.of(options, reading)
    schema = asked.full_schema()
    codes = schema.missing
    tables = _open_both(original, protected, asked.delimiter)
    selection = select_columns(
        *tables, attributes=asked.attributes, schema=schema, renamed=asked.renamed or {}, id_name=asked.id
    )
    ids = _ids(tables, selection)
    own = _counterparts(tables, ids, asked.pairs, asked.delimiter)
    columns, notes = _interpret(tables, selection.linking, schema, codes)
    confidential, more_notes = _interpret(tables, selection.confidential, schema, codes, may_be_empty=True)
    return FilePair(
        columns=columns,
        own=own,
        n_original=tables[0].n_records,
        n_protected=tables[1].n_records,
        original_name=tables[0].name,
        protected_name=tables[1].name,
        original_digest=tables[0].digest,
        protected_digest=tables[1].digest,
        confidential=confidential,
        identifiers_released=selection.identifiers_released,
        record_ids=None if ids is None else ids[0].labels,
        notes=(
            *tables[0].notes,
            *tables[1].notes,
            *selection.notes,
            *_notes_on_counterparts(tables, own),
            *notes,
            *more_notes,
            *_notes_on_constants(tables, columns),
        ),
        id_column=None if selection.id is None else selection.id[1],
        paired_by="list of pairs" if asked.pairs is not None else ("row order" if ids is None else "id"),
        frame_kind=tables[0].frame_kind,
        first_rows=(tables[0].first_row, tables[1].first_row),
        not_known=selection.not_known,
    )


def _open_both(original: Any, protected: Any, delimiter: str | None) -> tuple[RawFile, RawFile]:
    first = open_file(original, "original", delimiter=delimiter)
    second = open_file(protected, "protected", delimiter=delimiter)
    for table in (first, second):
        if table.n_records < 2:
            raise FileError(f"{table.name} has only one record; at least two are needed to link anything")
    if first.name == second.name:  # two folders, one file name: messages must tell them apart
        first = replace(first, name=f"{first.name} (original)")
        second = replace(second, name=f"{second.name} (protected)")
    return first, second


def _ids(tables: tuple[RawFile, RawFile], selection: Selection) -> tuple[Ids, Ids] | None:
    if selection.id is None:
        return None
    first, second = (make_ids(table, table.column(name)) for table, name in zip(tables, selection.id, strict=True))
    return first, second


def _counterparts(
    tables: tuple[RawFile, RawFile], ids: tuple[Ids, Ids] | None, pairs: Any, delimiter: str | None
) -> IntArray:
    if pairs is not None:
        return pair_by_list(open_pairs(pairs, delimiter=delimiter), *(ids or tables))
    return pair_by_order(*tables) if ids is None else pair_by_id(*ids)


def _interpret(
    tables: tuple[RawFile, RawFile],
    names: tuple[tuple[str, str], ...],
    schema: Schema,
    codes: tuple[str, ...],
    *,
    may_be_empty: bool = False,
) -> tuple[tuple[ColumnPair, ...], tuple[str, ...]]:
    original, protected = tables
    columns: list[ColumnPair] = []
    notes: list[str] = []
    for name, protected_name in names:
        interrupt.check()  # reading imports much, and imports swallow a Ctrl-C
        pair, more = interpret_attribute(
            name,
            Side(original, _column_or_empty(original, name)),
            Side(protected, protected.column(protected_name)),
            schema.attribute(name),
            codes,
            may_be_empty=may_be_empty,
        )
        columns.append(pair)
        notes.extend(more)
    return tuple(columns), tuple(notes)


def _column_or_empty(table: RawFile, name: str) -> RawColumn:
    """Return a column; all missing where the file lacks it, for a confidential one may be in the other file only."""
    if name in table.column_names:
        return table.column(name)
    return RawColumn(name, np.full(table.n_records, None, dtype=object))


def _notes_on_counterparts(tables: tuple[RawFile, RawFile], own: IntArray) -> tuple[str, ...]:
    original, protected = tables
    has_counterpart = own != NO_COUNTERPART
    n_found = int(has_counterpart.sum())
    sides = ((original, protected, original.n_records), (protected, original, protected.n_records))
    return tuple(
        f"{n_records - n_found:,} of {n_records:,} records of {table.name} have no counterpart in {other.name}."
        for table, other, n_records in sides
        if n_found < n_records
    )


def _notes_on_constants(tables: tuple[RawFile, RawFile], columns: tuple[ColumnPair, ...]) -> tuple[str, ...]:
    notes = []
    for column in columns:
        sides = zip(tables, (column.original, column.protected), strict=True)
        constant = [table.name for table, values in sides if _is_constant(values)]
        if constant:
            files = " and of ".join(constant)
            notes.append(
                f"{column.attribute.name} has the same value in every record of {files}; it is used, but "
                "carries no information."
            )
    return tuple(notes)


def _is_constant(values: Any) -> bool:
    if values.dtype == object:
        present = [value for value in values if value is not None]
        return all(value == present[0] for value in present)
    numbers = values[~np.isnan(values)]
    return bool((numbers == numbers[0]).all()) if len(numbers) else True
