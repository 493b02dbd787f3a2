"""Probabilistic information loss, statistic by statistic, in plain Python; None is a missing value.

Sampling variances come from influence functions, var(t) = mean(influence^2) / n, not from the formulas of moments.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence

Column = Sequence[float | None]
Estimate = tuple[float, float] | None
"""A statistic and its sampling variance; None where it is undefined."""


def mean_of(values: Sequence[float]) -> float:
    """Arithmetic mean, exact but for one rounding."""
    return math.fsum(values) / len(values)


def mean_estimate(x: Sequence[float]) -> Estimate:
    """Influence of a record on the mean: x - mean."""
    if not x:
        return None
    centre = mean_of(x)
    return centre, mean_of([(value - centre) ** 2 for value in x]) / len(x)


def covariance_estimate(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Influence of a record on the covariance: (x - mean)(y - mean) - covariance."""
    if not x:
        return None
    first, second = mean_of(x), mean_of(y)
    products = [(a - first) * (b - second) for a, b in zip(x, y, strict=True)]
    covariance = mean_of(products)
    return covariance, mean_of([(product - covariance) ** 2 for product in products]) / len(x)


def correlation_estimate(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Influence of a record on the correlation: z_x z_y - r (z_x^2 + z_y^2) / 2."""
    if not x or min(x) == max(x) or min(y) == max(y):
        return None
    first, second = standardised(x), standardised(y)
    r = mean_of([a * b for a, b in zip(first, second, strict=True)])
    influence = [a * b - r * (a * a + b * b) / 2 for a, b in zip(first, second, strict=True)]
    return r, mean_of([value**2 for value in influence]) / len(x)


def standardised(x: Sequence[float]) -> list[float]:
    """Return (x - mean) / standard deviation, divisor n."""
    mean, deviation = mean_of(x), statistics.pstdev(x)
    return [(value - mean) / deviation for value in x]


def density(x: Sequence[float], point: float) -> float:
    """Gaussian kernel density with Silverman's bandwidth, every record summed."""
    deviation = statistics.stdev(x)
    spread = (quantile(x, 0.75) - quantile(x, 0.25)) / 1.34
    bandwidth = 0.9 * (min(deviation, spread) if spread > 0 else deviation) * len(x) ** -0.2
    kernels = [math.exp(-(((point - value) / bandwidth) ** 2) / 2) / math.sqrt(2 * math.pi) for value in x]
    return float(math.fsum(kernels) / (len(x) * bandwidth))


def quantile(x: Sequence[float], level: float) -> float:
    """On the straight line between two neighbours in order."""
    ordered = sorted(x)
    place = level * (len(x) - 1)
    low = min(math.floor(place), len(x) - 2) if len(x) > 1 else 0
    high = min(low + 1, len(x) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def quantile_estimate(x: Sequence[float], level: float) -> Estimate:
    """Return a quantile and q (1 - q) / (n f^2)."""
    if not x:
        return None
    if min(x) == max(x):
        return x[0], 0.0
    found = quantile(x, level)
    f = density(x, found)
    return found, level * (1 - level) / (len(x) * f**2) if f**2 > 0 else math.inf


def loss_of(before: Estimate, after: Estimate, unit: float) -> float | None:
    """100 (2 Phi(z) - 1); None where left out. What is below 1e-12 of the unit is 0."""
    if before is None:
        return None
    if after is None:
        return 100.0
    change = abs(after[0] - before[0]) / unit
    deviation = math.sqrt(before[1]) / unit
    if deviation < 1e-7:  # a variance of 1e-14
        return None if change < 1e-12 else 100.0
    return 100 * math.erf(change / deviation / math.sqrt(2))


def known(*columns: Column) -> list[list[float]]:
    """Return the values of the records that know all of some columns."""
    rows = [row for row in zip(*columns, strict=True) if None not in row]
    return [[float(row[k] or 0.0) for row in rows] for k in range(len(columns))]


def unit_of(column: Column) -> float:
    """Return the standard deviation, or the size of a constant."""
    (values,) = known(column)
    if not values:
        return 1.0
    return abs(values[0]) or 1.0 if min(values) == max(values) else statistics.stdev(values)


def pil(original: Sequence[Column], protected: Sequence[Column]) -> dict[str, float | None]:
    """Return the five averages and PIL, from columns; None where nothing counts."""
    losses: dict[str, list[float | None]] = {
        name: [] for name in ("means", "variances", "covariances", "correlations", "quantiles")
    }

    def add(kind: str, columns: Sequence[int], unit: float, estimate: Callable[..., Estimate]) -> None:
        before, after = (estimate(*known(*(file[k] for k in columns))) for file in (original, protected))
        losses[kind].append(loss_of(before, after, unit))

    for k, column in enumerate(original):
        unit = unit_of(column)
        add("means", [k], unit, mean_estimate)
        add("variances", [k], unit**2, lambda x: covariance_estimate(x, x))
        for step in range(1, 20):
            add("quantiles", [k], unit, lambda x, level=step / 20: quantile_estimate(x, level))
        for m in range(k + 1, len(original)):
            add("covariances", [k, m], unit * unit_of(original[m]), covariance_estimate)
            add("correlations", [k, m], 1.0, correlation_estimate)
    return averages(losses)


def averages(losses: dict[str, list[float | None]]) -> dict[str, float | None]:
    """Average each kind of statistic, and the kinds."""
    found: dict[str, float | None] = {}
    for kind, values in losses.items():
        counted = [value for value in values if value is not None]
        found[kind] = mean_of(counted) if counted else None
    parts = [value for value in found.values() if value is not None]
    return {**found, "pil": mean_of(parts) if parts else None}
