"""Weighted means: an intruder who trusts some attributes more than others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from linkrisk.arrays import FloatArray
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.parameters import is_number, named_weights
from linkrisk.distances.weighted_mean import METRIC_FLOOR, WeightedMeanFamily, weight_parameters, weighted_distance
from linkrisk.errors import ParameterError


@dataclass(eq=False)
class WeightedMean(LearnedAttacker):
    """The intruder who trusts some attributes more than others.

    distance = sum of p_k d_k, p >= 0, sum p = 1. Without ``weights`` he is the strongest of his kind: the weights that
    link the most records are learned, and ``weights_`` are in the order of ``feature_names_in_``.

    Parameters
    ----------
    weights
        By attribute name, or in the order of the attributes; None to learn them.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: as `Mean`; for learning
    see `LearnedAttacker`. Reference: Definition 1 of torra2010-owa.txt; section 3.2 of abril2012-weights.txt (d2WM);
    Definition 6 of abril-bilinear.txt.

    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AFNLWGT", "AGI"]]
    >>> protected = linkrisk.protection.add_noise(original, 20.0, secret_seed=2).data
    >>> learned = WeightedMean().fit(original, protected)
    >>> learned.status_, learned.links_ == learned.bound_, learned.weights_.shape
    ('optimal', True, (2,))
    >>> learned.score(original, protected) == learned.rate_
    True
    >>> WeightedMean({"AFNLWGT": 0.75, "AGI": 0.25}).score(original, protected) <= learned.rate_
    True
    """

    weights: Mapping[str, float] | Sequence[float] | None = None
    name: ClassVar[str] = "weighted_mean"
    knows: ClassVar[str] = "He trusts some attributes more than others, by the best weights there are."

    @property
    def is_learned(self) -> bool:
        """Whether the weights are still to be learned."""
        return self.weights is None

    def family(self) -> Family:
        """Return all weighted means."""
        return WeightedMeanFamily()

    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        return replace(self, weights=dict(zip(names, values.tolist(), strict=True)))

    def _given_distance(self, comparison: Comparison) -> Distance:
        theta = self._weights(comparison.names)
        return weighted_distance(comparison, theta, weight_parameters(theta, comparison.names))

    def _weights(self, names: Sequence[str]) -> FloatArray:
        return named_weights(() if self.weights is None else self.weights, names, self.name)

    def _keep_parameters(self, values: FloatArray) -> None:
        self.weights_ = values


@dataclass(eq=False)
class WeightedMeanMetric(WeightedMean):
    """The intruder who trusts some attributes more than others and leaves none out: only equal records have distance 0.

    distance = sum of p_k d_k, p >= ``floor``, sum p = 1; its root is a metric on the scaled values. Without ``weights``
    they are learned, as for `WeightedMean`.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: as `WeightedMean`.
    Reference: abril-bilinear.txt, Table 3 (d2WM_m).

    >>> WeightedMeanMetric(floor=0.01).get_params()
    {'weights': None, 'floor': 0.01}
    """

    floor: float = METRIC_FLOOR
    name: ClassVar[str] = "weighted_mean_metric"
    knows: ClassVar[str] = "He trusts some attributes more than others, and leaves none out."

    def check_parameters(self) -> None:
        """Raise unless the floor is between 0 and 1."""
        if not (is_number(self.floor) and 0.0 < self.floor < 1.0):
            raise ParameterError(f"{self.name}: floor must be a number above 0 and below 1")

    def family(self) -> Family:
        """Return the weighted means with no weight below the floor."""
        return WeightedMeanFamily(float(self.floor))

    def _given_distance(self, comparison: Comparison) -> Distance:
        theta = self._weights(comparison.names)
        if (theta < self.floor).any():
            low = comparison.names[int((theta < self.floor).argmax())]
            raise ParameterError(
                f"{self.name}: the weight of {low!r} is below {self.floor:g}; raise it, or use weighted_mean"
            )
        return weighted_distance(comparison, theta, weight_parameters(theta, comparison.names, float(self.floor)))
