"""Bilinear forms diff' S diff: all, those without negative distances on the files, and positive semidefinite ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import LEAST, ROUNDING, TINY, Row
from linkrisk.verifier.verification import Rejection

FORMS = ("bilinear", "bilinear_free", "bilinear_psd", "bilinear_higham")
"""bilinear_higham repairs a free form afterwards, so that a bound for all free forms holds for it too."""

MOST_WORK = 1 << 46
"""Greatest number of bits times bits that eliminating a matrix may multiply: about 20 seconds."""


class Forms:
    """theta is the upper triangle of S, row by row; phi are the products of differences, doubled off the diagonal."""

    is_signed: ClassVar[bool] = True

    def __init__(self, n_attributes: int, name: str) -> None:
        self.n_attributes = n_attributes
        self.places = [(k, m) for k in range(n_attributes) for m in range(k, n_attributes)]
        self.n_parameters = len(self.places)
        self.is_nonnegative = name == "bilinear"
        self.is_semidefinite = name == "bilinear_psd"
        self.is_repaired = name == "bilinear_higham"
        self.least_tolerance = 2.0**-40 if self.is_nonnegative or self.is_semidefinite else 0.0

    def features(self, differences: Sequence[int]) -> Row:
        """Return the products of differences."""
        products = (differences[k] * differences[m] * (1 if k == m else 2) for k, m in self.places)
        return {place: value for place, value in enumerate(products) if value}

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the forms; their terms may cancel, so that errors depend on the absolute values of the terms."""
        matrix = np.zeros((self.n_attributes, self.n_attributes))
        matrix[np.triu_indices(self.n_attributes)] = theta
        matrix = np.triu(matrix) + np.triu(matrix, 1).T
        with np.errstate(all="ignore"):
            values = ((differences @ matrix) * differences).sum(axis=1)
            sizes = ((np.abs(differences) @ np.abs(matrix)) * np.abs(differences)).sum(axis=1)
            error = (4 * self.n_attributes + 16) * ROUNDING * sizes
            error += TINY * (1.0 + np.abs(theta).sum()) * (1.0 + np.abs(differences).sum(axis=1))
            error += 2.0 * LEAST * np.abs(differences).sum(axis=1) ** 2
        return np.asarray(values), np.asarray(error)

    def check_parameters(self, theta: Sequence[int]) -> None:
        """Raise if the matrix is 0, or must be semidefinite and is not; distances are checked elsewhere, pair by pair.

        A repaired form is semidefinite, and may be 0: it then links nobody.
        """
        if not any(theta) and not self.is_repaired:
            raise Rejection("The parameters are not admissible: all are 0")
        if (self.is_semidefinite or self.is_repaired) and not self._is_semidefinite(theta):
            raise Rejection("The parameters are not admissible: the matrix is not positive semidefinite")

    def is_polar(self, row: Row) -> bool:
        """Tell whether row . S <= 0 for all admissible S.

        *Guarantee* (docs/mathematics.md#polar-semidefinite): a row is the linear form S -> trace(M S), where M has half
        of the entries of the row off the diagonal. It is positive for no semidefinite S if and only if -M is
        semidefinite. For other families the answer is True only for the row 0.
        """
        if not self.is_semidefinite:
            return not row
        doubled = [-row.get(p, 0) * (2 if k == m else 1) for p, (k, m) in enumerate(self.places)]
        return self._is_semidefinite(doubled)

    def cut(self, label: Mapping[str, Any]) -> Row:
        """Raise: the only inequalities are distances of pairs of records, which are made elsewhere."""
        del label
        raise Rejection("The proof names an inequality that bilinear forms do not have")

    @property
    def normal(self) -> Row:
        """Return an empty row: none is needed."""
        return {}

    def bound(self, place: int) -> int:
        """Return 1; it is not used, because there is no normal."""
        del place
        return 1

    def _is_semidefinite(self, upper: Sequence[int]) -> bool:
        """Tell whether the symmetric matrix with this upper triangle is positive semidefinite, by exact elimination.

        *Guarantee* (docs/mathematics.md#polar-semidefinite): a matrix is positive semidefinite if and only if its first
        entry is not negative, its first row is 0 if that entry is 0, and what is left after eliminating the first row
        is positive semidefinite (LDL').
        """
        n, bits = self.n_attributes, max((value.bit_length() for value in upper), default=0)
        if n**3 * (n * bits) ** 2 > MOST_WORK:
            raise Rejection("A matrix of the certificate has numbers too long for its size")
        matrix = [[0] * n for _ in range(n)]
        for value, (k, m) in zip(upper, self.places, strict=True):
            matrix[k][m] = matrix[m][k] = value
        return _eliminates(matrix)


def _eliminates(matrix: list[list[int]]) -> bool:
    """Eliminate row by row without fractions: entries are minors, which the last pivot, a positive one, divides."""
    n, last = len(matrix), 1
    for k in range(n):
        pivot, row = matrix[k][k], matrix[k]
        if pivot < 0 or (pivot == 0 and any(row[k + 1 :])):
            return False
        if pivot == 0:
            continue
        for m in range(k + 1, n):
            share = matrix[m][k]
            for q in range(m, n):
                matrix[m][q] = matrix[q][m] = (pivot * matrix[m][q] - share * row[q]) // last
        last = pivot
    return True
