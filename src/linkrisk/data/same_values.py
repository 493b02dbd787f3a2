"""Which values of a record and its protected version are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import IntArray
from linkrisk.data.columns import ColumnPair, FilePair


def unchanged_values(column: ColumnPair, own: IntArray) -> NDArray[np.bool_]:
    """Tell for each true pair whether the attribute kept its value; two missing values count as kept."""
    paired = own >= 0
    return same_values(column.original[paired], column.protected[own[paired]])


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
    return np.array([value is None for value in values], dtype=bool)


def unchanged_records(files: FilePair) -> NDArray[np.bool_]:
    """Tell for each true pair whether all quasi-identifiers kept their values."""
    result = np.ones(files.n_pairs, dtype=bool)
    for column in files.columns:
        result &= unchanged_values(column, files.own)
    return result


def n_distinct(values: NDArray[Any]) -> int:
    """Count distinct known values."""
    return len(set(values[~is_missing(values)].tolist()))
