"""Mahalanobis distances: the intruder who knows how the noise is spread (COV), and the one who does not (COV0)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates
from linkrisk.distances.distance import Distance
from linkrisk.distances.forms import euclidean, transformed, vectors_for
from linkrisk.distances.keys import (
    KEY_WEIGHT,
    NO_DEVIATION,
    ROUNDING,
    centred,
    deviations,
    is_constant_difference,
    key_note,
    pair_differences,
    principal_axes,
    rounding,
)
from linkrisk.errors import NotApplicableError


def mahalanobis_distance(comparison: Comparison, attacker: str = "mahalanobis") -> Distance:
    """Return the distance whitened by the covariance of the differences of true pairs (COV), keys in front.

    Reference: Definition 4 of abril-bilinear.txt.
    """
    numeric, original, protected, notes = vectors_for(comparison, attacker)
    own = numeric.coordinates.own
    if int((own >= 0).sum()) < 2:
        raise NotApplicableError(f"{attacker} needs at least two true pairs; use mahalanobis0, which needs none")
    differences = pair_differences(original, protected, _complete_pairs(numeric.coordinates))
    spread = deviations(original, protected)
    keys = is_constant_difference(differences, spread, rounding(original, protected))
    rest = ~keys
    plan = _Whitening.of(differences.centred[:, rest], original[:, rest], protected[:, rest])
    x = np.hstack([_keys(original, keys, spread), plan.apply(original[:, rest])])
    y = np.hstack([_keys(protected + differences.mean, keys, spread), plan.apply(protected[:, rest])])
    shift = differences.mean[rest] @ plan.directions[:, : plan.n_keys]
    y[:, keys.sum() : keys.sum() + plan.n_keys] += shift * np.sqrt(KEY_WEIGHT)
    notes += _key_notes(numeric.names, keys, plan)
    parameters: dict[str, object] = {
        "keys": [numeric.names[k] for k in np.flatnonzero(keys)],
        "key_directions": plan.n_keys,
        "directions": plan.n_others,
    }
    is_shifted = bool(differences.mean[keys].any() or (np.abs(shift) > ROUNDING).any())
    root = None if is_shifted else np.hstack([_keys(np.eye(len(keys)), keys, spread), _embedded(plan, rest)])
    return euclidean(x, y, numeric.coordinates, root=root, parameters=parameters, notes=notes)


def mahalanobis0_distance(comparison: Comparison, attacker: str = "mahalanobis0") -> Distance:
    """Return the distance whitened by VarA + VarB (COV0)."""
    numeric, original, protected, notes = vectors_for(comparison, attacker)
    directions, n_dropped = _spanned(original, protected)
    notes += _dropped_note(attacker, n_dropped)
    parameters: dict[str, object] = {"directions": directions.shape[1]}
    return euclidean(
        transformed(original, directions),
        transformed(protected, directions),
        numeric.coordinates,
        root=directions,
        parameters=parameters,
        notes=notes,
    )


@dataclass(frozen=True)
class _Whitening:
    """Directions that turn the covariance of the differences into the identity, key directions first."""

    directions: FloatArray
    n_keys: int
    n_others: int
    n_dropped: int

    @classmethod
    def of(cls, between: FloatArray, original: FloatArray, protected: FloatArray) -> _Whitening:
        """Split the space into key directions (weight not yet applied) and whitened ones.

        ``between`` are the differences of true pairs without their mean.
        """
        spanned, n_dropped = _spanned(original, protected)
        relative = transformed(between, spanned) / np.sqrt(max(len(between) - 1, 1))
        sizes, turn = principal_axes([relative], spanned.shape[1])
        spread = deviations(original, protected)
        slack = (rounding(original, protected)[spread > 0] / spread[spread > 0]).max(initial=0.0)
        is_key = sizes <= NO_DEVIATION + slack
        whitened = spanned @ (turn[:, ~is_key] / sizes[~is_key])
        directions = np.hstack([spanned @ turn[:, is_key], whitened])
        return cls(directions, int(is_key.sum()), int((~is_key).sum()), n_dropped)

    def apply(self, vectors: FloatArray) -> FloatArray:
        """Coordinates along the directions, keys weighted."""
        coordinates = transformed(vectors, self.directions)
        coordinates[:, : self.n_keys] *= np.sqrt(KEY_WEIGHT)
        return np.asarray(coordinates)


def _complete_pairs(coordinates: Coordinates) -> IntArray:
    """Counterparts as in ``own``, without pairs that have holes where enough others are left."""
    own = coordinates.own
    has_hole, has_hole_there = (
        np.isnan(values).max(axis=1) for values in (coordinates.original, coordinates.protected)
    )
    complete = np.where(has_hole | has_hole_there[own], -1, own)
    return complete if int((complete >= 0).sum()) > coordinates.n_attributes + 1 else own


def _spanned(original: FloatArray, protected: FloatArray) -> tuple[FloatArray, int]:
    """Directions along which people differ, scaled to unit variance, and how many directions were dropped."""
    spread = deviations(original, protected)
    safe = np.where(spread > 0, spread, 1.0)
    files = (centred(values) / (safe * np.sqrt(max(len(values) - 1, 1))) for values in (original, protected))
    sizes, axes = principal_axes(files, len(safe))
    kept = sizes > NO_DEVIATION
    return np.asarray(axes[:, kept] / sizes[kept] / safe[:, None]), int((~kept).sum())


def _embedded(plan: _Whitening, rest: NDArray[np.bool_]) -> FloatArray:
    """Directions of the attributes that are no keys, as those of all attributes."""
    result = np.zeros((len(rest), plan.directions.shape[1]))
    result[rest] = plan.apply(np.eye(int(rest.sum())))
    return result


def _keys(vectors: FloatArray, keys: NDArray[np.bool_], spread: FloatArray) -> FloatArray:
    return np.asarray(vectors[:, keys] * (np.sqrt(KEY_WEIGHT) / spread[keys]))


def _key_notes(names: tuple[str, ...], keys: NDArray[np.bool_], plan: _Whitening) -> tuple[str, ...]:
    notes = key_note("mahalanobis", [names[k] for k in np.flatnonzero(keys)])
    if plan.n_keys:
        keys_text = f"{plan.n_keys} combination(s) of attributes are the same in a record and its protected version"
        notes += (f"mahalanobis: {keys_text} and decide first",)
    return notes + _dropped_note("mahalanobis", plan.n_dropped)


def _dropped_note(attacker: str, n_dropped: int) -> tuple[str, ...]:
    if not n_dropped:
        return ()
    return (f"{attacker}: {n_dropped} direction(s) in which no two records differ are left out (pseudo-inverse)",)
