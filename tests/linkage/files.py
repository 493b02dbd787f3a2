"""Small paired files for the tests, and how hypothesis draws them: few values, many ties, holes, odd lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair

ORDER = ("never", "rarely", "often", "always")
WORDS = ("MARTHA", "MARHTA", "DIXON", "DICKSONX", "MAR", "DIX", "A", "")


def numeric_files(original: Any, protected: Any, own: Any = None) -> FilePair:
    """Pair two matrices of numbers (NaN where missing); record i belongs to record i unless ``own`` says otherwise."""
    x, y = np.asarray(original, dtype=np.float64), np.asarray(protected, dtype=np.float64)
    columns = tuple(
        ColumnPair(Attribute(f"V{k + 1}", Kind.NUMERIC), x[:, k].copy(), y[:, k].copy()) for k in range(x.shape[1])
    )
    return paired(columns, own)


def paired(columns: Sequence[ColumnPair], own: Any = None) -> FilePair:
    """File pair of some columns."""
    n_original, n_protected = len(columns[0].original), len(columns[0].protected)
    pairs = np.arange(n_original) if own is None else np.asarray(own, dtype=np.int64)
    return FilePair(tuple(columns), pairs, n_original, n_protected)


def label_column(name: str, kind: Kind, original: Sequence[Any], protected: Sequence[Any], **more: Any) -> ColumnPair:
    """Nominal, ordinal or text column; None where missing."""
    attribute = Attribute(name, kind, order=ORDER if kind is Kind.ORDINAL else (), **more)
    return ColumnPair(attribute, np.array(original, dtype=object), np.array(protected, dtype=object))


def microaggregated(values: FloatArray, size: int) -> FloatArray:
    """Replace neighbours in file order, ``size`` at a time, by their mean: every record gets copies."""
    result = np.empty_like(values)
    for start in range(0, len(values), size):
        result[start : start + size] = values[start : start + size].mean(axis=0)
    return result


def small_integers() -> st.SearchStrategy[float]:
    """Numbers that tie often."""
    return st.integers(0, 3).map(float)


def real_numbers() -> st.SearchStrategy[float]:
    """Numbers of single precision: far apart compared with the tolerance for ties."""
    return st.floats(-1000, 1000, width=32, allow_subnormal=False)


@st.composite
def numeric_file_pairs(
    draw: st.DrawFn, max_attributes: int = 4, max_records: int = 8, has_holes: bool = True
) -> FilePair:
    """Two small files of numbers, of different lengths and with holes now and then."""
    n_attributes = draw(st.integers(1, max_attributes))
    n_original, n_protected = draw(st.integers(2, max_records)), draw(st.integers(2, max_records))
    number = draw(st.sampled_from([small_integers(), small_integers(), real_numbers()]))
    cell = st.one_of(*[number] * 6, st.just(np.nan)) if has_holes and draw(st.booleans()) else number

    def table(n_records: int) -> list[list[float]]:
        row = st.lists(cell, min_size=n_attributes, max_size=n_attributes)
        return draw(st.lists(row, min_size=n_records, max_size=n_records))

    return numeric_files(table(n_original), table(n_protected), draw(pairings(n_original, n_protected)))


@st.composite
def pairings(draw: st.DrawFn, n_original: int, n_protected: int) -> list[int]:
    """Counterparts in any order; records beyond the shorter file, and a few others, have none."""
    rows = draw(st.permutations(range(n_protected)))
    own = [*rows, *[-1] * n_original][:n_original]
    return [-1 if row >= 0 and draw(st.integers(0, 9)) == 0 else row for row in own]


@st.composite
def mixed_file_pairs(draw: st.DrawFn, max_records: int = 7) -> FilePair:
    """Two small files with a column of every kind, or some of them, and holes."""
    n_original, n_protected = draw(st.integers(2, max_records)), draw(st.integers(2, max_records))

    def cells(values: st.SearchStrategy[Any], hole: Any, n_records: int) -> list[Any]:
        return draw(st.lists(st.one_of(*[values] * 5, st.just(hole)), min_size=n_records, max_size=n_records))

    def numbers(kind: Kind) -> ColumnPair:
        x, y = (np.array(cells(small_integers(), np.nan, n), dtype=np.float64) for n in (n_original, n_protected))
        return ColumnPair(Attribute(kind.value, kind), x, y)

    def labels(kind: Kind, words: Sequence[str], **more: Any) -> ColumnPair:
        x, y = (cells(st.sampled_from(words), None, n) for n in (n_original, n_protected))
        return label_column(kind.value, kind, x, y, **more)

    costs = draw(st.sampled_from([{}, {"missing_one": 0.25, "missing_both": 0.5}]))
    columns = [
        numbers(Kind.NUMERIC),
        numbers(Kind.DATE),
        labels(Kind.NOMINAL, "abc", **costs),
        labels(Kind.ORDINAL, ORDER, inclusive=draw(st.booleans())),
        labels(Kind.TEXT, WORDS, **costs),
    ]
    kept = draw(st.lists(st.sampled_from(range(5)), min_size=1, max_size=5, unique=True))
    return paired([columns[k] for k in kept], draw(pairings(n_original, n_protected)))
