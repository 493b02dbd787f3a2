"""Sets of admissible parameters: convex cones, with what learning and its proofs ask of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.polar import is_nonpositive_on_rays, whole_row

MAX_ROUNDS = 200
"""How often more inequalities are asked for along one direction."""

FAR = 1e9
"""A step along a direction so long that it counts as endless."""


@dataclass(frozen=True)
class ParameterSet:
    """The admissible parameters: a convex cone, because a common factor changes no order of distances.

    ``inequalities`` are rows g with g . theta >= 0; a family with too many of them gives some here and the others
    when they are violated (see `cuts`). ``interior`` is a point strictly inside. ``rays``, if there are as many as
    parameters, are the edges of a cone that consists of their non-negative mixtures. ``normal`` . theta > 0 for every
    theta except 0, and ``bounds`` limit every |theta_k| once ``normal`` . theta = 1 (both None for a cone that is
    the whole space).

    >>> weights = ParameterSet(np.eye(2), interior=np.ones(2), rays=np.eye(2))  # not negative
    >>> weights.is_polar([-1, 0]), weights.is_polar([-1, 1])
    (True, False)
    """

    inequalities: FloatArray
    interior: FloatArray
    normal: FloatArray | None = None
    bounds: FloatArray | None = None
    rays: FloatArray | None = None

    @property
    def n_parameters(self) -> int:
        """Number of parameters."""
        return len(self.interior)

    def cuts(self, theta: FloatArray) -> FloatArray:  # noqa: ARG002  (the plain cone has no more)
        """Return inequalities of the set, not listed before, that theta violates, one row each."""
        return np.zeros((0, self.n_parameters))

    def is_polar(self, row: Sequence[int]) -> bool | None:
        """Say, in exact arithmetic, whether row . theta <= 0 for all admissible theta; None when that is not clear."""
        if self.rays is None:
            return None
        return is_nonpositive_on_rays(row, [[Fraction(value) for value in ray] for ray in self.rays.tolist()])

    def violated(self, theta: Sequence[int]) -> list[list[int]]:
        """Return inequalities of the set that parameters in whole numbers violate, as whole rows; none inside the set.

        *Guarantee* (docs/mathematics.md#violated): exact, for the inequalities that the set lists; those that it gives
        on demand are found in floating point, unless the set has a test of its own.

        >>> ParameterSet(np.eye(2), interior=np.ones(2)).violated([3, -1])
        [[0, 1]]
        """
        found = [row for row in self.whole_inequalities if sum(value * theta[place] for place, value in row) < 0]
        dense = [self.dense(row) for row in found]
        largest = max(map(abs, theta), default=0) or 1
        cuts = [whole_row(row) for row in self.cuts(np.array([value / largest for value in theta]))]
        return dense + [row for row in cuts if sum(a * b for a, b in zip(row, theta, strict=True)) < 0]

    @property
    def is_endless(self) -> bool:
        """Whether the set has endlessly many inequalities, so that adding those violated need not come to an end."""
        return False

    @cached_property
    def whole_inequalities(self) -> list[list[tuple[int, int]]]:
        """The inequalities that are listed, in whole numbers: places and values that are not 0."""
        places = [np.flatnonzero(row) for row in self.inequalities]
        entries = [whole_row(row[place]) for row, place in zip(self.inequalities, places, strict=True)]
        return [list(zip(place.tolist(), row, strict=True)) for place, row in zip(places, entries, strict=True)]

    def dense(self, row: Sequence[tuple[int, int]]) -> list[int]:
        """Return an inequality of `whole_inequalities` with all its entries."""
        result = [0] * self.n_parameters
        for place, value in row:
            result[place] = value
        return result

    def largest_violations(self, rows: FloatArray) -> FloatArray:
        """Return for each row v an upper bound of -theta . v over the admissible theta, 0 where there is no violation.

        It is the least constant that lets a record be given up in the papers' programme. Parameters are scaled as
        there: normal . theta = 1, or entries in [-1, 1] where the cone is the whole space.

        *Guarantee* (docs/mathematics.md#big-m): no admissible theta violates a row by more. Where the cone has edges,
        the bound is attained at one of them; for measures that are only monotone, at a unanimity measure (see
        `unanimity_values`). Otherwise it comes from the bounds of the parameters and need not be attained.
        """
        return np.asarray(np.maximum(-self._least_values(rows), 0.0))

    def _least_values(self, rows: FloatArray) -> FloatArray:
        """Return a lower bound of theta . v for each row v over the admissible theta, scaled."""
        if self.rays is not None and self.normal is not None:
            edges = self.rays / (self.rays @ self.normal)[:, None]
            return np.asarray((rows @ edges.T).min(axis=1))
        if self.bounds is not None:
            return np.asarray(-(np.abs(rows) @ self.bounds))
        return np.asarray(-np.abs(rows).sum(axis=1))

    def inside(self, theta: FloatArray) -> FloatArray:
        """Move theta towards the interior, just as far as it takes to be admissible."""
        rows = np.concatenate([self.inequalities, self.cuts(theta)])
        violation = np.maximum(-(rows @ theta), 0.0) / (rows @ self.interior)
        return np.asarray(theta + (1.0 + 1e-9) * float(violation.max(initial=0.0)) * self.interior)

    def reach(self, theta: FloatArray, direction: FloatArray) -> tuple[float, float]:
        """Return how far, to either side, theta can go along a direction and stay admissible, up to rounding."""
        rows = self.inequalities
        for _ in range(MAX_ROUNDS):
            low, high = _reach(rows @ theta, rows @ direction)
            cuts = [self.cuts(theta + end * direction) for end in (low, high)]
            found = [row for row in np.concatenate([np.zeros_like(rows[:0]), *cuts]) if not (row == rows).all(1).any()]
            if not found:
                return low, high
            rows = np.concatenate([rows, found])
        return 0.0, 0.0  # a set whose cuts never end: no step is better than one too far

    def draw_direction(self, theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        """Draw a direction for the search: in proportion to theta, or its root, or to one entry."""
        size = np.abs(theta)
        steps = generator.normal(size=len(theta))
        kind = generator.integers(3)
        if kind == 0:
            return np.asarray(steps * size)
        if kind == 1:
            return np.asarray(steps * np.sqrt(size * size.max()))
        return np.asarray(np.where(np.arange(len(theta)) == generator.integers(len(theta)), size.max(), 0.0) - theta)


def _reach(at: FloatArray, along: FloatArray) -> tuple[float, float]:
    """Return the steps between which at + step . along >= 0, zero among them, at most FAR away."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = -np.maximum(at, 0.0) / along
    return float(ends[along > 0.0].max(initial=-FAR)), float(ends[along < 0.0].min(initial=FAR))
