"""Distances standardised by the differences themselves (DBRL2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates, DifferenceRule
from linkrisk.differences.text import text_differences
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.keys import KEY_WEIGHT, NO_DEVIATION, ROUNDING, key_note

NAME = "distance_standardised"
"""The attacker whose distance this is, for notes."""


def standardised_distance(comparison: Comparison) -> Distance:
    """Return the sum of d_k over the variance of the differences of true pairs (DBRL2); keys decide first."""
    coordinates = comparison.coordinates
    theta = np.zeros(comparison.n_attributes)
    shift = np.zeros(comparison.n_attributes)
    notes: list[str] = []
    keys: list[str] = []
    for k, name in enumerate(comparison.names):
        weight = _attribute_weight(coordinates, k)
        theta[k], shift[k] = weight.value, weight.shift
        if weight.is_key:
            keys.append(name)
        elif weight.value == 0.0:
            notes.append(f"{NAME}: no two records differ in {name}; it gets weight 0")
    if shift.any():
        coordinates = replace(coordinates, protected=coordinates.protected + shift)
    weights = dict(zip(comparison.names, theta.tolist(), strict=True))
    parameters: dict[str, object] = {"weights": weights, "keys": keys}
    return Distance(
        Rule.WEIGHTED,
        theta,
        coordinates,
        importance=np.sqrt(theta),
        parameters=parameters,
        notes=(*key_note(NAME, keys), *notes),
    )


@dataclass(frozen=True)
class _Weight:
    value: float
    shift: float = 0.0
    is_key: bool = False


def _attribute_weight(coordinates: Coordinates, k: int) -> _Weight:
    paired = coordinates.own >= 0
    x = coordinates.original[paired, k]
    y = coordinates.protected[coordinates.own[paired], k]
    if coordinates.rules[k] != DifferenceRule.SQUARED:
        return _label_weight(coordinates, k, x, y)
    spread = _variance(coordinates.original[:, k]) + _variance(coordinates.protected[:, k])
    if spread == 0.0:
        return _Weight(0.0)
    known = ~(np.isnan(x) | np.isnan(y))
    differences = (x - y)[known]
    if differences.size < 2:
        return _Weight(1.0 / spread)
    mean = float(differences.mean())
    slack = ROUNDING * float(max(np.abs(x[known]).max(), np.abs(y[known]).max()))
    if np.abs(differences - mean).max() <= NO_DEVIATION * np.sqrt(spread) + slack:
        return _Weight(KEY_WEIGHT / spread, shift=mean, is_key=True)
    return _Weight(1.0 / _variance(differences))


def _label_weight(coordinates: Coordinates, k: int, x: FloatArray, y: FloatArray) -> _Weight:
    """Weight of a nominal, ordinal or text attribute: one over the mean difference of true pairs."""
    if x.size == 0:
        return _Weight(1.0)
    differences = _pair_differences(coordinates, k, x, y)
    of_equals = coordinates.offset[k] / coordinates.divisor[k]  # above 0 where an ordinal counts inclusively
    is_changed = np.where(np.isnan(x) | np.isnan(y), np.isnan(x) != np.isnan(y), differences > of_equals)
    mean = float(differences.mean())
    if mean > 0.0 and is_changed.any():
        return _Weight(1.0 / mean)
    if max(_n_distinct(coordinates.original[:, k]), _n_distinct(coordinates.protected[:, k])) < 2:
        return _Weight(0.0)
    return _Weight(KEY_WEIGHT, is_key=True)


def _n_distinct(codes: FloatArray) -> int:
    return int(np.unique(codes[~np.isnan(codes)]).size)


def _pair_differences(coordinates: Coordinates, k: int, x: FloatArray, y: FloatArray) -> FloatArray:
    """d_k of pairs of codes; distinct pairs of strings are compared once."""
    rule = coordinates.rules[k]
    if rule == DifferenceRule.EQUAL:
        known = (x != y).astype(np.float64)
    elif rule == DifferenceRule.ORDERED:
        known = (np.abs(x - y) + coordinates.offset[k]) / coordinates.divisor[k]
    else:
        known = _text_pairs(coordinates, k, x, y)
    holes = np.isnan(x).astype(int) + np.isnan(y).astype(int)
    one, both = coordinates.missing_one[k], coordinates.missing_both[k]
    return np.asarray(np.where(holes == 2, both, np.where(holes == 1, one, known)), dtype=np.float64)


def _text_pairs(coordinates: Coordinates, k: int, x: FloatArray, y: FloatArray) -> FloatArray:
    text = coordinates.texts[k]
    result = np.zeros(x.size)
    if text is None:
        return result
    seen: dict[tuple[float, float], float] = {}
    for place, pair in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        if pair[0] == pair[0] and pair[1] == pair[1]:  # neither is NaN
            if pair not in seen:
                strings = text.original[int(pair[0])], text.protected[int(pair[1])]
                seen[pair] = float(text_differences([strings[0]], [strings[1]])[0, 0])
            result[place] = seen[pair]
    return result


def _variance(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float((known - known[0]).var(ddof=1)) if known.size > 1 else 0.0  # exactly 0 where constant
