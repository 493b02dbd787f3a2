"""Families and small comparisons to learn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.distance import TOLERANCE, Distance
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily, ordered_distance
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.weighted_mean import WeightedMeanFamily, simplex_set

FAMILIES: dict[str, Family] = {
    "weighted_mean": WeightedMeanFamily(),
    "weighted_mean_metric": WeightedMeanFamily(1e-4),
    "owa": OWAFamily(),
    "choquet": ChoquetFamily(),
    "choquet_metric": ChoquetFamily(is_metric=True),
    "choquet, additivity 2": AdditiveChoquetFamily(2),
    "bilinear": BilinearFamily(Form.NONNEGATIVE),
    "bilinear_free": BilinearFamily(Form.FREE),
    "bilinear_psd": BilinearFamily(Form.SEMIDEFINITE),
}


def noisy(seed: int, n_records: int, n_attributes: int, noise: float, scale: str = "separate") -> Comparison:
    """Make records of normal attributes and a noisy version, some of it rounded so that ties occur."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(n_records, n_attributes)).round(1)
    protected = (original + noise * random.normal(size=original.shape) * random.uniform(0.2, 2.0, n_attributes)).round(
        1
    )
    return make_comparison(pair_files(original, protected), scale)


@dataclass(frozen=True)
class LargestAndSum(Family):
    """A user's own attacker: two features, the largest difference and the sum of all."""

    name: ClassVar[str] = "largest_and_sum"
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    def features(self, differences: Any) -> Any:
        """Return largest difference and sum."""
        return np.stack([differences.max(axis=1), differences.sum(axis=1)], axis=1)

    def profile(self, differences: Any) -> Any:
        """Both grow with every difference."""
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Two weights that are not negative."""
        del n_attributes
        return simplex_set(2)

    def normalised(self, theta: Any) -> Any:
        """Weights that sum to 1."""
        return theta / theta.sum()

    def distance(self, theta: Any, comparison: Comparison) -> Distance:
        """Return the OWA that is the same: a on the largest, b on all."""
        a, b = self.normalised(theta)
        weights = np.full(comparison.n_attributes, b)
        weights[0] += a
        return ordered_distance(comparison, weights / weights.sum())


__all__ = ["FAMILIES", "LargestAndSum", "noisy"]
