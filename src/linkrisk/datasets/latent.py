"""The hidden normal scores from which all attributes of a generated person are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.datasets.census_figures import CORRELATIONS, PROBABILITIES, QUANTILES
from linkrisk.errors import ParameterError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Generators = Callable[[str], np.random.Generator]


def check_size_and_seed(n: int, seed: int) -> None:
    """Refuse a size or a seed that is not a whole number of 0 or more."""
    for name, value in (("n", n), ("seed", seed)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
            raise ParameterError(f"{name} must be a whole number, 0 or more")


def make_generators(seed: int) -> Generators:
    """Make a function from a purpose to a random generator of its own.

    What is drawn for one purpose does not move what is drawn for another, so the two generated files can
    share the scores of their people and nothing else.
    """

    def generator(purpose: str) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64([int(seed), *purpose.encode()]))

    return generator


def latent_scores(n: int, generators: Generators) -> dict[str, FloatArray]:
    """Draw correlated standard normal scores, one array for each drawn attribute.

    The mixing is written as sums in a fixed order, and the Cholesky factor is rounded, so that the result
    does not depend on the linear algebra library of the machine.
    """
    size = len(CORRELATIONS)
    correlation = np.eye(size)
    for row, entries in enumerate(CORRELATIONS):
        correlation[row, : row + 1] = entries
        correlation[: row + 1, row] = entries
    factor = np.round(np.linalg.cholesky(correlation), 6)
    independent = generators("scores").standard_normal((size, n))
    scores = {}
    for row, name in enumerate(QUANTILES):
        scores[name] = factor[row, 0] * independent[0]
        for column in range(1, row + 1):
            scores[name] += factor[row, column] * independent[column]
    return scores


def from_quantiles(scores: FloatArray, name: str) -> FloatArray:
    """Turn normal scores into values with the margin of an attribute, by monotone interpolation."""
    return np.interp(scores, [normal_quantile(p) for p in PROBABILITIES], QUANTILES[name])


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile (the same on every machine, as Python computes it itself)."""
    return NormalDist().inv_cdf(probability)


def hang_on(scores: FloatArray, correlation: float, generator: np.random.Generator) -> FloatArray:
    """Draw normal scores that have this correlation with the given ones."""
    return correlation * scores + math.sqrt(1 - correlation**2) * generator.standard_normal(len(scores))


def cut(scores: FloatArray, weights: Mapping[Any, float]) -> NDArray[Any]:
    """Cut normal scores into categories, from low to high, whose shares are as their weights."""
    cumulated = np.cumsum(list(weights.values()))
    steps = [normal_quantile(float(share)) for share in cumulated[:-1] / cumulated[-1]]
    return np.array(list(weights), dtype=object)[np.searchsorted(steps, scores)]
