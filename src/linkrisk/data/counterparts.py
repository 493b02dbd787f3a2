"""Who is who: which protected record is the counterpart of each original record."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from linkrisk.arrays import IntArray, LabelArray
from linkrisk.data.arrow_arrays import integers, text_array
from linkrisk.data.labels import labels_of
from linkrisk.data.number_cells import parse_numbers
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.data.read import open_file
from linkrisk.errors import PairingError

NO_COUNTERPART = -1


@dataclass(frozen=True)
class Ids:
    """The labels that tell the records of one file apart."""

    table: RawFile
    labels: LabelArray

    def find(self, labels: LabelArray) -> IntArray:
        """Return the record that has each label, `NO_COUNTERPART` where none has."""
        places = pc.index_in(text_array(labels), value_set=text_array(self.labels))
        return integers(places, NO_COUNTERPART)


def make_ids(table: RawFile, column: RawColumn) -> Ids:
    """Return the ids of a file's records, after checking that every record has one of its own.

    Ids are compared as labels, so that 1.0 in one file is "1" in the other.

    Raises
    ------
    PairingError
        Naming the first row whose id is missing or stands in an earlier row too.
    """
    labels = labels_of(column)
    is_missing = column.is_missing
    if is_missing.any():
        row = table.row(int(np.flatnonzero(is_missing)[0]))
        raise PairingError(
            f"{table.name}: id column {column.name!r} has no value in row {row} "
            f"({is_missing.sum()} of {table.n_records:,} rows); give every record an id"
        )
    is_repeated = repeats(labels)
    if is_repeated.any():
        row = table.row(int(np.flatnonzero(is_repeated)[0]))
        raise PairingError(
            f"{table.name}: id column {column.name!r} repeats in row {row} the id of an earlier row "
            f"({is_repeated.sum()} repeats in all); give every record an id of its own"
        )
    return Ids(table, labels)


def repeats(labels: LabelArray) -> NDArray[np.bool_]:
    """Return which entries occurred before.

    Examples
    --------
    >>> repeats(np.array(["a", "b", "a"], dtype=object))
    array([False, False,  True])
    """
    codes = integers(text_array(labels).dictionary_encode().indices)
    # Codes are given in the order of first appearance: a new label raises the highest code so far.
    highest_before = np.concatenate([[-1], np.maximum.accumulate(codes)[:-1]])
    return np.asarray(codes <= highest_before, dtype=np.bool_)


def pair_by_order(original: RawFile, protected: RawFile) -> IntArray:
    """Pair the records of two files of the same length row by row."""
    if original.n_records != protected.n_records:
        raise PairingError(
            f"{original.name} has {original.n_records:,} records and {protected.name} has "
            f"{protected.n_records:,}, so they cannot be paired row by row; name a column in id (--id), or "
            "give the true pairs as pairs (--pairs)"
        )
    return np.arange(original.n_records, dtype=np.int64)


def pair_by_id(original: Ids, protected: Ids) -> IntArray:
    """Pair the records that have the same id; a record may have no counterpart."""
    own = protected.find(original.labels)
    if (own == NO_COUNTERPART).all():
        raise PairingError(
            f"{original.table.name} and {protected.table.name} have no id in common; check that the id "
            "column means the same in both, or give the true pairs as pairs (--pairs)"
        )
    return own


def pair_by_list(pairs: RawFile, original: RawFile | Ids, protected: RawFile | Ids) -> IntArray:
    """Pair the records that a list names, each by its number (the first record is 1) or by its id.

    Parameters
    ----------
    pairs
        A table of two columns: records of the original, records of the protected file.
    original, protected
        The two files; their ids, when the list names records by id.
    """
    if len(pairs.columns) != 2:
        raise PairingError(
            f"{pairs.name} has {len(pairs.columns)} columns; give two, the original record and its counterpart"
        )
    places = [
        _listed_records(pairs, column, side) for column, side in zip(pairs.columns, (original, protected), strict=True)
    ]
    n_original = (original.table if isinstance(original, Ids) else original).n_records
    own = np.full(n_original, NO_COUNTERPART, dtype=np.int64)
    own[places[0]] = places[1]
    return own


def _listed_records(pairs: RawFile, column: RawColumn, side: RawFile | Ids) -> IntArray:
    if isinstance(side, Ids):
        records = side.find(labels_of(column))
        fault = f"names an id that {side.table.name} does not have"
        is_wrong = records == NO_COUNTERPART
    else:
        numbers = _numbers(column)
        fault = f"does not name a record of {side.name} by a whole number from 1 to {side.n_records}"
        is_wrong = ~((numbers >= 1) & (numbers <= side.n_records) & (numbers == np.floor(numbers)))
        records = np.where(is_wrong, 0, numbers).astype(np.int64) - 1
    _check_listed(pairs, column, is_wrong, fault)
    is_repeated = repeats(records.astype(str).astype(object))
    _check_listed(pairs, column, is_repeated, "names a record that an earlier row names")
    return records


def _numbers(column: RawColumn) -> NDArray[np.float64]:
    if column.holds_numbers:
        return column.cells
    return parse_numbers(text_array(labels_of(column))).values


def _check_listed(pairs: RawFile, column: RawColumn, is_wrong: NDArray[np.bool_], fault: str) -> None:
    if is_wrong.any():
        row = pairs.row(int(np.flatnonzero(is_wrong)[0]))
        raise PairingError(f"{pairs.name}: column {column.name!r} {fault} in row {row}; correct the list")


def open_pairs(source: Any, *, delimiter: str | None = None) -> RawFile:
    """Return a list of true pairs as a `RawFile`: from a file, a frame, an array, or a sequence of pairs."""
    if isinstance(source, Sequence) and not isinstance(source, str | os.PathLike):
        if not all(isinstance(pair, Sequence) and len(pair) == 2 for pair in source):
            raise PairingError("pairs must be a sequence of pairs: the original record and its counterpart")
        cells = np.empty((len(source), 2), dtype=object)
        cells[:] = [tuple(pair) for pair in source] if len(source) else cells
        source = cells
    return open_file(source, "pairs", delimiter=delimiter)
