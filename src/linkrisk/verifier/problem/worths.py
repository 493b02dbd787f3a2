"""The worth of a link of each record that is not lost, which sums of worths are possible, and these as floats."""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction
from functools import cached_property

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.verifier.problem.instance import Instance


class Worths:
    """The worth of every original record: 0 if it is lost or has no protected version."""

    def __init__(self, instance: Instance, lost: Collection[int]) -> None:
        gone = set(lost)
        self.n_records = instance.n_original
        people = set(instance.people) - gone
        self.of = [instance.worth(i) if i in people else Fraction(0) for i in range(self.n_records)]
        self.is_open = np.array([i in people for i in range(self.n_records)], dtype=bool)
        self.total = sum(self.of, Fraction(0))
        self._scaled: dict[int, IntArray] = {}

    @cached_property
    def denominator(self) -> int:
        """The least whole number that makes all worths whole."""
        return math.lcm(*(worth.denominator for worth in self.of))

    @cached_property
    def numerators(self) -> list[int]:
        """The worths times `denominator`."""
        return [int(worth * self.denominator) for worth in self.of]

    @cached_property
    def step(self) -> Fraction:
        """The greatest number of which all worths are multiples; 0 if all worths are 0."""
        return Fraction(math.gcd(*self.numerators), self.denominator)

    def rounded_down(self, worth: Fraction) -> Fraction:
        """Return the greatest worth not above this one that a set of records can have.

        *Guarantee* (docs/mathematics.md#verify-cover): no set of records is worth anything in between.
        """
        return math.floor(worth / self.step) * self.step if self.step else min(worth, Fraction(0))

    def scaled(self, exponent: int) -> IntArray:
        """Return the worths in units of 2^exponent, rounded down."""
        if exponent not in self._scaled:
            unit = Fraction(2) ** exponent
            self._scaled[exponent] = np.array([math.floor(worth / unit) for worth in self.of], dtype=np.int64)
        return self._scaled[exponent].copy()


def nearest_float(worth: Fraction) -> float:
    """Return the float64 number nearest to a sum of worths, infinity where it is too large for one.

    >>> nearest_float(Fraction(1, 3)) == 1 / 3, nearest_float(Fraction(10) ** 400)
    (True, inf)
    """
    try:
        return float(worth)
    except OverflowError:
        return math.inf
