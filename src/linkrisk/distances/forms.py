"""Symmetric forms diff' S diff, and how they become Euclidean when S is positive semidefinite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates, numeric_coordinates
from linkrisk.distances.distance import TOLERANCE, Distance, Rule
from linkrisk.errors import NotApplicableError, ParameterError

EIGENVALUE_SLACK = 1e-12
"""Eigenvalues above minus this times the largest count as zero: rounding of a given matrix."""

SYMMETRY_SLACK = 1e-9

Matrix = Mapping[str, Mapping[str, float]] | Sequence[Sequence[float]] | FloatArray


def vectors_for(comparison: Comparison, attacker: str) -> tuple[Comparison, FloatArray, FloatArray, tuple[str, ...]]:
    """Return the numeric and date attributes as vectors without holes, with a note on what was left out."""
    numeric, original, protected = comparison.vectors()
    if numeric.n_attributes == 0:
        raise NotApplicableError(f"{attacker} needs numeric or date attributes, and there are none; leave it out")
    left_out = [name for name in comparison.names if name not in numeric.names]
    if not left_out:
        return numeric, original, protected, ()
    return numeric, original, protected, (f"{attacker} uses numbers only and leaves out {', '.join(left_out)}",)


def free_form(matrix: Matrix, comparison: Comparison, attacker: str) -> Distance:
    """Return diff' S diff for any symmetric matrix; distances may be negative, so ties are exact."""
    numeric, original, protected, notes = vectors_for(comparison, attacker)
    values = checked_matrix(matrix, numeric.names, attacker)
    return quadratic(values, numeric, original, protected, tolerance=0.0, notes=notes)


def nonnegative_form(matrix: Matrix, comparison: Comparison, attacker: str) -> Distance:
    """Return diff' S diff for a matrix that may be indefinite; linking raises where a distance is negative.

    Where the matrix is positive semidefinite it is a Euclidean distance, and is linked as one.
    """
    numeric, original, protected, notes = vectors_for(comparison, attacker)
    values = checked_matrix(matrix, numeric.names, attacker)
    if semidefinite_root(values) is not None:
        return semidefinite_form(values, comparison, attacker)
    form = quadratic(values, numeric, original, protected, tolerance=TOLERANCE, notes=notes)
    return replace(form, is_nonnegative=True)


def semidefinite_form(matrix: Matrix, comparison: Comparison, attacker: str) -> Distance:
    """Return the Euclidean distance of vectors transformed by a root of a positive semidefinite matrix."""
    numeric, original, protected, notes = vectors_for(comparison, attacker)
    values = checked_matrix(matrix, numeric.names, attacker)
    root = semidefinite_root(values)
    if root is None:
        raise ParameterError(
            f"{attacker}: the matrix has a negative eigenvalue; use bilinear_free, or bilinear_higham, which "
            "takes the nearest positive semidefinite matrix"
        )
    parameters = matrix_parameters(values, numeric.names)
    x, y = transformed(original, root), transformed(protected, root)
    return euclidean(x, y, numeric.coordinates, root=root, parameters=parameters, notes=notes)


def repaired_form(matrix: Matrix, comparison: Comparison, attacker: str) -> Distance:
    """Return the form with the positive semidefinite matrix nearest to the given one."""
    numeric, *_ = vectors_for(comparison, attacker)
    values = checked_matrix(matrix, numeric.names, attacker)
    return semidefinite_form(nearest_semidefinite(values), comparison, attacker)


def euclidean(
    original: FloatArray,
    protected: FloatArray,
    compared: Coordinates,
    *,
    root: FloatArray | None = None,
    parameters: dict[str, object] | None = None,
    notes: tuple[str, ...] = (),
) -> Distance:
    """Sum of squared differences of transformed vectors; ``root`` transforms differences, where nothing was shifted."""
    ones = np.ones(original.shape[1])
    return Distance(
        Rule.WEIGHTED,
        ones,
        numeric_coordinates(original, protected, compared.own),
        importance=ones,
        compared=compared,
        root=root,
        parameters=parameters or {},
        notes=notes,
    )


def transformed(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """Product vectors @ matrix, each row by the same operations in the same order.

    *Guarantee* (docs/mathematics.md#merging): equal rows become equal rows, in either file and beside any other rows.
    BLAS does not promise this (it treats single and last rows differently), and ties among copies would be lost.
    """
    result = np.zeros((vectors.shape[0], matrix.shape[1]))
    for k in range(matrix.shape[0]):
        result += vectors[:, k, None] * matrix[k]
    return result


def semidefinite_root(matrix: FloatArray) -> FloatArray | None:
    """Return R with R R' = matrix, or None when the matrix is not positive semidefinite.

    The attributes are first brought to a common size (a matrix is positive semidefinite whatever the units), so
    that a small weight is not taken for zero beside a large one.

    *Guarantee* (docs/mathematics.md#semidefinite-root): eigenvalues within rounding of zero count as zero; a matrix
    with a more negative one gets None.
    """
    diagonal = np.diag(matrix)
    size = np.sqrt(np.where(diagonal > 0, diagonal, max(float(np.abs(diagonal).max(initial=0.0)), 1e-300)))
    eigenvalues, vectors = np.linalg.eigh(matrix / np.outer(size, size))
    largest = float(np.abs(eigenvalues).max(initial=0.0))
    if eigenvalues.size and float(eigenvalues[0]) < -EIGENVALUE_SLACK * largest:
        return None
    kept = eigenvalues > EIGENVALUE_SLACK * largest
    if not kept.any():
        return np.zeros((matrix.shape[0], 1))
    return np.asarray(size[:, None] * vectors[:, kept] * np.sqrt(eigenvalues[kept]))


def nearest_semidefinite(matrix: FloatArray) -> FloatArray:
    """Nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues become zero.

    *Guarantee* (docs/mathematics.md#repair): no semidefinite matrix is nearer, up to rounding.

    >>> import numpy as np
    >>> nearest_semidefinite(np.diag([1.0, -1.0])).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    eigenvalues, vectors = np.linalg.eigh(matrix)
    clipped = (vectors * np.maximum(eigenvalues, 0.0)) @ vectors.T
    return np.asarray((clipped + clipped.T) / 2)


def checked_matrix(matrix: Matrix, names: tuple[str, ...], attacker: str) -> FloatArray:
    """Matrix in the order of the attributes, checked: right size, finite, symmetric."""
    if isinstance(matrix, Mapping):
        matrix = _named_rows(matrix, names, attacker)
    try:
        values = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"{attacker}: the matrix must hold numbers, {len(names)} rows and columns, one for each of "
            f"{', '.join(names)}"
        ) from None
    if values.shape != (len(names), len(names)):
        raise ParameterError(
            f"{attacker}: the matrix must have {len(names)} rows and columns, one for each of {', '.join(names)}"
        )
    if not np.isfinite(values).all():
        culprit = _entry(~np.isfinite(values), names)
        raise ParameterError(f"{attacker}: entry {culprit} of the matrix is not a finite number; give a number")
    skewed = np.abs(values - values.T) > SYMMETRY_SLACK * np.abs(values).max(initial=1.0)
    if skewed.any():
        raise ParameterError(
            f"{attacker}: the matrix is not symmetric at {_entry(skewed, names)}; use half the sum of it and its "
            "transpose"
        )
    return np.asarray((values + values.T) / 2)


def _named_rows(matrix: Mapping[str, Mapping[str, float]], names: tuple[str, ...], attacker: str) -> list[list[float]]:
    """Matrix given as a table of tables, in the order of the attributes."""
    for row in matrix.values():
        unknown = [name for name in (*matrix, *(row if isinstance(row, Mapping) else ())) if name not in names]
        if unknown:
            raise ParameterError(
                f"{attacker}: the matrix has an entry for {unknown[0]!r}, no attribute; name only {', '.join(names)}"
            )
    try:
        return [[matrix[row][column] for column in names] for row in names]
    except (KeyError, TypeError) as problem:
        culprit = f" for {problem.args[0]!r}" if isinstance(problem, KeyError) else ""
        raise ParameterError(
            f"{attacker}: the matrix lacks an entry{culprit}; give a row and a column for each of {', '.join(names)}"
        ) from None


def _entry(faulty: NDArray[np.bool_], names: tuple[str, ...]) -> str:
    """Name the first faulty entry of a matrix."""
    row, column = np.argwhere(faulty)[0]
    return f"({names[row]}, {names[column]})"


def quadratic(
    matrix: FloatArray,
    numeric: Comparison,
    original: FloatArray,
    protected: FloatArray,
    *,
    tolerance: float = TOLERANCE,
    notes: tuple[str, ...] = (),
) -> Distance:
    """Form diff' S diff for any symmetric S."""
    return Distance(
        Rule.QUADRATIC,
        np.ascontiguousarray(matrix).ravel(),
        numeric_coordinates(original, protected, numeric.coordinates.own),
        importance=np.ones(numeric.n_attributes),
        compared=numeric.coordinates,
        tolerance=tolerance,
        parameters=matrix_parameters(matrix, numeric.names),
        notes=notes,
    )


def matrix_parameters(matrix: FloatArray, names: tuple[str, ...]) -> dict[str, object]:
    """Matrix by attribute names, for readers."""
    return {"matrix": matrix_rows(matrix, names)}


def matrix_rows(matrix: FloatArray, names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return a matrix as a table of tables by attribute names.

    >>> matrix_rows(np.eye(2), ("a", "b"))
    {'a': {'a': 1.0, 'b': 0.0}, 'b': {'a': 0.0, 'b': 1.0}}
    """
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(names, matrix.tolist(), strict=True)}
