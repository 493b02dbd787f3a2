"""Choquet integral of the differences over a fuzzy measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.name_list import join_names, split_names
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.attacker import is_whole_number
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Numbers, ParameterSet
from linkrisk.distances.measure import (
    MAX_FULL_ATTRIBUTES,
    SLACK,
    check_measure,
    check_submodular,
    measure_from_mobius,
    measure_from_subsets,
    mobius_from_measure,
    mobius_from_subsets,
    shapley_values,
    smoothed_measure,
)
from linkrisk.distances.polar import is_nonpositive_on_measures
from linkrisk.errors import ParameterError

MAX_LEARNED_ATTRIBUTES = 10
"""Attributes up to which a full measure is learned: 1,023 parameters."""

NamedSubsets = Mapping[str | tuple[str, ...] | frozenset[str], float]


@dataclass(frozen=True)
class Choquet:
    """An intruder who weighs combinations of attributes.

    distance = sum over the increments of d, sorted from small to large, of increment times mu(attributes that reach
    it): Definition 1 of abril2012-choquet.txt. mu is monotone with mu(all) = 1. Give it as ``measure`` (a value for
    every non-empty subset) or as ``mobius`` (its Möbius transform, subsets left out being 0); subsets are tuples or
    frozensets of attribute names, or names joined by commas (in quotation marks where they hold one).
    ``additivity=q`` states that no subset of more than q attributes has a Möbius value; with more than 16 attributes
    it is required.

    Ties and missing values as for `Mean`. Cost: a sort of n values a pair; by Möbius transform (more than 16
    attributes) one minimum a subset.

    >>> Choquet(mobius={"age": 0.4, "income": 0.3, "age,income": 0.3}, additivity=2).name
    'choquet'
    """

    measure: NamedSubsets | None = None
    mobius: NamedSubsets | None = None
    additivity: int | None = None
    name: ClassVar[str] = "choquet"
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Choquet integral of the differences."""
        if (self.measure is None) == (self.mobius is None):
            raise ParameterError(f"{self.name}: give either a measure or its Möbius transform")
        if self.additivity is not None and (not is_whole_number(self.additivity) or self.additivity < 1):
            raise ParameterError(f"{self.name}: additivity must be a whole number of at least 1, or be left out")
        n_attributes = comparison.n_attributes
        if n_attributes > MAX_FULL_ATTRIBUTES and (self.additivity is None or self.mobius is None):
            raise ParameterError(
                f"{self.name}: {n_attributes} attributes have too many subsets for a full measure (at most "
                f"{MAX_FULL_ATTRIBUTES}); give a Möbius transform and additivity=2 (or more)"
            )
        if n_attributes > MAX_FULL_ATTRIBUTES:
            return self._sparse_distance(comparison)
        return self._full_distance(comparison)

    def check(self, measure: FloatArray, names: tuple[str, ...]) -> None:
        """Raise unless the measure is a fuzzy measure."""
        check_measure(measure, names)

    def _full_distance(self, comparison: Comparison) -> Distance:
        names = comparison.names
        if self.measure is not None:
            measure = measure_from_subsets(_subsets(self.measure), names)
        else:
            mobius = np.zeros(1 << len(names))
            for mask, value in mobius_from_subsets(_subsets(self.mobius or {}), names).items():
                mobius[mask] = value
            measure = measure_from_mobius(mobius)
        self.check(measure, names)
        self._check_additivity(mobius_from_measure(measure))
        measure = smoothed_measure(measure)
        return Distance(
            Rule.CHOQUET,
            measure,
            comparison.coordinates,
            importance=np.sqrt(np.maximum(shapley_values(measure), 0.0)),
            floor=choquet_floor(measure),
            parameters={"measure": {label: measure[mask] for mask, label in subset_labels(names)}},
            notes=self._additivity_notes(len(names)),
        )

    def _additivity_notes(self, n_attributes: int) -> tuple[str, ...]:
        if self.additivity is None or self.additivity <= n_attributes:
            return ()
        told = f"additivity {self.additivity} is more than there are attributes ({n_attributes})"
        return (f"{self.name}: {told}; the measure is a full one",)

    def _check_additivity(self, mobius: FloatArray) -> None:
        if self.additivity is None:
            return
        sizes = np.bitwise_count(np.arange(mobius.size))
        if (np.abs(mobius[sizes > self.additivity]) > SLACK).any():
            raise ParameterError(
                f"{self.name}: the measure is not {self.additivity}-additive: a larger subset has a Möbius value; "
                "raise additivity or leave it out"
            )

    def _sparse_distance(self, comparison: Comparison) -> Distance:
        names = comparison.names
        values = mobius_from_subsets(_subsets(self.mobius or {}), names)
        members = {mask: [k for k in range(len(names)) if mask >> k & 1] for mask in values}
        width = max((len(m) for m in members.values()), default=1)
        if self.additivity is not None and width > self.additivity:
            raise ParameterError(
                f"{self.name}: a Möbius value is given for {width} attributes, but additivity={self.additivity}; "
                "raise additivity or leave the value out"
            )
        _check_sparse_measure(values, members, names, self.name)
        subsets = np.full((len(values), width), -1, dtype=np.int64)
        for row, mask in enumerate(values):
            subsets[row, : len(members[mask])] = members[mask]
        shapley = np.zeros(len(names))
        for mask, value in values.items():
            shapley[members[mask]] += value / len(members[mask])
        labels = {join_names(names[k] for k in members[mask]): value for mask, value in values.items()}
        return Distance(
            Rule.MOBIUS,
            np.array(list(values.values())),
            comparison.coordinates,
            importance=np.sqrt(np.maximum(shapley, 0.0)),
            subsets=subsets,
            parameters={"mobius": labels},
        )


@dataclass(frozen=True)
class ChoquetMetric(Choquet):
    """Choquet integral over a submodular measure with positive singletons: its square root is a metric.

    Reference: abril-bilinear.txt, section 4 and Table 3 (d2CI_m); the conditions are checked on all
    n (n - 1) / 2 . 2^(n - 2) local pairs, not only on pairs of attributes. Otherwise as `Choquet`, up to 16
    attributes.

    >>> ChoquetMetric(measure={"a": 0.6, "b": 0.6, "a,b": 1.0}).name
    'choquet_metric'
    """

    name: ClassVar[str] = "choquet_metric"

    def check(self, measure: FloatArray, names: tuple[str, ...]) -> None:
        """Raise unless the measure is a submodular fuzzy measure with positive singletons."""
        check_measure(measure, names)
        check_submodular(measure, names)

    def _sparse_distance(self, comparison: Comparison) -> Distance:
        raise ParameterError(
            f"{self.name}: submodularity is checked for at most {MAX_FULL_ATTRIBUTES} attributes, and there are "
            f"{comparison.n_attributes}; use choquet, or fewer attributes"
        )


def choquet_floor(measure: FloatArray) -> float:
    """Return c such that every Choquet integral is at least c times the sum of the values.

    *Guarantee*: among values of a given sum and order the integral is linear, so it is least at a corner: equal on
    some set of attributes, zero elsewhere; so c is the least of mu(A) / |A| over all non-empty A.

    >>> import numpy as np
    >>> choquet_floor(np.array([0.0, 0.2, 0.3, 1.0]))
    0.2
    """
    sizes = np.bitwise_count(np.arange(1, measure.size))
    return max(0.0, float((measure[1:] / sizes).min()))


def subset_labels(names: tuple[str, ...]) -> Iterable[tuple[int, str]]:
    """Yield every non-empty subset as its bit mask and its attribute names joined by commas (see `join_names`).

    >>> list(subset_labels(("a", "b")))
    [(1, 'a'), (2, 'b'), (3, 'a,b')]
    """
    for mask in range(1, 1 << len(names)):
        yield mask, join_names(name for k, name in enumerate(names) if mask >> k & 1)


def _subsets(values: NamedSubsets) -> dict[frozenset[str], float]:
    result: dict[frozenset[str], float] = {}
    for subset, value in values.items():
        members = frozenset(split_names(subset) if isinstance(subset, str) else subset)
        if members in result:
            raise ParameterError(f"choquet: the set {{{', '.join(sorted(members))}}} is given twice; give it once")
        result[members] = value
    return result


def _check_sparse_measure(
    values: Mapping[int, float], members: Mapping[int, list[int]], names: tuple[str, ...], attacker: str
) -> None:
    """Check a Möbius transform too large to expand: sum 1, and monotone.

    *Guarantee*: for every attribute k and set A, the increment mu(A + k) - mu(A) is m({k}) plus Möbius values
    of subsets of A + k that hold k. It is least when A picks all negative ones of two attributes; for a
    2-additive measure that is exact, for larger subsets a sufficient condition.
    """
    total = sum(values.values())
    if abs(total - 1.0) > SLACK:
        raise ParameterError(f"{attacker}: the Möbius values sum to {total:.6g}, not 1; divide them by their sum")
    for k, name in enumerate(names):
        least = sum(
            value if len(members[mask]) == 1 else min(value, 0.0)
            for mask, value in values.items()
            if k in members[mask]
        )
        if least < -SLACK:
            raise ParameterError(
                f"{attacker}: not shown to be monotone in {name!r}: its negative Möbius values outweigh its own; "
                "raise the Möbius value of the single attribute"
            )


@dataclass(frozen=True)
class ChoquetFamily:
    """All Choquet integrals over monotone measures: theta holds mu of every subset but the empty one, by bit mask.

    phi are the increments of d, sorted from small to large, each laid on the set of attributes that reach it.
    ``is_metric`` asks for submodular measures.

    >>> import numpy as np
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
        return ChoquetMetric.name if self.is_metric else Choquet.name

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
        """Return the differences: a record no farther on any attribute is no farther."""
        return differences

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Larger sets weigh no less; for a metric, gains only shrink."""
        if n_attributes > MAX_LEARNED_ATTRIBUTES:
            raise ParameterError(
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

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> Choquet:
        """Return the Choquet integral over this measure, normalised."""
        measure = np.concatenate([[0.0], self.normalised(theta)])
        values: dict[str | tuple[str, ...] | frozenset[str], float] = {
            tuple(name for k, name in enumerate(names) if mask >> k & 1): float(measure[mask])
            for mask in range(1, len(measure))
        }
        return ChoquetMetric(measure=values) if self.is_metric else Choquet(measure=values)


@dataclass(frozen=True)
class MeasureSet(ParameterSet):
    """Monotone measures, or (``is_metric``) submodular ones."""

    is_metric: bool = False

    def is_polar(self, row: Sequence[int]) -> bool | None:
        """Say, in exact arithmetic, whether row . mu <= 0 for all of them; what holds for all monotone ones does."""
        is_so = is_nonpositive_on_measures(row, len(row).bit_length())
        return None if self.is_metric and not is_so else is_so


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


@dataclass(frozen=True)
class AdditiveChoquetFamily:
    """Choquet integrals over q-additive measures: theta holds the Möbius values of all subsets of at most q.

    phi of a subset is the least d_k in it. Monotonicity, one inequality for each attribute and set of others, is
    added as it is violated.

    >>> import numpy as np
    >>> AdditiveChoquetFamily(2).features(np.array([[1.0, 4.0]])).tolist()
    [[1.0, 4.0, 1.0]]
    """

    additivity: int
    name: ClassVar[str] = Choquet.name
    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    tolerance: ClassVar[float] = TOLERANCE

    def features(self, differences: Numbers) -> Numbers:
        """Return the least difference in each subset."""
        subsets = small_subsets(differences.shape[1], self.additivity)
        return np.stack([differences[:, subset].min(axis=1) for subset in subsets], axis=1)

    def profile(self, differences: Numbers) -> Numbers:
        """Return the differences: a record no farther on any attribute is no farther."""
        return differences

    def parameter_set(self, n_attributes: int) -> MobiusSet:
        """Möbius values of monotone measures."""
        if n_attributes > MAX_FULL_ATTRIBUTES and self.additivity > 2:
            raise ParameterError(
                f"{self.name}: with {n_attributes} attributes (more than {MAX_FULL_ATTRIBUTES}) only additivity 1 and "
                "2 can be learned; lower additivity"
            )
        return MobiusSet.of(n_attributes, self.additivity)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return Möbius values that sum to 1."""
        return np.asarray(theta / theta.sum())

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> Choquet:
        """Return the Choquet integral over the measure with these Möbius values, normalised."""
        subsets = small_subsets(len(names), self.additivity)
        scaled = self.normalised(theta).tolist()
        values: dict[str | tuple[str, ...] | frozenset[str], float] = {
            tuple(names[k] for k in subset): value for subset, value in zip(subsets, scaled, strict=True)
        }
        return Choquet(mobius=values, additivity=self.additivity)


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
        """Return, for each attribute, its least gain mu(A + k) - mu(A) over all sets A, if that is negative."""
        rows = [self._least_gain(k, theta) for k in range(self.n_attributes)]
        found = [row for row in rows if float(row @ theta) < -1e-9 * float(np.abs(theta).max(initial=0.0))]
        return np.array(found) if found else np.zeros((0, self.n_parameters))

    def _least_gain(self, k: int, theta: FloatArray) -> FloatArray:
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
        gains = np.zeros(1 << len(others))
        for place, mask in masks.items():
            gains[mask] += theta[place]
        least = int(measure_from_mobius(gains).argmin())
        row[[place for place, mask in masks.items() if mask & ~least == 0]] = 1.0
        return row
