"""Differences standardised by how much each attribute was changed (DBRL2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.standardised import standardised_distance


@dataclass(eq=False)
class DistanceStandardised(Attacker):
    """The intruder who knows how much each attribute was changed (DBRL2).

    distance = sum over k of (a_k - b_k)^2 / var(a_k - b_k), the variance (n - 1) being taken over the true pairs: he is
    fitted to the files he attacks. With fewer than two true pairs known on both sides, var A_k + var B_k is used. On
    the scale ``original`` this is the papers' distance on raw values. Attributes of other kinds enter with d_k divided
    by its mean over the true pairs.

    An attribute without any difference between true pairs is a key and decides first (see `linkrisk.distances.keys`);
    if all pairs differ by one constant, it is subtracted. Attributes in which no two records differ get weight 0, with
    a note.

    Ties: relative tolerance 2^-40. Missing values: they count as elsewhere (`linkrisk.differences.missing`), divided
    like the rest. Cost: as `Mean`. Reference: torra2010-owa.txt, section 2.

    >>> DistanceStandardised().has_true_pairs
    True
    """

    name: ClassVar[str] = "distance_standardised"
    knows: ClassVar[str] = "He knows how much each attribute was changed."
    has_true_pairs: ClassVar[bool] = True

    def distance(self, comparison: Comparison) -> Distance:
        """Return the weighted sum of the differences."""
        return standardised_distance(comparison)
