"""Mahalanobis distances: the intruder who knows how the noise is spread (COV), and the one who does not (COV0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.mahalanobis import mahalanobis0_distance, mahalanobis_distance


@dataclass(eq=False)
class Mahalanobis(Attacker):
    """The intruder who knows the covariance of the differences between true pairs (DBRLM-COV).

    distance = (a - b)' [VarA + VarB - Cov - Cov']^-1 (a - b), the bracket being the covariance of a - b over the true
    pairs: he is fitted to the files he attacks. Invariant to linear changes of the attributes, so on the scale
    ``original`` it is the papers' distance on raw values.

    A direction in which people differ while true pairs do not is a key and decides first (see
    `linkrisk.distances.keys`); if all pairs differ by one constant, that constant is subtracted. A direction in which
    nobody differs is dropped, with a note. Numeric and date attributes only.

    Ties: relative tolerance 2^-40. Missing values: filled with the mean of their file; pairs with a hole take no part
    in the covariance of the differences (unless too few others are left), because a value that was filled in is no true
    difference. Cost: a QR factorisation (n^2 operations per record), then n operations per pair. Reference:
    torra2010-owa.txt, section 2; Definition 4 of abril-bilinear.txt.

    >>> Mahalanobis().has_true_pairs
    True
    """

    name: ClassVar[str] = "mahalanobis"
    knows: ClassVar[str] = "He knows how much the attributes were changed, each and together."
    has_true_pairs: ClassVar[bool] = True

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance of the whitened vectors, keys in front."""
        return mahalanobis_distance(comparison)


@dataclass(eq=False)
class Mahalanobis0(Attacker):
    """The intruder who knows the spread of both files, but not who is who (DBRLM-COV0).

    distance = (a - b)' [VarA + VarB]^-1 (a - b). A direction without variance in either file is dropped, with a note.
    Numeric and date attributes only.

    Ties: relative tolerance 2^-40. Missing values: filled with the mean of their file. Cost: as `Mahalanobis`.
    Reference: torra2010-owa.txt, section 2.

    >>> Mahalanobis0().has_true_pairs
    False
    """

    name: ClassVar[str] = "mahalanobis0"
    knows: ClassVar[str] = "He knows how widely the values of both files are spread."

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance of the whitened vectors."""
        return mahalanobis0_distance(comparison)
