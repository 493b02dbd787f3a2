"""The worth of a link of each record that is not lost, and which sums of worths are possible."""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction
from functools import cached_property

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.verifier.problem.instance import Instance

ALLOWANCE = Fraction(1, 1 << 40)
"""Relative error allowed in sums that are not whole numbers, because floats do not hold them exactly."""


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
    def step(self) -> Fraction:
        """The greatest number of which all worths are multiples; 0 if all worths are 0."""
        denominator = math.lcm(*(worth.denominator for worth in self.of))
        return Fraction(math.gcd(*(int(worth * denominator) for worth in self.of)), denominator)

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


def agrees(claimed: float, counted: Fraction) -> bool:
    """Tell whether a number in a certificate is the one counted; a number that is not whole may be off by `ALLOWANCE`.

    >>> agrees(3.0, Fraction(3)), agrees(1 / 3, Fraction(1, 3)), agrees(3.0000000001, Fraction(3))
    (True, True, False)
    """
    if counted.denominator == 1:
        return Fraction(claimed) == counted
    return abs(Fraction(claimed) - counted) <= ALLOWANCE * counted


def exceeds(proven: Fraction, claimed: float, total: Fraction) -> bool:
    """Tell whether a proven bound is above the one claimed; one that is not whole by more than `ALLOWANCE` of all.

    >>> exceeds(Fraction(4), 3.0, Fraction(9)), exceeds(Fraction(1, 10**15), 0.0, Fraction(9))
    (True, False)
    """
    allowance = 0 if proven.denominator == 1 else ALLOWANCE * total
    return proven - allowance > Fraction(claimed)
