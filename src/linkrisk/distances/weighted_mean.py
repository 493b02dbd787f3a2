"""Weighted means of the differences: equal weights (DBRL1), any weights, and their metric version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Family, Numbers
from linkrisk.distances.formula import Formula
from linkrisk.distances.meaning import WeightsMeaning, weights_meaning
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import PapersCount, ProgrammeSize
from linkrisk.errors import ParameterError

METRIC_FLOOR = 1e-4
"""Least weight of the metric version."""


def mean_distance(comparison: Comparison) -> Distance:
    """Return the mean of the differences, every attribute counting the same."""
    return weighted_distance(comparison, np.full(comparison.n_attributes, 1.0 / comparison.n_attributes))


def weighted_distance(
    comparison: Comparison, theta: FloatArray, parameters: dict[str, object] | None = None
) -> Distance:
    """Sum of theta_k d_k over the attributes of a comparison."""
    return Distance(
        Rule.WEIGHTED, theta, comparison.coordinates, importance=np.sqrt(theta), parameters=parameters or {}
    )


@dataclass(frozen=True)
class WeightedMeanFamily(Family):
    """All weighted means: phi = d, theta >= 0; with a ``floor``, every theta_k is at least that share of their sum.

    >>> WeightedMeanFamily().features(np.array([[1.0, 4.0]])).tolist()
    [[1.0, 4.0]]
    """

    floor: float = 0.0
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    @property
    def name(self) -> str:
        """Name of the attacker."""
        return "weighted_mean_metric" if self.floor > 0.0 else "weighted_mean"

    def features(self, differences: Numbers) -> Numbers:
        """Return the differences themselves."""
        return differences

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences: a record no farther on any attribute is no farther on the whole.

        *Guarantee* (docs/mathematics.md#monotone): no distance falls when a difference grows.
        """
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the cone of weights: not negative; with a floor f, each at least f times their sum."""
        if self.floor * n_attributes >= 1.0:
            raise ParameterError(
                f"{self.name}: a floor of {self.floor:g} leaves nothing to learn for {n_attributes} attributes; "
                f"choose one below {1.0 / n_attributes:g}"
            )
        return simplex_set(n_attributes, self.floor)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return weights that sum to 1, none of them below the floor."""
        weights = summing_to_one(theta)
        if self.floor == 0.0:
            return weights
        above = np.maximum(weights - self.floor, 0.0)
        rest = 1.0 - len(weights) * self.floor
        return np.asarray(self.floor + (above / above.sum() if above.any() else 1.0 / len(weights)) * rest)

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the weighted mean with these weights, normalised."""
        weights = self.normalised(theta)
        return weighted_distance(comparison, weights, weight_parameters(weights, comparison.names, self.floor))

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Call weights by their attributes."""
        return tuple(names)

    def meaning(
        self,
        theta: FloatArray,
        names: Sequence[str],
        covariance: FloatArray | None = None,  # noqa: ARG002  (of no use to weights)
    ) -> WeightsMeaning:
        """Say what the weights mean."""
        return weights_meaning(names, self.normalised(theta))

    def contains(self, other: Family) -> bool:
        """Whether the other one is of weighted means, too, with no lower floor."""
        return isinstance(other, WeightedMeanFamily) and other.floor >= self.floor

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:
        """Return the weights of a weighted mean, with none below the floor."""
        weights = formula.weights(names)
        is_low = weights is not None and bool((weights < self.floor * weights.sum()).any())
        return None if is_low else weights

    @property
    def is_boxed(self) -> bool:
        """Boxes may be searched, except for a family derived from this one."""
        return type(self) is WeightedMeanFamily

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count the papers' programme: weights that are not negative and sum to 1.

        >>> print(WeightedMeanFamily().programme_size(400, 4))
        weighted_mean, 400 records, 4 attributes
                   404  variables: 400 binary, 4 continuous
               160,005  constraints
               159,600    error rows
                   400    integrality
                     1    normalisation
                     4    nonnegativity
               160,405  constraints by abril2012-weights.txt, section 3.3
               160,005  constraints by abril-bilinear.txt, Table 2
        """
        size = simplex_size(self.name, n_records, n_attributes)
        later = n_records * (n_records - 1) + n_records + n_attributes + 1
        if self.floor > 0.0:
            return replace(size, papers=(PapersCount("abril-bilinear.txt, Table 3", later),))
        first = PapersCount("abril2012-weights.txt, section 3.3", n_records**2 + n_records + 1 + n_attributes)
        return replace(size, papers=(first, PapersCount("abril-bilinear.txt, Table 2", later)))

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is WeightedMeanFamily

    @property
    def options(self) -> dict[str, float]:
        """The floor, where there is one."""
        return {"floor": self.floor} if self.floor > 0.0 else {}


def weight_parameters(weights: FloatArray, names: Sequence[str], floor: float = 0.0) -> dict[str, object]:
    """Return weights by attribute, and the floor where there is one, for readers."""
    named: dict[str, object] = {"weights": dict(zip(names, weights.tolist(), strict=True))}
    return {**named, "floor": floor} if floor > 0.0 else named


@dataclass(frozen=True)
class SimplexSet(ParameterSet):
    """Weights that are not negative, or at least ``floor`` times their sum; the exact test uses exact edges."""

    floor: float = 0.0

    def is_polar(self, row: Sequence[int]) -> bool:
        """Say, in exact arithmetic, whether row . theta <= 0 for all admissible theta.

        *Guarantee* (docs/mathematics.md#polar-weights): exact; the edges of the set decide.
        """
        least = Fraction(self.floor)
        share, common = 1 - len(row) * least, least * sum(row)
        return all(share * value + common <= 0 for value in row)

    @cached_property
    def whole_inequalities(self) -> list[list[tuple[int, int]]]:
        """theta_k >= floor times the sum, in whole numbers."""
        share, whole = Fraction(self.floor).as_integer_ratio()
        rows = [[whole * (m == k) - share for m in range(self.n_parameters)] for k in range(self.n_parameters)]
        return [[(place, value) for place, value in enumerate(row) if value] for row in rows]


def simplex_set(n_parameters: int, floor: float = 0.0) -> ParameterSet:
    """Parameters that are not negative, or at least ``floor`` times their sum."""
    ones = np.ones(n_parameters)
    identity = np.eye(n_parameters)
    return SimplexSet(
        inequalities=identity - floor,
        interior=ones / n_parameters,
        normal=ones,
        bounds=ones,
        rays=identity * (1.0 - n_parameters * floor) + floor,
        floor=floor,
    )


def summing_to_one(theta: FloatArray) -> FloatArray:
    """Parameters over their sum; what rounding made negative is 0."""
    positive = np.maximum(theta, 0.0)
    return np.asarray(positive / positive.sum())


def simplex_size(name: str, n_records: int, n_attributes: int) -> ProgrammeSize:
    """Count the papers' programme for weights, one per attribute, that are not negative and sum to 1."""
    return replace(ProgrammeSize.of(name, n_records, n_attributes), normalisation=1, nonnegativity=n_attributes)
