"""Weighted means of the differences: equal weights (DBRL1), given weights, and their metric version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.aggregate.attacker import named_weights
from linkrisk.aggregate.distance import Distance, Rule
from linkrisk.compare.comparison import Comparison
from linkrisk.data.columns import FloatArray
from linkrisk.errors import ParameterError

METRIC_FLOOR = 1e-4
"""Least weight of the metric version."""


@dataclass(frozen=True)
class Mean:
    """The plain Euclidean intruder: every attribute counts the same.

    He knows the original values of the attributes and nothing about the protection. The distance is the mean
    of the d_k, which orders records as DBRL1 does (torra2010-owa.txt, section 2.1). Ties: relative tolerance
    2^-40. Missing values: see `linkrisk.compare.missing`. Cost: n operations a pair.

    >>> Mean().name
    'mean'
    """

    name: ClassVar[str] = "mean"
    is_oracle: ClassVar[bool] = False

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
    is_oracle: ClassVar[bool] = False

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
    is_oracle: ClassVar[bool] = False

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
