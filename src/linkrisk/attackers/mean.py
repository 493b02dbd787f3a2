"""Every attribute counts the same (DBRL1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.weighted_mean import mean_distance


@dataclass(eq=False)
class Mean(Attacker):
    """The plain Euclidean intruder: every attribute counts the same.

    He knows the original values of the attributes and nothing about the protection.

    distance = mean of the d_k, which orders records as DBRL1 does.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: n operations per pair, for
    far fewer pairs than all. Reference: torra2010-owa.txt, section 2.1.

    >>> Mean().name
    'mean'
    """

    name: ClassVar[str] = "mean"
    knows: ClassVar[str] = "He knows the attributes, and nothing about the protection: every attribute counts the same."

    def distance(self, comparison: Comparison) -> Distance:
        """Return the mean of the differences."""
        return mean_distance(comparison)
