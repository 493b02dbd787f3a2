"""Families of distances that are linear in their parameters: distance(i, j) = theta . phi(i, j).

A family says what the features phi are, which parameters are admissible, and which attacker they make. Everything
else, learning included, is the same for all. A class with these members is all a user writes to add an attacker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.distances.attacker import Attacker
from linkrisk.distances.polar import is_nonpositive_on_rays

Numbers = NDArray[Any]
"""An array of floats, or of Fractions: features are computed for both, by the same code."""

MAX_ROUNDS = 200
"""Times that more inequalities are asked for along one direction."""

FAR = 1e9
"""A step along a direction that is as good as endless."""


@dataclass(frozen=True)
class ParameterSet:
    """The admissible parameters: a convex cone, for a common factor changes no order of distances.

    ``inequalities`` are rows g with g . theta >= 0; a family with too many of them gives some here and the others
    when they are violated (see `cuts`). ``interior`` is a point strictly inside. ``rays``, if there are as many as
    parameters, are the edges of a cone that consists of their non-negative mixtures. ``normal`` . theta > 0 for every
    theta but 0, and ``bounds`` limit every |theta_k| once ``normal`` . theta = 1 (both None for a cone that is
    the whole space).
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
        """Return inequalities of the set, not listed before, that theta violates, a row each."""
        return np.zeros((0, self.n_parameters))

    def is_polar(self, row: Sequence[int]) -> bool | None:
        """Say, in exact arithmetic, whether row . theta <= 0 for all admissible theta; None when that is not clear."""
        if self.rays is None:
            return None
        return is_nonpositive_on_rays(row, [[Fraction(value) for value in ray] for ray in self.rays.tolist()])

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
        return 0.0, 0.0  # a set whose cuts never end: better no step than one too far

    def draw_direction(self, theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        """Draw a direction to look for better parameters in: in proportion to theta, or its root, or to one entry."""
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


class Family(Protocol):
    """A family of distances: features, admissible parameters, and what they mean.

    ``is_signed``: features are made of the signed differences of numeric vectors, otherwise of the d_k.
    ``is_nonnegative``: only parameters are admissible that give no pair of the two files a negative distance.
    ``tolerance``: relative, for ties.
    """

    @property
    def name(self) -> str:
        """Name used on the command line and in results."""

    @property
    def is_signed(self) -> bool:
        """Whether features are made of signed differences."""

    @property
    def is_nonnegative(self) -> bool:
        """Whether distances must not be negative on the two files."""

    @property
    def tolerance(self) -> float:
        """Relative tolerance for ties."""

    def features(self, differences: Numbers) -> Numbers:
        """Return phi for rows of differences, a row each."""

    def profile(self, differences: Numbers) -> Numbers | None:
        """Return numbers such that, if none of them is larger, no admissible distance is; None if there are none."""

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the admissible parameters for a number of attributes."""

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return the parameters scaled as users expect them, what rounding has made inadmissible set right."""

    def attacker(self, theta: FloatArray, names: tuple[str, ...]) -> Attacker:
        """Return the attacker with these parameters, normalised."""
