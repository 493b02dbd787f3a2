"""The median of the differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.median import median_distance


@dataclass(eq=False)
class Median(Attacker):
    """The intruder who trusts neither the largest differences nor the smallest.

    He knows the original values of the attributes and expects some of them to be changed beyond recognition, others not
    at all, and does not know which.

    distance = median of the d_k, for an even number of attributes the mean of the two in the middle: an ordered
    weighted average with all its weight there.

    Ties: relative tolerance 2^-40; records that agree in more than half of the attributes are at distance 0, so that
    ties are frequent where values are. Missing values: see `linkrisk.differences.missing`. Cost: as `OWA`. Reference:
    Yager (1988), https://doi.org/10.1109/21.87068; Definition 1 of torra2010-owa.txt.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> people = np.arange(12.0).reshape(4, 3)
    >>> Median().distance(make_comparison(pair_files(people, people))).theta.tolist()
    [0.0, 1.0, 0.0]
    """

    name: ClassVar[str] = "median"
    knows: ClassVar[str] = "He knows the attributes, and trusts neither the largest differences nor the smallest."

    def distance(self, comparison: Comparison) -> Distance:
        """Return the median of the differences."""
        return median_distance(comparison)
