"""Ordered weighted averages: an intruder who looks at the size of differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from linkrisk.arrays import FloatArray
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily, ordered_distance
from linkrisk.distances.parameters import checked_weights


@dataclass(eq=False)
class OWA(LearnedAttacker):
    """The intruder who looks at the size of differences, not at the attributes they are in.

    distance = sum of p_r d_(r), d sorted from large to small, p >= 0, sum p = 1; p = (1, 0, ..., 0) is the largest
    difference, p = (0, ..., 0, 1) the smallest. Without ``weights`` he is the strongest of his kind: the weights that
    link the most records are learned, and ``weights_`` are by position, the largest difference first.

    Parameters
    ----------
    weights
        By position, the largest difference first; None to learn them.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: a sort of n values per
    pair; for learning see `LearnedAttacker`. Reference: Definition 1 and approach 2 of torra2010-owa.txt (d2OWA).

    >>> OWA([0.5, 0.5]).is_learned, OWA()
    (False, OWA(weights=None))
    """

    weights: Sequence[float] | None = None
    name: ClassVar[str] = "owa"
    knows: ClassVar[str] = "He looks at the size of differences, not at the attributes they are in."

    @property
    def is_learned(self) -> bool:
        """Whether the weights are still to be learned."""
        return self.weights is None

    def family(self) -> Family:
        """Return all ordered weighted averages."""
        return OWAFamily()

    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        del names
        return replace(self, weights=tuple(values.tolist()))

    def _given_distance(self, comparison: Comparison) -> Distance:
        weights = () if self.weights is None else self.weights
        return ordered_distance(comparison, checked_weights(weights, comparison.n_attributes, self.name))

    def _keep_parameters(self, values: FloatArray) -> None:
        self.weights_ = values
