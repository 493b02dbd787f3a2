"""One column to protect, as numbers: values, or places of categories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import ColumnError
from linkrisk.protection.values.dates import DateSpelling, spelling_of

if TYPE_CHECKING:
    from linkrisk.data.columns import ColumnPair
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.data.schema import AttributeSchema

Name = str | int
"""A column's name; in a numpy array its position, from 0."""

NUMERIC = frozenset({Kind.NUMERIC})
DATES = frozenset({Kind.DATE})
QUANTITIES = frozenset({Kind.NUMERIC, Kind.DATE})
ORDERED = frozenset({Kind.NUMERIC, Kind.DATE, Kind.ORDINAL})
CATEGORICAL = frozenset({Kind.NOMINAL, Kind.ORDINAL})
ALL = QUANTITIES | CATEGORICAL


def list_names(names: Iterable[Name]) -> str:
    """Write names of columns as one text for a reader, in the order given."""
    return ", ".join(str(name) for name in names)


@dataclass(frozen=True, repr=False)
class Column:
    """One attribute to protect.

    Parameters
    ----------
    name, kind
        Which column, and what it holds: numeric, dates, nominal or ordinal.
    values
        The number itself; of a date the days since 1970-01-01; of a nominal or ordinal attribute the place of its
        category in ``categories``, from 0. NaN where missing.
    categories
        Labels: from low to high for an ordinal attribute, in alphabetical order for a nominal one.
    examples
        For each category the first record that holds it, -1 where none does. A protected category is written
        as that record's cell, so a column keeps its type. Empty for labels that no record holds yet.
    unprotected
        What is written where a value is missing: the number that stands for "missing" in the file, or NaN.
    is_declared
        Whether the schema or the file itself says of which kind it is.
    spelling
        How its dates are written.
    codes
        Numbers that stand for "missing": no protected value may be one.
    """

    name: Name
    kind: Kind
    values: FloatArray
    categories: tuple[str, ...] = ()
    examples: IntArray | None = None
    unprotected: FloatArray | None = None
    is_declared: bool = False
    spelling: DateSpelling | None = None
    codes: tuple[float, ...] = ()

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """Which records have no value."""
        return np.asarray(np.isnan(self.values))

    def with_values(self, values: FloatArray) -> Column:
        """Return the column with other values, or other places of the same categories.

        Dates are rounded to what is written of them, so that what is said about the column is true of the release.

        Raises
        ------
        ParameterError
            If dates are beyond the years 1 to 9999, which cannot be written.
        """
        return replace(self, values=values if self.spelling is None else self.spelling.rounded(values, self.name))

    def with_labels(self, values: FloatArray, labels: tuple[str, ...]) -> Column:
        """Return the column with new categories, to be written as text."""
        return replace(self, values=values, categories=labels, examples=None)

    def numbers(self) -> FloatArray:
        """Return the numbers to write: missing ones stay what they were."""
        if self.unprotected is None or not self.is_missing.any():
            return self.values
        return np.where(self.is_missing, self.unprotected, self.values)

    def dates(self, old: NDArray[Any]) -> NDArray[Any]:
        """Return the cells of a column of dates to write, as moments or as text; missing ones stay what they were."""
        assert self.spelling is not None  # noqa: S101  (for the type checker)
        new = self.spelling.moments(self.values) if old.dtype.kind == "M" else self.spelling.texts(self.values)
        return np.where(self.is_missing, old, new)

    def sources(self) -> IntArray:
        """Return for each record the record whose cell is written; where missing, its own."""
        own = np.arange(len(self.values))
        assert self.examples is not None  # noqa: S101  (for the type checker)
        places = np.where(self.is_missing, 0, self.values).astype(np.int64)
        return np.where(self.is_missing, own, self.examples[places])

    def labels(self) -> NDArray[Any]:
        """Return the labels, None where missing."""
        labels = np.array([*self.categories, None], dtype=object)
        return np.asarray(labels[np.where(self.is_missing, len(self.categories), self.values).astype(np.int64)])


def read_column(name: Name, raw: RawColumn, source: RawFile, schema: AttributeSchema, codes: Any) -> Column:
    """Settle the kind of a column as `linkrisk.assess` does, and turn its cells into numbers.

    Raises
    ------
    ColumnError
        If a cell cannot be read as the kind or is infinite, some cells are numbers and others are not and nothing is
        said about the column, or it holds free text or nothing.
    """
    asked = "column", name, source.name, schema.model_dump_json(), tuple(codes)
    if asked not in raw.memo:  # a search asks for each release
        raw.memo[asked] = _read_column(name, raw, source, schema, codes)
    found: Column = raw.memo[asked]
    return found


def _read_column(name: Name, raw: RawColumn, source: RawFile, schema: AttributeSchema, codes: Any) -> Column:
    from linkrisk.data.interpret import Side, interpret_attribute  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.protection.values.quantities import check_not_mixed  # noqa: PLC0415

    check_not_mixed(raw, source, schema, codes)
    side = Side(source, raw)
    pair, _ = interpret_attribute(str(name), side, side, schema, codes, may_be_empty=True)
    column = _make_column(name, raw, source, pair)
    column = replace(column, is_declared=schema.kind is not None or raw.declared is not None)
    if column.kind is Kind.DATE:
        column = replace(column, spelling=spelling_of(raw, schema, codes))
    column = replace(column, codes=pair.attribute.codes)
    if column.is_missing.all():
        raise ColumnError(f"{source.name}: column {name!r} has no value in any row; name it in leave (--leave)")
    return column


def infer_column_kind(name: Name, raw: RawColumn, source: RawFile, schema: AttributeSchema, codes: Any) -> Kind | None:
    """Return the kind of a column, None without any value or with lists.

    Raises
    ------
    ColumnError
        If a cell cannot be read as the kind or is infinite, or some cells are numbers and others are not: such a column
        must not pass for one of another kind.
    """
    from linkrisk.data.interpret import Side, interpret_attribute  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.protection.values.quantities import check_not_mixed  # noqa: PLC0415

    if raw.fault is not None:
        return None
    check_not_mixed(raw, source, schema, codes)
    side = Side(source, raw)
    pair, _ = interpret_attribute(str(name), side, side, schema, codes, may_be_empty=True)
    is_empty = pair.original.dtype.kind == "f" and bool(np.isnan(pair.original).all())
    is_empty |= pair.original.dtype == object and all(label is None for label in pair.original)
    return None if is_empty else pair.attribute.kind


def _make_column(name: Name, raw: RawColumn, source: RawFile, pair: ColumnPair) -> Column:
    kind = pair.attribute.kind
    if kind is Kind.NUMERIC:
        known = raw.cells if raw.holds_numbers else None
        return Column(name, kind, np.asarray(pair.original, dtype=np.float64), unprotected=known)
    if kind is Kind.DATE:
        return Column(name, kind, np.asarray(pair.original, dtype=np.float64))
    if kind not in CATEGORICAL:
        raise ColumnError(
            f"{source.name}: column {name!r} holds free text, for which there is no protection; name it in leave "
            "(--leave) to keep it as it is, leave it out of the file, or declare it nominal in the schema"
        )
    categories = pair.attribute.order or tuple(sorted({label for label in pair.original if label is not None}))
    values = _places(pair.original, categories)
    return Column(name, kind, values, categories, _examples(values, len(categories)))


def _places(labels: Any, categories: tuple[str, ...]) -> FloatArray:
    places: dict[str | None, float] = {label: float(place) for place, label in enumerate(categories)}
    places[None] = np.nan
    return np.fromiter((places[label] for label in labels), dtype=np.float64, count=len(labels))


def _examples(values: FloatArray, n_categories: int) -> IntArray:
    examples = np.full(n_categories, -1, dtype=np.int64)
    known = np.flatnonzero(~np.isnan(values))[::-1]
    examples[values[known].astype(np.int64)] = known  # backwards, so that the first record is written last
    return examples
