"""pMSE by a general optimiser on an explicit design."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Matrix = NDArray[np.float64]


def pmse(original: Matrix, protected: Matrix, interactions: bool, ridge: float = 1e-6) -> tuple[float, float]:
    """Return pMSE and its expectation (Snoke et al. 2018) for numbers without holes."""
    values = np.vstack([original, protected])
    scaled = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    terms = [np.ones(len(values)), *scaled.T]
    if interactions:
        pairs = itertools.combinations_with_replacement(range(scaled.shape[1]), 2)
        terms += [scaled[:, j] * scaled[:, k] for j, k in pairs]
    design = np.column_stack(terms)
    answer = np.repeat([0.0, 1.0], [len(original), len(protected)])
    share = float(answer.mean())
    penalty = np.full(design.shape[1], ridge * len(values) * share * (1 - share))
    penalty[0] = 0.0

    def objective(b: Matrix) -> tuple[float, Matrix]:
        score = design @ b
        loss = float(np.sum(np.logaddexp(0.0, score) - answer * score) + 0.5 * penalty @ b**2)
        return loss, design.T @ (1 / (1 + np.exp(-score)) - answer) + penalty * b

    found = minimize(objective, np.zeros(design.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-9})
    probabilities = 1 / (1 + np.exp(-design @ found.x))
    expected = (np.linalg.matrix_rank(design) - 1) * (1 - share) ** 2 * share / len(values)
    return float(np.mean((probabilities - share) ** 2)), float(expected)
