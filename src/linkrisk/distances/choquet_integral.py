"""Choquet integrals over a fuzzy measure that is given: by all its values, or by its Möbius transform."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance, Rule
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
from linkrisk.errors import ParameterError
from linkrisk.name_list import join_names, split_names

NamedSubsets = Mapping[str | tuple[str, ...] | frozenset[str], float]
"""Values of subsets: tuples or frozensets of attribute names, or names joined by commas."""


def given_choquet(
    comparison: Comparison,
    attacker: str,
    measure: NamedSubsets | None,
    mobius: NamedSubsets | None,
    additivity: int | None = None,
    *,
    is_metric: bool = False,
) -> Distance:
    """Return the Choquet integral over a measure as users give it, checked; one of the two must be given.

    ``additivity`` states that no subset of more attributes has a Möbius value. ``is_metric`` asks for a submodular
    measure.
    """
    names = comparison.names
    if len(names) > MAX_FULL_ATTRIBUTES and (additivity is None or mobius is None):
        raise ParameterError(
            f"{attacker}: {len(names)} attributes have too many subsets for a full measure (at most "
            f"{MAX_FULL_ATTRIBUTES}); give a Möbius transform and additivity=2 (or more)"
        )
    if mobius is None:
        values = measure_from_subsets(_subsets(measure or {}), names)
    else:
        transform = mobius_from_subsets(_subsets(mobius), names)
        if len(names) > MAX_FULL_ATTRIBUTES:
            return mobius_distance(comparison, attacker, transform, additivity, is_metric=is_metric)
        values = spread_measure(transform, len(names))
    distance = measure_distance(comparison, values, is_metric=is_metric)
    if additivity is not None:
        _check_additivity(mobius_from_measure(values), additivity, attacker)
        distance = replace(distance, notes=additivity_notes(attacker, additivity, len(names)))
    return distance


def spread_measure(transform: Mapping[int, float], n_attributes: int) -> FloatArray:
    """Return the measure of all subsets from Möbius values by bit mask.

    >>> spread_measure({1: 0.25, 2: 0.25, 3: 0.5}, 2).tolist()
    [0.0, 0.25, 0.25, 1.0]
    """
    mobius = np.zeros(1 << n_attributes)
    for mask, value in transform.items():
        mobius[mask] = value
    return measure_from_mobius(mobius)


def measure_distance(comparison: Comparison, measure: FloatArray, *, is_metric: bool = False) -> Distance:
    """Return the Choquet integral over a measure of all subsets by bit mask, after checking it."""
    names = comparison.names
    check_measure(measure, names)
    if is_metric:
        check_submodular(measure, names)
    measure = smoothed_measure(measure)
    return Distance(
        Rule.CHOQUET,
        measure,
        comparison.coordinates,
        importance=np.sqrt(np.maximum(shapley_values(measure), 0.0)),
        floor=choquet_floor(measure),
        parameters={"measure": {label: measure[mask] for mask, label in subset_labels(names)}},
    )


def mobius_distance(
    comparison: Comparison,
    attacker: str,
    transform: Mapping[int, float],
    additivity: int | None,
    *,
    is_metric: bool = False,
) -> Distance:
    """Return the Choquet integral from Möbius values, for a measure with too many subsets to list."""
    names = comparison.names
    if is_metric:
        raise ParameterError(
            f"{attacker}: submodularity is checked for at most {MAX_FULL_ATTRIBUTES} attributes, and there are "
            f"{comparison.n_attributes}; use choquet, or fewer attributes"
        )
    members = {mask: [k for k in range(len(names)) if mask >> k & 1] for mask in transform}
    width = max((len(m) for m in members.values()), default=1)
    if additivity is not None and width > additivity:
        raise ParameterError(
            f"{attacker}: a Möbius value is given for {width} attributes, but additivity={additivity}; "
            "raise additivity or leave the value out"
        )
    _check_sparse_measure(transform, members, names, attacker)
    transform = lifted_mobius(transform, len(names))
    members |= {mask: [mask.bit_length() - 1] for mask in transform if mask not in members}
    subsets = np.full((len(transform), width), -1, dtype=np.int64)
    shapley = np.zeros(len(names))
    for row, (mask, value) in enumerate(transform.items()):
        subsets[row, : len(members[mask])] = members[mask]
        shapley[members[mask]] += value / len(members[mask])
    labels = {join_names(names[k] for k in members[mask]): value for mask, value in transform.items()}
    return Distance(
        Rule.MOBIUS,
        np.array(list(transform.values())),
        comparison.coordinates,
        importance=np.sqrt(np.maximum(shapley, 0.0)),
        subsets=subsets,
        parameters={"mobius": labels},
    )


def lifted_mobius(transform: Mapping[int, float], n_attributes: int) -> dict[int, float]:
    """Return Möbius values, by bit mask, whose measure is exactly monotone: single attributes are raised if need be.

    Values as users give them may be short of it by `SLACK`. Then comparing all pairs and the search through a tree,
    which rests on it, could find different records.

    *Guarantee* (docs/mathematics.md#mobius-gains): in exact arithmetic, no attribute has a negative least gain.

    >>> lifted_mobius({1: 0.5, 2: 1.0, 3: -0.5}, 2)
    {1: 0.5, 2: 1.0, 3: -0.5}
    >>> lifted_mobius({1: 0.5, 2: 1.0, 3: -0.625}, 2)
    {1: 0.625, 2: 1.0, 3: -0.625}
    """
    result = dict(transform)
    for k in range(n_attributes):
        single = 1 << k
        others = [value for mask, value in transform.items() if mask & single and mask != single and value < 0.0]
        needed = -sum(map(Fraction, others), Fraction(0))
        if Fraction(result.get(single, 0.0)) < needed:
            value = float(needed)
            result[single] = value if Fraction(value) >= needed else math.nextafter(value, math.inf)
    return result


def additivity_notes(attacker: str, additivity: int, n_attributes: int) -> tuple[str, ...]:
    """Return a note that the measure is a full one, if the additivity exceeds the number of attributes."""
    if additivity <= n_attributes:
        return ()
    told = f"additivity {additivity} is more than there are attributes ({n_attributes})"
    return (f"{attacker}: {told}; the measure is a full one",)


def _check_additivity(mobius: FloatArray, additivity: int, attacker: str) -> None:
    sizes = np.bitwise_count(np.arange(mobius.size))
    if (np.abs(mobius[sizes > additivity]) > SLACK).any():
        raise ParameterError(
            f"{attacker}: the measure is not {additivity}-additive: a larger subset has a Möbius value; "
            "raise additivity or leave it out"
        )


def choquet_floor(measure: FloatArray) -> float:
    """Return c such that every Choquet integral is at least c times the sum of the values.

    *Guarantee* (docs/mathematics.md#choquet-floor): among values of a given sum and order the integral is linear, so it
    is least at a corner: equal on some set of attributes, zero elsewhere; so c is the least of mu(A) / |A| over all
    non-empty A.

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

    *Guarantee* (docs/mathematics.md#mobius-gains): for every attribute k and set A, the increment mu(A + k) - mu(A) is
    m({k}) plus Möbius values of subsets of A + k that hold k. It is least when A picks all negative values. For a
    2-additive measure this test is exact; for larger subsets it is sufficient. Printed values are rounded: they may be
    short of it by `SLACK`, and are then raised (`lifted_mobius`).
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
