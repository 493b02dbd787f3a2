"""Every pair of the two files, as the papers write them down: no record and no row left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.linkage.ties import Ties


@dataclass(frozen=True, eq=False, repr=False)
class AllPairs:
    """Features of a family for each original record against all protected ones, copies included.

    ``comparison`` is what the family compares: for bilinear forms the numeric and date attributes only.
    """

    family: Family
    comparison: Comparison

    @classmethod
    def of(cls, family: Family, comparison: Comparison) -> AllPairs:
        """Return the pairs of a family on two files."""
        if family.is_signed:
            comparison, *_ = vectors_for(comparison, family.name)
        return cls(family, comparison)

    @property
    def own(self) -> IntArray:
        """Row of each original record's own protected version, -1 where there is none."""
        return self.comparison.coordinates.own

    @cached_property
    def records(self) -> IntArray:
        """Original records that have a protected version."""
        return np.flatnonzero(self.own >= 0)

    def features(self, record: int) -> FloatArray:
        """Return phi of a record and every protected record, one row per protected record."""
        if self.family.is_signed:
            original, protected = self._vectors
            return np.asarray(self.family.features(original[record] - protected))
        return np.asarray(self.family.features(self._pairs.differences(record)))[self._pairs.point_of]

    def rivals(self, record: int, ties: Ties) -> tuple[NDArray[np.bool_], float]:
        """Tell which protected records count against a record, and what its link is worth.

        Twins count under ``unique`` only; under ``expected`` a link is worth 1 / (number of twins, itself included).
        """
        if ties is Ties.UNIQUE:
            return np.arange(len(self.comparison.coordinates.protected)) != self.own[record], 1.0
        d = self._pairs.differences(record)
        is_rival = ~self._pairs.is_twin(d, record)[self._pairs.point_of]
        return is_rival, 1.0 / self._pairs.twins(d, record) if ties is Ties.EXPECTED else 1.0

    @cached_property
    def _pairs(self) -> Pairs:
        return Pairs(self.comparison)

    @cached_property
    def _vectors(self) -> tuple[FloatArray, FloatArray]:
        _, original, protected = self.comparison.vectors()
        return original, protected
