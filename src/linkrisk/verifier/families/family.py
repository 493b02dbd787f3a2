"""What the checks must know about a family of distances: its features, admissible parameters, and their polar cone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from linkrisk.arrays import FloatArray
from linkrisk.verifier.certificate.document import Claim
from linkrisk.verifier.certificate.fields import SHOWN
from linkrisk.verifier.exact.rationals import Row
from linkrisk.verifier.families.forms import FORMS, Forms
from linkrisk.verifier.families.measures import Measures
from linkrisk.verifier.families.mobius import MobiusMeasures
from linkrisk.verifier.families.weights import OrderedWeights, Weights
from linkrisk.verifier.verification import Rejection

MAX_FULL_ATTRIBUTES = 16
"""Number of attributes up to which a fuzzy measure with a value for every subset is checked."""

MAX_PARAMETERS = (1 << MAX_FULL_ATTRIBUTES) - 1


class Family(Protocol):
    """A family of distances theta . phi; theta ranges over a closed convex cone."""

    @property
    def n_parameters(self) -> int:
        """Return the number of parameters."""

    @property
    def is_signed(self) -> bool:
        """Return whether features are made of signed differences of vectors instead of the d_k."""

    @property
    def is_nonnegative(self) -> bool:
        """Return whether the family demands that no distance on the two files is negative."""

    @property
    def least_tolerance(self) -> float:
        """Return the tolerance of ties without a margin."""

    def features(self, differences: Sequence[int]) -> Row:
        """Return phi, exactly."""

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return theta . phi of each row in floating point, and a bound on the error of each.

        *Guarantee* (docs/mathematics.md#exact-signs): for an admissible theta the exact distance is within the error,
        even if each difference is wrong by up to 3 roundings, and theta is `nearest_floats` of the exact one. An error
        that is not finite means that nothing is known.
        """

    def check_parameters(self, theta: Sequence[int]) -> None:
        """Raise `Rejection` unless theta, which may be multiplied by any positive number, is admissible; exact."""

    def is_polar(self, row: Row) -> bool:
        """Tell whether row . theta <= 0 for all admissible theta; False may also mean that this is not known."""

    def cut(self, label: Mapping[str, Any]) -> Row:
        """Return a row g of small whole numbers with g . theta >= 0 for all admissible theta."""

    @property
    def normal(self) -> Row:
        """Return a row whose product with every admissible theta, suitably scaled, is 1; empty where there is none."""

    def bound(self, place: int) -> int:
        """Return a bound on |theta_k| for all admissible theta with normal . theta = 1."""


def make_family(claim: Claim, n_attributes: int) -> Family:
    """Return the family of the attacker that a certificate names, for a number of attributes."""
    name = claim.attacker
    if claim.floor is not None and name != "weighted_mean_metric":
        raise Rejection(f"The attacker {name[:SHOWN]!r} has no floor")
    if claim.additivity is not None and name != "choquet":
        raise Rejection(f"The attacker {name[:SHOWN]!r} has no additivity")
    if name in FORMS:
        return Forms(n_attributes, name)
    if name in {"weighted_mean", "weighted_mean_metric"}:
        return _weights(claim, n_attributes)
    if name == "owa":
        return OrderedWeights(n_attributes)
    if name not in {"choquet", "choquet_metric"}:
        raise Rejection("The attacker is not one of those that are learned with a proof")
    if claim.additivity is not None:
        if _n_mobius_sets(n_attributes, claim.additivity) > MAX_PARAMETERS:
            raise Rejection(f"The attacker has more than {MAX_PARAMETERS:,} parameters, which is never learned")
        return MobiusMeasures(n_attributes, claim.additivity)
    if n_attributes > MAX_FULL_ATTRIBUTES:
        raise Rejection(
            f"A measure with a value for every subset is checked for at most {MAX_FULL_ATTRIBUTES} attributes"
        )
    return Measures(n_attributes, is_metric=name == "choquet_metric")


def _n_mobius_sets(n_attributes: int, additivity: int) -> int:
    """Return the number of sets of 1 to ``additivity`` attributes, or some number above `MAX_PARAMETERS`."""
    total = 0
    for size in range(1, min(additivity, n_attributes) + 1):
        total += math.comb(n_attributes, size)
        if total > MAX_PARAMETERS:
            break
    return total


def _weights(claim: Claim, n_attributes: int) -> Weights:
    if claim.attacker == "weighted_mean":
        return Weights(n_attributes, 0.0)
    if claim.floor is None or claim.floor <= 0.0:
        raise Rejection("The attacker weighted_mean_metric has no floor above 0")
    return Weights(n_attributes, claim.floor)
