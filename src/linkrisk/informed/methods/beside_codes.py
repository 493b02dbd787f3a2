"""Correlated noise beside codes for missing: a value that would be a code was moved towards the original.

A released record with a value beside a code is what the noise made of a person, or what it made was the code. With
several such values each may have been one. So the density at the record is a sum over all that it can have been
(docs/mathematics.md#beside-codes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.informed.methods.noise_law import COST_DIGITS, NoiseLaw
from linkrisk.informed.terms import TermList

MOST_PEOPLE, MOST_PAIRS = 20_000, 4_000_000
"""Different people, and pairs with different records beside a code, up to which each pair is looked at on its own."""

Whitened = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]
"""Takes originals and released records, and returns them in coordinates in which noise is standard normal."""


class _Value(NamedTuple):
    """What a value of an attribute was before it was moved, and on which side of it the original must be.

    ``side`` is -1 if it must be below, 1 if above, 0 if nothing was moved.
    """

    attribute: int
    value: float
    side: int = 0

    def fits(self, people: FloatArray) -> BoolArray:
        """Tell which people are on the side."""
        return np.asarray(self.side * people[:, self.attribute] > self.side * self.value) | (self.side == 0)


@dataclass(frozen=True, eq=False, repr=False)
class Beside:
    """Different people, and different released records with a value beside a code; who and which they are.

    ``record_of`` is -1 for released records that have no such value; ``laws`` are those of the attributes with codes.
    """

    people: FloatArray
    person_of: IntArray
    records: FloatArray
    record_of: IntArray
    laws: Mapping[int, NoiseLaw]

    @classmethod
    def of(cls, x: FloatArray, y: FloatArray, laws: Sequence[NoiseLaw | None]) -> Beside:
        """Look for them in both files."""
        coded = {k: law for k, law in enumerate(laws) if law is not None and law.codes}
        is_beside = np.zeros(len(y), dtype=np.bool_)
        for k, law in coded.items():
            for place, _ in law.places_beside():
                is_beside |= law.is_at(y[:, k], place)
        people, person_of = _different(x)
        records, own = _different(y[is_beside])
        record_of = np.full(len(y), -1, dtype=np.int64)
        record_of[is_beside] = own
        return cls(people, person_of, records, record_of, coded)

    @property
    def is_small(self) -> bool:
        """Whether each pair can be looked at on its own."""
        return len(self.people) <= MOST_PEOPLE and len(self.people) * (len(self.records) + 1) <= MOST_PAIRS

    def add(self, whitened: Whitened, terms: TermList) -> None:
        """Add -log of how much likelier a record is because of the codes, where other terms say the rest.

        Where there are too many pairs, each attribute speaks for itself.
        """
        if not len(self.records):
            return
        if not self.is_small:
            for k, law in self.laws.items():
                law.refine_codes(self.people[self.person_of, k], self._column(k), terms)
            return
        gains = np.round(self._gains(whitened), COST_DIGITS)
        costs = gains.max(initial=0.0) - np.column_stack([np.zeros(len(gains)), gains])
        terms.refine(self.person_of, self.record_of + 1, costs)

    def _column(self, k: int) -> FloatArray:
        """Return the released values of an attribute, as far as they are those of records beside a code."""
        return np.where(self.record_of >= 0, self.records[self.record_of, k], np.inf)

    def _gains(self, whitened: Whitened) -> FloatArray:
        """Return for people and records the log of the sum of densities over that of the record as it is."""
        before = [list(product(*self._values(record))) for record in self.records]
        rows = np.array([[part.value for part in each] for group in before for each in group])
        people, places = whitened(self.people, rows)
        gains = np.zeros((len(self.people), len(self.records)))
        row = 0
        for number, group in enumerate(before):
            usual = _half_squares(people, places[row])  # of the record as it is, which comes first
            for place, each in enumerate(group[1:], row + 1):
                ratio = usual - _half_squares(people, places[place])
                fits = np.all([part.fits(self.people) for part in each], axis=0) & ~np.isnan(ratio)
                gains[:, number] = np.logaddexp(gains[:, number], np.where(fits, ratio, -np.inf))
            row += len(group)
        return gains

    def _values(self, record: FloatArray) -> list[list[_Value]]:
        """Return for each attribute what the value of a record can have been, its own first."""
        values = [[_Value(k, float(value))] for k, value in enumerate(record)]
        for k, law in self.laws.items():
            for place, run in law.places_beside():
                side = -1 if place < run[0] else 1
                values[k] += [_Value(k, code, side) for code in run if law.is_at(record[k], place)]
        return values


def _different(table: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the different rows of a table, missing values being equal, and which of them each row is."""
    _, first, place = np.unique(np.nan_to_num(table, nan=np.inf), axis=0, return_index=True, return_inverse=True)
    return table[first], place.reshape(-1).astype(np.int64)


def _half_squares(people: FloatArray, record: FloatArray) -> FloatArray:
    return np.asarray(0.5 * np.sum((people - record) ** 2, axis=1))
