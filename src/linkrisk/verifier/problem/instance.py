"""The learning problem of a certificate: who counts against whom, what a link is worth, exact rows."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from linkrisk.differences.comparison import Comparison
from linkrisk.verifier.certificate.document import Claim
from linkrisk.verifier.exact.rationals import Row
from linkrisk.verifier.families.family import Family, make_family
from linkrisk.verifier.problem.differences import Differences, SquaredDifferences, VectorDifferences
from linkrisk.verifier.verification import Rejection

CACHED_ENTRIES = 1 << 23
"""Entries of exact rows that are kept."""


class Instance:
    """Two files, a family of distances, and the rules by which links are counted.

    Exact rows are v(i, j) times `unit`, exact features are phi(i, j) times `unit`. A ``tolerance`` that is given takes
    the place of the one claimed.
    """

    def __init__(self, claim: Claim, comparison: Comparison, tolerance: float | None = None) -> None:
        _check_finite(comparison)
        is_signed = claim.attacker.startswith("bilinear")
        compared = comparison.vectors()[0] if is_signed else comparison
        if compared.n_attributes == 0:
            raise Rejection("The files have no attribute that the attacker can use")
        self.squares = SquaredDifferences(compared.coordinates)
        self.differences: Differences = VectorDifferences(comparison) if is_signed else self.squares
        self.family: Family = make_family(claim, compared.n_attributes)
        self.own: list[int] = comparison.coordinates.own.tolist()
        self.n_original, self.n_protected = len(self.own), len(comparison.coordinates.protected)
        self.ties = claim.ties
        self.tolerance = _tolerance(claim, self.family) if tolerance is None else tolerance
        self._near, self._far = (1 - Fraction(self.tolerance)).as_integer_ratio()
        self._weights = _weights(claim, self.n_original)
        self.row = lru_cache(64 + CACHED_ENTRIES // self.family.n_parameters)(self._row)
        self.is_twin = lru_cache(4096)(self.squares.is_twin)

    @property
    def unit(self) -> int:
        """The factor by which exact rows and features are multiplied.

        *Guarantee* (docs/mathematics.md#whole-numbers): times this factor, all features and rows are whole numbers.
        """
        return self._far << self.differences.feature_shift

    @property
    def people(self) -> list[int]:
        """The original records that have a protected version: only these can be linked."""
        return [i for i, j in enumerate(self.own) if j >= 0]

    def features(self, i: int, j: int) -> Row:
        """Return phi(i, j) times `unit`."""
        phi = self.family.features(self.differences.exact(i, j))
        return {place: self._far * value for place, value in phi.items()}

    def _row(self, i: int, j: int) -> Row:
        """Return v(i, j) = (1 - t) phi(i, j) - phi(i, own(i)) times `unit`."""
        other = self.family.features(self.differences.exact(i, j))
        row = {place: self._near * value for place, value in other.items()}
        for place, value in self._own_features(i).items():
            row[place] = row.get(place, 0) - self._far * value
        return {place: value for place, value in row.items() if value}

    def _own_features(self, i: int) -> Row:
        return self.family.features(self.differences.exact(i, self.own[i]))

    def counting(self, i: int) -> NDArray[np.bool_]:
        """Tell which protected records j count against record i: it is linked if v(i, j) . theta > 0 for all these."""
        if self.ties != "unique":
            return ~self.is_twin(i)
        result = np.ones(self.n_protected, dtype=bool)
        result[self.own[i]] = False
        return result

    def counts(self, i: int, j: int) -> bool:
        """Tell whether protected record j counts against original record i."""
        return j != self.own[i] if self.ties == "unique" else not self.is_twin(i)[j]

    def worth(self, i: int) -> Fraction:
        """Return what a link of record i is worth."""
        weight = Fraction(1) if self._weights is None else Fraction(self._weights[i])
        return weight / int(self.is_twin(i).sum()) if self.ties == "expected" else weight

    def is_lost_to(self, i: int, j: int) -> bool:
        """Tell whether no admissible theta makes v(i, j) . theta positive.

        *Guarantee* (docs/mathematics.md#verify-lost): exact. A distance made of the d_k is monotone and homogeneous in
        them; so if no d_k of record j is above that of the own record divided by 1 - t, record j is never farther by
        more than the tolerance. For forms, a copy of the own record has v = -t phi, which is not positive where no
        distance is negative.
        """
        there, here = self.differences.exact(i, j), self.differences.exact(i, self.own[i])
        if self.family.is_signed:
            if self.family.is_nonnegative and there in (here, [-value for value in here]):
                return True
        elif all(self._near * a <= self._far * b for a, b in zip(there, here, strict=True)):
            return True
        return self.family.is_polar(self.row(i, j))


def _check_finite(comparison: Comparison) -> None:
    coordinates = comparison.coordinates
    if np.isinf(coordinates.original).any() or np.isinf(coordinates.protected).any():
        raise Rejection("A scaled value of the files is not finite")


def _tolerance(claim: Claim, family: Family) -> float:
    if not family.least_tolerance <= claim.tolerance < 1.0 or (not family.least_tolerance and claim.tolerance):
        raise Rejection("The tolerance is not one with which the attacker can be learned")
    return claim.tolerance


def _weights(claim: Claim, n_original: int) -> list[float] | None:
    if claim.weights is not None and len(claim.weights) != n_original:
        raise Rejection("The certificate does not give a weight for every original record")
    return claim.weights
