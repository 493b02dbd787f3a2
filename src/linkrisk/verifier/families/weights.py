"""Weighted means, with or without a floor, and ordered weighted averages: weights that are not negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.verifier.exact.rationals import LEAST, ROUNDING, TINY, Row
from linkrisk.verifier.verification import Rejection


class Weights:
    """phi = d; every weight is at least ``floor`` times the sum of all weights (with floor 0: not negative)."""

    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    least_tolerance: ClassVar[float] = 2.0**-40

    def __init__(self, n_attributes: int, floor: float) -> None:
        self.n_parameters = n_attributes
        self.floor = Fraction(floor)
        if self.floor * n_attributes >= 1:
            raise Rejection("The floor of the attacker leaves no choice of weights")

    def features(self, differences: Sequence[int]) -> Row:
        """Return the differences."""
        return {k: d for k, d in enumerate(differences) if d}

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weighted sums; no term is negative, so the error is relative to the sum."""
        with np.errstate(all="ignore"):
            values = differences @ theta
            error = (2 * self.n_parameters + 16) * ROUNDING * values + TINY * (1.0 + theta.sum())
            error += 2.0 * LEAST * differences.sum(axis=1)
        return np.asarray(values), np.asarray(error)

    def check_parameters(self, theta: Sequence[int]) -> None:
        """Raise unless every weight is at least ``floor`` times the sum."""
        if min(theta) < 0 or min(theta) < self.floor * sum(theta):
            raise Rejection("The parameters are not admissible: a weight is below the floor")

    def is_polar(self, row: Row) -> bool:
        """Tell whether row . theta <= 0 for all admissible theta.

        *Guarantee* (docs/mathematics.md#polar-weights): the cone consists of the mixtures of its edges (1 - n floor)
        e_k + floor (1, ..., 1); so a row is positive nowhere on the cone if and only if it is positive on none of its
        edges.
        """
        return all(value <= 0 for value in self.on_edges(row))

    def on_edges(self, row: Row) -> list[Fraction]:
        """Return the values of a row on the edges of the cone."""
        least = self.floor * sum(row.values())
        share = 1 - self.n_parameters * self.floor
        return [share * row.get(k, 0) + least for k in range(self.n_parameters)]

    def order(self, differences: FloatArray) -> FloatArray:
        """Return the features of rows of differences in floating point; this adds no error."""
        return differences

    def cut(self, label: Mapping[str, Any]) -> Row:
        """Raise: weights need no inequalities."""
        del label
        raise Rejection("The proof names an inequality that weights do not have")

    @property
    def normal(self) -> Row:
        """Return an empty row: none is needed."""
        return {}

    def bound(self, place: int) -> int:
        """Return 1, because weights sum to 1."""
        del place
        return 1


class OrderedWeights(Weights):
    """phi = d sorted from large to small; weights are not negative."""

    def __init__(self, n_attributes: int) -> None:
        super().__init__(n_attributes, 0.0)

    def features(self, differences: Sequence[int]) -> Row:
        """Return the differences sorted from large to small."""
        return super().features(sorted(differences, reverse=True))

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weighted sums of the sorted differences; sorting does not change relative errors."""
        return super().distances(theta, self.order(differences))

    def order(self, differences: FloatArray) -> FloatArray:
        """Return rows of differences sorted from large to small."""
        return -np.sort(-differences, axis=1)
