"""Families of symmetric bilinear forms (abril-bilinear.txt, Definition 8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import ClassVar

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.distances.family import Embedding, Family, Numbers, is_same_family
from linkrisk.distances.forms import (
    Matrix,
    free_form,
    nearest_semidefinite,
    nonnegative_form,
    repaired_form,
    semidefinite_form,
)
from linkrisk.distances.formula import Formula
from linkrisk.distances.meaning import FormMeaning, form_meaning
from linkrisk.distances.parameter_set import FAR, ParameterSet
from linkrisk.distances.polar import common_factor, is_negative_semidefinite, negative_direction, whole_row
from linkrisk.distances.programme import PapersCount, ProgrammeSize
from linkrisk.distances.weighted_mean import WeightedMeanFamily

ROOT_UNIT = 1 << 60
"""The root of a repaired form is rounded to multiples of 1 over this."""

FLAT = 1e-12
"""Eigenvalues below this share of the largest count as this share when steps are made in proportion to them."""


class Form(StrEnum):
    """Which matrices are admissible: any; those with no negative distance on the files; positive semidefinite."""

    FREE = "bilinear_free"
    NONNEGATIVE = "bilinear"
    SEMIDEFINITE = "bilinear_psd"

    def distance(self, matrix: Matrix, comparison: Comparison, attacker: str) -> Distance:
        """Return the form with a matrix, which must be admissible."""
        makers: dict[Form, Callable[[Matrix, Comparison, str], Distance]] = {
            Form.FREE: free_form,
            Form.NONNEGATIVE: nonnegative_form,
            Form.SEMIDEFINITE: semidefinite_form,
        }
        return makers[self](matrix, comparison, attacker)


WIDTH = {Form.SEMIDEFINITE: 0, Form.NONNEGATIVE: 1, Form.FREE: 2}
"""Forms in the order in which each contains those before it."""


@dataclass(frozen=True)
class BilinearFamily(Family):
    """All symmetric forms: theta holds the upper triangle of S row by row, phi the products diff_k diff_l.

    Products of two attributes count twice, for S_kl and S_lk.

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
        """Return the entries of the matrix, the largest being 1 or -1 (all 0 where a repair left nothing)."""
        return np.asarray(theta / (np.abs(theta).max() or 1.0))

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the form with this matrix, normalised."""
        n_attributes = _n_attributes(len(theta))
        return self.form.distance(form_matrix(self.normalised(theta), n_attributes), comparison, self.name)

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Call entries of the matrix by their two attributes.

        >>> BilinearFamily().parameter_labels(("age", "income"))
        ('age x age', 'age x income', 'income x income')
        """
        first, second, _ = upper_triangle(len(names))
        return tuple(f"{names[k]} x {names[m]}" for k, m in zip(first, second, strict=True))

    def meaning(self, theta: FloatArray, names: Sequence[str], covariance: FloatArray | None = None) -> FormMeaning:
        """Say what the matrix means, compared with the covariance of the differences of true pairs. Cost: n^3."""
        return form_meaning(form_matrix(self.normalised(theta), len(names)), names, covariance)

    def weaker(self) -> list[tuple[Family, Embedding]]:
        """Return the weighted means: diagonal matrices."""
        return [(WeightedMeanFamily(), diagonal_form)]

    def contains(self, other: Family) -> bool:
        """Whether the other one is of weighted means, or of forms that are all admissible here."""
        if isinstance(other, BilinearFamily) and not other.is_repaired:
            return WIDTH[other.form] <= WIDTH[self.form]
        return super().contains(other)

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:
        """Return the upper triangle of the matrix of a form; the learner tests whether it is admissible."""
        if formula.rule is not Rule.QUADRATIC or formula.names != tuple(names):
            return None
        first, second, _ = upper_triangle(len(names))
        return np.asarray(formula.matrix[first, second])

    def wholes_of(self, formula: Formula, names: Sequence[str]) -> tuple[int, ...] | None:
        """Return the product of the root of a form with its transpose, in whole numbers: exactly semidefinite."""
        if formula.root is None or formula.names != tuple(names):
            return None
        n_attributes, n_directions = formula.root.shape
        wholes = np.array(whole_row(formula.root.ravel()), dtype=object).reshape(n_attributes, n_directions)
        first, second, _ = upper_triangle(n_attributes)
        return tuple(int(wholes[k] @ wholes[m]) for k, m in zip(first, second, strict=True))

    def for_others(self) -> Family:
        """Return the free forms if this one is only known not to be negative on the records it was learned from."""
        return replace(self, form=Form.FREE) if self.is_nonnegative else self

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count the papers' programme: symmetric matrices; with distances that are not negative on all pairs."""
        general = n_records * (n_records - 1) + n_records
        source = "abril-bilinear.txt, section 5.3"
        papers = {
            Form.FREE: (PapersCount(source, general),),
            Form.NONNEGATIVE: (PapersCount(source, general + n_records**2),),
        }
        return replace(
            ProgrammeSize.of(self.name, n_records, n_attributes),
            continuous=n_attributes * (n_attributes + 1) // 2,
            nonnegativity=n_records**2 if self.is_nonnegative else 0,
            note="and one semidefinite constraint, which no MILP has" if self.form is Form.SEMIDEFINITE else "",
            papers=papers.get(self.form, ()),
        )

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is BilinearFamily

    @property
    def cites_inequalities(self) -> bool:
        """Proofs name the pairs whose distances must not be negative."""
        return self.is_nonnegative


@dataclass(frozen=True)
class HighamFamily(BilinearFamily):
    """The free forms; the best one is repaired afterwards, as in abril-bilinear.txt (d2SB_PD)."""

    form: Form = Form.FREE
    name: ClassVar[str] = "bilinear_higham"
    is_repaired: ClassVar[bool] = True

    def contains(self, other: Family) -> bool:
        """Whether it is the same: what is repaired is the best free form, whatever others have found."""
        return is_same_family(self, other)

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the form with the semidefinite matrix nearest to this one."""
        matrix = form_matrix(self.normalised(theta), _n_attributes(len(theta)))
        return repaired_form(matrix, comparison, self.name)

    def unrepaired(self) -> Family:
        """Return the free forms."""
        return BilinearFamily(Form.FREE)

    def repaired(self, theta: FloatArray) -> FloatArray:
        """Return the parameters of the semidefinite matrix nearest to this one."""
        n_attributes = _n_attributes(len(theta))
        first, second, _ = upper_triangle(n_attributes)
        return np.asarray(nearest_semidefinite(form_matrix(theta, n_attributes))[first, second])

    def repaired_wholes(self, theta: FloatArray) -> tuple[int, ...]:
        """Return the product of a rounded root with its transpose: exactly semidefinite, and next to theta."""
        n_attributes = _n_attributes(len(theta))
        values, vectors = np.linalg.eigh(form_matrix(theta, n_attributes))
        root = (vectors * np.sqrt(np.maximum(values, 0.0))).tolist()
        wholes = [[int(value * ROOT_UNIT) for value in row] for row in root]
        first, second, _ = upper_triangle(n_attributes)
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return tuple(sum(a * b for a, b in zip(wholes[k], wholes[m], strict=True)) for k, m in pairs)

    @property
    def is_verifiable(self) -> bool:
        """The verifier knows this family, but no family derived from it."""
        return type(self) is HighamFamily


def diagonal_form(weights: FloatArray) -> FloatArray:
    """Return the upper triangle of the matrix with the weights on its diagonal."""
    first, second, _ = upper_triangle(len(weights))
    return np.where(first == second, weights[first], 0.0)


@dataclass(frozen=True)
class FormSet(ParameterSet):
    """Symmetric matrices; directions are drawn in proportion to their stretch along each axis."""

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
        """Say, in exact arithmetic, whether row . theta <= 0 for all semidefinite matrices.

        *Guarantee* (docs/mathematics.md#polar-semidefinite): exact.
        """
        return is_negative_semidefinite(row, _n_attributes(len(row)))

    def cuts(self, theta: FloatArray) -> FloatArray:
        """Return u u' for every eigenvector u of theta with a negative eigenvalue.

        *Guarantee* (docs/mathematics.md#eigenvector-cuts): each row is an inequality of the set.
        """
        values, vectors = np.linalg.eigh(form_matrix(theta, _n_attributes(len(theta))))
        return np.array([square_row(u) for u in vectors[:, values < 0.0].T]).reshape(-1, len(theta))

    def violated(self, theta: Sequence[int]) -> list[list[int]]:
        """Return u u' with u' S u < 0, for an eigenvector u, or for one that elimination finds; none if there is none.

        *Guarantee* (docs/mathematics.md#violated): exact.
        """
        n_attributes = _n_attributes(len(theta))
        direction = negative_direction(theta, n_attributes)
        if direction is None:
            return []
        largest = max(map(abs, theta))
        values, vectors = np.linalg.eigh(form_matrix(np.array([value / largest for value in theta]), n_attributes))
        rows = [_whole_square(whole_row(u)) for u in vectors[:, values < 0.0].T]
        found = [row for row in rows if sum(a * b for a, b in zip(row, theta, strict=True)) < 0]
        return found or [_whole_square(direction)]

    @property
    def is_endless(self) -> bool:
        """Every direction gives an inequality."""
        return True

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """Return how far theta = R R' can go along U: to the step where R^-1 U R'^-1 has the eigenvalue -1 / step.

        *Guarantee* (docs/mathematics.md#eigenvector-cuts): every matrix in between is semidefinite, up to rounding.
        """
        unit = np.linalg.inv(_square_root(theta))
        seen = np.linalg.eigvalsh(unit @ form_matrix(direction, len(unit)) @ unit.T)
        return -1.0 / max(float(seen[-1]), 1.0 / FAR), -1.0 / min(float(seen[0]), -1.0 / FAR)


def _square_root(theta: FloatArray) -> FloatArray:
    """Return R with R R' the matrix of theta, its eigenvalues made positive (at least `FLAT` times the largest)."""
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


def _whole_square(vector: Sequence[int]) -> list[int]:
    """Return `square_row` of whole numbers, without their common factor."""
    divisor = common_factor(vector)
    first, second, times = upper_triangle(len(vector))
    entries = zip(first.tolist(), second.tolist(), times.tolist(), strict=True)
    return [(vector[k] // divisor) * (vector[m] // divisor) * often for k, m, often in entries]


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
