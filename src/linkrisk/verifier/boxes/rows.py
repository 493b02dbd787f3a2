"""Rows in boxes: is a row, or a mixture of rows, positive nowhere in a box? Decided for many at once.

Parameters are theta = sum of lambda_k edge_k with lambda >= 0. Here a row means its values on the edges, so that
theta . v = lambda . row, and a box is low <= lambda <= high. Where parameters are put aside, a box says nothing about
them: they may be anything from 0 on, so that no row may be positive there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.verifier.boxes.tree import Rows
from linkrisk.verifier.exact.rationals import ROUNDING, TINY, Number
from linkrisk.verifier.families.weights import Weights
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.verification import Rejection

Mask = NDArray[np.bool_]

HUGE = 2.0**1000
"""Multipliers from here on are only used exactly."""


class BoxRows:
    """The rows of pairs (i, j), each pair once, in floating point with bounds on their errors, and exactly.

    They are given without the parameters put ``aside``; a row that is positive there is rejected.
    """

    def __init__(self, instance: Instance, weights: Weights, pairs: Rows, aside: Sequence[int] = ()) -> None:
        self.instance = instance
        self.weights = weights
        keys, self.of_pair = np.unique(pairs.original * instance.n_protected + pairs.protected, return_inverse=True)
        self.original, self.protected = np.divmod(keys, instance.n_protected)
        self.kept = [k for k in range(weights.n_parameters) if k not in aside]
        self._exact: dict[int, list[Fraction]] = {}
        values, errors = self._floats()
        self.values, self.errors = values[:, self.kept], errors[:, self.kept]
        self._check_aside(values[:, aside], errors[:, aside], aside)

    def _floats(self) -> tuple[FloatArray, FloatArray]:
        """Return the rows and bounds on their errors: 3 roundings for a difference, one for every operation."""
        squares, own = self.instance.squares, np.array(self.instance.own)[self.original]
        with np.errstate(all="ignore"):
            other = self.weights.order(squares.pairs(self.original, self.protected))
            own_ones = self.weights.order(squares.pairs(self.original, own))
            values = (1.0 - self.instance.tolerance) * other - own_ones
            errors = 16.0 * ROUNDING * (other + own_ones) + TINY
            floor, n = float(self.weights.floor), self.weights.n_parameters
            if floor > 0.0:
                share, sizes = 1.0 - n * floor, other + own_ones
                values = share * values + floor * values.sum(axis=1, keepdims=True)
                errors = share * errors + floor * errors.sum(axis=1, keepdims=True)
                errors += (4.0 * n + 16.0) * ROUNDING * (sizes + floor * sizes.sum(axis=1, keepdims=True))
        return np.asarray(values), np.asarray(errors)

    def _check_aside(self, values: FloatArray, errors: FloatArray, aside: Sequence[int]) -> None:
        """Raise if a row is positive on a parameter that was put aside.

        *Guarantee* (docs/mathematics.md#aside): exact. Whatever these parameters are, they do not make a row larger.
        """
        for row in np.flatnonzero(~(values < -errors).all(axis=1)).tolist():
            exact = self._on_edges(row)
            if any(exact[k] > 0 for k in aside):
                raise Rejection("A row of the proof grows with a parameter that was put aside")

    def _on_edges(self, row: int) -> list[Fraction]:
        return self.weights.on_edges(self.instance.row(int(self.original[row]), int(self.protected[row])))

    def exact(self, row: int) -> list[Fraction]:
        """Return a row exactly, times the unit of exact rows."""
        if row not in self._exact:
            on_edges = self._on_edges(row)
            self._exact[row] = [on_edges[k] for k in self.kept]
        return self._exact[row]

    def never_positive(self, rows: IntArray, low: FloatArray, high: FloatArray) -> Mask:
        """Tell which rows are positive nowhere in their boxes.

        *Guarantee* (docs/mathematics.md#row-in-a-box): exact. The maximum of a row over a box is the sum of its
        entries' maxima.
        """
        result, in_doubt = _is_below_zero(self.values[rows], self.errors[rows], low, high)
        for place in np.flatnonzero(in_doubt).tolist():
            result[place] = greatest(self.exact(int(rows[place])), low[place], high[place]) <= 0
        return result

    def mixtures_never_positive(
        self, starts: IntArray, rows: IntArray, multipliers: Sequence[Number], low: FloatArray, high: FloatArray
    ) -> Mask:
        """Tell which mixtures of rows are positive nowhere in their boxes; mixture s begins at ``starts[s]``.

        *Guarantee* (docs/mathematics.md#conflicts): exact.
        """
        if not len(starts):
            return np.zeros(0, dtype=bool)
        with np.errstate(all="ignore"):
            factors = _floats(multipliers)[:, None]
            values = np.add.reduceat(factors * self.values[rows], starts, axis=0)
            sizes = np.add.reduceat(factors * np.abs(self.values[rows]), starts, axis=0)
            errors = np.add.reduceat(factors * self.errors[rows], starts, axis=0)
            lengths = np.diff(np.append(starts, len(rows)))
            errors += (2.0 * lengths[:, None] + 8.0) * ROUNDING * (sizes + errors) + TINY  # factors: one rounding
        result, in_doubt = _is_below_zero(values, errors, low, high)
        for place in np.flatnonzero(in_doubt).tolist():
            members = slice(int(starts[place]), int(starts[place]) + int(lengths[place]))
            mixed = self._mixed(rows[members].tolist(), multipliers[members])
            result[place] = greatest(mixed, low[place], high[place]) <= 0
        return result

    def _mixed(self, rows: Iterable[int], multipliers: Iterable[Number]) -> list[Fraction]:
        total = [Fraction(0)] * len(self.kept)
        for row, multiplier in zip(rows, multipliers, strict=True):
            factor = Fraction(multiplier)
            total = [a + factor * b for a, b in zip(total, self.exact(row), strict=True)]
        return total


def _floats(multipliers: Sequence[Number]) -> FloatArray:
    """Return numbers rounded to floats; NaN, which leaves everything in doubt, where they are too large for that."""
    return np.array([value if abs(value) < HUGE else math.nan for value in multipliers], dtype=np.float64)


def _is_below_zero(values: FloatArray, errors: FloatArray, low: FloatArray, high: FloatArray) -> tuple[Mask, Mask]:
    """Tell which rows are certainly positive nowhere in their boxes, and for which rounding leaves it in doubt."""
    with np.errstate(all="ignore"):
        top = np.maximum(values * low, values * high).sum(axis=1)
        size = (np.abs(values) * high).sum(axis=1)
        error = (errors * high).sum(axis=1) + (2.0 * values.shape[1] + 8.0) * ROUNDING * size
        error = error * (1.0 + 2.0**-40) + TINY
        is_below = top < -error
        return is_below, ~is_below & ~(top > error)


def greatest(row: list[Fraction], low: FloatArray, high: FloatArray) -> Fraction:
    """Return the maximum of a row over a box, exactly.

    >>> greatest([Fraction(1), Fraction(-1)], np.array([0.0, 0.5]), np.array([1.0, 1.0]))
    Fraction(1, 2)
    """
    ends = zip(row, low.tolist(), high.tolist(), strict=True)
    return sum((value * Fraction(b if value > 0 else a) for value, a, b in ends), Fraction(0))
