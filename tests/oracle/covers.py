"""The least weight of shares that meet every core: the whole linear programme at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from scipy.optimize import linprog


def least_shares(
    cores: Sequence[Collection[int]], weight: np.ndarray, kept: Collection[int], given: Collection[int]
) -> float | None:
    """Return the least weight given up as shares such that every core gives up one record; None if none does."""
    n = len(weight)
    bounds = [(1.0, 1.0) if i in given else (0.0, 0.0) if i in kept else (0.0, 1.0) for i in range(n)]
    rows = np.array([[-1.0 if i in core else 0.0 for i in range(n)] for core in cores]).reshape(-1, n)
    solved = linprog(weight, A_ub=rows, b_ub=-np.ones(len(rows)), bounds=bounds)
    return None if solved.fun is None else float(solved.fun)
