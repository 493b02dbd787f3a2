"""Small paired files for the tests, and how hypothesis draws them: few values, many ties, holes, odd lengths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
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


@cache  # hypothesis looks at each strategy before it draws: made once, it is looked at once
def small_integers() -> st.SearchStrategy[float]:
    """Numbers that tie often."""
    return st.integers(0, 3).map(float)


@cache
def real_numbers() -> st.SearchStrategy[float]:
    """Numbers of single precision: far apart compared with the tolerance for ties."""
    return st.floats(-1000, 1000, width=32, allow_subnormal=False)


@cache
def whole_numbers(least: int, most: int) -> st.SearchStrategy[int]:
    """Integers between two others."""
    return st.integers(least, most)


@cache
def lists_of(values: st.SearchStrategy[Any], size: int) -> st.SearchStrategy[list[Any]]:
    """Return lists of so many values."""
    return st.lists(values, min_size=size, max_size=size)


@cache
def with_holes(values: st.SearchStrategy[Any], hole: Any, share: int) -> st.SearchStrategy[Any]:
    """Values, one in so many of them missing."""
    return st.one_of(*[values] * (share - 1), st.just(hole))


@cache
def words_of(words: Sequence[str]) -> st.SearchStrategy[str]:
    """One of some words."""
    return st.sampled_from(words)


@cache
def orders_of(n: int) -> st.SearchStrategy[list[int]]:
    """Return the first numbers, in any order."""
    return st.permutations(range(n))


NUMBERS = st.sampled_from([small_integers(), small_integers(), real_numbers()])
COSTS: st.SearchStrategy[dict[str, float]] = st.sampled_from([{}, {"missing_one": 0.25, "missing_both": 0.5}])
KEPT = st.lists(st.sampled_from(range(5)), min_size=1, max_size=5, unique=True)
IS_TRUE = st.booleans()


@st.composite
def numeric_file_pairs(
    draw: st.DrawFn, max_attributes: int = 4, max_records: int = 8, has_holes: bool = True
) -> FilePair:
    """Two small files of numbers, of different lengths and with holes now and then."""
    n_attributes = draw(whole_numbers(1, max_attributes))
    n_original, n_protected = draw(whole_numbers(2, max_records)), draw(whole_numbers(2, max_records))
    number = draw(NUMBERS)
    cell = with_holes(number, np.nan, 7) if has_holes and draw(IS_TRUE) else number

    def table(n_records: int) -> list[list[float]]:
        return draw(lists_of(lists_of(cell, n_attributes), n_records))

    return numeric_files(table(n_original), table(n_protected), draw(pairings(n_original, n_protected)))


@st.composite
def pairings(draw: st.DrawFn, n_original: int, n_protected: int) -> list[int]:
    """Counterparts in any order; records beyond the shorter file, and a few others, have none."""
    rows = draw(orders_of(n_protected))
    own = [*rows, *[-1] * n_original][:n_original]
    return [-1 if row >= 0 and draw(whole_numbers(0, 9)) == 0 else row for row in own]


@st.composite
def mixed_file_pairs(draw: st.DrawFn, max_records: int = 7) -> FilePair:
    """Two small files with a column of every kind, or some of them, and holes."""
    n_original, n_protected = draw(whole_numbers(2, max_records)), draw(whole_numbers(2, max_records))

    def cells(values: st.SearchStrategy[Any], hole: Any, n_records: int) -> list[Any]:
        return draw(lists_of(with_holes(values, hole, 6), n_records))

    def numbers(kind: Kind) -> ColumnPair:
        x, y = (np.array(cells(small_integers(), np.nan, n), dtype=np.float64) for n in (n_original, n_protected))
        return ColumnPair(Attribute(kind.value, kind), x, y)

    def labels(kind: Kind, words: Sequence[str], **more: Any) -> ColumnPair:
        x, y = (cells(words_of(words), None, n) for n in (n_original, n_protected))
        return label_column(kind.value, kind, x, y, **more)

    costs = draw(COSTS)
    columns = [
        numbers(Kind.NUMERIC),
        numbers(Kind.DATE),
        labels(Kind.NOMINAL, "abc", **costs),
        labels(Kind.ORDINAL, ORDER, inclusive=draw(IS_TRUE)),
        labels(Kind.TEXT, WORDS, **costs),
    ]
    kept = draw(KEPT)
    return paired([columns[k] for k in kept], draw(pairings(n_original, n_protected)))
