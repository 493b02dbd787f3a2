"""When two values agree, and how closely: the levels of agreement of each attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.distances.probabilistic.values import MOST_CLASSES, ValueClasses, make_value_classes
from linkrisk.errors import ParameterError

EXACT = 2.0**-36
"""Scaled numbers no farther apart than this are equal: two files scaled on their own round differently."""

FINEST = 256.0
"""The closest tolerance of a number admits one in this many pairs; the others are evenly spaced in logarithms."""

MAX_LEVELS = MOST_CLASSES - 1
"""Most tolerances of an attribute besides exact agreement; with disagreement and holes, a level fits four bits."""

STEPS = (0.0, 1.0, 2.0)
"""Tolerances of an ordinal attribute: equal, one category apart, two."""

DISSIMILARITIES = (0.0, 0.08, 0.2)
"""Tolerances of text as 1 - Jaro-Winkler: equal, a spelling mistake, similar."""

N_POINTS = 1024
"""Values of each file, evenly spaced in rank, whose differences give the tolerances of a number."""


@dataclass(frozen=True)
class Agreement:
    """The levels of agreement of every attribute.

    ``tolerances[k]`` are rising: level l of attribute k is a difference of at most tolerances[k][l] (and above the one
    before), the level after the last is disagreement. They are in standard deviations of the scale (numbers, dates),
    categories (ordinal) or 1 - Jaro-Winkler (text). Nominal values agree or not; where ``values`` has classes of them,
    there is a level for equal values of each class, the rarest first. Two more levels are a value missing on one side,
    and values missing on both.
    """

    names: tuple[str, ...]
    tolerances: tuple[tuple[float, ...], ...]
    rules: tuple[DifferenceRule, ...]
    values: tuple[ValueClasses | None, ...]

    @property
    def n_levels(self) -> tuple[int, ...]:
        """Levels of each attribute, disagreement included, missing values not."""
        return tuple(
            (len(tolerances) if classes is None else classes.n_classes) + 1
            for tolerances, classes in zip(self.tolerances, self.values, strict=True)
        )

    @property
    def n_free(self) -> int:
        """Probabilities of levels that are free in each class: those of an attribute add up to 1."""
        return sum(self.n_levels) - len(self.names)

    @property
    def alike(self) -> IntArray:
        """One number for all attributes with the same levels: numbers and dates with as many tolerances."""
        kinds = [
            (len(tolerances), -1) if rule is DifferenceRule.SQUARED else (0, k)
            for k, (rule, tolerances) in enumerate(zip(self.rules, self.tolerances, strict=True))
        ]
        return np.array([kinds.index(kind) for kind in kinds])

    @property
    def farness(self) -> FloatArray:
        """How far each level is from agreement, 0 to 1: evenly spaced, but 0 for equal values of whichever class."""
        n_levels = np.array(self.n_levels)[:, None]
        place = np.arange(self.width)[None, :]
        is_by_value = np.array([classes is not None for classes in self.values])[:, None]
        result = np.where(is_by_value, place >= n_levels - 1, place / (n_levels - 1.0))
        return np.asarray(np.minimum(result, 1.0))

    @property
    def width(self) -> int:
        """Columns of a table with one row per attribute and one column per level, missing values included."""
        return max(self.n_levels) + 2

    def limits(self, coordinates: Coordinates) -> FloatArray:
        """Return the largest d_k of each level except disagreement (inf where an attribute has fewer)."""
        result = np.full((len(self.names), self.width), np.inf)
        for k, (rule, tolerances) in enumerate(zip(self.rules, self.tolerances, strict=True)):
            values = np.array(tolerances)
            if rule is DifferenceRule.SQUARED:
                values = np.maximum(values * (1.0 + EXACT), EXACT) ** 2
            elif rule is DifferenceRule.ORDERED:
                values = (values + coordinates.offset[k] + 0.5) / coordinates.divisor[k]
            elif rule is DifferenceRule.LOOKED_UP:
                values = (values + EXACT) ** 2
            else:
                values = np.array([0.5])
            result[k, : len(values)] = values
        return result

    def labels(self, k: int) -> tuple[str, ...]:
        """Name the levels of an attribute.

        >>> Agreement(("age",), ((0.0, 0.1),), (DifferenceRule.SQUARED,), (None,)).labels(0)
        ('equal', '<= 0.1', 'differs', 'missing on one side', 'missing on both')
        """
        classes = self.values[k]
        if classes is None:
            near = tuple("equal" if tolerance == 0.0 else f"<= {tolerance:.3g}" for tolerance in self.tolerances[k])
        else:
            near = classes.labels
        return (*near, "differs", "missing on one side", "missing on both")


def make_agreement(
    comparison: Comparison,
    levels: int,
    tolerances: Mapping[str, Sequence[float]] | None = None,
    *,
    is_by_value: bool = False,
) -> Agreement:
    """Return the levels of agreement for two files on one scale.

    ``tolerances`` given for an attribute are used as they are. Otherwise nominal values agree or not, with
    ``is_by_value`` on a value of one class or another (`make_value_classes`); ordinal ones are
    equal, one or two categories apart, or farther; texts are equal, at most 0.08 or 0.2 dissimilar, or more. Numbers
    and dates are equal, or no farther apart than one in 256 of all pairs of an original and a protected value, and so
    on up to one in 256^(1/L), or farther, with L = ``levels``: one in 2 for L = 8. Nearly all of these pairs are
    unrelated, so the tolerances need no true pairs, fit each attribute and scale, and bound what a level can be worth
    (8 bits at most, except for equality). With ``levels=0``, values of all kinds are equal or not equal.

    Cost: the differences of 1024 x 1024 values per attribute, evenly spaced in rank.
    """
    given = _checked(tolerances or {}, comparison)
    rules = tuple(DifferenceRule(int(rule)) for rule in comparison.coordinates.rules)
    result = [
        given.get(name) or _default(comparison.coordinates, k, rules[k], levels)
        for k, name in enumerate(comparison.names)
    ]
    coordinates = comparison.coordinates
    values = [
        make_value_classes(coordinates.original[:, k], coordinates.protected[:, k])
        if is_by_value and rule is DifferenceRule.EQUAL
        else None
        for k, rule in enumerate(rules)
    ]
    return Agreement(comparison.names, tuple(result), rules, tuple(values))


def _default(coordinates: Coordinates, k: int, rule: DifferenceRule, levels: int) -> tuple[float, ...]:
    if rule is DifferenceRule.EQUAL or levels == 0:
        return (0.0,)
    if rule is DifferenceRule.ORDERED:
        return tuple(step for step in STEPS if step < max(coordinates.divisor[k] - 1.0, 1.0))
    if rule is DifferenceRule.LOOKED_UP:
        return DISSIMILARITIES
    x, y = (_evenly_spaced(values[:, k]) for values in (coordinates.original, coordinates.protected))
    if x.size == 0 or y.size == 0:
        return (0.0,)
    gaps = np.abs(np.subtract.outer(x, y)).ravel()
    shares = FINEST ** (-np.arange(levels, 0, -1.0) / levels)
    wide = np.quantile(gaps, shares, method="inverted_cdf").tolist()
    return (0.0, *dict.fromkeys(tolerance for tolerance in wide if tolerance > EXACT))


def _evenly_spaced(values: FloatArray) -> FloatArray:
    """Known values in order, at most `N_POINTS` of them, evenly spaced in rank."""
    known = np.sort(values[~np.isnan(values)])
    if known.size <= N_POINTS:
        return known
    places = (np.arange(N_POINTS) + 0.5) * (known.size / N_POINTS)
    return np.asarray(known[places.astype(np.int64)])


def _checked(tolerances: Mapping[str, Sequence[float]], comparison: Comparison) -> dict[str, tuple[float, ...]]:
    if not isinstance(tolerances, Mapping):
        raise ParameterError("probabilistic: tolerances must be a table with a list of numbers for each attribute")
    result = {}
    for name, values in tolerances.items():
        if name not in comparison.names:
            raise ParameterError(
                f"probabilistic: tolerances for unknown attribute {name!r}; the attributes are "
                f"{', '.join(comparison.names)}"
            )
        if comparison.coordinates.rules[comparison.names.index(name)] == DifferenceRule.EQUAL:
            raise ParameterError(f"probabilistic: {name!r} is nominal, its values agree or not; drop its tolerances")
        result[name] = _checked_tolerances(name, values)
    return result


def _checked_tolerances(name: str, values: Any) -> tuple[float, ...]:
    is_list = isinstance(values, Sequence | np.ndarray) and not isinstance(values, str)
    if not is_list or not all(isinstance(value, Real) and not isinstance(value, bool) for value in values):
        raise ParameterError(f"probabilistic: the tolerances of {name!r} must be a list of numbers")
    numbers = tuple(float(value) for value in values)
    is_rising = all(a < b for a, b in pairwise(numbers))
    if not 1 <= len(numbers) <= MAX_LEVELS + 1 or not is_rising or numbers[0] < 0.0 or not np.isfinite(numbers).all():
        raise ParameterError(
            f"probabilistic: the tolerances of {name!r} must be 1 to {MAX_LEVELS + 1} rising numbers of at least 0"
        )
    return numbers
