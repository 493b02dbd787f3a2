"""What stronger families take over from weaker ones: parameters to start from, whose links they never fall below."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.bilinear import BilinearFamily, upper_triangle
from linkrisk.distances.choquet import AdditiveChoquetFamily, ChoquetFamily, small_subsets
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily

Embedding = Callable[[FloatArray], FloatArray]


def simpler_families(family: Family) -> list[tuple[Family, Embedding]]:
    """Return the families of weights that a family contains, and how to turn their weights into its parameters.

    >>> weights, embedding = simpler_families(ChoquetFamily())[0]
    >>> weights.name, embedding(np.array([0.25, 0.75])).tolist()
    ('weighted_mean', [0.25, 0.75, 1.0])
    """
    weights = WeightedMeanFamily()
    if isinstance(family, ChoquetFamily):
        ordered = [] if family.is_metric else [(OWAFamily(), symmetric_measure)]
        return [(weights, additive_measure), *ordered]
    if isinstance(family, AdditiveChoquetFamily):
        additivity = family.additivity
        return [(weights, lambda w: additive_mobius(w, additivity))]
    if isinstance(family, BilinearFamily):
        return [(weights, diagonal_form)]
    return []


def additive_measure(weights: FloatArray) -> FloatArray:
    """Return mu(A), the sum of the weights of A, for all A by their bit masks."""
    masks = np.arange(1, 1 << len(weights))
    return np.asarray((masks[:, None] >> np.arange(len(weights)) & 1) @ weights)


def symmetric_measure(weights: FloatArray) -> FloatArray:
    """Return mu(A), the sum of the first |A| weights, for all A by their bit masks: its Choquet integral is the OWA.

    >>> symmetric_measure(np.array([0.75, 0.25])).tolist()
    [0.75, 0.75, 1.0]
    """
    sizes = [mask.bit_count() for mask in range(1, 1 << len(weights))]
    return np.asarray(np.cumsum(weights)[np.array(sizes) - 1])


def additive_mobius(weights: FloatArray, additivity: int) -> FloatArray:
    """Return the Möbius values of a measure that is additive: those of single attributes are the weights."""
    subsets = small_subsets(len(weights), additivity)
    return np.array([weights[subset[0]] if len(subset) == 1 else 0.0 for subset in subsets])


def diagonal_form(weights: FloatArray) -> FloatArray:
    """Return the upper triangle of the matrix with the weights on its diagonal."""
    first, second, _ = upper_triangle(len(weights))
    return np.where(first == second, weights[first], 0.0)
