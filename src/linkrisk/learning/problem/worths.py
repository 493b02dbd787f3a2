"""What links are worth, and sums of it, without rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.distances.polar import common_factor

EXACT = 1 << 52
"""Sums of whole numbers up to this are exact in floating point, in any order."""


@dataclass(frozen=True, eq=False, repr=False)
class Worths:
    """What a link of each record is worth: whole numbers times one unit.

    Weights are floats, and floats are fractions; a link that is shared by twins is worth a fraction of a weight. The
    unit is the greatest number of which all worths are multiples, so that two sums that differ do so by 1 at least.
    """

    wholes: tuple[int, ...]
    unit: Fraction

    @classmethod
    def of(cls, worths: Sequence[Fraction]) -> Worths:
        """Return worths as multiples of the greatest unit possible.

        >>> worths = Worths.of([Fraction(1, 2), Fraction(1, 3)])
        >>> worths.wholes, worths.unit
        ((3, 2), Fraction(1, 6))
        """
        common = math.lcm(*(worth.denominator for worth in worths))
        wholes = [int(worth * common) for worth in worths]
        divisor = common_factor(wholes)
        return cls(tuple(whole // divisor for whole in wholes), Fraction(divisor, common))

    @cached_property
    def total(self) -> int:
        """Worth of all records, in units."""
        return sum(self.wholes)

    @property
    def is_exact(self) -> bool:
        """Whether `floats` are exact, and so is every sum of them."""
        return self.total <= EXACT

    @cached_property
    def exponent(self) -> int:
        """Power of two by which `floats` are divided: 0 where they are exact."""
        return 0 if self.is_exact else max(self.wholes).bit_length()

    @cached_property
    def floats(self) -> FloatArray:
        """The worths in units times 2^exponent: whole numbers where they are exact, otherwise rounded once."""
        divisor = 1 << self.exponent
        return np.array([whole / divisor for whole in self.wholes])

    @cached_property
    def values(self) -> FloatArray:
        """The worths themselves, each rounded once."""
        return np.array([self.value(whole) for whole in self.wholes])

    def sum(self, linked: BoolArray) -> int:
        """Return the worth of some records, in units."""
        if self.is_exact:
            return int(self.floats[linked].sum())
        return sum(self.wholes[place] for place in np.flatnonzero(linked).tolist())

    def value(self, units: int | Fraction) -> float:
        """Return a worth given in units as the float nearest to it."""
        return float(units * self.unit)
