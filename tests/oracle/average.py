"""AvRL the obvious way: every set of attributes, every pair of records."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray


def average_rates(original: NDArray[np.float64], protected: NDArray[np.float64]) -> list[float]:
    """Return for each number of attributes the mean rate of unique links by the plain distance, row i with row i."""
    x = (original - original.mean(axis=0)) / original.std(axis=0, ddof=1)
    y = (protected - protected.mean(axis=0)) / protected.std(axis=0, ddof=1)
    differences = (x[:, None, :] - y[None, :, :]) ** 2
    own = np.arange(len(x))
    rates = []
    for size in range(1, x.shape[1] + 1):
        found = []
        for subset in itertools.combinations(range(x.shape[1]), size):
            distances = differences[:, :, list(subset)].sum(axis=2)
            mine = distances[own, own].copy()
            distances[own, own] = np.inf
            found.append(np.mean(mine < (1 - 2.0**-40) * distances.min(axis=1)))
        rates.append(float(np.mean(found)))
    return rates
