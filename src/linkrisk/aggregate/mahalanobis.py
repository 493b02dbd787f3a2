"""Mahalanobis distances: the intruder who knows how the noise is spread (COV), and the one who does not (COV0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.aggregate.distance import Distance
from linkrisk.aggregate.forms import euclidean, vectors_for
from linkrisk.aggregate.keys import (
    KEY_WEIGHT,
    NO_VARIANCE,
    PairDifferences,
    covariance,
    is_constant_difference,
    pair_differences,
)
from linkrisk.compare.comparison import Comparison
from linkrisk.data.columns import FloatArray
from linkrisk.errors import ParameterError


@dataclass(frozen=True)
class Mahalanobis:
    """The intruder who knows the covariance of the differences between true pairs (DBRLM-COV).

    distance = (a - b)' [VarA + VarB - Cov - Cov']^-1 (a - b), the bracket being the covariance of a - b over
    the true pairs: an oracle, fitted to the files he attacks. Invariant to linear changes of the attributes,
    so on the scale ``original`` it is the papers' distance on raw values.

    A direction in which true pairs do not differ but people do is a key and decides first (see
    `linkrisk.aggregate.keys`); if all pairs differ by one constant, that constant is taken off. A direction in
    which nobody differs is dropped, with a note. Numeric and date attributes only; a missing value is filled
    with the mean of its file. Ties: relative tolerance 2^-40. Cost: an eigenvalue problem of n attributes,
    then n operations a pair. Reference: torra2010-owa.txt, section 2; Definition 4 of abril-bilinear.txt.

    >>> Mahalanobis().is_oracle
    True
    """

    name: ClassVar[str] = "mahalanobis"
    is_oracle: ClassVar[bool] = True

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance of the whitened vectors, keys in front."""
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        own = numeric.coordinates.own
        if int((own >= 0).sum()) < 2:
            raise ParameterError(f"{self.name}: needs at least two true pairs; use mahalanobis0, which needs none")
        differences = pair_differences(original, protected, own)
        total = covariance(original) + covariance(protected)
        keys = is_constant_difference(differences, np.diag(total))
        rest = ~keys
        plan = _Whitening.of(differences, total, rest)
        blocks = [np.flatnonzero(keys), plan.n_keys, plan.n_others]
        x = np.hstack([_keys(original, keys, total), plan.apply(original[:, rest])])
        y = np.hstack([_keys(protected + differences.mean, keys, total), plan.apply(protected[:, rest])])
        shift = differences.mean[rest] @ plan.directions[:, : plan.n_keys]
        y[:, keys.sum() : keys.sum() + plan.n_keys] += shift * np.sqrt(KEY_WEIGHT)
        notes += _key_notes(numeric.names, keys, plan)
        parameters: dict[str, object] = {
            "keys": [numeric.names[k] for k in blocks[0]],
            "key_directions": plan.n_keys,
            "directions": plan.n_others,
        }
        return euclidean(x, y, own, parameters=parameters, notes=notes)


@dataclass(frozen=True)
class Mahalanobis0:
    """The intruder who knows the spread of both files but not who is who (DBRLM-COV0).

    distance = (a - b)' [VarA + VarB]^-1 (a - b). A direction without variance in either file is dropped, with a
    note. Otherwise as `Mahalanobis`, without oracle and keys.

    >>> Mahalanobis0().is_oracle
    False
    """

    name: ClassVar[str] = "mahalanobis0"
    is_oracle: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance of the whitened vectors."""
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        total = covariance(original) + covariance(protected)
        directions, n_dropped = _spanned(total)
        notes += _dropped_note(self.name, n_dropped)
        parameters: dict[str, object] = {"directions": directions.shape[1]}
        return euclidean(
            original @ directions, protected @ directions, numeric.coordinates.own, parameters=parameters, notes=notes
        )


@dataclass(frozen=True)
class _Whitening:
    """Directions that turn the covariance of the differences into the identity, key directions first."""

    directions: FloatArray
    n_keys: int
    n_others: int
    n_dropped: int

    @classmethod
    def of(cls, differences: PairDifferences, total: FloatArray, rest: FloatArray) -> _Whitening:
        """Split the attributes in ``rest`` into key directions (weight not yet applied) and whitened ones."""
        spanned, n_dropped = _spanned(total[np.ix_(rest, rest)])
        between = differences.centred[:, rest] @ spanned
        relative = between.T @ between / max(len(between) - 1, 1)
        variances, turn = np.linalg.eigh(relative)
        is_key = variances <= NO_VARIANCE
        whitened = spanned @ (turn[:, ~is_key] / np.sqrt(variances[~is_key]))
        directions = np.hstack([spanned @ turn[:, is_key], whitened])
        return cls(directions, int(is_key.sum()), int((~is_key).sum()), n_dropped)

    def apply(self, vectors: FloatArray) -> FloatArray:
        """Coordinates along the directions, keys weighted."""
        coordinates = vectors @ self.directions
        coordinates[:, : self.n_keys] *= np.sqrt(KEY_WEIGHT)
        return np.asarray(coordinates)


def _spanned(total: FloatArray) -> tuple[FloatArray, int]:
    """Directions along which people differ, scaled to unit variance, and how many directions were dropped."""
    spread = np.sqrt(np.diag(total))
    safe = np.where(spread > 0, spread, 1.0)
    eigenvalues, vectors = np.linalg.eigh(total / np.outer(safe, safe))
    kept = eigenvalues > NO_VARIANCE
    directions = vectors[:, kept] / np.sqrt(eigenvalues[kept]) / safe[:, None]
    return np.asarray(directions), int((~kept).sum())


def _keys(vectors: FloatArray, keys: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray(vectors[:, keys] * np.sqrt(KEY_WEIGHT / np.diag(total)[keys]))


def _key_notes(names: tuple[str, ...], keys: FloatArray, plan: _Whitening) -> tuple[str, ...]:
    notes = tuple(
        f"mahalanobis: {name} is the same in a record and its protected version and decides first"
        for name, is_key in zip(names, keys, strict=True)
        if is_key
    )
    if plan.n_keys:
        notes += (
            f"mahalanobis: {plan.n_keys} combination(s) of attributes are the same in a record and its protected "
            "version and decide first",
        )
    return notes + _dropped_note("mahalanobis", plan.n_dropped)


def _dropped_note(attacker: str, n_dropped: int) -> tuple[str, ...]:
    if not n_dropped:
        return ()
    return (f"{attacker}: {n_dropped} direction(s) in which no two records differ are left out (pseudo-inverse)",)
