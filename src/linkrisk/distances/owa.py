"""Ordered weighted average: weights go to the largest, second-largest, ... difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Family, Numbers
from linkrisk.distances.formula import Formula
from linkrisk.distances.meaning import PositionsMeaning, positions_meaning
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize
from linkrisk.distances.weighted_mean import simplex_set, simplex_size, summing_to_one


def ordered_distance(comparison: Comparison, weights: FloatArray) -> Distance:
    """Return the ordered weighted average of the differences: ``weights`` go to the largest one first."""
    return Distance(
        Rule.ORDERED,
        weights,
        comparison.coordinates,
        importance=np.ones(comparison.n_attributes),
        subsets=sorting_network(comparison.n_attributes),
        floor=ordered_floor(weights),
        parameters={"weights": weights.tolist()},
    )


def sorting_network(n: int) -> IntArray:
    """Return the steps that sort any n values from large to small: Batcher's odd-even merge sort.

    Each row names two positions; the larger value goes to the first. Some n (log n)^2 / 4 steps. Where n is no power of
    two, steps beyond the end are left out, because the values missing there would never move.

    >>> sorting_network(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    steps: list[tuple[int, int]] = []
    span = 1
    while span < n:
        stride = span
        while stride >= 1:
            for start in range(stride % span, n - stride, 2 * stride):
                block = range(start, min(start + stride, n - stride))
                steps += [(low, low + stride) for low in block if low // (2 * span) == (low + stride) // (2 * span)]
            stride //= 2
        span *= 2
    return np.array(steps, dtype=np.int64).reshape(-1, 2)


def ordered_floor(theta: FloatArray) -> float:
    """Return c such that every ordered weighted average is at least c times the sum of the values.

    *Guarantee* (docs/mathematics.md#ordered-floor): among values of a given sum, sorted from large to small, the
    average is least at a corner of their set: equal on the first r positions, zero elsewhere; so c is the least of (p_1
    + ... + p_r) / r.

    >>> import numpy as np
    >>> ordered_floor(np.array([0.25, 0.75]))
    0.25
    """
    return float((np.cumsum(theta) / np.arange(1, theta.size + 1)).min())


@dataclass(frozen=True)
class OWAFamily(Family):
    """All ordered weighted averages: phi is d sorted from large to small, theta >= 0.

    >>> import numpy as np
    >>> OWAFamily().features(np.array([[1.0, 4.0]])).tolist()
    [[4.0, 1.0]]
    """

    name: ClassVar[str] = "owa"
    floor: ClassVar[float] = 0.0
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    def features(self, differences: Numbers) -> Numbers:
        """Return the differences sorted from large to small."""
        return -np.sort(-differences, axis=1)

    def profile(self, differences: Numbers) -> Numbers:
        """Return the sorted differences: a record no farther at any position is no farther on the whole.

        *Guarantee* (docs/mathematics.md#monotone): no distance falls when a sorted difference grows.
        """
        return self.features(differences)

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the cone of weights that are not negative."""
        return simplex_set(n_attributes)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return weights that sum to 1."""
        return summing_to_one(theta)

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the ordered weighted average with these weights, normalised."""
        return ordered_distance(comparison, self.normalised(theta))

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Call weights by their positions."""
        return tuple(f"position {place}" for place in range(1, len(names) + 1))

    def meaning(
        self,
        theta: FloatArray,
        names: Sequence[str],  # noqa: ARG002  (positions have no names)
        covariance: FloatArray | None = None,  # noqa: ARG002  (of no use to weights)
    ) -> PositionsMeaning:
        """Say what the weights of the positions mean."""
        return positions_meaning(self.normalised(theta))

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:
        """Return the weights of positions; those of the mean are all the same."""
        if formula.rule is Rule.ORDERED:
            return formula.theta if formula.names == tuple(names) else None
        weights = formula.weights(names)
        return weights if weights is not None and (weights == weights[0]).all() else None

    @property
    def is_boxed(self) -> bool:
        """Boxes may be searched, except for a family derived from this one."""
        return type(self) is OWAFamily

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count the papers' programme: weights that are not negative and sum to 1."""
        return simplex_size(self.name, n_records, n_attributes)

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is OWAFamily
