"""What came of a protection, cell by cell: columns that did not change, and values that became codes for missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkrisk.data.attributes import Kind
from linkrisk.errors import MissingCodeError

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.protection.columns import Column


def is_unchanged(before: RawColumn, after: RawColumn) -> bool:
    """Whether every record still has its own value.

    Examples
    --------
    >>> from linkrisk.data.raw_file import RawColumn
    >>> text = RawColumn("A", np.array(["1,5"], dtype=object), decimal_comma=True)
    >>> is_unchanged(text, RawColumn("A", np.array([1.5])))
    True
    """
    if after.holds_numbers:
        return bool(np.array_equal(numbers_of(before), after.cells, equal_nan=True))
    return bool(np.array_equal(before.cells, after.cells))


@dataclass(frozen=True)
class ColumnOutcome:
    """What was done to one column of the original, in the words of a plan, and the share of its values that changed.

    The share is None for a column that is not released.
    """

    column: str
    done: str
    share_changed: float | None = None


def share_changed(before: RawColumn, after: RawColumn) -> float:
    """Return the share of the records whose cell became another, among those that had a value.

    Examples
    --------
    >>> from linkrisk.data.raw_file import RawColumn
    >>> ages = RawColumn("age", np.array([31.0, 40.0, np.nan]))
    >>> share_changed(ages, RawColumn("age", np.array([31.0, 42.0, np.nan])))
    0.5
    """
    if after.holds_numbers:
        old, new = numbers_of(before), after.cells
        differs = (old != new) & ~(np.isnan(old) & np.isnan(new))
    else:
        old, new = (before.cells, after.cells)
        is_number_before = before.holds_numbers and not after.holds_numbers
        differs = np.ones(len(new), dtype=np.bool_) if is_number_before else np.asarray(old != new, dtype=np.bool_)
    n_known = int((~before.is_missing).sum())
    return float((differs & ~before.is_missing).sum()) / n_known if n_known else 0.0


def check_codes(column: Column, codes: Sequence[str], source: RawFile) -> None:
    """Refuse a protected value that is a code for missing: whoever reads the file would lose it.

    Raises
    ------
    MissingCodeError
        If there is one; the message names the file, the column and the first such row.

    Examples
    --------
    >>> from linkrisk.data.attributes import Kind
    >>> from linkrisk.data.raw_file import RawFile
    >>> from linkrisk.protection.columns import Column
    >>> source = RawFile("f.csv", (), 2, "", first_row=2)
    >>> check_codes(Column("age", Kind.NUMERIC, np.array([31.0, 99.0])), ["99"], source)
    Traceback (most recent call last):
    linkrisk.errors.MissingCodeError: f.csv: the protected value of column 'age' in row 3 would be a code for missing...
    """
    from linkrisk.data.missing import without_codes  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.data.raw_file import RawColumn  # noqa: PLC0415

    is_numeric = column.kind is Kind.NUMERIC
    if not codes or (not is_numeric and column.examples is not None):  # cells of the file itself, which are no codes
        return
    protected = RawColumn(str(column.name), column.values if is_numeric else column.labels())
    lost = np.flatnonzero(without_codes(protected, codes).is_missing & ~column.is_missing)
    if lost.size:
        raise MissingCodeError(
            f"{source.name}: the protected value of column {column.name!r} in row {source.row(int(lost[0]))} would be "
            "a code for missing; choose other parameters, or another code in the file"
        )


def numbers_of(column: RawColumn) -> NDArray[np.float64]:
    """Return the cells as numbers; a column that also holds words for missing was read as text."""
    if column.holds_numbers:
        return column.cells
    from linkrisk.data.number_cells import parse_numbers, text_array  # noqa: PLC0415  (imports pyarrow)

    return parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma).values
