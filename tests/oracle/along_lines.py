"""Who is linked by given parameters, from the features of all pairs, one by one."""

from __future__ import annotations

import numpy as np

from linkrisk.differences import Comparison
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for


def features_of_pairs(family: Family, comparison: Comparison) -> np.ndarray:
    """Return phi(i, j) of all original and protected records, which must have no missing values."""
    _, x, y, _ = vectors_for(comparison, family.name)
    signed = x[:, None, :] - y[None, :, :]
    if not family.is_signed:
        signed = signed**2
    n, m, k = signed.shape
    return np.asarray(family.features(signed.reshape(n * m, k))).reshape(n, m, -1)


def margin_of_record(phi: np.ndarray, i: int, theta: np.ndarray, tolerance: float) -> float:
    """Return by how much the nearest other record, shortened by the tolerance, is farther than record i's own."""
    own = sum(phi[i, i, k] * theta[k] for k in range(len(theta)))
    others = [
        (1.0 - tolerance) * sum(phi[i, j, k] * theta[k] for k in range(len(theta)))
        for j in range(phi.shape[1])
        if j != i
    ]
    return float(min(others) - own)
