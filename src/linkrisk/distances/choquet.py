"""Families of Choquet integrals over all fuzzy measures, and over submodular ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.choquet_integral import measure_distance
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Embedding, Family, Numbers
from linkrisk.distances.formula import Formula
from linkrisk.distances.indices import Subset
from linkrisk.distances.meaning import MeasureMeaning, measure_meaning
from linkrisk.distances.measure import (
    mobius_from_measure,
    smoothed_measure,
    unanimity_values,
)
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.polar import is_nonpositive_on_measures
from linkrisk.distances.programme import PapersCount, ProgrammeSize
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import NotApplicableError
from linkrisk.name_list import join_names

MAX_LEARNED_ATTRIBUTES = 10
"""Attributes up to which a full measure is learned: 1,023 parameters."""


@dataclass(frozen=True)
class ChoquetFamily(Family):
    """All Choquet integrals over monotone measures: theta holds mu of every subset except the empty one, by bit mask.

    phi are the increments of d, sorted from small to large, each laid on the set of attributes that reach it.
    ``is_metric`` asks for submodular measures.

    >>> ChoquetFamily().features(np.array([[1.0, 4.0]])).tolist()
    [[0.0, 3.0, 1.0]]
    """

    is_metric: bool = False
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    @property
    def name(self) -> str:
        """Name of the attacker."""
        return "choquet_metric" if self.is_metric else "choquet"

    def features(self, differences: Numbers) -> Numbers:
        """Return the increments, each at the subset that reaches it."""
        n_rows, n = differences.shape
        order = np.argsort(differences, axis=1, kind="stable")
        ascending = np.take_along_axis(differences, order, axis=1)
        phi = np.zeros((n_rows, (1 << n) - 1), dtype=differences.dtype)
        rows = np.arange(n_rows)
        mask = np.full(n_rows, (1 << n) - 1)
        previous = np.zeros(n_rows, dtype=differences.dtype)
        for k in range(n):
            phi[rows, mask - 1] = ascending[:, k] - previous
            previous = ascending[:, k]
            mask = mask - (1 << order[:, k])
        return phi

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences: a record no farther on any attribute is no farther on the whole.

        *Guarantee* (docs/mathematics.md#monotone): no distance falls when a difference grows.
        """
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the cone of measures: larger sets weigh no less; for a metric, gains only shrink."""
        if n_attributes > MAX_LEARNED_ATTRIBUTES:
            raise NotApplicableError(
                f"{self.name}: {n_attributes} attributes have too many subsets for a full measure to be learned (at "
                f"most {MAX_LEARNED_ATTRIBUTES}); use choquet with additivity=2 (or more)"
            )
        rows = [*_monotone_rows(n_attributes), *(_submodular_rows(n_attributes) if self.is_metric else ())]
        full = (1 << n_attributes) - 1
        normal = np.zeros(full)
        normal[-1] = 1.0
        sizes = np.bitwise_count(np.arange(1, full + 1)) / n_attributes
        # A concave function of the size is strictly monotone and strictly submodular.
        return MeasureSet(np.array(rows), sizes * (2.0 - sizes), normal, np.ones(full), None, self.is_metric)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return the measure with mu(all) = 1, monotone to the last bit."""
        return smoothed_measure(np.concatenate([[0.0], np.clip(theta / theta[-1], 0.0, 1.0)]))[1:]

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the Choquet integral over this measure, normalised."""
        measure = np.concatenate([[0.0], self.normalised(theta)])
        return measure_distance(comparison, measure, is_metric=self.is_metric)

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Call the values of the measure by their subsets: ``"age,income"``."""
        return tuple(join_names(subset) for subset in all_subsets(names))

    def meaning(
        self,
        theta: FloatArray,
        names: Sequence[str],
        covariance: FloatArray | None = None,  # noqa: ARG002  (of no use to measures)
    ) -> MeasureMeaning:
        """Say what the measure means."""
        values = self.normalised(theta)
        mobius = mobius_from_measure(np.append(0.0, values))[1:]
        return measure_meaning(names, all_subsets(names), mobius, values)

    def weaker(self) -> list[tuple[Family, Embedding]]:
        """Return the weighted means; also the ordered ones, whose measures are not all submodular.

        >>> weights, embedding = ChoquetFamily().weaker()[0]
        >>> weights.name, embedding(np.array([0.25, 0.75])).tolist()
        ('weighted_mean', [0.25, 0.75, 1.0])
        """
        ordered: list[tuple[Family, Embedding]] = [] if self.is_metric else [(OWAFamily(), symmetric_measure)]
        return [(WeightedMeanFamily(), additive_measure), *ordered]

    def contains(self, other: Family) -> bool:
        """Whether the other one is of measures of this kind, of weighted or (unless this is a metric) ordered means."""
        return (isinstance(other, ChoquetFamily) and not self.is_metric) or super().contains(other)

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:
        """Return the measure of a Choquet integral."""
        is_measure = formula.rule is Rule.CHOQUET and formula.names == tuple(names)
        return formula.theta[1:] if is_measure else None

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count the papers' programme: monotone measures with mu(all) = 1, submodular ones for a metric."""
        size = measure_size(self.name, n_records, n_attributes)
        later = n_records * (n_records - 1) + n_records + 2 + size.monotonicity
        pairs = comb(n_attributes, 2)
        if self.is_metric:
            submodularity = pairs * 2 ** (n_attributes - 2) if n_attributes > 1 else 0
            papers: tuple[PapersCount, ...] = (PapersCount("abril-bilinear.txt, Table 3", later + pairs),)
            return replace(size, submodularity=submodularity, papers=papers)
        first = n_records**2 + n_records + 1 + size.monotonicity
        papers = (
            PapersCount("abril2012-choquet.txt, section 3.3", first),
            PapersCount("abril-bilinear.txt, Table 2", later),
        )
        return replace(size, papers=papers)

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is ChoquetFamily

    @property
    def cites_inequalities(self) -> bool:
        """Only for a metric: mixtures of rows have a test for monotone measures, but none for submodular ones."""
        return self.is_metric

    def inequality_label(self, row: FloatArray, n_attributes: int) -> dict[str, Any]:  # noqa: ARG002  (masks name it)
        """Name mu(A + k) - mu(A), or mu(A + k) + mu(A + l) - mu(A + k + l) - mu(A), by A and its attributes."""
        plus = [int(mask) + 1 for mask in np.flatnonzero(row > 0)]
        minus = [int(mask) + 1 for mask in np.flatnonzero(row < 0)]
        if len(plus) == 1:
            base = minus[0] if minus else 0
            return {"set": base, "attributes": [(plus[0] ^ base).bit_length() - 1]}
        base = plus[0] & plus[1]
        return {"set": base, "attributes": sorted((mask ^ base).bit_length() - 1 for mask in plus)}


def all_subsets(names: Sequence[str]) -> list[Subset]:
    """Return every subset except the empty one, in the order of their bit masks."""
    return [tuple(name for k, name in enumerate(names) if mask >> k & 1) for mask in range(1, 1 << len(names))]


def additive_measure(weights: FloatArray) -> FloatArray:
    """Return mu(A), the sum of the weights of A, for all A by their bit masks."""
    masks = np.arange(1, 1 << len(weights))
    return np.asarray((masks[:, None] >> np.arange(len(weights)) & 1) @ weights)


def symmetric_measure(weights: FloatArray) -> FloatArray:
    """Return mu(A), the sum of the first |A| weights, for all A by their bit masks: its Choquet integral is the OWA.

    >>> symmetric_measure(np.array([0.75, 0.25])).tolist()
    [0.75, 0.75, 1.0]
    """
    sizes = [mask.bit_count() for mask in range(1, 1 << len(weights))]
    return np.asarray(np.cumsum(weights)[np.array(sizes) - 1])


def measure_size(name: str, n_records: int, n_attributes: int) -> ProgrammeSize:
    """Count the papers' programme for monotone measures, without the papers' own totals."""
    n = n_attributes
    return replace(
        ProgrammeSize.of(name, n_records, n),
        continuous=2**n - 1,
        normalisation=1,
        monotonicity=sum(comb(n, k) * k for k in range(2, n + 1)),
        nonnegativity=n,
    )


@dataclass(frozen=True)
class MeasureSet(ParameterSet):
    """Monotone measures, or (``is_metric``) submodular ones."""

    is_metric: bool = False

    def is_polar(self, row: Sequence[int]) -> bool | None:
        """Say, in exact arithmetic, whether row . mu <= 0 for all measures of the set.

        *Guarantee* (docs/mathematics.md#polar-measures): exact for monotone measures; None where submodular ones may
        differ.
        """
        is_so = is_nonpositive_on_measures(row, len(row).bit_length())
        return None if self.is_metric and not is_so else is_so

    def _least_values(self, rows: FloatArray) -> FloatArray:
        return np.asarray(unanimity_values(rows).min(axis=1))


def _monotone_rows(n_attributes: int) -> Iterable[FloatArray]:
    """Rows mu(A + k) - mu(A) for all A and k not in A."""
    full = 1 << n_attributes
    for mask in range(full):
        for k in range(n_attributes):
            if not mask >> k & 1:
                row = np.zeros(full)
                row[mask | 1 << k] = 1.0
                row[mask] = -1.0
                yield row[1:]


def _submodular_rows(n_attributes: int) -> Iterable[FloatArray]:
    """Rows mu(A + k) + mu(A + l) - mu(A + k + l) - mu(A) for all A and k, l not in A."""
    full = 1 << n_attributes
    for mask in range(full):
        outside = [1 << k for k in range(n_attributes) if not mask >> k & 1]
        for first, second in combinations(outside, 2):
            row = np.zeros(full)
            row[[mask | first, mask | second]] = 1.0
            row[[mask | first | second, mask]] = -1.0
            yield row[1:]
