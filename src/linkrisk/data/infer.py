"""What kind of values a column holds, found out from the original file.

The original decides for both files. In order:

1. the kind the file itself declares (value labels, categorical columns, factors, truth values);
2. numbers, when every value is one and none is a code such as "0123", which makes the column nominal;
3. dates, in the spellings of `linkrisk.data.date_cells`;
4. nominal, when there are at most 20 different values, or one for every 20 records; text otherwise.

A column in which at least nine tenths of the values are numbers, and not all of them, is meant as numbers: the rest is
reported as a mistake rather than taken for categories. Half of the values are enough when the protected column holds
only numbers; otherwise, with half of the values, there is a note. `linkrisk.protection` is stricter and refuses any
mixture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.attributes import Kind
from linkrisk.data.date_cells import AMBIGUOUS, find_date_format
from linkrisk.data.number_cells import is_code, parse_numbers
from linkrisk.data.raw_file import RawColumn

_MOST = 0.9
_HALF = 0.5
_FEW_VALUES = 20
_FEW_OF_RECORDS = 0.05


@dataclass(frozen=True)
class InferredKind:
    """The kind of a column, how its dates are written where it holds dates, and what to tell the user."""

    kind: Kind
    date_format: str | None = None
    note: str | None = None


def infer_kind(original: RawColumn, protected: RawColumn) -> InferredKind:
    """Return the kind of a column of the original, used for both files.

    Parameters
    ----------
    original, protected
        The two columns without their missing codes. The protected one is looked at only to tell 03/04/2020
        from 04/03/2020 when the original cannot, and whether it holds only numbers.

    Examples
    --------
    >>> import numpy as np
    >>> region = RawColumn("REGION", np.array(["01", "12", None], dtype=object))
    >>> infer_kind(region, region).kind
    <Kind.NOMINAL: 'nominal'>
    """
    if original.declared is not None:
        return InferredKind(original.declared)
    if original.holds_numbers:
        return InferredKind(Kind.NUMERIC)
    if original.holds_dates:
        return InferredKind(Kind.DATE)
    text = text_array(original.cells)
    n_numbers = _count_numbers(original, text)
    return (
        _infer_numbers(original, protected, text, n_numbers)
        or _infer_dates(original, text, protected)
        or _infer_mixture(original, text, n_numbers)
        or _infer_labels(original)
    )


def _count_numbers(column: RawColumn, text: Any) -> int:
    """Count the cells that are numbers."""
    parsed = parse_numbers(text, decimal_comma=column.decimal_comma)
    return int(len(text) - text.null_count - parsed.is_other.sum())


def _is_all_numbers(column: RawColumn) -> bool:
    if column.holds_numbers:
        return True
    if column.declared is not None or column.holds_dates:
        return False
    text = text_array(column.cells)
    n_present = len(text) - text.null_count
    return 0 < n_present == _count_numbers(column, text) and not is_code(text).any()


def _infer_numbers(column: RawColumn, protected: RawColumn, text: Any, n_numbers: int) -> InferredKind | None:
    n_present = len(text) - text.null_count
    if n_present == 0 or n_numbers < _HALF * n_present:
        return None
    if n_numbers < _MOST * n_present and not _is_all_numbers(protected):
        return None
    if is_code(text).any():
        note = f"{column.name} holds codes with leading zeros or more than 15 digits and is compared as nominal."
        return InferredKind(Kind.NOMINAL, note=note)
    return InferredKind(Kind.NUMERIC)


def _infer_dates(column: RawColumn, text: Any, protected: RawColumn) -> InferredKind | None:
    date_format = find_date_format(text)
    if date_format is None:
        return None
    if date_format == AMBIGUOUS and protected.cells.dtype == object:
        date_format = find_date_format(text_array(protected.cells)) or AMBIGUOUS
    if date_format == AMBIGUOUS:
        kind = _infer_labels(column).kind
        note = (
            f"{column.name} holds dates in which day and month cannot be told apart and is compared as "
            f"{kind}; give its date_format in the schema to compare it as dates."
        )
        return InferredKind(kind, note=note)
    return InferredKind(Kind.DATE, date_format)


def _infer_mixture(column: RawColumn, text: Any, n_numbers: int) -> InferredKind | None:
    """Report a column that may be meant as numbers, because at least half of its values are numbers."""
    n_present = len(text) - text.null_count
    if n_numbers == 0 or n_numbers < _HALF * n_present or is_code(text).any():
        return None
    kind = _infer_labels(column).kind
    note = (
        f"{column.name} has numbers in {n_numbers} of {n_present} cells and text in the others, and is compared as "
        f"{kind}: links by near numbers are missed; correct the cells, list missing codes, or give its kind (schema)."
    )
    return InferredKind(kind, note=note)


def _infer_labels(column: RawColumn) -> InferredKind:
    present = [cell for cell in column.cells if cell is not None]
    n_distinct = len(set(present))
    few = max(_FEW_VALUES, int(np.floor(_FEW_OF_RECORDS * len(column.cells))))
    kind = Kind.NOMINAL if n_distinct <= few else Kind.TEXT
    note = None
    if present and n_distinct > _MOST * len(present) and _has_mostly_digits(present):
        note = (
            f"{column.name} looks like numbers or dates in a spelling that is not read, and is compared as {kind}: "
            "links by it are missed; write plain numbers or ISO dates."
        )
    return InferredKind(kind, note=note)


def _has_mostly_digits(cells: list[str]) -> bool:
    digits = sum(sign.isdigit() for cell in cells for sign in cell)
    return digits > _HALF * sum(len(cell.replace(" ", "")) for cell in cells)
