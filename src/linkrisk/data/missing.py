"""Missing-value codes: 99, -9, "refused" and the like become missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.labels import label_of_text, labels_of
from linkrisk.data.number_cells import is_code, parse_numbers
from linkrisk.data.raw_file import RawColumn


def without_codes(column: RawColumn, codes: Sequence[str]) -> RawColumn:
    """Return the column with the cells that hold one of the codes made missing.

    Codes are compared as labels and, where both are numbers, as numbers: "99" is found in 99.0 and "99.00",
    but not in the code "099".

    Examples
    --------
    >>> import numpy as np
    >>> without_codes(RawColumn("AGE", np.array([31.0, 99.0])), ["99"]).cells
    array([31., nan])
    """
    if not codes:
        return column
    if column.holds_numbers:
        found = np.isin(column.cells, numbers_among(codes))
        return replace(column, cells=np.where(found, np.nan, column.cells)) if found.any() else column
    labels = labels_of(column)
    found = np.isin(labels, [label_of_text(code) for code in codes])
    if column.holds_dates:
        return replace(column, cells=np.where(found, np.datetime64("NaT", "us"), column.cells))
    found |= _is_one_of_numbers(column, numbers_among(codes))
    cells = column.cells.copy()
    cells[found] = None
    return replace(column, cells=cells)


def numbers_among(codes: Sequence[str]) -> NDArray[np.float64]:
    """Return those codes that are numbers."""
    numbers = parse_numbers(text_array(np.array(codes, dtype=object))).values
    return numbers[~np.isnan(numbers)]


def _is_one_of_numbers(column: RawColumn, numbers: NDArray[np.float64]) -> NDArray[Any]:
    if len(numbers) == 0:
        return np.zeros(len(column.cells), dtype=np.bool_)
    text = text_array(column.cells)
    values = parse_numbers(text, decimal_comma=column.decimal_comma).values
    return np.isin(values, numbers) & ~is_code(text)
