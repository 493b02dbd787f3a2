"""Symmetric bilinear forms with a given matrix (abril-bilinear.txt, Definition 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linkrisk.aggregate.distance import TOLERANCE, Distance
from linkrisk.aggregate.forms import (
    Matrix,
    checked_matrix,
    euclidean,
    matrix_parameters,
    nearest_semidefinite,
    quadratic,
    semidefinite_root,
    transformed,
    vectors_for,
)
from linkrisk.compare.comparison import Comparison
from linkrisk.errors import ParameterError


@dataclass(frozen=True)
class BilinearFree:
    """An intruder who uses any symmetric matrix S: distance = diff' S diff, which may be negative (d2SB_NC).

    ``matrix`` is given by attribute names (a table of tables) or in the order of the attributes. Numeric and
    date attributes only; a missing value is filled with the mean of its file. Because distances can be
    negative, ties are exact (tolerance 0). Cost: n^2 operations a pair, all pairs. Reference: abril-bilinear.txt,
    section 5.3.

    >>> BilinearFree([[1.0, 0.0], [0.0, -1.0]]).name
    'bilinear_free'
    """

    matrix: Matrix
    name: ClassVar[str] = "bilinear_free"
    is_oracle: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the form itself."""
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        matrix = checked_matrix(self.matrix, numeric.names, self.name)
        return quadratic(matrix, numeric, original, protected, tolerance=0.0, notes=notes)


@dataclass(frozen=True)
class Bilinear:
    """Form whose distances are not negative on any pair of the two files (d2SB, Equation 9).

    The matrix itself may be indefinite. Whether distances are negative is seen while linking, and is an error
    then. Otherwise as `BilinearFree`, with the usual tolerance for ties.

    >>> Bilinear([[1.0, 0.5], [0.5, 1.0]]).name
    'bilinear'
    """

    matrix: Matrix
    name: ClassVar[str] = "bilinear"
    is_oracle: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the form, as Euclidean distance where the matrix is positive semidefinite."""
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        matrix = checked_matrix(self.matrix, numeric.names, self.name)
        root = semidefinite_root(matrix)
        if root is None:
            form = quadratic(matrix, numeric, original, protected, tolerance=TOLERANCE, notes=notes)
            return replace(form, is_nonnegative=True)
        parameters = matrix_parameters(matrix, numeric.names)
        x, y = transformed(original, root), transformed(protected, root)
        return euclidean(x, y, numeric.coordinates, parameters=parameters, notes=notes)


@dataclass(frozen=True)
class BilinearPSD:
    """Form with a positive semidefinite matrix: the square of a (pseudo-)metric.

    A matrix with a negative eigenvalue is an error. Linked as Euclidean distance after a change of
    coordinates. Otherwise as `BilinearFree`, with the usual tolerance for ties.

    >>> BilinearPSD([[1.0, 0.5], [0.5, 1.0]]).name
    'bilinear_psd'
    """

    matrix: Matrix
    name: ClassVar[str] = "bilinear_psd"
    is_oracle: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance of the transformed vectors."""
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        matrix = checked_matrix(self.matrix, numeric.names, self.name)
        root = semidefinite_root(matrix)
        if root is None:
            raise ParameterError(
                f"{self.name}: the matrix has a negative eigenvalue; use bilinear_free, or bilinear_higham, which "
                "takes the nearest positive semidefinite matrix"
            )
        parameters = matrix_parameters(matrix, numeric.names)
        x, y = transformed(original, root), transformed(protected, root)
        return euclidean(x, y, numeric.coordinates, parameters=parameters, notes=notes)


@dataclass(frozen=True)
class BilinearHigham:
    """Form with the positive semidefinite matrix nearest to the given one (d2SB_PD).

    Negative eigenvalues are set to zero (the nearest matrix in the Frobenius norm). Otherwise as `BilinearPSD`.

    >>> BilinearHigham([[1.0, 0.0], [0.0, -1.0]]).name
    'bilinear_higham'
    """

    matrix: Matrix
    name: ClassVar[str] = "bilinear_higham"
    is_oracle: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance for the repaired matrix."""
        numeric, *_ = vectors_for(comparison, self.name)
        matrix = checked_matrix(self.matrix, numeric.names, self.name)
        repaired = BilinearPSD(nearest_semidefinite(matrix)).distance(comparison)
        return replace(repaired, notes=tuple(note.replace(BilinearPSD.name, self.name) for note in repaired.notes))
