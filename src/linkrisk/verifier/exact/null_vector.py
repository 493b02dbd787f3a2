"""Do vectors have positive multipliers with which they sum to 0? This is shown near given, rounded multipliers.

With the rounded multipliers of a certificate the sum is only almost 0. Where the vectors span their space, small
changes of some multipliers make it exactly 0, and need not be computed; otherwise they are, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.linalg import qr

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import ROUNDING, Row, mixture, wholes

SAFETY = 1e-290
"""Larger than the error in a sum of products from numbers that underflow to 0."""


def has_positive_combination(vectors: Sequence[Row], multipliers: Sequence[float]) -> bool:
    """Tell whether positive multipliers exist with which the vectors sum to 0; ``multipliers`` are nearly such ones.

    *Guarantee* (docs/mathematics.md#null-vector): True only if they exist. This is shown in one of two ways: some of
    the multipliers can be changed a little so that the sum is exactly 0; or the vectors have, up to its length, only
    one null vector, and it is positive.

    >>> has_positive_combination([{0: 3}, {0: -1}], [1.0, 2.9]), has_positive_combination([{0: 3}, {0: 1}], [1.0, 3.0])
    (True, False)
    """
    scaled, _ = wholes(multipliers)
    rest = mixture(vectors, scaled)
    if not rest:
        return True
    places = sorted({place for vector in vectors for place in vector})
    columns, remainder = _floats(vectors, scaled, rest, places)
    order = qr(columns, mode="r", pivoting=True)[1].tolist()
    if len(vectors) > len(places) and _is_near_null_vector(columns[:, order[: len(places)]], remainder):
        return True
    matrix = [[*(vectors[c].get(place, 0) for c in order), rest.get(place, 0)] for place in places]
    pivots = _eliminate(matrix, len(order))
    return _is_mended(matrix, pivots, [scaled[c] for c in order]) or _is_single(matrix, pivots, len(order))


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


def _eliminate(matrix: list[list[int]], size: int) -> list[int]:
    """Bring a matrix to row echelon form, with pivots in its first ``size`` columns; return the columns of the pivots.

    No fractions are needed: entries are minors, which the last pivot divides.
    """
    pivots: list[int] = []
    last = 1
    for column in range(size):
        rank = len(pivots)
        place = next((q for q in range(rank, len(matrix)) if matrix[q][column]), None)
        if place is None:
            continue
        matrix[rank], matrix[place] = matrix[place], matrix[rank]
        lead, row = matrix[rank][column], matrix[rank]
        for q in range(rank + 1, len(matrix)):
            share = matrix[q][column]
            matrix[q] = [(lead * a - share * b) // last for a, b in zip(matrix[q], row, strict=True)]
        last = lead
        pivots.append(column)
    return pivots


def _is_mended(matrix: list[list[int]], pivots: Sequence[int], multipliers: Sequence[int]) -> bool:
    """Tell whether positive multipliers of the pivot columns, with all others unchanged, make the sum 0.

    The last column is the sum. It is a combination of the columns, and so also of the pivot columns alone.
    """
    change = _solution(matrix, pivots, {len(multipliers): Fraction(1)})
    return all(multipliers[c] + value > 0 for c, value in change.items() if c < len(multipliers))


def _is_single(matrix: list[list[int]], pivots: Sequence[int], size: int) -> bool:
    """Tell whether the columns have, up to its length, only one null vector, and it is positive."""
    if len(pivots) != size - 1:
        return False
    free = next(column for column in range(size) if column not in pivots)
    return all(value > 0 for value in _solution(matrix, pivots, {free: Fraction(1)}).values())


def _solution(matrix: list[list[int]], pivots: Sequence[int], given: dict[int, Fraction]) -> dict[int, Fraction]:
    """Return the multipliers of the pivot columns that make the sum 0, for given multipliers of some other columns."""
    solution = dict(given)
    for q in reversed(range(len(pivots))):
        row = matrix[q]
        later = sum((row[c] * value for c, value in solution.items()), Fraction(0))
        solution[pivots[q]] = -later / row[pivots[q]]
    return solution
