"""The numeric attributes of two paired files: columns of numbers, each with a centre and a unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.differences.limits import refuse_largest

ROUNDING = 2.0**-44
"""A number nearer to 0 than this, in standard deviations of the original, counts as 0: it may be a rounding error."""


FARTHEST = 1e60
"""Largest distance of a protected value from the centre, in units of the original, that counts in full: a value farther
away counts as this far, so that fourth powers stay finite."""


@dataclass(frozen=True, eq=False, repr=False)
class Numbers:
    """The numeric attributes and dates (as days) of both files, NaN where missing.

    ``own`` is that of the `FilePair`. ``centres`` and ``units`` are mean and standard deviation (n - 1) of the known
    values of the original. The unit of a constant attribute is the absolute value it has (1 if that is 0).
    """

    names: tuple[str, ...]
    original: tuple[FloatArray, ...]
    protected: tuple[FloatArray, ...]
    own: IntArray
    centres: FloatArray
    units: FloatArray
    is_constant: BoolArray

    def __repr__(self) -> str:
        return f"<Numbers of {len(self.names)} attributes>"

    def varying(self) -> Numbers:
        """Leave out the attributes that are constant in the original."""
        return self.select(np.flatnonzero(~self.is_constant).tolist())

    def select(self, indices: Iterable[int]) -> Numbers:
        """Keep some attributes, in the given order."""
        kept = list(indices)
        return replace(
            self,
            names=tuple(self.names[k] for k in kept),
            original=tuple(self.original[k] for k in kept),
            protected=tuple(self.protected[k] for k in kept),
            centres=self.centres[kept],
            units=self.units[kept],
            is_constant=self.is_constant[kept],
        )

    @property
    def constant_names(self) -> tuple[str, ...]:
        """Attributes with one value in all original records."""
        return tuple(name for name, constant in zip(self.names, self.is_constant, strict=True) if constant)

    def pairs(self, attribute: int) -> tuple[FloatArray, FloatArray]:
        """Return the values of one attribute, before and after, of the pairs in which both are known."""
        rows = np.flatnonzero(self.own >= 0)
        before, after = self.original[attribute][rows], self.protected[attribute][self.own[rows]]
        known = ~(np.isnan(before) | np.isnan(after))
        return (before, after) if known.all() else (before[known], after[known])


def numbers_of(files: FilePair) -> Numbers:
    """Return the numeric attributes and dates of two paired files. Cost: linear in the records."""
    columns = [column for column in files.columns if column.attribute.kind in VECTOR_KINDS]
    scales = [_scale(column, files) for column in columns]
    return Numbers(
        names=tuple(column.attribute.name for column in columns),
        original=tuple(column.original for column in columns),
        protected=tuple(_within_reach(c.protected, *scale[:2]) for c, scale in zip(columns, scales, strict=True)),
        own=files.own,
        centres=np.array([centre for centre, _, _ in scales]),
        units=np.array([unit for _, unit, _ in scales]),
        is_constant=np.array([constant for _, _, constant in scales], dtype=bool),
    )


def _scale(column: ColumnPair, files: FilePair) -> tuple[float, float, bool]:
    """Return centre, unit and whether a column is constant; refuse values of which the unit is no finite number."""
    try:
        return centre_and_unit(column.original)
    except OverflowError:
        refuse_largest(column, files)


def centre_and_unit(values: FloatArray) -> tuple[float, float, bool]:
    """Return mean and standard deviation (n - 1) of the known values, and whether all values are the same.

    The values are first divided by a power of two, which brings them near 1: so no square overflows.

    >>> import numpy as np
    >>> centre_and_unit(np.array([1.0, 2.0, 3.0])), centre_and_unit(np.array([4.0, np.nan, 4.0]))
    ((2.0, 1.0, False), (4.0, 4.0, True))
    """
    known = values[~np.isnan(values)]
    if known.size == 0:
        return 0.0, 1.0, True
    low, high = float(known.min()), float(known.max())
    if low == high:
        return low, abs(low) or 1.0, True
    exponent = math.frexp(max(abs(low), abs(high)))[1]
    small = np.ldexp(known, -exponent)
    centre, unit = float(small.mean()), float(small.std(ddof=1))
    return math.ldexp(centre, exponent), math.ldexp(unit, exponent), False


def _within_reach(values: FloatArray, centre: float, unit: float) -> FloatArray:
    """Return the values, those beyond `FARTHEST` replaced by that limit (NaN stays)."""
    low, high = centre - FARTHEST * unit, centre + FARTHEST * unit
    is_beyond = (values < low) | (values > high)
    return np.clip(values, low, high) if is_beyond.any() else values


def left_out_note(names: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return a sentence about constant attributes, which ``what`` leaves out; nothing where there are none."""
    return (f"{what}: {', '.join(names)} left out: constant in the original.",) if names else ()
