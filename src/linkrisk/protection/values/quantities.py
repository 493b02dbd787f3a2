"""Columns that hold numbers, or may: one mistake in a cell must not release a whole column unprotected.

A column of text is taken for categories. Two things follow, and neither may happen in silence:

1. A method for categories would protect it as categories. So a column *in which some cells are numbers and others
   are not* is refused by every method, however few there are of either (`check_not_mixed`).
2. A method for numbers would skip it. So protect and tune leave no *quantity* as it is unless told to
   (`quantity_of`): neither numbers and dates, nor text with a digit in any cell, such as 0123 (a code, or an age with
   zeros before it), $ 1,200, 25 years, <39, May 1966. What holds no digit at all, words and categories, is left and
   listed.

The user settles both: in ``leave``, or by the kind in the schema; a kind that the file itself declares (value labels,
categorical columns, factors, truth values) counts as given. There is no share of numbers below which a column is safe:
a question that few people were asked has a number in few cells, and these few people stand out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.attributes import Kind
from linkrisk.data.interpret import Side
from linkrisk.data.missing import without_codes
from linkrisk.data.number_cells import matches, parse_numbers

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.data.schema import AttributeSchema

_REMEDY = (
    "correct the cell, list it as a missing code, declare the column nominal in the schema, or name it in leave "
    "(--leave) to release it as it is"
)

_DIGIT = r"\p{N}"  # of any script


def check_not_mixed(raw: RawColumn, source: RawFile, schema: AttributeSchema, codes: tuple[str, ...]) -> None:
    """Refuse a column of no declared kind in which some cells are numbers and others are not.

    Raises
    ------
    ColumnError
        If there is one; the message names the file, the column and the row of the first cell that is unlike most.

    Examples
    --------
    >>> import numpy as np
    >>> from linkrisk.data.schema import AttributeSchema
    >>> from linkrisk.data.raw_file import RawColumn, RawFile
    >>> ages = RawColumn("age", np.array(["31", "4o", "52"], dtype=object))
    >>> check_not_mixed(ages, RawFile("people.csv", (ages,), 3, "", first_row=2), AttributeSchema(), ())
    Traceback (most recent call last):
    linkrisk.errors.ColumnError: people.csv: column 'age' has text among numbers in row 3; correct the cell, ...
    """
    if schema.kind is not None or not _is_plain_text(raw):
        return
    column = without_codes(raw, (*codes, *schema.missing))
    is_text = parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma).is_other
    is_number = ~is_text & ~column.is_missing
    if not (is_text.any() and is_number.any()):
        return
    if is_text.sum() <= is_number.sum():
        Side(source, raw).fail(is_text, "text among numbers", _REMEDY)
    Side(source, raw).fail(is_number, "a number among text", _REMEDY)


def quantity_of(kind: Kind | None, raw: RawColumn, schema: AttributeSchema, codes: tuple[str, ...]) -> str | None:
    """Return why a column is not left as it is unless the user says so; None if it may be left.

    Parameters
    ----------
    kind
        What it was taken for, None for a column without any value.
    raw, schema, codes
        The column, what the schema says of it, and the missing codes of the whole file.

    Examples
    --------
    >>> import numpy as np
    >>> from linkrisk.data.schema import AttributeSchema
    >>> from linkrisk.data.raw_file import RawColumn
    >>> ages = RawColumn("age", np.array(["07", "31"], dtype=object))
    >>> quantity_of(Kind.NOMINAL, ages, AttributeSchema(), ())
    'text with digits'
    >>> quantity_of(Kind.NOMINAL, ages, AttributeSchema(kind=Kind.NOMINAL), ()) is None
    True
    """
    if raw.fault is not None:
        return "of a type that is not read"
    if kind in (Kind.NUMERIC, Kind.DATE):
        return str(kind)
    if kind is None or schema.kind is not None or not _is_plain_text(raw):
        return None
    column = without_codes(raw, (*codes, *schema.missing))
    return "text with digits" if matches(text_array(column.cells), _DIGIT).any() else None


def _is_plain_text(raw: RawColumn) -> bool:
    return raw.fault is None and raw.declared is None and not raw.holds_numbers and not raw.holds_dates
