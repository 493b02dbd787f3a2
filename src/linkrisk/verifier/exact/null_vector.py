"""Do vectors have positive multipliers with which they sum to 0? Those given are tried; if rounded, those near them.

With whole multipliers the sum can be exactly 0. With rounded ones it is only almost 0; where the vectors span their
space, small changes of some multipliers make it exactly 0, and need not be computed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import qr

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import ROUNDING, Number, Row, mixture, wholes

SAFETY = 1e-290
"""Larger than the error in a sum of products from numbers that underflow to 0."""

NEAR = 2.0**-16
"""A sum that is larger than this, times the largest of its terms, is not looked at: multipliers are not off by more."""

MOST_PLACES = 2048
"""Number of entries of vectors up to which multipliers may be rounded."""


def has_positive_combination(vectors: Sequence[Row], multipliers: Sequence[Number]) -> bool:
    """Tell whether positive multipliers exist with which the vectors sum to 0; those given are such ones, or nearly so.

    *Guarantee* (docs/mathematics.md#null-vector): True only if they exist: the sum is exactly 0, or it is so when some
    of the multipliers are changed a little.

    >>> has_positive_combination([{0: 3}, {0: -1}], [1, 3]), has_positive_combination([{0: 3}, {0: -1}], [0.1, 0.3])
    (True, True)
    >>> has_positive_combination([{0: 3}, {0: 1}], [1.0, 3.0])
    False
    """
    scaled, _ = wholes(multipliers)
    rest = mixture(vectors, scaled)
    if not rest:
        return True
    places = sorted({place for vector in vectors for place in vector})
    if not len(places) < len(vectors) or len(places) > MOST_PLACES:
        return False
    columns, remainder = _floats(vectors, scaled, rest, places)
    if np.abs(remainder).max() > NEAR:
        return False
    order = qr(columns, mode="r", pivoting=True)[1]
    return _is_near_null_vector(columns[:, order[: len(places)]], remainder)


def _is_near_null_vector(square: FloatArray, remainder: FloatArray) -> bool:
    """Tell whether the sum becomes 0 when some multipliers are changed, each by less than itself.

    *Guarantee* (docs/mathematics.md#near-null-vector): let the columns of the square matrix A be as many vectors, times
    their multipliers, as vectors have entries, and let r be the sum of all vectors times their multipliers. If ||I - R
    A|| <= q < 1 in the maximum norm for any matrix R, then A is regular, and the solution of A z = -r has ||z|| <= ||R
    r|| / (1 - q). If that is below 1, multiplying the multipliers of the columns of A by 1 + z, and keeping the others,
    gives positive multipliers and the sum 0. All norms are bounded including their rounding errors; A and r are rounded
    once.
    """
    size = len(square)
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(square)
        except np.linalg.LinAlgError:
            return False
        share = 4 * (size + 4) * ROUNDING
        sizes = np.abs(inverse)
        defect = np.abs(np.eye(size) - inverse @ square) + share * (sizes @ np.abs(square)) + SAFETY * (1 + sizes.sum())
        change = np.abs(inverse @ remainder) + share * (sizes @ np.abs(remainder)) + SAFETY * (1 + sizes.sum())
        q = float(defect.sum(axis=1).max()) * (1.0 + share)
        return bool(q < 0.5 and float(change.max()) * (1.0 + share) < 1.0 - q)


def _floats(
    vectors: Sequence[Row], multipliers: Sequence[int], rest: Row, places: Sequence[int]
) -> tuple[FloatArray, FloatArray]:
    """Return the vectors times their multipliers, as columns of floats, and their sum; each entry is rounded once.

    The entries at each place are divided by a power of two that brings the largest of them near 1.
    """
    columns, remainder = np.empty((len(places), len(vectors))), np.empty(len(places))
    for q, place in enumerate(places):
        entries = [m * vector.get(place, 0) for vector, m in zip(vectors, multipliers, strict=True)]
        divisor = 1 << max(entry.bit_length() for entry in entries)
        columns[q] = [entry / divisor for entry in entries]
        remainder[q] = rest.get(place, 0) / divisor
    return columns, remainder
