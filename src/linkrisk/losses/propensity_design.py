"""The records of two files as terms of the logistic regression that tells one file from the other."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray, LabelArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.losses.numeric import centre_and_unit

BLOCK = 8192

MAX_CATEGORIES = 20
"""Categories of an attribute that are told apart, the most frequent in both files; all others count as one."""


@dataclass(frozen=True, eq=False, repr=False)
class _Number:
    """A numeric attribute, with mean and standard deviation over both files; ``has_holes``: some values are missing."""

    sides: tuple[FloatArray, FloatArray]
    centre: float
    unit: float
    has_holes: bool


@dataclass(frozen=True, eq=False, repr=False)
class _Category:
    """A categorical attribute: codes from 0, the most frequent category, which needs no term of its own."""

    sides: tuple[IntArray, IntArray]
    n_categories: int


@dataclass(frozen=True, eq=False, repr=False)
class Design:
    """The terms, in this order: the constant 1, numbers, marks of missing numbers, categories, products of two numbers.

    A missing number is replaced by its mean.
    """

    numbers: tuple[_Number, ...]
    categories: tuple[_Category, ...]
    sizes: tuple[int, int]
    interactions: bool

    def __repr__(self) -> str:
        return f"<Design of {self.n_terms} terms>"

    @property
    def n_terms(self) -> int:
        """Number of terms, the intercept included."""
        n = len(self.numbers)
        holes = sum(number.has_holes for number in self.numbers)
        categories = sum(category.n_categories - 1 for category in self.categories)
        return 1 + n + holes + categories + (n * (n + 1) // 2 if self.interactions else 0)

    def blocks(self) -> Iterator[tuple[FloatArray, float]]:
        """Yield the original records (answer 0), then the protected ones (answer 1), one row per term."""
        for side, size in enumerate(self.sizes):
            for start in range(0, size, BLOCK):
                yield self._terms(side, slice(start, start + BLOCK)), float(side)

    def _terms(self, side: int, rows: slice) -> FloatArray:
        filled, holes = self._values(side, rows)
        terms: list[NDArray[np.generic]] = [np.ones(len(range(*rows.indices(self.sizes[side])))), *filled, *holes]
        for category in self.categories:
            codes = category.sides[side][rows]
            terms += [codes == code for code in range(1, category.n_categories)]
        result = np.empty((self.n_terms, len(terms[0])))
        result[: len(terms)] = terms
        if self.interactions:
            products = itertools.combinations_with_replacement(filled, 2)
            for place, (first, second) in enumerate(products, start=len(terms)):
                np.multiply(first, second, out=result[place])
        return result

    def _values(self, side: int, rows: slice) -> tuple[list[FloatArray], list[BoolArray]]:
        """Return numbers in standard deviations, 0 where missing, and the marks of missing ones."""
        values = [(number.sides[side][rows] - number.centre) / number.unit for number in self.numbers]
        holes = [np.isnan(column) for column in values]
        filled = [np.where(hole, 0.0, column) for hole, column in zip(holes, values, strict=True)]
        return filled, [hole for hole, number in zip(holes, self.numbers, strict=True) if number.has_holes]


def make_design(files: FilePair, interactions: bool) -> Design:
    """Return the design for two files, with squares and products of numbers if ``interactions`` is true."""
    return Design(
        numbers=tuple(_number(column) for column in files.columns if column.attribute.kind in VECTOR_KINDS),
        categories=tuple(_category(column) for column in files.columns if column.attribute.kind not in VECTOR_KINDS),
        sizes=(files.n_original, files.n_protected),
        interactions=interactions,
    )


def _number(column: ColumnPair) -> _Number:
    together = np.concatenate([column.original, column.protected])
    centre, unit, _ = centre_and_unit(together)
    return _Number((column.original, column.protected), centre, unit, bool(np.isnan(together).any()))


def _category(column: ColumnPair) -> _Category:
    counts = Counter([*column.original, *column.protected])
    # Ties by label, so that the order of the records does not matter.
    ranked = sorted(counts, key=lambda label: (-counts[label], label is None, label or ""))
    codes = dict(zip(ranked[:MAX_CATEGORIES], range(MAX_CATEGORIES), strict=False))
    n_categories = len(codes) + (len(ranked) > MAX_CATEGORIES)

    def code(labels: LabelArray) -> IntArray:
        return np.array([codes.get(label, n_categories - 1) for label in labels], dtype=np.int64)

    return _Category((code(column.original), code(column.protected)), n_categories)
