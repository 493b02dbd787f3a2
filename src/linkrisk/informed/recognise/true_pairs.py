"""Both files with their true pairs, as numbers and as codes: what a method did to whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import is_missing
from linkrisk.informed.known import Known
from linkrisk.informed.terms import significant

LABELS = (Kind.NOMINAL, Kind.ORDINAL)
"""Kinds whose categories methods can treat; text is released as it is, or not explained."""

NEAR = 1e-10
"""Numbers that differ by more than this share are not looked at digit by digit."""

_Asked = Callable[["TruePairs", str], float | None]


@dataclass(frozen=True, eq=False, repr=False)
class TruePairs:
    """Two files, and who is who in them. Columns are made once and kept."""

    files: FilePair
    _numbers: dict[str, tuple[FloatArray, FloatArray]] = field(default_factory=dict, init=False)
    _pairs: dict[str, tuple[FloatArray, FloatArray]] = field(default_factory=dict, init=False)
    _codes: dict[str, tuple[IntArray, IntArray, tuple[str, ...]]] = field(default_factory=dict, init=False)
    _figures: dict[tuple[str, _Asked], float | None] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<TruePairs: {self.files.n_pairs} pairs>"

    @cached_property
    def known(self) -> Known:
        """The files as the intruder sees them."""
        return Known(self.files)

    @property
    def is_whole(self) -> bool:
        """Whether both files hold the same people: then a method can be run again."""
        return self.known.is_whole

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, in the order of the file."""
        return self.known.names

    def attribute(self, name: str) -> Attribute:
        """Return what is known about an attribute."""
        return self.known.column(name).attribute

    def kind(self, name: str) -> Kind:
        """Return the kind of an attribute."""
        return self.attribute(name).kind

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray]:
        """Rows of the original and of the protected file, pair by pair."""
        originals = np.flatnonzero(self.files.own >= 0)
        return originals, self.files.own[originals]

    def columns(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return all values of both files; places in their order for ordinal attributes; NaN where missing."""
        if name not in self._numbers:
            self._numbers[name] = self.known.numbers(name)
        return self._numbers[name]

    def numbers(self, name: str) -> tuple[FloatArray, FloatArray]:
        """Return the values of true pairs that are known on both sides."""
        if name not in self._pairs:
            x, y = self.columns(name)
            i, j = self._rows
            is_known = np.isfinite(x[i]) & np.isfinite(y[j])
            self._pairs[name] = x[i][is_known], y[j][is_known]
        return self._pairs[name]

    def figure(self, name: str, asked: _Asked) -> float | None:
        """Return what a function says of an attribute; it is asked once."""
        if (name, asked) not in self._figures:
            self._figures[name, asked] = asked(self, name)
        return self._figures[name, asked]

    def released(self, name: str) -> FloatArray:
        """Return all known values of the released column."""
        y = self.columns(name)[1]
        return y[np.isfinite(y)]

    def all_codes(self, name: str) -> tuple[IntArray, IntArray, tuple[str, ...]]:
        """Return labels as places in a list of all that occur, and the list; negative where missing."""
        if name not in self._codes:
            self._codes[name] = self.known.codes(name)
        return self._codes[name]

    def codes(self, name: str) -> tuple[IntArray, IntArray, tuple[str, ...]]:
        """Return the labels of true pairs that are known on both sides, and the list."""
        x, y, labels = self.all_codes(name)
        i, j = self._rows
        is_known = (x[i] >= 0) & (y[j] >= 0)
        return x[i][is_known], y[j][is_known], labels

    def are_all_known(self, name: str) -> bool:
        """Whether no label of a true pair is missing, in neither file."""
        return len(self.codes(name)[0]) == len(self._rows[0])

    def by_original(self, released: IntArray) -> IntArray:
        """Return a number of each released record for the originals that have one, pair by pair."""
        return released[self._rows[1]]

    def has_holes(self, name: str) -> bool:
        """Whether a value is missing in one file and known in the other, so that no method can simply be run again."""
        column = self.known.column(name)
        i, j = self._rows
        return bool((is_missing(column.original)[i] != is_missing(column.protected)[j]).any())

    def has_moved_holes(self, name: str) -> bool:
        """Whether as many values are missing in both files, but not of the same people, all of whom are known.

        The terms of every method then say that missing values stayed missing, which is not so.
        """
        column = self.known.column(name)
        counts = [int(is_missing(side).sum()) for side in (column.original, column.protected)]
        return self.is_whole and counts[0] == counts[1] and self.has_holes(name)


def same(x: FloatArray, y: FloatArray) -> BoolArray:
    """Tell which numbers are equal as far as files that are written and read again keep them.

    >>> same(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 1.1])).tolist()
    [True, False]
    """
    result = np.asarray(x == y)
    is_near = ~result & (np.abs(x - y) <= NEAR * np.maximum(np.abs(x), np.abs(y)))
    result[is_near] = significant(x[is_near]) == significant(y[is_near])
    return result
