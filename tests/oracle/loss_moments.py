"""Differences of moments and regressions in plain numpy; NaN is a missing value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

Matrix = NDArray[np.float64]


def covariance(x: Matrix, y: Matrix) -> float:
    """Covariance with divisor n of the records that know both; NaN where there are none."""
    known = ~(np.isnan(x) | np.isnan(y))
    if not known.any():
        return math.nan
    x, y = x[known], y[known]
    return float(np.mean((x - x.mean()) * (y - y.mean())))


def correlation(x: Matrix, y: Matrix) -> float:
    """Pearson's correlation of the records that know both; NaN where one is constant."""
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    if len(x) == 0 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return covariance(x, y) / math.sqrt(covariance(x, x) * covariance(y, y))


def statistics_of(file: Matrix, units: list[float]) -> dict[str, list[float]]:
    """Means and covariances in units, correlations."""
    n = file.shape[1]
    means = [float(np.nanmean(file[:, k])) / units[k] if (~np.isnan(file[:, k])).any() else math.nan for k in range(n)]
    return {
        "means": means,
        "covariances": [
            covariance(file[:, k], file[:, m]) / (units[k] * units[m]) for k in range(n) for m in range(k, n)
        ],
        "correlations": [correlation(file[:, k], file[:, m]) for k in range(n) for m in range(k + 1, n)],
    }


def variation(before: list[float], after: list[float]) -> tuple[float, float, float]:
    """Mean and largest |t' - t|, mean |t' - t| / |t|; what is below 1e-12 is 0."""
    changes, ratios = [], []
    for t, t2 in zip(before, after, strict=True):
        if math.isnan(t) or math.isnan(t2):
            continue
        change = abs(t2 - t) if abs(t2 - t) > 1e-12 else 0.0
        changes.append(change)
        if abs(t) > 1e-12:
            ratios.append(change / abs(t))
        elif change == 0:
            ratios.append(0.0)
    return (
        float(np.mean(changes)) if changes else math.nan,
        max(changes, default=math.nan),
        float(np.mean(ratios)) if ratios else math.nan,
    )


def regression(file: Matrix, target: int) -> list[tuple[float, float, float]]:
    """Coefficient, standard error and half width of the 95 % interval of each other attribute, complete records."""
    file = file[~np.isnan(file).any(axis=1)]
    n_records, n_attributes = file.shape
    design = np.column_stack([np.ones(n_records), np.delete(file, target, axis=1)])
    coefficients = np.linalg.lstsq(design, file[:, target], rcond=None)[0]
    residuals = file[:, target] - design @ coefficients
    freedom = n_records - n_attributes
    covariances = np.linalg.inv(design.T @ design) * float(residuals @ residuals) / freedom
    errors = np.sqrt(np.diag(covariances))
    quantile = float(student.ppf(0.975, freedom))
    rows: list[Any] = [(coefficients[k], errors[k], quantile * errors[k]) for k in range(1, n_attributes)]
    return rows


def interval_overlap(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Overlap of two confidence intervals by their ends."""
    low, high = first[0] - first[2], first[0] + first[2]
    other_low, other_high = second[0] - second[2], second[0] + second[2]
    common = max(0.0, min(high, other_high) - max(low, other_low))
    return 0.5 * (common / (high - low) + common / (other_high - other_low))
