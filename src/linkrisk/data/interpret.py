"""One attribute in both files: its kind settled, its cells turned into what the comparison sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, LabelArray
from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair
from linkrisk.data.date_cells import AMBIGUOUS, days_of, find_date_format, parse_dates
from linkrisk.data.doubts import doubt_about_categories, doubt_about_codes
from linkrisk.data.infer import infer_kind
from linkrisk.data.labels import labels_of
from linkrisk.data.missing import numbers_among, without_codes
from linkrisk.data.number_cells import parse_numbers
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.data.schema import AttributeSchema
from linkrisk.errors import ColumnError, SettingsError

LONGEST_TEXT = 1000
"""Characters of the longest text that is compared with others."""

_CELL_REMEDY = "correct the cell, list it as a missing code, or declare the attribute nominal in the schema"


@dataclass(frozen=True)
class Side:
    """One column in its file: what a message needs to name a cell without quoting it."""

    table: RawFile
    column: RawColumn

    def fail(self, is_wrong: NDArray[np.bool_], fault: str, remedy: str) -> NoReturn:
        """Raise a `ColumnError` that names the first wrong cell."""
        records = np.flatnonzero(is_wrong)
        more = f" (and in {len(records) - 1} more)" if len(records) > 1 else ""
        row = self.table.row(int(records[0]))
        raise ColumnError(f"{self.table.name}: column {self.column.name!r} has {fault} in row {row}{more}; {remedy}")


def interpret_attribute(
    name: str,
    original: Side,
    protected: Side,
    schema: AttributeSchema,
    codes: tuple[str, ...],
    *,
    may_be_empty: bool = False,
) -> tuple[ColumnPair, tuple[str, ...]]:
    """Settle the kind of an attribute and turn both columns into values of that kind.

    Parameters
    ----------
    name
        Name of the attribute.
    original, protected
        The columns as read.
    schema
        What the user said about the attribute.
    codes
        Missing-value codes that hold for all attributes.
    may_be_empty
        Whether a column without any value is accepted.

    Returns
    -------
    pair, notes
        The attribute in both files, and sentences to tell the user.

    Raises
    ------
    ColumnError
        Naming file, column and row, when a cell cannot be read as the kind, is infinite, or a column is
        empty.
    SettingsError
        When an ordinal attribute has no order.
    """
    sides = [_without_missing(side, (*codes, *schema.missing), may_be_empty) for side in (original, protected)]
    leading = sides[0] if not sides[0].column.is_missing.all() else sides[1]
    inferred = infer_kind(leading.column, sides[1].column)
    kind = schema.kind or inferred.kind
    order: tuple[str, ...] = ()
    if kind is Kind.NUMERIC:
        values: list[Any] = [_as_numbers(side) for side in sides]
    elif kind is Kind.DATE:
        given = (schema.date_format, schema.protected_date_format)
        other = schema.date_format or inferred.date_format
        values = [_as_days(side, said, other) for side, said in zip(sides, given, strict=True)]
    else:
        values = [labels_of(side.column) for side in sides]
    if kind is Kind.TEXT:
        for side, labels in zip(sides, values, strict=True):
            _check_lengths(side, labels)
    if kind is Kind.ORDINAL:
        order = _settle_order(name, schema.order or leading.column.order, values)
        for side, labels in zip(sides, values, strict=True):
            _check_within(side, labels, order)
    attribute = _make_attribute(name, kind, order, protected, schema)
    if kind is Kind.NUMERIC:
        attribute = replace(attribute, codes=tuple(numbers_among((*codes, *schema.missing)).tolist()))
    pair = ColumnPair(attribute, values[0], values[1])
    notes = [inferred.note] if inferred.note is not None and schema.kind is None else []
    for side in {id(side.column.cells): side for side in (original, protected)}.values():
        notes += doubt_about_codes(side.table.name, side.column, codes)
    if kind is Kind.NOMINAL:
        notes += doubt_about_categories(name, values[0], values[1])
    return pair, tuple(notes)


def _make_attribute(
    name: str, kind: Kind, order: tuple[str, ...], protected: Side, schema: AttributeSchema
) -> Attribute:
    other_name = protected.column.name
    return Attribute(
        name,
        kind,
        schema.role,
        protected_name=None if other_name == name else other_name,
        order=order,
        missing_one=schema.missing_one,
        missing_both=schema.missing_both,
        inclusive=schema.inclusive,
    )


def _without_missing(side: Side, codes: tuple[str, ...], may_be_empty: bool) -> Side:
    column = side.column
    remedy = "leave it out of the attributes or give it the role ignored in the schema"
    if column.fault is not None:
        raise ColumnError(f"{side.table.name}: column {column.name!r} {column.fault}; {remedy}")
    column = without_codes(column, codes)
    if not may_be_empty and column.is_missing.all():
        raise ColumnError(f"{side.table.name}: column {column.name!r} has no value in any row; {remedy}")
    return replace(side, column=column)


def _as_numbers(side: Side) -> FloatArray:
    column = side.column
    if column.holds_dates:
        return days_of(column.cells)
    if column.holds_numbers:
        numbers: FloatArray = column.cells
    else:
        parsed = parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma)
        if parsed.is_other.any():
            side.fail(parsed.is_other, "text in a numeric column", _CELL_REMEDY)
        numbers = parsed.values
    is_infinite = np.isinf(numbers)
    if is_infinite.any():
        side.fail(is_infinite, "an infinite value", "correct the cell or list it as a missing code")
    return numbers


def _as_days(side: Side, given: str | None, other: str | None) -> FloatArray:
    """Return the days of a column: in the format given for it, in the other file's, or in its own.

    The other's gives way to one that fits where it does not fit most cells; the format given for this very file never.
    """
    column = side.column
    if column.holds_dates:
        return days_of(column.cells)
    text = text_array(labels_of(column))
    own = find_date_format(text)
    date_format = given or other or own
    if given is None and date_format != own and own not in (None, AMBIGUOUS) and date_format is not None:
        n_known = len(text) - text.null_count
        date_format = own if parse_dates(text, date_format).is_other.sum() > n_known / 2 else date_format
    if date_format is None or date_format == AMBIGUOUS:
        raise ColumnError(
            f"{side.table.name}: column {column.name!r} holds no dates that can be read without knowing how "
            'they are written; give its date_format in the schema, such as "%d/%m/%Y"'
        )
    parsed = parse_dates(text, date_format)
    if parsed.is_other.any():
        side.fail(parsed.is_other, "something else than a date of its format", _CELL_REMEDY)
    return parsed.days


def _settle_order(name: str, order: tuple[str, ...], values: list[LabelArray]) -> tuple[str, ...]:
    """Return the order given, or that of the numbers when all labels are numbers."""
    if order:
        return order
    labels = np.array(sorted({label for side in values for label in side if label is not None}), dtype=object)
    numbers = parse_numbers(text_array(labels))
    if numbers.is_other.any():
        raise SettingsError(
            f"Attribute {name!r} is ordinal and its categories are not all numbers; give their order in the "
            "schema, from low to high"
        )
    return tuple(labels[np.argsort(numbers.values, kind="stable")])


def _check_lengths(side: Side, labels: LabelArray) -> None:
    """Refuse texts that are no names: comparing two takes time that grows with both lengths."""
    is_long = np.array([label is not None and len(label) > LONGEST_TEXT for label in labels], dtype=np.bool_)
    if is_long.any():
        side.fail(
            is_long,
            f"a text of more than {LONGEST_TEXT:,} characters",
            "leave the column out of the attributes, or give it the role ignored in the schema",
        )


def _check_within(side: Side, labels: LabelArray, order: tuple[str, ...]) -> None:
    known = {None, *order}
    is_outside = np.array([label not in known for label in labels], dtype=np.bool_)
    if is_outside.any():
        side.fail(
            is_outside,
            "a category that the order does not name",
            "add the category to the order in the schema, correct the cell, or list it as a missing code",
        )
