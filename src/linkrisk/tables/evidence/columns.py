"""Columns of samples and tables: categories, each by its place among the categories that occur, and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from linkrisk.arrays import IntArray
from linkrisk.data.labels import labels_of
from linkrisk.data.raw_file import RawFile
from linkrisk.engine import interrupt
from linkrisk.errors import ColumnError, FileError
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.publication import TableDescription


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of categories: the categories that occur, and for each row the place of its category among them."""

    labels: tuple[str, ...]
    places: IntArray


Labels = dict[str, CodedColumn]


def read_labels(name: str, table: RawFile, apart: Sequence[str]) -> Labels:
    """Return the categories of every column except those named in ``apart``; raise where one is missing."""
    result: Labels = {}
    for column in table.columns:
        interrupt.check()
        if column.name in apart:
            continue
        if column.fault is not None:
            raise ColumnError(f"{name}: column {column.name!r} {column.fault}; leave it out of the file")
        places, distinct = pd.factorize(column.cells)
        missing = np.flatnonzero(places < 0)
        if missing.size:
            raise ColumnError(
                f"{name}: column {column.name!r} has a missing value in row {table.row(int(missing[0]))}; give it a "
                "category of its own, or take the record out"
            )
        labels = labels_of(replace(column, cells=distinct))
        result[column.name] = CodedColumn(tuple(labels.tolist()), places.astype(np.int64))
    if not result:
        raise FileError(f"{name} has no attributes; give one column per attribute")
    return result


def make_domain(columns: Sequence[Labels]) -> Domain:
    """Return the categories of all files together."""
    categories: dict[str, set[str]] = {}
    for labels in columns:
        for name, values in labels.items():
            categories.setdefault(name, set()).update(values.labels)
    return Domain({name: tuple(sorted(values)) for name, values in categories.items()})


def places_of(labels: Labels, domain: Domain) -> IntArray:
    """Return for each row the places of its categories in a domain, one column per attribute."""
    columns = []
    for name, values in labels.items():
        place = {label: code for code, label in enumerate(domain.categories[name])}
        columns.append(np.array([place[label] for label in values.labels], dtype=np.int64)[values.places])
    return np.column_stack(columns)


@dataclass(frozen=True, eq=False)
class Counts:
    """The counts of a table (-1 where suppressed), and the interval of each."""

    counts: IntArray
    low: IntArray
    high: IntArray

    @classmethod
    def read(cls, name: str, table: RawFile, described: TableDescription) -> Counts:
        """Return the counts of a table as its description says; raise where one is not a whole number."""
        if described.mechanism != "suppressed":
            counts = _whole(name, table, described.count)
            return cls(counts, counts, counts)
        low, high = (_whole(name, table, column) for column in (described.low, described.high))
        wrong = np.flatnonzero(low > high)
        if wrong.size:
            raise ColumnError(
                f"{name}: the interval in row {table.row(int(wrong[0]))} ends before it begins; correct it"
            )
        return cls(np.where(low == high, low, -1), low, high)


def _whole(name: str, table: RawFile, column: str) -> IntArray:
    if column not in table.column_names:
        raise ColumnError(f"{name} has no column {column!r}; name the column with the counts (count = ...)")
    raw = table.column(column)
    if not raw.holds_numbers:
        raise ColumnError(f"{name}: column {column!r} does not hold numbers; counts are whole numbers of 0 or more")
    values = raw.cells
    wrong = np.flatnonzero(~np.isfinite(values) | (values < 0) | (values != np.round(values)) | (values > 2.0**53))
    if wrong.size:
        raise ColumnError(
            f"{name}: column {column!r} does not have a whole number of 0 or more in row {table.row(int(wrong[0]))}; "
            "correct this count"
        )
    return values.astype(np.int64)
