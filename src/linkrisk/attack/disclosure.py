"""What an intruder learns of confidential attributes from the class of records his link ends in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.columns import ColumnPair
from linkrisk.data.same_values import is_missing
from linkrisk.differences.scales import careful_moments
from linkrisk.linkage.nearest_class import Members, NearestClasses

WIDTH = 0.05
"""A number or date is learned where it is known up to this share of the attribute's standard deviation."""


@dataclass(frozen=True)
class Disclosure:
    """What an attack gives away of a confidential attribute, over the ``people`` whose true value is known.

    Everybody is linked to a class: the protected records that are equally near, whoever of them is who. ``certain``
    counts the people whose class has a single value, and ``certain_true`` those of them for whom it is the true one.
    ``expected`` is the number of true values an intruder expects who picks a record of each class; ``before`` that of
    one who links nobody, and says of everybody the most frequent value of the protected file. Where the original file
    does not hold the attribute, nobody can tell what is true: these three are None, and ``people`` are all that have a
    counterpart. ``width`` is None for categories; a number or date is true within this distance (`WIDTH` standard
    deviations).
    """

    attribute: str
    people: int
    certain: int
    certain_true: int | None
    expected: float | None
    before: int | None
    width: float | None = None


def disclosures(classes: NearestClasses, own: IntArray, confidential: Sequence[ColumnPair]) -> tuple[Disclosure, ...]:
    """Count what an intruder learns of each confidential attribute of everybody who has a counterpart.

    With C the class that is nearest to person i, x the true value of i, and v(j) the released value of record j: it is
    certain where v is the same for all j in C, and true in expectation by |{j in C: v(j) = x}| / |C|. Of numbers and
    dates v(j) = x is read as |v(j) - x| <= w, and "the same" as max v - min v <= w, with w = `WIDTH` times the standard
    deviation of the attribute in the original file (in the protected one where the original does not hold it); the
    most frequent value is then the released one that has the most others within w.

    Ties: the class holds all that are equally near. Missing values: people whose true value is missing do not count; a
    released hole says nothing, so a class with one is not certain, and picking it is no true value. Cost: a sort for
    each attribute, and a search for each class that a person is nearest to.
    """
    if not confidential:
        return ()
    tables = [_Table(column, classes.group_of, own) for column in confidential]
    for members in classes.members():
        for table in tables:
            table.add(members)
    return tuple(table.disclosure() for table in tables)


class _Table:
    """The released values of one attribute by groups of equal records, and what each person's class says so far."""

    def __init__(self, column: ColumnPair, group_of: IntArray, own: IntArray) -> None:
        self.column = column
        self.is_released = not bool(is_missing(column.original).all())
        self.width = _width(column) if column.original.dtype == np.float64 else None
        self.values, codes = _coded(column.protected)
        self.low, self.high = self._true_codes(column.original)
        known = codes >= 0
        n_groups = int(group_of.max(initial=-1)) + 1
        self.sizes = np.bincount(group_of, minlength=n_groups)
        self.n_known = np.bincount(group_of[known], minlength=n_groups)
        self.keys = np.sort(group_of[known] * self._base + codes[known])
        self.least, self.largest = np.full(n_groups, len(self.values)), np.full(n_groups, -1)
        np.minimum.at(self.least, group_of[known], codes[known])
        np.maximum.at(self.largest, group_of[known], codes[known])
        self.counts = np.bincount(codes[known], minlength=len(self.values))
        self.people = (own >= 0) & (~is_missing(column.original) if self.is_released else True)
        self.share = np.zeros(len(own))
        self.is_certain = np.zeros(len(own), dtype=bool)

    @property
    def _base(self) -> int:
        """Codes of a group are below this."""
        return len(self.values) + 1

    def _true_codes(self, original: NDArray[Any]) -> tuple[IntArray, IntArray]:
        """Return for each person the first code of a released value that is true, and the first beyond."""
        if self.width is not None:
            low = np.searchsorted(self.values, original - self.width, side="left")
            return low, np.maximum(low, np.searchsorted(self.values, original + self.width, side="right"))
        place = {value: code for code, value in enumerate(self.values.tolist())}
        code = np.array([place.get(value, len(place)) for value in original.tolist()], dtype=np.int64)
        return code, np.minimum(code + 1, len(place))

    def add(self, members: Members) -> None:
        """Enter some people's classes; all groups of a person's class come together."""
        person, group = members
        if not len(person):
            return
        start = np.flatnonzero(np.diff(person, prepend=-1))
        who = person[start]
        low, high = (np.searchsorted(self.keys, group * self._base + code[person]) for code in (self.low, self.high))
        size, known, right = (
            np.add.reduceat(each, start) for each in (self.sizes[group], self.n_known[group], high - low)
        )
        least, largest = np.minimum.reduceat(self.least[group], start), np.maximum.reduceat(self.largest[group], start)
        self.share[who] = right / size
        self.is_certain[who] = (known == size) & self._are_same(least, largest)

    def _are_same(self, least: IntArray, largest: IntArray) -> BoolArray:
        """Tell where the least and the largest value of a class, given by their codes, count as one."""
        if self.width is None or not len(self.values):
            return np.asarray(least == largest)
        apart = self.values[np.maximum(largest, 0)] - self.values[np.minimum(least, len(self.values) - 1)]
        return np.asarray(apart <= self.width)

    def _before(self) -> int:
        """Return for how many people the most frequent released value is true."""
        if not len(self.values):
            return 0
        counts = self.counts
        if self.width is not None:
            total = np.concatenate([[0], np.cumsum(counts)])
            low = np.searchsorted(self.values, self.values - self.width, side="left")
            counts = total[np.searchsorted(self.values, self.values + self.width, side="right")] - total[low]
        most = int(counts.argmax())
        return int((self.people & (self.low <= most) & (most < self.high)).sum())

    def disclosure(self) -> Disclosure:
        """Return what was learned of everybody."""
        certain = self.people & self.is_certain
        return Disclosure(
            attribute=self.column.attribute.name,
            people=int(self.people.sum()),
            certain=int(certain.sum()),
            certain_true=int((certain & (self.share == 1.0)).sum()) if self.is_released else None,
            expected=math.fsum(self.share[self.people].tolist()) if self.is_released else None,
            before=self._before() if self.is_released else None,
            width=self.width,
        )


def _coded(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Return the distinct known values, ascending, and the place of each value among them (-1 where missing)."""
    known = ~is_missing(values)
    distinct, codes = np.unique(values[known], return_inverse=True)
    result = np.full(len(values), -1, dtype=np.int64)
    result[known] = codes.reshape(-1)
    return distinct, result


def _width(column: ColumnPair) -> float:
    """Return `WIDTH` standard deviations of the attribute, 0 for a constant."""
    for values in (column.original, column.protected):
        known: FloatArray = values[~np.isnan(values)]
        if known.size:
            return WIDTH * careful_moments(known)[1] if known.min() < known.max() else 0.0
    return 0.0
