"""How unlikely a distance makes a pair: the temperature of a distance, estimated without knowing who is who."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.distances.distance import Distance
from linkrisk.distances.volume import Volume
from linkrisk.linkage.search import distances

MOST_PAIRS, LEAST_RECORDS = 200_000, 64
"""It is estimated from as many released records as make so many pairs with all original ones, from some at least."""

COARSE, FINE = 4.0, 1.02
"""Factor between temperatures that are tried first, and how near the best of them is found."""

STEEPEST = 1e30
"""Usual distance in temperatures beyond which whatever is farther than the nearest is impossible anyway."""

COLD, HOT = 40.0, 40.0
"""At the lowest temperature tried, the least distance above 0 makes a pair less likely by exp of this; the highest is
so many times the largest distance."""


def estimate_temperature(distance: Distance, *, seed: int = 0, most_pairs: int = MOST_PAIRS) -> float | None:
    """Return the temperature T at which exp(-distance / T) is likeliest to have made the released records.

    *Model.* Released record j was made of one of the N original ones, each as likely as another, with the density c(T)
    exp(-d(x_i, y_j) / T), where 1 / c(T) is the volume of the distance (`Distance.volume`), T^(V / 2) for V numbers.
    So T maximises

        sum over j of log (sum over i of exp(-d(x_i, y_j) / T))  -  M log volume(T),

    with, for V numbers, T = (2 / V) times the mean distance of j to the original it was made of, as far as the files
    tell who that is: noise of variance s^2 on each attribute, and d the mean of squares, give T = 2 s^2 / V. It is
    found on a grid of temperatures, then by golden sections.

    *Guarantee* (docs/mathematics.md#temperature): at a maximum T is that mean; a distance multiplied by a factor has a
    temperature multiplied by it.

    Where a likelihood is known (`Distance.temperature`), nothing is estimated. Where distances are 0 for all that
    matters, T is so low that whatever differs is impossible. Negative distances (indefinite forms) have no likelihood:
    None. Ties play no part. Cost: some 20 passes over the pairs of a sample of the released records, a tenth of a
    second up to 10^4 records. Reference: maximum likelihood in mixtures, Dempster, Laird and Rubin (1977),
    https://doi.org/10.1111/j.2517-6161.1977.tb01600.x.
    """
    if distance.temperature is not None:
        return distance.temperature
    n_original, n_protected = len(distance.coordinates.original), len(distance.coordinates.protected)
    size = min(n_protected, max(LEAST_RECORDS, most_pairs // n_original))
    rows = np.sort(np.random.default_rng(seed).choice(n_protected, size, replace=False))
    apart = distances(distance.exchanged(), rows)
    apart = apart[:, np.isfinite(apart).all(axis=0)]
    if apart.size == 0 or apart.min() < 0.0:
        return None
    return _likeliest(apart, distance.volume())


def _likeliest(apart: FloatArray, volume: Volume) -> float:
    """Return the temperature of the greatest likelihood: the best of a grid, then golden sections about it.

    Where the likelihood is stationary, the mean distance at T is one between each record's least distance and its mean
    distance to all: so T lies between the temperatures that have the means of these.
    """
    positive = apart[apart > 0.0]
    if positive.size == 0:
        return 1.0
    nearest = apart.min(axis=1)
    farther = apart - nearest[:, np.newaxis]
    usual = float(farther.mean()) or 1.0
    light = (farther / usual).astype(np.float32)  # a quarter of the time, and far more digits than are looked for

    def likelihood(logarithm: float) -> float:
        temperature = math.exp(logarithm)
        sums = np.exp(light * np.float32(-min(usual / temperature, STEEPEST))).sum(axis=1, dtype=np.float64)
        return float((np.log(sums) - nearest / temperature).mean()) - volume.log(temperature)

    coldest, hottest = math.log(float(positive.min()) / COLD), math.log(HOT * float(positive.max()))
    low = _where(lambda x: volume.mean_distance(math.exp(x)), float(nearest.mean()), coldest, hottest)
    high = _where(lambda x: volume.mean_distance(math.exp(x)), float(apart.mean()), coldest, hottest)
    grid = np.linspace(low, high, 2 + int((high - low) / math.log(COARSE)))
    best = int(np.argmax([likelihood(point) for point in grid]))
    return math.exp(_golden(likelihood, float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])))


def _where(function: Callable[[float], float], value: float, low: float, high: float) -> float:
    """Return where a growing function has a value, between two points, by bisection."""
    while high - low > math.log(FINE):
        middle = (low + high) / 2.0
        low, high = (middle, high) if function(middle) < value else (low, middle)
    return low if function(low) < value else high


def _golden(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one peak between two points has it, by golden sections."""
    share = (math.sqrt(5.0) - 1.0) / 2.0
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > math.log(FINE):
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = function(right)
    return (low + high) / 2.0
