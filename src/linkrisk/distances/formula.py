"""What a distance makes of the differences of two files, without the records: it can be taken to a family, or a scale.

A weighted mean is a Choquet integral, and Mahalanobis' distance a semidefinite form. What one attacker was fitted to,
or was given, is therefore a start for others who learn, and a weighted mean on one scale may be one on another scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.distances.distance import Distance, Rule

ROUNDING = 2.0**-40
"""Values of two scales that differ by less, as a share of the largest, differ by rounding."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A distance made of the differences of attributes, by name.

    ``rule`` is `WEIGHTED` (``theta`` are weights), `ORDERED` (weights of the largest, second-largest, ... difference),
    `CHOQUET` (the measure of every subset, by bit mask) or `QUADRATIC` (the matrix of a form, row by row). A form that
    is a sum of squares has a ``root`` R, its matrix being R R': it is exact where the matrix is rounded.
    """

    rule: Rule
    theta: FloatArray
    names: tuple[str, ...]
    root: FloatArray | None = None

    @property
    def matrix(self) -> FloatArray:
        """The matrix of a form."""
        return self.theta.reshape(len(self.names), len(self.names))

    def weights(self, names: Sequence[str]) -> FloatArray | None:
        """Return the weights of a weighted mean by attributes of these names; None where it needs others, too.

        >>> Formula(Rule.WEIGHTED, np.array([1.0, 0.0]), ("age", "sex")).weights(["age"]).tolist()
        [1.0]
        """
        weights = self._by_attribute()
        if weights is None or any(weight != 0.0 for name, weight in weights.items() if name not in names):
            return None
        found = np.array([weights.get(name, 0.0) for name in names])
        return found if found.any() else None

    def _by_attribute(self) -> dict[str, float] | None:
        """Return weights by the names of their attributes; of a form, those on its diagonal if there are no others."""
        if self.rule is Rule.WEIGHTED:
            return dict(zip(self.names, self.theta.tolist(), strict=True))
        if self.rule is not Rule.QUADRATIC:
            return None
        diagonal = np.diag(self.matrix)
        is_diagonal = bool((diagonal >= 0.0).all() and not (self.matrix - np.diag(diagonal)).any())
        return dict(zip(self.names, diagonal.tolist(), strict=True)) if is_diagonal else None

    def on(self, here: Comparison, there: Comparison) -> Formula | None:
        """Return the same distance, up to rounding, for the same files on another scale; None where there is none.

        There is one where an attribute's differences on the two scales are those of the other times a factor: weights
        are divided by its square. Ordered differences and measures need the same factor for all attributes.
        """
        if here.scale is there.scale:
            return self
        factors = np.array([_factor(here, there, name) for name in self.names])
        if self.rule is Rule.WEIGHTED:
            is_needed = self.theta != 0.0
            if np.isnan(factors[is_needed]).any():
                return None
            return replace(self, theta=np.where(is_needed, self.theta / factors**2, 0.0))
        if self.rule is Rule.QUADRATIC:
            is_needed = self.matrix.any(axis=0)
            if np.isnan(factors[is_needed]).any():
                return None
            factors = np.where(is_needed, factors, 1.0)
            root = None if self.root is None else self.root / factors[:, None]
            return replace(self, theta=(self.matrix / np.outer(factors, factors)).ravel(), root=root)
        return self if np.allclose(factors, factors[0], rtol=ROUNDING, atol=0.0) else None


def make_formula(distance: Distance, comparison: Comparison) -> Formula | None:
    """Return what a distance makes of the differences of a comparison; None where it works on other numbers.

    Others are values that were shifted (a key by which all pairs differ alike), products, and levels of agreement.

    >>> from linkrisk.attackers import Mean
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> comparison = make_comparison(pair_files(np.eye(2), np.eye(2)))
    >>> make_formula(Mean().distance(comparison), comparison).weights(comparison.names).tolist()
    [0.5, 0.5]
    """
    if distance.root is not None or distance.rule is Rule.QUADRATIC:
        names = comparison.vector_names
        matrix = distance.theta if distance.root is None else (distance.root @ distance.root.T).ravel()
        return Formula(Rule.QUADRATIC, matrix, names, distance.root)
    is_untouched = distance.coordinates is comparison.coordinates
    if is_untouched and distance.rule in {Rule.WEIGHTED, Rule.ORDERED, Rule.CHOQUET}:
        return Formula(distance.rule, distance.theta, comparison.names)
    return None


def is_rescaled(here: Comparison, there: Comparison) -> bool:
    """Whether the same files on another scale differ by a factor for each attribute alone, so that `Formula.on` works.

    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> files = pair_files(np.array([[0.0], [1.0], [5.0]]), np.array([[0.0], [1.0], [4.0]]))
    >>> here = make_comparison(files, "separate")
    >>> [is_rescaled(here, make_comparison(files, scale)) for scale in ("original", "ranks")]
    [False, False]
    """
    return not any(np.isnan(_factor(here, there, name)) for name in here.names)


def _factor(here: Comparison, there: Comparison, name: str) -> float:
    """Return by what differences of an attribute are multiplied from one scale to another; NaN if by no one number.

    Differences of labels are the same on all scales; so are those with a missing value.
    """
    if name not in here.names or name not in there.names:
        return np.nan
    k, m = here.names.index(name), there.names.index(name)
    if here.coordinates.rules[k] != DifferenceRule.SQUARED:
        return 1.0
    before = np.concatenate([here.coordinates.original[:, k], here.coordinates.protected[:, k]])
    after = np.concatenate([there.coordinates.original[:, m], there.coordinates.protected[:, m]])
    # Of a sample of the people nothing can be said: its values cannot be told from others.
    return _factor_of_values(before, after) if len(before) == len(after) else np.nan


def _factor_of_values(before: FloatArray, after: FloatArray) -> float:
    """Return the factor f with after = f before + constant; 1 where nobody differs, NaN where there is no f."""
    is_known = ~np.isnan(before)
    if not is_known.any():
        return 1.0
    low, high = int(np.nanargmin(before)), int(np.nanargmax(before))
    if before[low] == before[high]:
        return 1.0 if np.ptp(after[is_known]) == 0.0 else np.nan
    factor = float((after[high] - after[low]) / (before[high] - before[low]))
    expected = after[low] + factor * (before - before[low])
    slack = ROUNDING * float(np.ptp(after[is_known]))
    if factor <= 0.0 or (np.abs(expected - after)[is_known] > slack).any():
        return np.nan
    return factor if is_known.all() or abs(factor - 1.0) <= ROUNDING else np.nan
