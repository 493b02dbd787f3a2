"""Do vectors have positive multipliers that make their sum 0? Shown near given ones, without computing them.

Multipliers in a certificate are rounded, so that their sum is only almost 0. Where the vectors span their space, small
changes of some multipliers make it exactly 0; otherwise such changes are computed in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.linalg import qr

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import ROUNDING, Row, mixture, wholes

SAFETY = 1e-290
"""Above what is lost in a sum of products where numbers too small to be held are taken for 0."""


def has_positive_combination(vectors: Sequence[Row], multipliers: Sequence[float]) -> bool:
    """Whether there are positive numbers that make the sum of the vectors 0; ``multipliers`` say about which.

    *Guarantee*: True only if there are. It is said if some of the multipliers can be changed a little to make the sum
    exactly 0, or if the vectors have a single null vector, up to its length, and that one is positive.

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
    """Whether multipliers, some of them changed by less than themselves, make the sum 0.

    *Guarantee*: let A hold, as columns, as many vectors times their multipliers as there are entries, and r be the sum
    of all. With any R and q < 1 such that ||I - R A|| <= q in the maximum norm, A is regular, and A z = -r has
    ||z|| <= ||R r|| / (1 - q). If that is below 1, the multipliers (1 + z) times those of the columns of A, and the
    others as they are, are positive and make the sum 0. All norms are bounded with their rounding errors; A and r are
    rounded once.
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


def _eliminate(matrix: list[list[int]], size: int) -> list[int]:
    """Bring a matrix to steps, looking for pivots in its first ``size`` columns; return the columns of the pivots.

    Free of fractions: entries are minors, divisible by the last pivot.
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
    """Whether the multipliers of the pivots can be changed to make the sum, the last column, 0 and are positive then.

    The sum is a mixture of the columns, and so one of the pivots' columns alone.
    """
    change = _solution(matrix, pivots, {len(multipliers): Fraction(1)})
    return all(multipliers[c] + value > 0 for c, value in change.items() if c < len(multipliers))


def _is_single(matrix: list[list[int]], pivots: Sequence[int], size: int) -> bool:
    """Whether the columns have, up to its length, one null vector, and that one is positive."""
    if len(pivots) != size - 1:
        return False
    free = next(column for column in range(size) if column not in pivots)
    return all(value > 0 for value in _solution(matrix, pivots, {free: Fraction(1)}).values())


def _solution(matrix: list[list[int]], pivots: Sequence[int], given: dict[int, Fraction]) -> dict[int, Fraction]:
    """Return the multipliers of the pivots' columns that make the sum 0, those of some others being given."""
    solution = dict(given)
    for q in reversed(range(len(pivots))):
        row = matrix[q]
        later = sum((row[c] * value for c, value in solution.items()), Fraction(0))
        solution[pivots[q]] = -later / row[pivots[q]]
    return solution
