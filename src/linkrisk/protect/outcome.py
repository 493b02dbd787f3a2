"""What came of a protection, cell by cell: columns that did not change, and values that became codes for missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkrisk.errors import ParameterError

if TYPE_CHECKING:
    from linkrisk.data.schema import Schema
    from linkrisk.data.table import RawColumn, Table


def unchanged_columns(original: Table, protected: Table, names: Iterable[str]) -> list[str]:
    """Return the columns in which every record still has its own value.

    Examples
    --------
    >>> from linkrisk.data.table import RawColumn, Table
    >>> original = Table("f", (RawColumn("A", np.array([1.0, 2.0])), RawColumn("B", np.ones(2))), 2, "")
    >>> protected = Table("f", (RawColumn("A", np.array([1.0, 3.0])), RawColumn("B", np.ones(2))), 2, "")
    >>> unchanged_columns(original, protected, ["A", "B"])
    ['B']
    """
    return [name for name in names if _is_unchanged(original, protected, name)]


def check_codes(original: Table, protected: Table, names: Iterable[str], schema: Schema) -> None:
    """Refuse a protected value that is a code for missing: whoever reads the file would lose it.

    Raises
    ------
    ParameterError
        Naming the file, the column and the first such row.
    """
    from linkrisk.data.missing import without_codes  # noqa: PLC0415  (imports pyarrow)

    for name in names:
        codes = (*schema.missing, *schema.attribute(name).missing)
        was_missing, is_missing = (
            without_codes(table.column(name), codes).is_missing for table in (original, protected)
        )
        lost = np.flatnonzero(is_missing & ~was_missing)
        if lost.size:
            row = original.row(int(lost[0]))
            raise ParameterError(
                f"{original.name}: the protected value of column {name!r} in row {row} would be a code for missing; "
                "choose other parameters, or another code in the file."
            )


def _is_unchanged(original: Table, protected: Table, name: str) -> bool:
    before, after = original.column(name), protected.column(name)
    if after.holds_numbers:
        return bool(np.array_equal(_numbers(before), after.cells, equal_nan=True))
    return bool(np.array_equal(before.cells, after.cells))


def _numbers(column: RawColumn) -> NDArray[np.float64]:
    """Return the cells as numbers; a column that also holds words for missing was read as text."""
    if column.holds_numbers:
        return column.cells
    from linkrisk.data.number_cells import parse_numbers, text_array  # noqa: PLC0415  (imports pyarrow)

    return parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma).values
