"""A linear program as every solver reads it: columns, rows, and names that carry meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from linkrisk.arrays import FloatArray

SparseMatrix = Any
"""A scipy.sparse.csr_array; its type parameters add nothing here."""


@dataclass(frozen=True, eq=False, repr=False)
class LinearProgram:
    """Minimise cost . x where row_lower <= matrix @ x <= row_upper and lower <= x <= upper, some x whole numbers.

    Bounds that are not there are infinite. ``column_names`` and ``row_names`` hold no blanks and are at most 255
    characters, the limit of every reader of MPS and LP files.
    """

    cost: FloatArray
    lower: FloatArray
    upper: FloatArray
    is_integer: NDArray[np.bool_]
    matrix: SparseMatrix
    row_lower: FloatArray
    row_upper: FloatArray
    column_names: tuple[str, ...]
    row_names: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<LinearProgram of {self.n_columns:,} columns ({int(self.is_integer.sum()):,} of them whole numbers) and "
            f"{self.n_rows:,} rows>"
        )

    @property
    def n_columns(self) -> int:
        """Number of variables."""
        return len(self.cost)

    @property
    def n_rows(self) -> int:
        """Number of constraints, bounds of variables not counted."""
        return len(self.row_lower)


def sparse_rows(values: FloatArray, least: float = 0.0) -> SparseMatrix:
    """Return rows without their zeros, and without entries that are not larger than ``least``."""
    return sparse.csr_array(np.where(np.abs(values) > least, values, 0.0))


def stack(blocks: list[SparseMatrix], n_columns: int) -> SparseMatrix:
    """Put sparse rows below each other; there may be none."""
    if not blocks:
        return sparse.csr_array((0, n_columns))
    return sparse.csr_array(sparse.vstack(blocks, format="csr"))


def beside(left: SparseMatrix, right: SparseMatrix) -> SparseMatrix:
    """Put sparse columns beside each other."""
    return sparse.csr_array(sparse.hstack([left, right], format="csr"))
