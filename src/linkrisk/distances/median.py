"""The median of the differences: an ordered weighted average with all its weight in the middle."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.owa import ordered_distance


def median_distance(comparison: Comparison) -> Distance:
    """Return the median of the differences, for an even number of attributes the mean of the two in the middle."""
    return ordered_distance(comparison, median_weights(comparison.n_attributes))


def median_weights(n: int) -> FloatArray:
    """Return the weights by position that make the median of n values.

    >>> median_weights(3).tolist(), median_weights(4).tolist()
    ([0.0, 1.0, 0.0], [0.0, 0.5, 0.5, 0.0])
    """
    weights = np.zeros(n)
    weights[[(n - 1) // 2, n // 2]] += 0.5 if n % 2 == 0 else 1.0
    return weights
