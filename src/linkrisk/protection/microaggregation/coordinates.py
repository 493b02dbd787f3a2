"""Columns as points: what the distances of microaggregation are measured on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Kind
from linkrisk.differences.scales import careful_moments
from linkrisk.errors import ColumnError
from linkrisk.protection.values.columns import Column

MOST_INDICATORS = 2 * 10**7
"""Records times categories of a nominal attribute that are clustered at most: 160 MB per copy."""


def make_points(columns: Sequence[Column], *, raw: bool) -> FloatArray:
    """Return coordinates whose squared Euclidean distances are the sums of the attributes' differences.

    The difference of two values is (x - y)^2 for numbers and days; 0 or 1 for nominal attributes; ((x - y) / (c - 1))^2
    for the ranks x and y of an ordinal attribute with c categories. Unless ``raw``, each attribute is divided by the
    root of half its mean difference between two different records, which for numbers is the standard deviation (n - 1):
    every attribute then weighs the same, 2 on average. A constant attribute is 0.

    A nominal attribute has one coordinate per category: 1 for the record's own, 0 for the others. Two different
    categories are then at squared distance 2 instead of 1. So where there is a nominal attribute, every other one is
    written twice: all squared distances are doubled alike, and whole numbers stay whole.

    Numbers come first, then ordinal, then nominal attributes, so that equal differences add up to equal sums.
    """
    ordered = sorted(columns, key=lambda column: _PLACES[column.kind])
    has_nominal = any(column.kind is Kind.NOMINAL for column in columns)
    blocks = []
    for column in ordered:
        if column.kind is Kind.NOMINAL:
            block = _indicators(column)
            blocks.append(block if raw else _standard_block(block))
        else:
            line = _line(column, raw=raw)
            blocks.append(np.column_stack([line, line] if has_nominal else [line]))
    return np.column_stack(blocks)


def standard_scores(column: Column) -> FloatArray:
    """Return (x - mean) / standard deviation (n - 1); of an ordinal attribute x is the rank; 0 for a constant."""
    mean, spread = careful_moments(column.values)
    return np.asarray((column.values - mean) / spread)


_PLACES = {Kind.NUMERIC: 0, Kind.DATE: 0, Kind.ORDINAL: 1, Kind.NOMINAL: 2}


def _line(column: Column, *, raw: bool) -> FloatArray:
    if not raw:
        return standard_scores(column)
    if column.kind is not Kind.ORDINAL:
        return column.values
    return column.values / max(len(column.categories) - 1, 1)


def _indicators(column: Column) -> FloatArray:
    """Return one column per category that occurs; refuses too many categories, as names have."""
    present = np.unique(column.values)
    if present.size * len(column.values) > MOST_INDICATORS:
        raise ColumnError(
            f"column {column.name!r} is nominal and has {present.size:,} categories, too many to cluster "
            f"{len(column.values):,} records by; merge some, protect it by pram, or name it in leave (--leave)"
        )
    return np.asarray(column.values[:, None] == present[None, :], dtype=np.float64)


def _standard_block(block: FloatArray) -> FloatArray:
    """Divide by the root of half the mean difference; squared distances in a block are twice the differences."""
    half = math.fsum(block.var(axis=0, ddof=1)) / 2
    return np.asarray(block / math.sqrt(half) if half > 0 else block * 0.0)
