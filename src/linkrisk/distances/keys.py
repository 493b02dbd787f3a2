"""Keys: what stays the same between a record and its protected version, yet differs between people.

An attribute, or a combination of attributes, without any difference between true pairs identifies people as a
name would. An inverse covariance cannot express that (its entry would be infinite), and a pseudo-inverse gives
the direction weight zero, the opposite of what it deserves. Here a key decides first: it gets the weight
`KEY_WEIGHT`, beyond what the rest of the distance can make up for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray

KEY_WEIGHT = 2.0**70
"""Weight of a key relative to its spread. People whose keys differ by more than about 1e-8 of the spread are
told apart by the key alone, whatever the other attributes say (their share of an own distance is at most the
number of records); rounding in a key stays far below the other attributes' share."""

NO_DEVIATION = 2.0**-40
"""Standard deviation between true pairs, relative to that among people, up to which a direction is a key."""

ROUNDING = 2.0**-50
"""Rounding of scaled values, relative to the largest: a smaller difference counts as none."""


ROWS = 1 << 16
"""Records that a factorisation takes at a time."""


@dataclass(frozen=True)
class PairDifferences:
    """Differences between true pairs: their mean and what is left after subtracting it."""

    mean: FloatArray
    centred: FloatArray


def pair_differences(original: FloatArray, protected: FloatArray, own: IntArray) -> PairDifferences:
    """Differences original minus protected over the true pairs, without their mean."""
    paired = own >= 0
    differences = original[paired] - protected[own[paired]]
    if not len(differences):
        return PairDifferences(np.zeros(original.shape[1]), differences)
    # Differences from the first pair are small where all are alike: their mean is accurate, however large the shift.
    shifted = differences - differences[0]
    mean = shifted.mean(axis=0)
    return PairDifferences(differences[0] + mean, shifted - mean)


def centred(values: FloatArray) -> FloatArray:
    """Subtract the mean of each column; the columns of constants become exactly 0."""
    shifted = values - values[:1]
    return np.asarray(shifted - shifted.mean(axis=0))


def deviations(original: FloatArray, protected: FloatArray) -> FloatArray:
    """Square root of VarA + VarB (n - 1) for each column."""
    variances = [(centred(x) ** 2).sum(axis=0) / max(len(x) - 1, 1) for x in (original, protected)]
    return np.asarray(np.sqrt(variances[0] + variances[1]))


def rounding(original: FloatArray, protected: FloatArray) -> FloatArray:
    """Differences of this size in a column can be rounding of its values."""
    return np.asarray(ROUNDING * np.maximum(np.abs(original).max(axis=0), np.abs(protected).max(axis=0)))


def is_constant_difference(differences: PairDifferences, spread: FloatArray, slack: FloatArray) -> NDArray[np.bool_]:
    """Tell for each column whether true pairs differ by one and the same amount, and people differ at all.

    ``slack`` is what may be rounding (see `rounding`).
    """
    largest = np.abs(differences.centred).max(axis=0, initial=0.0)
    return np.asarray((spread > 0) & (largest <= NO_DEVIATION * spread + slack))


def key_note(attacker: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return a note on the attributes that are keys; none where there are none.

    >>> key_note("mahalanobis", ["age"]), key_note("mahalanobis", [])
    (('mahalanobis: age is the same in a record and its protected version and decides first',), ())
    """
    if not names:
        return ()
    if len(names) == 1:
        return (f"{attacker}: {names[0]} is the same in a record and its protected version and decides first",)
    return (f"{attacker}: {', '.join(names)} are the same in a record and its protected version and decide first",)


def principal_axes(blocks: Iterable[FloatArray], n_columns: int) -> tuple[FloatArray, FloatArray]:
    """Root mean squares along the principal axes of stacked rows, and the axes as columns.

    By QR, a block of rows at a time, and a singular value decomposition of what is left: a direction is resolved
    down to 2^-50 of the largest, where the eigenvalues of a covariance matrix end at 2^-26.
    """
    triangle = np.zeros((0, n_columns))
    for values in blocks:
        for start in range(0, len(values), ROWS):
            rows = np.vstack([triangle, values[start : start + ROWS]])
            triangle = np.asarray(np.linalg.qr(rows, mode="r"))
    sizes = np.zeros(n_columns)
    if not triangle.size:
        return sizes, np.eye(n_columns)
    _, singular, axes = np.linalg.svd(triangle)
    sizes[: singular.size] = singular
    return sizes, np.asarray(axes.T)
