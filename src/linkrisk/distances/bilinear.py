"""Symmetric bilinear forms with a given matrix (abril-bilinear.txt, Definition 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import TOLERANCE, Distance
from linkrisk.distances.family import FAR, Numbers, ParameterSet
from linkrisk.distances.forms import (
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
from linkrisk.distances.polar import is_negative_semidefinite
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
    has_true_pairs: ClassVar[bool] = False

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
    has_true_pairs: ClassVar[bool] = False

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
    has_true_pairs: ClassVar[bool] = False

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
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the Euclidean distance for the repaired matrix."""
        numeric, *_ = vectors_for(comparison, self.name)
        matrix = checked_matrix(self.matrix, numeric.names, self.name)
        repaired = BilinearPSD(nearest_semidefinite(matrix)).distance(comparison)
        return replace(repaired, notes=tuple(note.replace(BilinearPSD.name, self.name) for note in repaired.notes))


FLAT = 1e-12
"""Eigenvalues below this share of the largest count as this share when steps are made in proportion to them."""


class Form(StrEnum):
    """Which matrices are admissible: any; those with no negative distance on the files; positive semidefinite."""

    FREE = "bilinear_free"
    NONNEGATIVE = "bilinear"
    SEMIDEFINITE = "bilinear_psd"


@dataclass(frozen=True)
class BilinearFamily:
    """All symmetric forms: theta holds the upper triangle of S row by row, phi the products diff_k diff_l.

    Products of two attributes count twice, for S_kl and S_lk.

    >>> import numpy as np
    >>> BilinearFamily().features(np.array([[1.0, 3.0]])).tolist()
    [[1.0, 6.0, 9.0]]
    """

    form: Form = Form.NONNEGATIVE
    is_signed: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """Name of the attacker."""
        return str(self.form)

    @property
    def is_nonnegative(self) -> bool:
        """Whether distances must not be negative on the two files (for PSD matrices none is)."""
        return self.form is Form.NONNEGATIVE

    @property
    def tolerance(self) -> float:
        """Ties of a form that may be negative are exact."""
        return 0.0 if self.form is Form.FREE else TOLERANCE

    def features(self, differences: Numbers) -> Numbers:
        """Return all products of two differences."""
        first, second, times = upper_triangle(differences.shape[1])
        return differences[:, first] * differences[:, second] * times

    def profile(self, differences: Numbers) -> None:
        """Return None: no difference is certain to make a form larger."""

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the cone of the form."""
        first, second, _ = upper_triangle(n_attributes)
        identity = (first == second).astype(np.float64)
        nothing = np.zeros((0, len(first)))
        if self.form is not Form.SEMIDEFINITE:
            return FormSet(nothing, identity)
        bounds = np.ones(len(first))  # |S_kl| <= (S_kk + S_ll) / 2 <= 1 / 2 for trace 1
        return SemidefiniteSet(_first_cuts(n_attributes), identity, identity, bounds)

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return the entries of the matrix, the largest being 1 or -1 (all 0 where nothing was left by a repair)."""
        return np.asarray(theta / (np.abs(theta).max() or 1.0))

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> BilinearFree | Bilinear | BilinearPSD:
        """Return the form with this matrix, normalised."""
        scaled = form_matrix(self.normalised(theta), len(names))
        matrix = {name: dict(zip(names, row.tolist(), strict=True)) for name, row in zip(names, scaled, strict=True)}
        if self.form is Form.FREE:
            return BilinearFree(matrix)
        return Bilinear(matrix) if self.form is Form.NONNEGATIVE else BilinearPSD(matrix)


@dataclass(frozen=True)
class HighamFamily(BilinearFamily):
    """The free forms, of which the best is repaired afterwards: the way of abril-bilinear.txt (d2SB_PD)."""

    form: Form = Form.FREE

    @property
    def name(self) -> str:
        """Name of the attacker."""
        return BilinearHigham.name

    def repaired(self, theta: FloatArray) -> FloatArray:
        """Return the parameters of the semidefinite matrix nearest to this one."""
        n_attributes = _n_attributes(len(theta))
        first, second, _ = upper_triangle(n_attributes)
        return np.asarray(nearest_semidefinite(form_matrix(theta, n_attributes))[first, second])

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> BilinearHigham:  # type: ignore[override]  # repaired
        """Return the form with the semidefinite matrix nearest to this one."""
        return BilinearHigham(form_matrix(self.normalised(theta), len(names)))


@dataclass(frozen=True)
class FormSet(ParameterSet):
    """Symmetric matrices, with directions that take them as they are: stretched differently along their axes."""

    def draw_direction(self, theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        """Draw R G R' with R R' the matrix, its eigenvalues made positive, and G random, of rank one, two or full."""
        n_attributes = _n_attributes(len(theta))
        rank = generator.choice([1, 2, n_attributes])
        left = generator.normal(size=(n_attributes, rank))
        right = left if rank == 1 else generator.normal(size=(n_attributes, rank))
        root = _square_root(theta)
        drawn = root @ (left @ right.T + right @ left.T) @ root.T
        first, second, _ = upper_triangle(n_attributes)
        return np.asarray(drawn[first, second])


@dataclass(frozen=True)
class SemidefiniteSet(FormSet):
    """Positive semidefinite matrices, cut by u u' for the eigenvectors u of negative eigenvalues."""

    def is_polar(self, row: Sequence[int]) -> bool:
        """Say, in exact arithmetic, whether row . theta <= 0 for all semidefinite matrices."""
        return is_negative_semidefinite(row, _n_attributes(len(row)))

    def cuts(self, theta: FloatArray) -> FloatArray:
        """Return u u' for every eigenvector u that theta gives a negative value."""
        values, vectors = np.linalg.eigh(form_matrix(theta, _n_attributes(len(theta))))
        return np.array([square_row(u) for u in vectors[:, values < 0.0].T]).reshape(-1, len(theta))

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """Return how far theta can go: to where the direction, seen from theta, has the eigenvalue -1 / step."""
        unit = np.linalg.inv(_square_root(theta))
        seen = np.linalg.eigvalsh(unit @ form_matrix(direction, len(unit)) @ unit.T)
        return -1.0 / max(float(seen[-1]), 1.0 / FAR), -1.0 / min(float(seen[0]), -1.0 / FAR)


def _square_root(theta: FloatArray) -> FloatArray:
    """Return R with R R' the matrix of theta, its eigenvalues made positive (and not next to nothing)."""
    values, vectors = np.linalg.eigh(form_matrix(theta, _n_attributes(len(theta))))
    sizes = np.abs(values)
    return np.asarray(vectors * np.sqrt(np.maximum(sizes, FLAT * sizes.max())))


@cache
def upper_triangle(n_attributes: int) -> tuple[IntArray, IntArray, IntArray]:
    """Rows and columns of the entries of an upper triangle, and how often each counts: off the diagonal twice."""
    first, second = np.triu_indices(n_attributes)
    return first, second, np.where(first == second, 1, 2)


def _n_attributes(n_parameters: int) -> int:
    """Return the number of attributes whose upper triangle has that many entries."""
    return (math.isqrt(8 * n_parameters + 1) - 1) // 2


def square_row(vector: FloatArray) -> FloatArray:
    """Return the row g with g . theta = u' S u."""
    first, second, times = upper_triangle(len(vector))
    return np.asarray(vector[first] * vector[second] * times)


def form_matrix(theta: FloatArray, n_attributes: int) -> FloatArray:
    """Return the symmetric matrix of an upper triangle.

    >>> import numpy as np
    >>> form_matrix(np.array([1.0, 2.0, 3.0]), 2).tolist()
    [[1.0, 2.0], [2.0, 3.0]]
    """
    first, second, _ = upper_triangle(n_attributes)
    matrix = np.empty((n_attributes, n_attributes))
    matrix[first, second] = theta
    matrix[second, first] = theta
    return matrix


def _first_cuts(n_attributes: int) -> FloatArray:
    """Return the cuts of all e_k and e_k + e_l, e_k - e_l: a first outline of the semidefinite cone."""
    unit = np.eye(n_attributes)
    vectors = [*unit]
    for k in range(n_attributes):
        for m in range(k):
            vectors += [unit[k] + unit[m], unit[k] - unit[m]]
    return np.array([square_row(u) for u in vectors])
