"""Which values are the same: of a record and its protected version, and of several records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import IntArray
from linkrisk.data.columns import ColumnPair, FilePair


def unchanged_values(column: ColumnPair, own: IntArray) -> NDArray[np.bool_]:
    """Tell for each true pair whether the attribute kept its value; two missing values count as kept."""
    paired = own >= 0
    return same_values(column.original[paired], column.protected[own[paired]])


def share_unchanged(column: ColumnPair, own: IntArray) -> float:
    """Return the share of true pairs that kept their value, among those who had one: a hole cannot be protected.

    NaN where nobody had one.
    """
    had_one = ~is_missing(column.original[own >= 0])
    return float(unchanged_values(column, own)[had_one].mean()) if had_one.any() else float("nan")


def same_values(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.bool_]:
    """Compare two columns of one kind cell by cell; missing equals missing."""
    same = np.asarray(first == second, dtype=bool)
    if first.dtype == np.float64:
        same |= np.isnan(first) & np.isnan(second)
    return same


def is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which cells hold no value: NaN among numbers, None among labels.

    >>> is_missing(np.array(["a", None, "b"], dtype=object)).tolist()
    [False, True, False]
    """
    if values.dtype == np.float64:
        return np.asarray(np.isnan(values))
    return np.fromiter(map(is_, values.tolist(), repeat(None)), dtype=bool, count=len(values))


def numbered_labels(held: list[Any], numbers: Mapping[Any, float]) -> NDArray[np.float64]:
    """Return the number of each label; every label that occurs must have one. Cost: a look into a table for each.

    NaN, which does not equal itself, is found only as the very object that the table was made with.

    >>> numbered_labels(["b", None, "b"], {"b": 1.0, None: -1.0}).tolist()
    [1.0, -1.0, 1.0]
    """
    return np.fromiter(map(numbers.__getitem__, held), dtype=np.float64, count=len(held))


def unchanged_records(files: FilePair) -> NDArray[np.bool_]:
    """Tell for each true pair whether all quasi-identifiers kept their values."""
    result = np.ones(files.n_pairs, dtype=bool)
    for column in files.columns:
        result &= unchanged_values(column, files.own)
    return result


def record_classes(columns: Sequence[NDArray[Any]]) -> IntArray:
    """Return a number for each record, the same for those whose values are equal in all columns.

    Missing values equal each other. Cost: a sort for each column.
    """
    return combination_numbers(np.stack([value_codes(column) for column in columns], axis=1))


def combination_numbers(codes: IntArray) -> IntArray:
    """Return a number for each combination of codes; rows without any column are all alike."""
    numbers = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:  # numbered again each time, which keeps the products small
        numbers = np.unique(numbers * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1].astype(
            np.int64
        )
    return numbers


def value_codes(column: NDArray[Any]) -> IntArray:
    """Return a number for each value of a column, the same for all missing ones."""
    if column.dtype == np.float64:
        return np.unique(column, return_inverse=True)[1].astype(np.int64)
    held = column.tolist()
    places = {value: place for place, value in enumerate(dict.fromkeys(held))}
    return numbered_labels(held, places).astype(np.int64)


def n_distinct(values: NDArray[Any]) -> int:
    """Count distinct known values."""
    return len(set(values[~is_missing(values)].tolist()))
