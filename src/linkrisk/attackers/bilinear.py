"""Symmetric bilinear forms: intruders who weigh products of differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attackers.learned import LearnedAttacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.bilinear import BilinearFamily, Form, HighamFamily, form_matrix
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.forms import Matrix, matrix_rows, repaired_form


@dataclass(eq=False)
class BilinearFree(LearnedAttacker):
    """The intruder who weighs products of differences in any way, so that distances may even be negative (d2SB_NC).

    distance = diff' S diff with any symmetric matrix S. Without ``matrix`` he is the strongest of his kind: the matrix
    that links the most records is learned; ``matrix_`` has 1 or -1 as its largest entry, rows and columns in the order
    of ``feature_names_in_``. Numeric and date attributes only.

    Parameters
    ----------
    matrix
        By attribute names (a table of tables) or in the order of the attributes; None to learn it.

    Ties: exact (tolerance 0), because distances can be negative. Missing values: filled with the mean of their file.
    Cost: n^2 operations per pair, all pairs; for learning see `LearnedAttacker`. Reference: abril-bilinear.txt,
    section 5.3.

    >>> BilinearFree([[1.0, 0.0], [0.0, -1.0]]).is_learned, BilinearFree()
    (False, BilinearFree(matrix=None))
    """

    matrix: Matrix | None = None
    name: ClassVar[str] = "bilinear_free"
    knows: ClassVar[str] = "He weighs products of differences in any way."
    form: ClassVar[Form] = Form.FREE

    @property
    def is_learned(self) -> bool:
        """Whether the matrix is still to be learned."""
        return self.matrix is None

    def family(self) -> Family:
        """Return all forms of the kind."""
        return BilinearFamily(self.form)

    def _given(self, values: FloatArray, names: Sequence[str]) -> Self:
        return replace(self, matrix=matrix_rows(form_matrix(values, len(names)), names))

    def _given_distance(self, comparison: Comparison) -> Distance:
        return self.form.distance(self._matrix, comparison, self.name)

    @property
    def _matrix(self) -> Matrix:
        return np.zeros((0, 0)) if self.matrix is None else self.matrix

    def _keep_parameters(self, values: FloatArray) -> None:
        self.matrix_ = form_matrix(values, self.n_features_in_)


@dataclass(eq=False)
class Bilinear(BilinearFree):
    """The intruder who weighs products of differences and never measures a negative distance on the two files (d2SB).

    distance = diff' S diff with a symmetric matrix S that gives no pair of the two files a negative distance; S itself
    may be indefinite. A given matrix that makes a negative distance is an error, found while linking; so is a learned
    matrix that does so on other files. Numeric and date attributes only. Without ``matrix`` it is learned, as for
    `BilinearFree`.

    Ties: relative tolerance 2^-40. Missing values: filled with the mean of their file. Cost: as `BilinearFree`; that of
    `Mean` where the matrix is positive semidefinite. Reference: abril-bilinear.txt, Equation (9).

    >>> Bilinear([[1.0, 0.5], [0.5, 1.0]]).name
    'bilinear'
    """

    name: ClassVar[str] = "bilinear"
    knows: ClassVar[str] = "He weighs products of differences, so that no distance in these files is negative."
    form: ClassVar[Form] = Form.NONNEGATIVE


@dataclass(eq=False)
class BilinearPSD(BilinearFree):
    """The intruder who stretches and turns the space of the attributes: the square of a (pseudo-)metric.

    distance = diff' S diff with a positive semidefinite matrix S, learned exactly instead of by repair; a given matrix
    with a negative eigenvalue is an error. Numeric and date attributes only. Without ``matrix`` it is learned, as for
    `BilinearFree`.

    Ties: relative tolerance 2^-40. Missing values: filled with the mean of their file. Cost: that of `Mean` after a
    change of coordinates; for learning see `LearnedAttacker`. Reference: left as future work by abril-bilinear.txt,
    section 7.

    >>> BilinearPSD([[1.0, 0.5], [0.5, 1.0]]).name
    'bilinear_psd'
    """

    name: ClassVar[str] = "bilinear_psd"
    knows: ClassVar[str] = "He stretches and turns the space of the attributes, as well as can be."
    form: ClassVar[Form] = Form.SEMIDEFINITE


@dataclass(eq=False)
class BilinearHigham(BilinearFree):
    """The intruder of `BilinearFree` whose matrix is repaired afterwards, as the papers do (d2SB_PD).

    distance = diff' S diff with the positive semidefinite matrix S nearest (in the Frobenius norm) to the given or
    learned one: negative eigenvalues are set to zero. ``matrix_`` is the repaired matrix, ``links_`` are counted with
    it, and ``bound_`` is that of the free form, which holds for every matrix; ``status_`` is ``"repaired"`` where the
    repair costs links. `BilinearPSD` links at least as many. Numeric and date attributes only.

    Ties: relative tolerance 2^-40. Missing values: filled with the mean of their file. Cost: as `BilinearPSD`; for
    learning as `BilinearFree`. Reference: abril-bilinear.txt, section 6.

    >>> BilinearHigham([[1.0, 0.0], [0.0, -1.0]]).name
    'bilinear_higham'
    """

    name: ClassVar[str] = "bilinear_higham"
    knows: ClassVar[str] = (
        "He weighs products of differences in any way, and repairs the weights afterwards, as in the papers."
    )

    def family(self) -> Family:
        """Return all forms; the best of them is repaired."""
        return HighamFamily()

    def _given_distance(self, comparison: Comparison) -> Distance:
        return repaired_form(self._matrix, comparison, self.name)
