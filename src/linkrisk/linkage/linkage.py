"""What linking found: for every original record how near its own protected version is, and who else."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.linkage.ties import DEFAULT_TIES, Ties


@dataclass(frozen=True, eq=False, repr=False)
class Linkage:
    """Nearest protected records of every original record, with ties; every array has one entry per record.

    own
        Distance to its own protected version; NaN for a record without counterpart.
    nearest_other, second_other
        Distances to the nearest and second-nearest other protected records (inf where there are none).
        ``second_other`` is exact whenever it is below ``own``.
    other
        Row of a nearest other protected record.
    is_beaten
        Whether some other record is nearer than its own.
    tied
        Others as near as its own (relative tolerance 2^-40); 0 where one that is no twin is nearer.
    twins
        Others at least as near that no attribute tells from its own; 0 where one that is no twin is nearer.
    strangers
        Others at least as near that are no twins; complete only where it is 0, or where ranks were asked for.
    has_counterpart
        Whether the record has a protected version at all.
    rank
        1 + number of others nearer than its own, if it was asked for; 0 for a record without counterpart.
    """

    own: FloatArray
    nearest_other: FloatArray
    second_other: FloatArray
    other: IntArray
    is_beaten: NDArray[np.bool_]
    tied: IntArray
    twins: IntArray
    strangers: IntArray
    has_counterpart: NDArray[np.bool_]
    rank: IntArray | None = None

    def __repr__(self) -> str:
        return f"<Linkage of {len(self.own)} records: {self.links(DEFAULT_TIES):.6g} expected links>"

    @property
    def nearest(self) -> FloatArray:
        """Distance to the nearest protected record, be it its own or not."""
        return np.fmin(self.own, self.nearest_other)

    @property
    def second_nearest(self) -> FloatArray:
        """Distance to the second-nearest protected record, be it its own or not."""
        is_own_first = self.own <= self.nearest_other
        return np.where(is_own_first, self.nearest_other, np.fmin(self.own, self.second_other))

    def is_linked(self, ties: Ties | str = DEFAULT_TIES) -> NDArray[np.bool_]:
        """Tell which records are linked; ``expected`` links the same records as ``class``."""
        if Ties(ties) is Ties.UNIQUE:
            return np.asarray(self.has_counterpart & ~self.is_beaten & (self.tied == 0))
        return np.asarray(self.has_counterpart & (self.strangers == 0))

    def links(self, ties: Ties | str = DEFAULT_TIES, among: NDArray[np.bool_] | None = None) -> float:
        """Count links, of some original records (all by default).

        A whole number except for ``expected``, where it is the float nearest to the sum.
        """
        linked = self.is_linked(ties) if among is None else self.is_linked(ties) & among
        if Ties(ties) is Ties.EXPECTED:
            return shared_links(self.twins[linked])
        return int(linked.sum())

    def chances(self, ties: Ties | str = DEFAULT_TIES) -> FloatArray:
        """Return how likely each record is linked rightly; they add up to `links`."""
        return shared_chances(self.is_linked(ties), self.twins, ties)


def shared_links(twins: IntArray) -> float:
    """Return the links of people who each share one with twins: the float nearest to the sum of 1 / (1 + twins).

    >>> shared_links(np.array([0, 1, 1]))
    2.0
    """
    sizes, counts = np.unique(twins + 1, return_counts=True)
    shares = zip(counts.tolist(), sizes.tolist(), strict=True)
    return float(sum((Fraction(count, size) for count, size in shares), Fraction(0)))


def shared_chances(is_linked: NDArray[np.bool_], twins: IntArray, ties: Ties | str) -> FloatArray:
    """Return 1 for each record that is linked; by the rule ``expected`` the share of one who picks among twins.

    >>> shared_chances(np.array([True, True, False]), np.array([0, 3, 1]), "expected").tolist()
    [1.0, 0.25, 0.0]
    """
    linked = is_linked.astype(np.float64)
    return linked / (twins + 1.0) if Ties(ties) is Ties.EXPECTED else linked
