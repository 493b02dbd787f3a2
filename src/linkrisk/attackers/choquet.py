"""Choquet integrals: an intruder who weighs combinations of attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from linkrisk.arrays import FloatArray
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily, small_subsets
from linkrisk.distances.choquet import ChoquetFamily, all_subsets
from linkrisk.distances.choquet_integral import NamedSubsets, given_choquet
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.meaning import MeasureMeaning
from linkrisk.distances.parameters import is_whole_number
from linkrisk.errors import ParameterError


@dataclass(eq=False)
class Choquet(LearnedAttacker):
    """The intruder who weighs combinations of attributes: two together may count more, or less, than their sum.

    distance = sum over the increments of d, sorted from small to large, of increment times mu(attributes that reach
    it); mu, a fuzzy measure, is monotone with mu(all) = 1. Without ``measure`` and ``mobius`` he is the strongest of
    his kind: the measure that links the most records is learned; ``measure_`` and ``mobius_`` are by subset, a tuple of
    attribute names in the order of ``feature_names_in_``.

    Parameters
    ----------
    measure
        A value for every non-empty subset; subsets are tuples or frozensets of attribute names, or names joined by
        commas (in quotation marks where they hold one).
    mobius
        Its Möbius transform instead; subsets left out are 0.
    additivity
        q: no subset of more than q attributes has a Möbius value. It is needed for learning with more than 10
        attributes (``measure_`` is None beyond 16) and for a given transform of more than 16; it makes learning
        quicker.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: a sort of n values per
    pair; by Möbius transform (more than 16 attributes) one minimum per subset; for learning see `LearnedAttacker`.
    Reference: Definition 1 and section 3.3 of abril2012-choquet.txt (d2CI).

    >>> Choquet(mobius={"age": 0.4, "income": 0.3, "age,income": 0.3}, additivity=2).is_learned
    False
    >>> Choquet(additivity=2)
    Choquet(measure=None, mobius=None, additivity=2)
    """

    measure: NamedSubsets | None = None
    mobius: NamedSubsets | None = None
    additivity: int | None = None
    name: ClassVar[str] = "choquet"
    knows: ClassVar[str] = "He weighs combinations of attributes, as well as can be."

    @property
    def is_learned(self) -> bool:
        """Whether the measure is still to be learned."""
        return self.measure is None and self.mobius is None

    def check_parameters(self) -> None:
        """Raise unless the measure is given in one way at most, and the additivity is a whole number."""
        if self.measure is not None and self.mobius is not None:
            raise ParameterError(f"{self.name} has a measure and a Möbius transform; give one of them")
        if self.additivity is not None and (not is_whole_number(self.additivity) or self.additivity < 1):
            raise ParameterError(f"{self.name}: additivity must be a whole number of at least 1, or be left out")

    def family(self) -> Family:
        """Return the Choquet integrals over all measures, or over the q-additive ones."""
        return ChoquetFamily() if self.additivity is None else AdditiveChoquetFamily(int(self.additivity))

    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        numbers = values.tolist()
        if self.additivity is None:
            return replace(self, measure=dict(zip(all_subsets(names), numbers, strict=True)))
        subsets = [tuple(names[k] for k in subset) for subset in small_subsets(len(names), int(self.additivity))]
        return replace(self, mobius=dict(zip(subsets, numbers, strict=True)))

    def _given_distance(self, comparison: Comparison) -> Distance:
        additivity = None if self.additivity is None else int(self.additivity)
        return given_choquet(comparison, self.name, self.measure, self.mobius, additivity)

    def _keep_parameters(self, values: FloatArray) -> None:  # noqa: ARG002  (their meaning has them by subset)
        if isinstance(self.meaning_, MeasureMeaning):
            self.measure_, self.mobius_ = self.meaning_.measure, self.meaning_.mobius


@dataclass(eq=False)
class ChoquetMetric(Choquet):
    """The intruder of `Choquet` for whom attributes only replace each other: his distance is the square of a metric.

    distance = Choquet integral of d over a submodular measure with positive singletons: the conditions are kept on all
    n (n - 1) / 2 . 2^(n - 2) local pairs, not only on pairs of attributes. The measure is learned in full unless it is
    given, as for `Choquet`.

    Ties: relative tolerance 2^-40. Missing values: see `linkrisk.differences.missing`. Cost: as `Choquet`, for up to 10
    attributes (given: 16). Reference: abril-bilinear.txt, section 4 and Table 3 (d2CI_m).

    >>> ChoquetMetric(measure={"a": 0.6, "b": 0.6, "a,b": 1.0}).name
    'choquet_metric'
    """

    name: ClassVar[str] = "choquet_metric"
    knows: ClassVar[str] = "He weighs combinations of attributes by a measure that makes a metric."

    def check_parameters(self) -> None:
        """Raise as `Choquet` does, and where additivity is asked for in learning."""
        super().check_parameters()
        if self.is_learned and self.additivity is not None:
            raise ParameterError(f"{self.name}: submodular measures are learned in full; leave out additivity")

    def family(self) -> Family:
        """Return the Choquet integrals over submodular measures."""
        return ChoquetFamily(is_metric=True)

    def _given_distance(self, comparison: Comparison) -> Distance:
        additivity = None if self.additivity is None else int(self.additivity)
        return given_choquet(comparison, self.name, self.measure, self.mobius, additivity, is_metric=True)
