"""Attackers with parameters drawn by hypothesis or at random, for any attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from linkrisk.attackers import (
    OWA,
    Attacker,
    BilinearFree,
    BilinearHigham,
    BilinearPSD,
    Choquet,
    ChoquetMetric,
    Kernel,
    Mean,
    Median,
    WeightedMean,
    WeightedMeanMetric,
)
from tests.oracle.measures import mobius, subsets, zeta

MONOTONE = (
    "mean",
    "median",
    "weighted_mean",
    "weighted_mean_metric",
    "owa",
    "choquet",
    "choquet by Möbius",
    "choquet_metric",
)
VECTOR = ("kernel", "bilinear_free", "bilinear_psd", "bilinear_higham")
SINGLY = ("distance_standardised", "mahalanobis", "mahalanobis0", "bilinear", "probabilistic", "informed")
"""Attackers that fit, or need fitting, to the files: laws are tested for them one by one."""


def random_weights(rng: np.random.Generator, n: int) -> list[float]:
    """Weights in steps of 1/64 that sum to 1 exactly; some are 0."""
    cuts = np.sort(rng.integers(0, 65, n - 1))
    return [float(x) for x in np.diff([0, *cuts, 64]) / 64]


def random_measure(rng: np.random.Generator, names: Sequence[str]) -> dict[frozenset[str], float]:
    """Draw a monotone measure in steps of 1/64: each set weighs at least as much as its subsets."""
    measure: dict[frozenset[str], float] = {frozenset(): 0.0}
    for subset in subsets(names):
        if subset:
            least = max(measure[subset - {name}] for name in subset)
            measure[subset] = least + float(rng.integers(0, round(64 * (1 - least)) + 1)) / 64
    measure[frozenset(names)] = 1.0
    return measure


def random_submodular_measure(rng: np.random.Generator, names: Sequence[str]) -> dict[frozenset[str], float]:
    """Mix measures that are 1 on every set that meets a given one: submodular, singletons positive."""
    targets = [frozenset([name]) for name in names]
    targets += [subset for subset in subsets(names) if subset and rng.random() < 0.5]
    parts: list[int] = rng.integers(1, 9, len(targets)).tolist()
    return {
        subset: sum(part for part, target in zip(parts, targets, strict=True) if subset & target) / sum(parts)
        for subset in subsets(names)
    }


def random_symmetric(rng: np.random.Generator, n: int) -> list[list[float]]:
    """Draw a symmetric matrix in steps of 1/8."""
    matrix = rng.integers(-8, 9, (n, n)) / 8
    return [[float(x) for x in row] for row in (matrix + matrix.T) / 2]


def random_semidefinite(rng: np.random.Generator, n: int) -> list[list[float]]:
    """Draw a positive semidefinite matrix of any rank from 1 to n."""
    root = rng.integers(-3, 4, (n, int(rng.integers(1, n + 1))))
    root[0, 0] += 4
    return [[float(x) for x in row] for row in root @ root.T]


def named(measure: dict[frozenset[str], float]) -> dict[str | tuple[str, ...] | frozenset[str], float]:
    """Write a measure as users give it, without the empty set."""
    return {subset: value for subset, value in measure.items() if subset}


def random_attacker(kind: str, rng: np.random.Generator, names: Sequence[str]) -> Attacker:
    """Make an attacker of a kind with random parameters."""
    n = len(names)
    if kind.startswith("choquet"):
        return random_choquet(kind, rng, names)
    makers: dict[str, Any] = {
        "mean": Mean,
        "median": Median,
        "weighted_mean": lambda: WeightedMean(random_weights(rng, n)),
        "weighted_mean_metric": lambda: WeightedMeanMetric([(64 * w + 1) / (64 + n) for w in random_weights(rng, n)]),
        "owa": lambda: OWA(random_weights(rng, n)),
        "kernel": lambda: Kernel(int(rng.integers(1, 6))),
        "bilinear_free": lambda: BilinearFree(random_symmetric(rng, n)),
        "bilinear_psd": lambda: BilinearPSD(random_semidefinite(rng, n)),
        "bilinear_higham": lambda: BilinearHigham(random_symmetric(rng, n)),
    }
    attacker: Attacker = makers[kind]()
    return attacker


def random_choquet(kind: str, rng: np.random.Generator, names: Sequence[str]) -> Attacker:
    """Make a Choquet integral, its measure given in one way or the other."""
    if kind == "choquet_metric":
        return ChoquetMetric(measure=named(random_submodular_measure(rng, names)))
    measure = random_measure(rng, names)
    if kind == "choquet":
        return Choquet(measure=named(measure))
    transform = mobius(measure, names)
    assert zeta(transform, names) == measure  # steps of 1/64: exact in floats
    return Choquet(mobius=named(transform))


def attackers(kinds: Sequence[str]) -> st.SearchStrategy[tuple[str, int]]:
    """Draw a kind and a seed for its parameters."""
    return st.tuples(st.sampled_from(kinds), st.integers(0, 2**32 - 1))
