"""Strengths of protections from weak to strong, as `linkrisk.tune` tries them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Kind
from linkrisk.errors import ParameterError
from linkrisk.protection.values.columns import Column

CLUSTER_SIZES = (*range(2, 20), *range(20, 50, 3), *range(50, 100, 8), *range(100, 1001, 50))
PERCENTAGES = (
    *(0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 20.0),
    *(22.0, 25.0, 28.0, 32.0, 36.0, 40.0, 45.0, 50.0, 56.0, 64.0, 72.0, 80.0, 90.0, 100.0),
)
NOISE = (*PERCENTAGES, 112.0, 125.0, 140.0, 160.0, 180.0, 200.0, 225.0, 250.0, 280.0, 320.0, 360.0, 400.0)
KEEPS = (0.98, 0.95, 0.92, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.1, 0.0)
DATES = ("month", "quarter", "year")
MOST_INTERVALS = 500
"""Intervals of numbers, at most, from which generalising starts."""


@dataclass(frozen=True)
class Material:
    """What a ladder is made for: the columns that get one strength.

    Parameters
    ----------
    n_known
        The least number of known values among the columns of the step: only known values are ranked and grouped.
    columns
        The columns themselves.
    """

    n_known: int
    columns: tuple[Column, ...] = ()

    @property
    def n_alike(self) -> int:
        """The largest k for which every record can be clustered (`protection.microaggregation.holes`).

        Records join others that have all they have, so those count that lack least: of all sets of values that a record
        has and none has more than, the one that fewest records have.
        """
        if not self.columns:
            return self.n_known
        lacks = np.column_stack([column.is_missing for column in self.columns])
        patterns, counts = np.unique(lacks[~lacks.all(axis=1)], axis=0, return_counts=True)
        least = [
            int(count)
            for pattern, count in zip(patterns, counts, strict=True)
            if (patterns <= pattern).all(axis=1).sum() == 1  # its own
        ]
        return min(least, default=0)


def cluster_sizes(material: Material) -> tuple[float, ...]:
    """Return every k of the ladder with which there are at least two clusters, and each record can be in one.

    Where there is none because of missing values it is the least, which the method refuses with its reason.

    >>> cluster_sizes(Material(9))
    (2, 3, 4)
    """
    if 2 * CLUSTER_SIZES[0] > material.n_known:
        raise ParameterError(f"{material.n_known} records are too few to microaggregate; at least 4 are needed")
    most = min(material.n_known // 2, material.n_alike)
    return tuple(size for size in CLUSTER_SIZES if size <= most) or CLUSTER_SIZES[:1]


def rank_percentages(material: Material) -> tuple[float, ...]:
    """Return every percentage of the ladder that is at least one rank: less is no swap.

    >>> rank_percentages(Material(50))[0]
    2.0
    """
    return tuple(p for p in PERCENTAGES if p * material.n_known >= 100.0)


def noise_percentages(material: Material) -> tuple[float, ...]:  # noqa: ARG001  (a ladder is asked with it)
    """Return every percentage of the standard deviation of the ladder, from no noise to four times the data."""
    return NOISE


def keep_probabilities(material: Material) -> tuple[float, ...]:  # noqa: ARG001  (a ladder is asked with it)
    """Return every probability of the ladder to keep a category, from nearly all to none."""
    return KEEPS


def detail(material: Material) -> tuple[float | str, ...]:
    """Return what a column can be generalised into, from much detail to little.

    Numbers: widths 1, 2 and 5 times a power of ten, from one that leaves about 500 intervals, or is twice the least
    difference of two values, up to the range of the column. Ordered categories: runs of 2, 3, ... of those that occur.
    Dates: month, quarter, year.

    >>> detail(Material(4, (Column("age", Kind.NUMERIC, np.array([0.0, 18, 40, 65])),)))
    (50.0, 100.0)

    Raises
    ------
    ParameterError
        For a nominal column: which of its categories are alike is for the user to say.
    """
    (column,) = material.columns
    if column.kind is Kind.DATE:
        return DATES
    values = np.unique(column.values[~column.is_missing])
    if column.kind is Kind.ORDINAL:
        return tuple(range(2, max(3, len(values) + 1)))
    if column.kind is not Kind.NUMERIC:
        raise ParameterError(
            f"generalise cannot be tuned for column {column.name!r}, which is {column.kind}; say in the plan which "
            "categories become one (into, in a TOML file), declare it ordinal (--ordinal), or protect it by pram"
        )
    return _widths(values)


def _widths(values: FloatArray) -> tuple[float, ...]:
    """Return round widths for sorted different numbers."""
    span = float(values[-1] - values[0])
    if span == 0.0:
        return (1.0,)
    least = max(span / MOST_INTERVALS, 2.0 * float(np.diff(values).min()))
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(span)) + 2)
    widths = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return tuple(width for width in widths if least <= width < 2.5 * span) or (span,)
