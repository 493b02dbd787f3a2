"""What a description says about every pair of records, as a sum of terms over attributes that kernels can add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.same_values import combination_numbers, numbered_labels
from linkrisk.informed.term_kernels import Terms

DIGITS = 12
"""Significant digits to which values that must be equal are compared: files are written and read in between."""

LEAST_EXPONENT = -295.0
"""Numbers below ten to this power have fewer significant digits, so that no power of ten overflows."""


@dataclass
class TermList:
    """Terms of log p(y_j | x_i) in the making; what is not listed says nothing about a pair.

    A missing value, NaN or a negative code, says nothing either. Costs are -log p up to a constant: 0 is best, infinite
    is impossible.
    """

    n_original: int
    n_protected: int
    gaussians: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)
    intervals: list[tuple[FloatArray, FloatArray, FloatArray, FloatArray]] = field(default_factory=list)
    tents: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)
    tables: list[tuple[IntArray, IntArray, FloatArray]] = field(default_factory=list)
    refinements: list[tuple[IntArray, IntArray, FloatArray]] = field(default_factory=list)
    keys: list[tuple[IntArray, IntArray]] = field(default_factory=list)
    swaps: list[tuple[IntArray, IntArray]] = field(default_factory=list)

    def add_gaussian(self, x: FloatArray, y: FloatArray) -> None:
        """Say that y - x is normal with variance 1: a cost of (y - x)^2 / 2."""
        self.gaussians.append((x, y))

    def add_interval(self, x_low: FloatArray, x_high: FloatArray, y_low: FloatArray, y_high: FloatArray) -> None:
        """Say that a pair is impossible unless the two intervals meet."""
        self.intervals.append((x_low, x_high, y_low, y_high))

    def add_tent(self, x: FloatArray, y: FloatArray) -> None:
        """Say that p is proportional to 1 - |y - x|, and 0 from 1 on."""
        self.tents.append((x, y))

    def add_table(self, x: IntArray, y: IntArray, costs: FloatArray) -> None:
        """Say that a pair with codes x and y costs ``costs[x, y]``."""
        self.tables.append((x, y, costs))

    def refine(self, x: IntArray, y: IntArray, costs: FloatArray) -> None:
        """Say what a pair with codes x and y costs besides, where another term already tells how likely y is."""
        self.refinements.append((x, y, costs))

    def add_equal(self, x: Any, y: Any) -> None:
        """Say that a pair is impossible unless the two are equal; here missing values are equal to each other alone."""
        codes = _codes(np.concatenate([x, y]))
        self.keys.append((codes[: self.n_original], codes[self.n_original :]))

    def add_swap(self, has: IntArray, had: IntArray) -> None:
        """Say that values changed places in pairs.

        ``has[i]`` is the released record with the value of i, ``had[j]`` the original one with the value of j: if i is
        j, then had[j] is has[i]. -1: nobody has it (then i is not in the release), or nobody known had it; -2: unclear.
        """
        self.swaps.append((has, had))

    def finished(self) -> Terms:
        """Return the terms as arrays."""
        n, m = self.n_original, self.n_protected
        x_key, y_key = _joined(self.keys, n, m)
        listed = [*self.tables, *self.refinements]
        tables = [_with_missing(costs) for _, _, costs in listed]
        starts = np.concatenate([[0], np.cumsum([table.size for table in tables])]).astype(np.int64)
        return Terms(
            x_key=x_key,
            y_key=y_key,
            x=_stacked([x for x, _ in self.gaussians], n),
            y=_stacked([y for _, y in self.gaussians], m),
            x_low=_stacked([part[0] for part in self.intervals], n),
            x_high=_stacked([part[1] for part in self.intervals], n),
            y_low=_stacked([part[2] for part in self.intervals], m),
            y_high=_stacked([part[3] for part in self.intervals], m),
            x_tent=_stacked([x for x, _ in self.tents], n),
            y_tent=_stacked([y for _, y in self.tents], m),
            x_code=_stacked_codes([np.where(x < 0, len(costs), x) for x, _, costs in listed], n),
            y_code=_stacked_codes([np.where(y < 0, costs.shape[1], y) for _, y, costs in listed], m),
            tables=np.concatenate([np.zeros(0), *(table.ravel() for table in tables)]),
            table_start=starts[:-1],
            table_height=np.array([table.shape[0] for table in tables], dtype=np.int64),
            table_width=np.array([table.shape[1] for table in tables], dtype=np.int64),
        )

    def finished_swaps(self) -> tuple[IntArray, IntArray]:
        """Return who has and who had the values, one column per attribute swapped."""
        return (
            _stacked_codes([has for has, _ in self.swaps], self.n_original),
            _stacked_codes([had for _, had in self.swaps], self.n_protected),
        )


def joined_codes(columns: Sequence[Any], n: int) -> IntArray:
    """Return a number for each record, the same for those that are equal in all columns."""
    if not columns:
        return np.zeros(n, dtype=np.int64)
    return combination_numbers(np.column_stack([_codes(np.asarray(column)) for column in columns]))


def significant(values: FloatArray, digits: int = DIGITS) -> FloatArray:
    """Return values rounded to some significant digits; missing ones stay missing.

    >>> significant(np.array([0.1 + 0.2, 0.0, 123456.0])).tolist()
    [0.3, 0.0, 123456.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.where(values == 0.0, 0.0, np.floor(np.log10(np.abs(values))))
    exponent = np.maximum(exponent, LEAST_EXPONENT)
    factor = np.power(10.0, digits - 1 - np.nan_to_num(exponent))
    return np.asarray(np.round(values * factor) / factor + 0.0)


def _codes(values: NDArray[Any]) -> IntArray:
    """Return the place of each value among the distinct ones: numbers to significant digits, labels as text."""
    if values.dtype.kind == "f":
        values = np.nan_to_num(significant(values), nan=np.inf)
    if values.dtype.kind in "fiu":
        return np.unique(values, return_inverse=True)[1].reshape(-1)
    held = values.tolist()
    texts = {value: "" if value is None else f"={value}" for value in dict.fromkeys(held)}
    places = {text: place for place, text in enumerate(sorted(set(texts.values())))}
    return numbered_labels(held, {value: places[text] for value, text in texts.items()}).astype(np.int64)


def _with_missing(costs: FloatArray) -> FloatArray:
    """Return costs by the code of y, then of x, the last of each side that of missing values, which cost nothing."""
    return np.pad(costs.T, ((0, 1), (0, 1)))


def _joined(keys: list[tuple[IntArray, IntArray]], n: int, m: int) -> tuple[IntArray, IntArray]:
    """Return one key for all: equal just if all are."""
    if not keys:
        return np.zeros(n, dtype=np.int64), np.zeros(m, dtype=np.int64)
    columns = np.concatenate([np.column_stack([x for x, _ in keys]), np.column_stack([y for _, y in keys])])
    codes = combination_numbers(columns)
    return codes[:n], codes[n:]


def _stacked(columns: list[FloatArray], n: int) -> FloatArray:
    return np.ascontiguousarray(np.column_stack(columns)) if columns else np.zeros((n, 0))


def _stacked_codes(columns: list[IntArray], n: int) -> IntArray:
    return np.ascontiguousarray(np.column_stack(columns)) if columns else np.zeros((n, 0), dtype=np.int64)
