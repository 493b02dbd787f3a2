"""Weighted means of the differences: equal weights (DBRL1), given weights, and their metric version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.attacker import named_weights
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Numbers, ParameterSet
from linkrisk.errors import ParameterError

METRIC_FLOOR = 1e-4
"""Least weight of the metric version."""


@dataclass(frozen=True)
class Mean:
    """The plain Euclidean intruder: every attribute counts the same.

    He knows the original values of the attributes and nothing about the protection. The distance is the mean
    of the d_k, which orders records as DBRL1 does (torra2010-owa.txt, section 2.1). Ties: relative tolerance
    2^-40. Missing values: see `linkrisk.differences.missing`. Cost: n operations a pair.

    >>> Mean().name
    'mean'
    """

    name: ClassVar[str] = "mean"
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the mean of the differences."""
        return weighted_distance(comparison, np.full(comparison.n_attributes, 1.0 / comparison.n_attributes))


@dataclass(frozen=True)
class WeightedMean:
    """An intruder who trusts some attributes more: distance = sum of p_k d_k, p >= 0, sum p = 1.

    ``weights`` are given by attribute name, or in the order of the attributes. Reference: Definition 1 of
    torra2010-owa.txt; Definition 6 of abril-bilinear.txt. Ties and missing values as for `Mean`.

    >>> WeightedMean({"age": 0.75, "income": 0.25}).weights["age"]
    0.75
    """

    weights: Mapping[str, float] | Sequence[float]
    name: ClassVar[str] = "weighted_mean"
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the weighted mean of the differences."""
        theta = named_weights(self.weights, comparison.names, self.name)
        parameters: dict[str, object] = {"weights": dict(zip(comparison.names, theta.tolist(), strict=True))}
        return weighted_distance(comparison, theta, parameters)


@dataclass(frozen=True)
class WeightedMeanMetric:
    """Weighted mean whose weights are all at least ``floor``, so that only equal records have distance 0.

    Its square root is a metric on the scaled values (abril-bilinear.txt, Table 3, d2WM_m). Otherwise as
    `WeightedMean`.

    >>> WeightedMeanMetric([0.5, 0.5]).floor
    0.0001
    """

    weights: Mapping[str, float] | Sequence[float]
    floor: float = METRIC_FLOOR
    name: ClassVar[str] = "weighted_mean_metric"
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the weighted mean of the differences, after checking the floor."""
        theta = named_weights(self.weights, comparison.names, self.name)
        if not 0.0 < self.floor <= 1.0:
            raise ParameterError(f"{self.name}: floor must be a number above 0 and at most 1")
        if (theta < self.floor).any():
            low = comparison.names[int((theta < self.floor).argmax())]
            raise ParameterError(
                f"{self.name}: the weight of {low!r} is below {self.floor:g}; raise it, or use weighted_mean"
            )
        parameters = {"weights": dict(zip(comparison.names, theta.tolist(), strict=True)), "floor": self.floor}
        return weighted_distance(comparison, theta, parameters)


def weighted_distance(
    comparison: Comparison, theta: FloatArray, parameters: dict[str, object] | None = None
) -> Distance:
    """Sum of theta_k d_k over the attributes of a comparison."""
    return Distance(
        Rule.WEIGHTED, theta, comparison.coordinates, importance=np.sqrt(theta), parameters=parameters or {}
    )


@dataclass(frozen=True)
class WeightedMeanFamily:
    """All weighted means: phi = d, theta >= 0; with a ``floor``, every theta_k is at least that share of their sum.

    >>> import numpy as np
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
        return WeightedMeanMetric.name if self.floor > 0.0 else WeightedMean.name

    def features(self, differences: Numbers) -> Numbers:
        """Return the differences themselves."""
        return differences

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences: a record no farther on any attribute is no farther."""
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Weights are not negative; of a floor f, theta_k >= f times their sum."""
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

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> WeightedMean | WeightedMeanMetric:
        """Return the weighted mean with these weights, normalised."""
        weights = dict(zip(names, self.normalised(theta).tolist(), strict=True))
        return WeightedMeanMetric(weights, self.floor) if self.floor > 0.0 else WeightedMean(weights)


@dataclass(frozen=True)
class SimplexSet(ParameterSet):
    """Weights that are not negative, or at least ``floor`` times their sum; its rays are exact in the exact test."""

    floor: float = 0.0

    def is_polar(self, row: Sequence[int]) -> bool:
        """Say, in exact arithmetic, whether row . theta <= 0 for all admissible theta."""
        least = Fraction(self.floor)
        share, common = 1 - len(row) * least, least * sum(row)
        return all(share * value + common <= 0 for value in row)


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
