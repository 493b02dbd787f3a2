"""Two files as matrices of numbers, with what the kernels must know to subtract two of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np

from linkrisk.arrays import FloatArray, IntArray


class DifferenceRule(IntEnum):
    """How a kernel computes d_k from two numbers x and y of attribute k."""

    SQUARED = 0  # (x - y)^2: numbers and dates
    EQUAL = 1  # 0 if the codes agree, else 1: nominal
    ORDERED = 2  # (|x - y| + offset) / divisor: ordinal codes
    LOOKED_UP = 3  # looked up by the two codes: text


@dataclass(frozen=True, eq=False, repr=False)
class TextPair:
    """The distinct strings behind the codes of a text attribute, in each file."""

    original: tuple[str, ...]
    protected: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Coordinates:
    """The numbers that are compared: row i of ``original`` with row j of ``protected``.

    Missing values are NaN. ``divisor``, ``offset``, ``missing_one`` and ``missing_both`` are per attribute,
    as described in `DifferenceRule` and `linkrisk.differences.missing`. ``own`` is as in `FilePair`.
    """

    original: FloatArray
    protected: FloatArray
    own: IntArray
    rules: IntArray
    divisor: FloatArray
    offset: FloatArray
    missing_one: FloatArray
    missing_both: FloatArray
    texts: tuple[TextPair | None, ...]

    @property
    def n_attributes(self) -> int:
        """Number of coordinates."""
        return int(self.original.shape[1])

    @cached_property
    def is_plain(self) -> bool:
        """Whether every attribute is numeric (or a date) and no value is missing."""
        return bool(
            (self.rules == DifferenceRule.SQUARED).all()
            and not np.isnan(self.original).any()
            and not np.isnan(self.protected).any()
        )

    def select(self, indices: Iterable[int]) -> Coordinates:
        """Keep some attributes, in the given order."""
        kept = list(indices)
        return Coordinates(
            original=np.ascontiguousarray(self.original[:, kept]),
            protected=np.ascontiguousarray(self.protected[:, kept]),
            own=self.own,
            rules=self.rules[kept],
            divisor=self.divisor[kept],
            offset=self.offset[kept],
            missing_one=self.missing_one[kept],
            missing_both=self.missing_both[kept],
            texts=tuple(self.texts[k] for k in kept),
        )

    def restrict(self, rows: IntArray) -> Coordinates:
        """Keep some original records; all protected ones stay candidates."""
        return replace(self, original=np.ascontiguousarray(self.original[rows]), own=self.own[rows])

    def exchanged(self) -> Coordinates:
        """Return the two files exchanged, nobody belonging to anybody; d_k is the same either way."""
        return replace(
            self,
            original=self.protected,
            protected=self.original,
            own=np.full(len(self.protected), -1, dtype=np.int64),
            texts=tuple(None if text is None else TextPair(text.protected, text.original) for text in self.texts),
        )

    def among_own(self) -> Coordinates:
        """Keep the protected records that belong to an original one, in their order."""
        rows = np.unique(self.own[self.own >= 0])
        place = np.full(len(self.protected) + 1, -1, dtype=np.int64)  # the last entry is for records without one
        place[rows] = np.arange(len(rows))
        return replace(self, protected=np.ascontiguousarray(self.protected[rows]), own=place[self.own])


def numeric_coordinates(original: FloatArray, protected: FloatArray, own: IntArray) -> Coordinates:
    """Coordinates that are all numbers without holes, as the attackers that transform vectors make them."""
    n_attributes = original.shape[1]
    zeros = np.zeros(n_attributes)
    return Coordinates(
        original=np.ascontiguousarray(original),
        protected=np.ascontiguousarray(protected),
        own=own,
        rules=np.full(n_attributes, int(DifferenceRule.SQUARED), dtype=np.int64),
        divisor=np.ones(n_attributes),
        offset=zeros,
        missing_one=zeros,
        missing_both=zeros,
        texts=(None,) * n_attributes,
    )
