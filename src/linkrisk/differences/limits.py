"""How large and how small scaled numbers may be, so that nothing made of them overflows or underflows."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.scale import Scale
from linkrisk.errors import ColumnError

LEAST_SCALED, LARGEST_SCALED = 1e-60, 1e75
"""Limits of a scaled value other than 0. Differences are then 0 or between 2^-253 and 2^251 in size, their squares
between 2^-506 and 2^502, and squares of squares neither underflow nor overflow."""


def refuse_largest(column: ColumnPair, files: FilePair) -> NoReturn:
    """Raise a `ColumnError` that names the largest values of a column: its deviation is no finite float."""
    largest = [np.nanmax(np.abs(values), initial=0.0) for values in (column.original, column.protected)]
    side = int(largest[1] > largest[0])
    is_largest = np.abs((column.original, column.protected)[side]) == largest[side]
    _refuse(is_largest, column, files, side, "a value too large for a standard deviation", "choose a larger unit")


def check_scaled(scaled: tuple[FloatArray, FloatArray], column: ColumnPair, files: FilePair, scale: Scale) -> None:
    """Raise a `ColumnError` where a known value is not within the limits on this scale.

    *Guarantee* (docs/mathematics.md#sizes): what passes is 0 or within the limits, and missing just where the file's
    value is.
    """
    for side, (values, raw) in enumerate(zip(scaled, (column.original, column.protected), strict=True)):
        size = np.abs(values)
        is_known = ~np.isnan(raw)
        too_far = f"a value too far from the mean to be compared on scale {scale}"
        _refuse_any(
            is_known & ~(size <= LARGEST_SCALED),
            column,
            files,
            side,
            too_far,
            "check its unit, or leave out that scale",
        )
        too_near = f"a value too near to the mean, and not equal to it, to be compared on scale {scale}"
        is_near = is_known & (size > 0.0) & (size < LEAST_SCALED)
        _refuse_any(is_near, column, files, side, too_near, "round the column, or leave out that scale")


def _refuse_any(
    is_wrong: NDArray[np.bool_], column: ColumnPair, files: FilePair, side: int, fault: str, remedy: str
) -> None:
    """Raise a `ColumnError` if a value is wrong."""
    if is_wrong.any():
        _refuse(is_wrong, column, files, side, fault, remedy)


def _refuse(
    is_wrong: NDArray[np.bool_], column: ColumnPair, files: FilePair, side: int, fault: str, remedy: str
) -> NoReturn:
    """Raise a `ColumnError` that names the first wrong value."""
    records = np.flatnonzero(is_wrong)
    attribute = column.attribute
    name = (attribute.name, attribute.protected_name or attribute.name)[side]
    more = f" (and in {len(records) - 1} more)" if len(records) > 1 else ""
    row = int(records[0]) + files.first_rows[side]
    file = (files.original_name, files.protected_name)[side]
    raise ColumnError(f"{file}: column {name!r} has {fault} in row {row}{more}; {remedy}")
