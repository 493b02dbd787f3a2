"""Indices that sum parameters up: how even weights are, how near an OWA is to the maximum, what attributes share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray

Subset = tuple[str, ...]
"""A subset of the attributes, by their names."""


def evenness(weights: FloatArray) -> float:
    """Entropy of weights over that of equal ones: -sum p_k ln p_k / ln n, from 0 (one has it all) to 1 (all alike).

    0 ln 0 is 0; a single weight is even (1). Reference: Shannon (1948); for OWA weights the dispersion of Yager
    (1988, https://doi.org/10.1109/21.87068), over its maximum.

    >>> import numpy as np
    >>> evenness(np.array([0.5, 0.5, 0.0, 0.0]))
    0.5
    """
    if len(weights) == 1:
        return 1.0
    entropy = -math.fsum(p * math.log(p) for p in weights.tolist() if p > 0.0)
    return min(1.0, max(0.0, entropy / math.log(len(weights))))


def orness(weights: FloatArray) -> float:
    """How near an OWA is to the maximum: sum over positions r = 1..n of (n - r) / (n - 1) p_r, largest first.

    1 is the largest difference, 0 the smallest, 1/2 the mean (and, by convention, a single position). Reference:
    Yager (1988), https://doi.org/10.1109/21.87068.

    >>> import numpy as np
    >>> orness(np.array([1.0, 0.0, 0.0])), orness(np.array([0.25, 0.5, 0.25]))
    (1.0, 0.5)
    """
    n = len(weights)
    if n == 1:
        return 0.5
    return math.fsum((n - r) / (n - 1) * p for r, p in enumerate(weights.tolist(), 1))


def interaction_indices(subsets: Sequence[Subset], mobius: FloatArray) -> dict[tuple[str, str], float]:
    """Interaction of every two attributes k, l: sum over subsets A that hold both of m(A) / (|A| - 1).

    The same as averaging mu(B + k + l) - mu(B + k) - mu(B + l) + mu(B) over the sets B of other attributes, with
    weights (n - |B| - 2)! |B|! / (n - 1)! (Murofushi and Soneda 1993); by Möbius values: Grabisch (1997),
    https://doi.org/10.1016/S0165-0114(97)00168-1. Between -1 and 1.

    >>> import numpy as np
    >>> interaction_indices([("a",), ("b",), ("a", "b")], np.array([0.25, 0.25, 0.5]))
    {('a', 'b'): 0.5}
    """
    names, members = _members(subsets)
    share = mobius / np.maximum(members.sum(axis=1) - 1, 1)
    return {
        (names[k], names[m]): math.fsum(share[members[:, k] & members[:, m]].tolist())
        for k, m in combinations(range(len(names)), 2)
    }


def shapley_shares(subsets: Sequence[Subset], mobius: FloatArray) -> dict[str, float]:
    """Share of each attribute in mu(all): sum over subsets A that hold it of m(A) / |A| (Shapley 1953).

    >>> import numpy as np
    >>> shapley_shares([("a",), ("b",), ("a", "b")], np.array([0.0, 0.5, 0.5]))
    {'a': 0.25, 'b': 0.75}
    """
    names, members = _members(subsets)
    share = mobius / members.sum(axis=1)
    return {name: math.fsum(share[members[:, k]].tolist()) for k, name in enumerate(names)}


def matrix_distance(matrix: FloatArray, target: FloatArray) -> float:
    """Distance of two matrices at the best common scale: min over c > 0 of ||c S - T|| / ||T||, Frobenius norm.

    The sine of the angle between them: 0 where one is a multiple of the other, 1 (c near 0 is best) where they have
    nothing in common. It is symmetric in S and T, and does not change with their units, unlike Equation (10) of
    abril-bilinear.txt. A matrix of zeros has distance 1.

    >>> import numpy as np
    >>> [round(matrix_distance(np.eye(2), np.diag(other)), 4) for other in ([3.0, 3.0], [1.0, 0.0], [-1.0, 0.0])]
    [0.0, 0.7071, 1.0]
    """
    size, target_size = float(np.linalg.norm(matrix)), float(np.linalg.norm(target))
    if size == 0.0 or target_size == 0.0:
        return 1.0
    first, second = matrix / size, target / target_size
    return min(1.0, float(np.linalg.norm(max(float((first * second).sum()), 0.0) * first - second)))


def _members(subsets: Sequence[Subset]) -> tuple[list[str], NDArray[np.bool_]]:
    """Names that occur, in the order of the single attributes, and which subset holds which."""
    names = list(dict.fromkeys(name for subset in sorted(subsets, key=len) for name in subset))
    place = {name: k for k, name in enumerate(names)}
    members = np.zeros((len(subsets), len(names)), dtype=bool)
    for row, subset in enumerate(subsets):
        members[row, [place[name] for name in subset]] = True
    return names, members
