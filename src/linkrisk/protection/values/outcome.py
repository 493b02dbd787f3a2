"""What came of a protection, cell by cell: columns that did not change, and values that became codes for missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.data.attributes import Kind
from linkrisk.errors import MissingCodeError

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.protection.values.columns import Column, Name


@dataclass(frozen=True)
class ColumnOutcome:
    """What was done to one column of the original, in the words of a plan, and the share of its values that changed.

    The share is None for a column that is not released.
    """

    column: str
    done: str
    share_changed: float | None = None


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
    >>> from linkrisk.protection.values.columns import Column
    >>> source = RawFile("f.csv", (), 2, "", first_row=2)
    >>> check_codes(Column("age", Kind.NUMERIC, np.array([31.0, 99.0])), ["99"], source)
    Traceback (most recent call last):
    linkrisk.errors.MissingCodeError: f.csv: the protected value of column 'age' in row 3 would be a code for missing...
    """
    from linkrisk.data.missing import without_codes  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.data.raw_file import RawColumn  # noqa: PLC0415

    if not codes or column.examples is not None:  # cells of the file itself are no codes
        return
    protected = RawColumn(str(column.name), _released(column))
    lost = np.flatnonzero(without_codes(protected, codes).is_missing & ~column.is_missing)
    if lost.size:
        raise MissingCodeError(
            f"{source.name}: the protected value of column {column.name!r} in row {source.row(int(lost[0]))} would be "
            "a code for missing; choose other parameters, or another code in the file"
        )


def _released(column: Column) -> NDArray[Any]:
    """Return the values as they are released, without those that are missing."""
    if column.spelling is not None:
        is_text = column.spelling.date_format is not None
        return column.spelling.texts(column.values) if is_text else column.spelling.moments(column.values)
    return column.values if column.kind is Kind.NUMERIC else column.labels()


def shares_changed(before: Sequence[Column], after: Sequence[Column]) -> dict[Name, float]:
    """Return by column the share of its known values that are no longer what they were; made missing counts, too.

    >>> from linkrisk.data.attributes import Kind
    >>> from linkrisk.protection.values.columns import Column
    >>> age = Column("age", Kind.NUMERIC, np.array([31.0, 31.0, 52.0, np.nan]))
    >>> shares_changed([age], [age.with_values(np.array([31.0, 52.0, 31.0, np.nan]))])
    {'age': 0.6666666666666666}
    """
    return {old.name: _share_changed(old, new) for old, new in zip(before, after, strict=True)}


def _share_changed(before: Column, after: Column) -> float:
    known = ~before.is_missing
    if before.categories == after.categories:
        is_changed = before.values[known] != after.values[known]
    else:
        is_changed = before.labels()[known] != after.labels()[known]
    return float(np.mean(is_changed)) if known.any() else 0.0


def numbers_of(column: RawColumn) -> NDArray[np.float64]:
    """Return the cells as numbers; a column that also holds words for missing was read as text."""
    if column.holds_numbers:
        return column.cells
    from linkrisk.data.arrow_arrays import text_array  # noqa: PLC0415  (imports pyarrow)
    from linkrisk.data.number_cells import parse_numbers  # noqa: PLC0415  (imports pyarrow)

    return parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma).values
