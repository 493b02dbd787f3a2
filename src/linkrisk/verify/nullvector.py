"""Do vectors have positive multipliers that make their sum 0? Shown near given ones, without computing them.

Multipliers in a certificate are rounded, so that their sum is only almost 0. Where the vectors span their space, small
changes of some multipliers make it exactly 0; otherwise the multipliers are computed in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.linalg import qr

from linkrisk.data.columns import FloatArray
from linkrisk.verify.rationals import ROUNDING, Row, mixture, wholes

SAFETY = 1e-290
"""Above what is lost in a sum of products where numbers too small to be held are taken for 0."""


def has_positive_combination(vectors: Sequence[Row], multipliers: Sequence[float]) -> bool:
    """Whether there are positive numbers that make the sum of the vectors 0; ``multipliers`` say about which.

    *Guarantee*: exact; but where the vectors neither span the space of their entries nor have a single null vector,
    False may be said in error.

    >>> has_positive_combination([{0: 3}, {0: -1}], [1.0, 2.9]), has_positive_combination([{0: 3}, {0: 1}], [1.0, 3.0])
    (True, False)
    """
    scaled, _ = wholes(multipliers)
    rest = mixture(vectors, scaled)
    if not rest:
        return True
    places = sorted({place for vector in vectors for place in vector})
    if len(vectors) > len(places):
        return _is_near_null_vector(vectors, scaled, rest, places) or _is_single_null_vector(vectors, places)
    return _is_single_null_vector(vectors, places)


def _is_near_null_vector(vectors: Sequence[Row], multipliers: Sequence[int], rest: Row, places: Sequence[int]) -> bool:
    """Whether the multipliers, each changed by less than itself, make the sum 0.

    *Guarantee*: let A hold, as columns, as many vectors times their multipliers as there are entries, and r be the sum
    of all. With any R and q < 1 such that ||I - R A|| <= q in the maximum norm, A is regular, and A z = -r has
    ||z|| <= ||R r|| / (1 - q). If that is below 1, the multipliers (1 + z) times those of the columns of A, and the
    others as they are, are positive and make the sum 0. All norms are bounded with their rounding errors.
    """
    columns, remainder = _floats(vectors, multipliers, rest, places)
    size = len(places)
    with np.errstate(all="ignore"):
        square = columns[:, qr(columns, mode="r", pivoting=True)[1][:size]]
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
    """Return multipliers times vectors as columns of floats, and their sum; each entry is rounded once.

    Every place is divided by a power of two that leaves its largest entry near 1.
    """
    columns, remainder = np.empty((len(places), len(vectors))), np.empty(len(places))
    for q, place in enumerate(places):
        entries = [m * vector.get(place, 0) for vector, m in zip(vectors, multipliers, strict=True)]
        divisor = 1 << max(entry.bit_length() for entry in entries)
        columns[q] = [entry / divisor for entry in entries]
        remainder[q] = rest.get(place, 0) / divisor
    return columns, remainder


def _is_single_null_vector(vectors: Sequence[Row], places: Sequence[int]) -> bool:
    """Whether the vectors have, up to its length, one null vector, and that one is positive.

    Elimination free of fractions: entries are minors, divisible by the last pivot.
    """
    size = len(vectors)
    matrix = [[vector.get(place, 0) for vector in vectors] for place in places]
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
    return len(pivots) == size - 1 and _is_positive(matrix, pivots, size)


def _is_positive(matrix: list[list[int]], pivots: Sequence[int], size: int) -> bool:
    """Whether the null vector of a matrix brought to steps is positive (or negative) throughout."""
    free = next(column for column in range(size) if column not in pivots)
    solution = {free: Fraction(1)}
    for q in reversed(range(len(pivots))):
        row = matrix[q]
        later = sum((row[c] * value for c, value in solution.items()), Fraction(0))
        solution[pivots[q]] = -later / row[pivots[q]]
    return all(value > 0 for value in solution.values())
