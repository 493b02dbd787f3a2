"""The family of Choquet integrals over q-additive measures: subsets of at most q attributes have Möbius values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.choquet import ChoquetFamily, measure_size
from linkrisk.distances.choquet_integral import additivity_notes, measure_distance, mobius_distance, spread_measure
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Embedding, Family, Numbers
from linkrisk.distances.formula import Formula
from linkrisk.distances.indices import Subset
from linkrisk.distances.meaning import MeasureMeaning, measure_meaning
from linkrisk.distances.measure import MAX_FULL_ATTRIBUTES, measure_from_mobius, mobius_from_measure
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import NotApplicableError
from linkrisk.name_list import join_names

NO_VALUE = 2.0**-48
"""A Möbius value below this share of the largest is what rounding has left of none."""


@dataclass(frozen=True)
class AdditiveChoquetFamily(Family):
    """Choquet integrals over q-additive measures: theta holds Möbius values of subsets of at most q attributes.

    phi of a subset is the least d_k in it. Monotonicity is one inequality for each attribute and set of others; they
    are added when they are violated.

    >>> AdditiveChoquetFamily(2).features(np.array([[1.0, 4.0]])).tolist()
    [[1.0, 4.0, 1.0]]
    """

    additivity: int
    name: ClassVar[str] = "choquet"
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    def features(self, differences: Numbers) -> Numbers:
        """Return the least difference in each subset."""
        subsets = small_subsets(differences.shape[1], self.additivity)
        return np.stack([differences[:, subset].min(axis=1) for subset in subsets], axis=1)

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences: a record no farther on any attribute is no farther on the whole.

        *Guarantee* (docs/mathematics.md#monotone): no distance falls when a difference grows.
        """
        return differences

    def parameter_set(self, n_attributes: int) -> MobiusSet:
        """Return the cone of Möbius values of monotone measures."""
        if n_attributes > MAX_FULL_ATTRIBUTES and self.additivity > 2:
            raise NotApplicableError(
                f"{self.name}: with {n_attributes} attributes (more than {MAX_FULL_ATTRIBUTES}) only additivity 1 and "
                "2 can be learned; lower additivity"
            )
        return MobiusSet.of(n_attributes, self.additivity)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return Möbius values that sum to 1."""
        return np.asarray(theta / theta.sum())

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the Choquet integral over the measure with these Möbius values, normalised."""
        n_attributes = comparison.n_attributes
        masks = [sum(1 << k for k in subset) for subset in small_subsets(n_attributes, self.additivity)]
        transform = dict(zip(masks, self.normalised(theta).tolist(), strict=True))
        if n_attributes > MAX_FULL_ATTRIBUTES:
            return mobius_distance(comparison, self.name, transform, self.additivity)
        distance = measure_distance(comparison, spread_measure(transform, n_attributes))
        return replace(distance, notes=additivity_notes(self.name, self.additivity, n_attributes))

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Call Möbius values by their subsets: ``"age,income"``."""
        return tuple(join_names(subset) for subset in self._subsets(names))

    def meaning(
        self,
        theta: FloatArray,
        names: Sequence[str],
        covariance: FloatArray | None = None,  # noqa: ARG002  (of no use to measures)
    ) -> MeasureMeaning:
        """Say what the measure means."""
        return measure_meaning(names, self._subsets(names), self.normalised(theta))

    def _subsets(self, names: Sequence[str]) -> list[Subset]:
        return [tuple(names[k] for k in subset) for subset in small_subsets(len(names), self.additivity)]

    def weaker(self) -> list[tuple[Family, Embedding]]:
        """Return the weighted means: additive measures."""
        return [(WeightedMeanFamily(), lambda weights: additive_mobius(weights, self.additivity))]

    def contains(self, other: Family) -> bool:
        """Whether the other one is of weighted means, or of measures that are no less additive."""
        is_narrower = isinstance(other, AdditiveChoquetFamily) and other.additivity <= self.additivity
        return is_narrower or super().contains(other)

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:
        """Return the Möbius values of a Choquet integral whose larger subsets have none."""
        if formula.rule is not Rule.CHOQUET or formula.names != tuple(names):
            return None
        mobius = mobius_from_measure(formula.theta)
        is_small = np.bitwise_count(np.arange(len(mobius))) <= self.additivity
        if (np.abs(mobius[~is_small]) > NO_VALUE * float(np.abs(mobius).max())).any():
            return None
        return np.array([mobius[sum(1 << k for k in subset)] for subset in small_subsets(len(names), self.additivity)])

    def lies_in(self, wider: Family) -> bool:
        """Whether the other one is of all measures."""
        return isinstance(wider, ChoquetFamily) and not wider.is_metric

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count the papers' programme: all inequalities of monotone measures, fewer variables."""
        size = measure_size(self.name, n_records, n_attributes)
        return replace(size, continuous=sum(comb(n_attributes, q) for q in range(1, self.additivity + 1)))

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is AdditiveChoquetFamily

    @property
    def options(self) -> dict[str, float]:
        """The additivity."""
        return {"additivity": self.additivity}

    @property
    def file_stem(self) -> str:
        """The name and the additivity."""
        return f"{self.name}-{self.additivity}"

    @property
    def cites_inequalities(self) -> bool:
        """Proofs name the inequalities of monotone measures, which are found on demand."""
        return True

    def inequality_label(self, row: FloatArray, n_attributes: int) -> dict[str, Any]:
        """Name the gain mu(A + k) - mu(A), spelled out in Möbius values, by A and k."""
        every = small_subsets(n_attributes, self.additivity)
        subsets = [subset for subset, value in zip(every, row, strict=True) if value]
        k = subsets[0][0]  # the single attribute comes first
        others = {a for subset in subsets for a in subset} - {k}
        return {"set": sum(1 << a for a in others), "attributes": [k]}


def additive_mobius(weights: FloatArray, additivity: int) -> FloatArray:
    """Return the Möbius values of a measure that is additive: those of single attributes are the weights."""
    subsets = small_subsets(len(weights), additivity)
    return np.array([weights[subset[0]] if len(subset) == 1 else 0.0 for subset in subsets])


def small_subsets(n_attributes: int, size: int) -> list[list[int]]:
    """Return all subsets of 1 to ``size`` attributes, small ones first.

    >>> small_subsets(3, 2)
    [[0], [1], [2], [0, 1], [0, 2], [1, 2]]
    """
    return [list(s) for q in range(1, min(size, n_attributes) + 1) for s in combinations(range(n_attributes), q)]


@dataclass(frozen=True)
class MobiusSet(ParameterSet):
    """Möbius values of monotone q-additive measures; the least gain of each attribute is looked for on demand."""

    n_attributes: int = 0
    subsets: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, n_attributes: int, additivity: int) -> MobiusSet:
        """Return the set for measures of n attributes with Möbius values up to size ``additivity``."""
        subsets = tuple(tuple(subset) for subset in small_subsets(n_attributes, additivity))
        sizes = np.array([len(subset) for subset in subsets])
        singles = np.eye(len(subsets))[sizes == 1]
        interior = np.where(sizes == 1, 1.0 / n_attributes, 0.0)
        # On monotone measures with mu(all) = 1 every mu lies in [0, 1], so |m(A)| <= 2^(|A| - 1).
        bounds = 2.0 ** (sizes - 1)
        return cls(singles, interior, np.ones(len(subsets)), bounds, None, n_attributes, subsets)

    def cuts(self, theta: FloatArray) -> FloatArray:
        """Return, for each attribute, its least gain mu(A + k) - mu(A) over all sets A, if that is negative.

        *Guarantee* (docs/mathematics.md#mobius-gains): each row is an inequality of the set.
        """
        rows = [self._least_gain(k, theta) for k in range(self.n_attributes)]
        found = [row for row in rows if float(row @ theta) < -1e-9 * float(np.abs(theta).max(initial=0.0))]
        return np.array(found) if found else np.zeros((0, self.n_parameters))

    def violated(self, theta: Sequence[int]) -> list[list[int]]:
        """Return, for each attribute, its least gain over all sets, if that is negative; in whole numbers.

        *Guarantee* (docs/mathematics.md#violated): exact.
        """
        values = np.array(theta, dtype=object)
        rows = [[int(value) for value in self._least_gain(k, values)] for k in range(self.n_attributes)]
        return [row for row in rows if sum(a * b for a, b in zip(row, theta, strict=True)) < 0]

    def _least_gain(self, k: int, theta: Numbers) -> FloatArray:
        """Return the row of the set A that gives attribute k the least gain."""
        members = [place for place, subset in enumerate(self.subsets) if k in subset]
        row = np.zeros(self.n_parameters)
        if max(len(subset) for subset in self.subsets) <= 2:
            chosen = [place for place in members if len(self.subsets[place]) == 1 or theta[place] < 0.0]
            row[chosen] = 1.0
            return row
        others = [a for a in range(self.n_attributes) if a != k]
        bit = {a: 1 << place for place, a in enumerate(others)}
        masks = {place: sum(bit[a] for a in self.subsets[place] if a != k) for place in members}
        gains = np.zeros(1 << len(others), dtype=theta.dtype)
        for place, mask in masks.items():
            gains[mask] += theta[place]
        least = int(measure_from_mobius(gains).argmin())
        row[[place for place, mask in masks.items() if mask & ~least == 0]] = 1.0
        return row
