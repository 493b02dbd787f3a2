"""What an intruder learns of confidential attributes from the class of records his link ends in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
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
    counts the people whose class has a single value, ``certain_true`` those of them for whom it is the true one, and
    ``certain_alone`` those of them whose class is a single record: it always has one value, which is true only as far
    as the link is.
    True values in expectation: ``picked``, if he picks a record of each class; ``guessed``, if he says the most
    frequent value of the class (one of several at random); ``before``, if he links nobody, and says of everybody the
    most frequent value of the protected file. Where the original file does not hold the attribute, nobody can tell what
    is true: these four are None, and ``people`` are all that have a counterpart. ``width`` is None for categories; a
    number or date is true within this distance (`WIDTH` standard deviations).
    """

    attribute: str
    people: int
    certain: int
    certain_true: int | None
    certain_alone: int
    picked: float | None
    guessed: float | None
    before: int | None
    width: float | None = None


def disclosures(classes: NearestClasses, own: IntArray, confidential: Sequence[ColumnPair]) -> tuple[Disclosure, ...]:
    """Count what an intruder learns of each confidential attribute of everybody who has a counterpart.

    With C the class that is nearest to person i, x the true value of i, and v(j) the released value of record j: it is
    certain where v is the same for all j in C, and if he picks a j it is true by |{j in C: v(j) = x}| / |C|. Of numbers
    and dates v(j) = x is read as |v(j) - x| <= w, and "the same" as max v - min v <= w, with w = `WIDTH` times the
    standard deviation of the attribute in the original file (in the protected one where the original does not hold
    it); the most frequent value is then the released one that has the most others within w. Of several values of the
    whole file that are as frequent the least counts.

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
        self.is_held = not bool(is_missing(column.original).all())
        self.people = (own >= 0) & (~is_missing(column.original) if self.is_held else True)
        self.width = _width(column) if column.original.dtype == np.float64 else None
        self.values, codes = _coded(column.protected)
        self.low, self.high = self._true_codes(column.original)
        self.sizes = np.bincount(group_of)
        self.cells = _Cells.of(group_of[codes >= 0], codes[codes >= 0], self._base)
        self.modes = self._modes(self.cells)
        self.picked, self.guessed = np.zeros(len(own)), np.zeros(len(own))
        self.is_certain, self.is_alone = np.zeros((2, len(own)), dtype=bool)

    @property
    def _base(self) -> int:
        """Codes are below this."""
        return len(self.values) + 1

    def _true_codes(self, original: NDArray[Any]) -> tuple[IntArray, IntArray]:
        """Return for each person the first code of a released value that is true, and the first beyond."""
        if self.width is not None:
            return self._within(original, self.width)
        place = {value: code for code, value in enumerate(self.values.tolist())}
        code = np.array([place.get(value, len(place)) for value in original.tolist()], dtype=np.int64)
        return code, np.minimum(code + 1, len(place))

    def _within(self, values: NDArray[Any], width: float) -> tuple[IntArray, IntArray]:
        """Return the first code of a released value that counts as one with each of some, and the first beyond."""
        with np.errstate(over="ignore"):
            least, largest = values - width, values + width
        low = np.searchsorted(self.values, least, side="left")
        return low, np.maximum(low, np.searchsorted(self.values, largest, side="right"))

    def _modes(self, cells: _Cells) -> _Cells:
        """Return the cells of the most frequent value of each class; of numbers, that with the most others near it."""
        if self.width is None:
            return cells.largest(cells.count)
        low, high = self._within(self.values, self.width)
        return cells.largest(cells.total(cells.label, low[cells.code], high[cells.code]))

    def add(self, members: Members) -> None:
        """Enter some people's classes; all groups of a person's class come together, those of one group first."""
        person, group = members
        if not len(person):
            return
        start = np.flatnonzero(np.diff(person, prepend=-1))
        who, size = person[start], np.add.reduceat(self.sizes[group], start)
        if len(who) == len(person):  # of each person one group
            self._enter(who, group, size, self.cells, self.modes)
        else:
            label = np.repeat(np.arange(len(who)), np.diff(np.append(start, len(person))))
            cells = self.cells.joined(group, label)
            self._enter(who, np.arange(len(who)), size, cells, self._modes(cells))

    def _enter(self, who: IntArray, label: IntArray, size: IntArray, cells: _Cells, modes: _Cells) -> None:
        """Enter people whose classes have these labels and sizes."""
        low, high = self.low[who], self.high[who]
        everything = np.zeros_like(low), np.full_like(low, self._base)
        self.picked[who] = cells.total(label, low, high) / size
        self.guessed[who] = modes.number(label, low, high) / np.maximum(modes.number(label, *everything), 1)
        self.is_alone[who] = size == 1
        self.is_certain[who] = (cells.total(label, *everything) == size) & self._are_same(*cells.ends(label))

    def _are_same(self, least: IntArray, largest: IntArray) -> BoolArray:
        """Tell where the least and the largest value of a class, given by their codes, count as one."""
        if self.width is None or not len(self.values):
            return np.asarray(least == largest)
        with np.errstate(over="ignore"):  # too far apart for a number is not the same
            return np.asarray(self.values[largest] - self.values[least] <= self.width)

    def _before(self) -> int:
        """Return for how many people the most frequent released value is true."""
        whole = _Cells.of(np.zeros(int(self.cells.count.sum()), dtype=np.int64), self.cells.codes(), self._base)
        most = self._modes(whole).code[:1]
        return int((self.people & (self.low <= most) & (most < self.high)).sum()) if len(most) else 0

    def disclosure(self) -> Disclosure:
        """Return what was learned of everybody."""
        certain = self.people & self.is_certain
        is_held = self.is_held
        return Disclosure(
            attribute=self.column.attribute.name,
            people=int(self.people.sum()),
            certain=int(certain.sum()),
            certain_true=int((certain & (self.picked == 1.0)).sum()) if is_held else None,
            certain_alone=int((certain & self.is_alone).sum()),
            picked=math.fsum(self.picked[self.people].tolist()) if is_held else None,
            guessed=math.fsum(self.guessed[self.people].tolist()) if is_held else None,
            before=self._before() if is_held else None,
            width=self.width,
        )


@dataclass(frozen=True, eq=False, repr=False)
class _Cells:
    """How many records of each class have each value: ``label`` and ``code``, ascending, and ``count``."""

    label: IntArray
    code: IntArray
    count: IntArray
    base: int

    @classmethod
    def of(cls, labels: IntArray, codes: IntArray, base: int, counts: IntArray | None = None) -> _Cells:
        """Count records, or add up counts of them; codes are below ``base``."""
        keys, place = np.unique(labels * base + codes, return_inverse=True)
        count = np.bincount(place.reshape(-1), weights=counts, minlength=len(keys)).astype(np.int64)
        return cls(keys // base, keys % base, count, base)

    @cached_property
    def _keys(self) -> IntArray:
        return self.label * self.base + self.code

    @cached_property
    def _sums(self) -> IntArray:
        return np.concatenate([[0], np.cumsum(self.count)])

    def _between(self, label: IntArray, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Return the place of the first cell of some classes with a code from ``low`` on, and from ``high`` on."""
        first, end = (np.searchsorted(self._keys, label * self.base + code) for code in (low, high))
        return first, end

    def total(self, label: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """Count the records of some classes with low <= code < high."""
        first, end = self._between(label, low, high)
        return self._sums[end] - self._sums[first]

    def number(self, label: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """Count the cells of some classes with low <= code < high."""
        first, end = self._between(label, low, high)
        return np.asarray(end - first)

    def ends(self, label: IntArray) -> tuple[IntArray, IntArray]:
        """Return the least and the largest code of some classes; of those without any value codes that mean nothing."""
        first, end = self._between(label, np.zeros_like(label), np.full_like(label, self.base))
        codes = np.append(self.code, 0)
        return codes[np.minimum(first, len(self.code))], codes[np.maximum(end - 1, 0)]

    def codes(self) -> IntArray:
        """Return the code of every record."""
        return np.repeat(self.code, self.count)

    def largest(self, value: IntArray) -> _Cells:
        """Keep the cells of each class with the largest of some values."""
        if not len(value):
            return self
        start = np.flatnonzero(np.diff(self.label, prepend=-1))
        most = np.repeat(np.maximum.reduceat(value, start), np.diff(np.append(start, len(value))))
        kept = value == most
        return _Cells(self.label[kept], self.code[kept], self.count[kept], self.base)

    def joined(self, group: IntArray, label: IntArray) -> _Cells:
        """Return the cells of classes made of some of these: ``group`` goes to the class ``label``."""
        first, end = self._between(group, np.zeros_like(group), np.full_like(group, self.base))
        lengths = end - first
        place = np.repeat(first - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
        return _Cells.of(np.repeat(label, lengths), self.code[place], self.base, self.count[place])


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
