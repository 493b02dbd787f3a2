"""Linking: against scipy's cKDTree in the same run, at a million records, and one to one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.table import Row
from linkrisk.attackers import OWA, Attacker, Choquet, Kernel, Mahalanobis, Mean, WeightedMean
from linkrisk.data import pair_files
from linkrisk.datasets import census_like
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.choquet_integral import subset_labels
from linkrisk.engine.threads import default_threads
from linkrisk.linkage.assignment import assign
from linkrisk.linkage.search import nearest
from linkrisk.protection import add_noise, pram
from linkrisk.tables import categorical_population

N_ATTRIBUTES = 7
REPEATS = 5


def noisy_comparison(n_records: int) -> Comparison:
    """Make records of seven attributes and a version with noise of 16 % of the standard deviation."""
    original = census_like(n_records, seed=1).iloc[:, :N_ATTRIBUTES]
    return make_comparison(pair_files(original, add_noise(original, 16.0, secret_seed=2).data))


def make_attackers(names: tuple[str, ...]) -> dict[str, Attacker]:
    """Attackers with uneven parameters."""
    weights = np.random.default_rng(3).dirichlet(np.ones(len(names)))
    measure: dict[str | tuple[str, ...] | frozenset[str], float] = {
        label: float(sum(weights[k] for k in range(len(names)) if mask >> k & 1) ** 0.7)
        for mask, label in subset_labels(names)
    }
    measure[",".join(names)] = 1.0
    return {
        "weighted mean": WeightedMean(weights.tolist()),
        "owa": OWA(weights.tolist()),
        "owa, falling weights": OWA((np.arange(len(names), 0, -1) / np.arange(len(names) + 1).sum()).tolist()),
        "owa, rising weights": OWA((np.arange(1, len(names) + 1) / np.arange(len(names) + 1).sum()).tolist()),
        "owa, the largest difference": OWA([1.0] + [0.0] * (len(names) - 1)),
        "choquet": Choquet(measure=measure),
        "kernel, degree 2": Kernel(),
        "mahalanobis": Mahalanobis(),
    }


def best_times(works: dict[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, float]:
    """Least time of several rounds; each does every work once, so that all meet the same moods of the machine."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


ONE, TWO = "cKDTree, nearest 1", "cKDTree, nearest 2"
GOALS = {"weighted mean": "no slower", "owa": "within 5 x", "choquet": "within 15 x"}


def nearest_rows(n_records: int = 100_000) -> list[Row]:
    """Nearest and second-nearest records with ties, against cKDTree's nearest without; trees built anew each time."""
    comparison = noisy_comparison(n_records)
    attackers = make_attackers(comparison.names)
    theta = attackers["weighted mean"].distance(comparison).theta
    x = comparison.coordinates.original * np.sqrt(theta)
    y = comparison.coordinates.protected * np.sqrt(theta)
    threads = default_threads()
    nearest(Mean().distance(noisy_comparison(1000)))  # compile
    works: dict[str, Callable[[], object]] = {
        ONE: lambda: cKDTree(y).query(x, k=1, workers=threads),
        TWO: lambda: cKDTree(y).query(x, k=2, workers=threads),
    }
    for name, attacker in attackers.items():
        works[name] = partial(nearest, attacker.distance(comparison))
    best = best_times(works)
    size = f"{n_records:.0e} x {n_records:.0e} x {N_ATTRIBUTES}"
    rows = [Row(f"{name}, {size}", best[name], "s") for name in (ONE, TWO)]
    for name in attackers:
        baseline = f"nearest 1, {best[name] / best[TWO]:.2f} x nearest 2"
        row = Row(f"{name}, with ties, {size}", best[name], "s", baseline, best[name] / best[ONE], GOALS.get(name, ""))
        rows.append(row)
    return rows


MEMORY_SCRIPT = """
import sys, time, tracemalloc
from benchmarks.linking import noisy_comparison
from linkrisk.attackers import Mean
from linkrisk.linkage.search import nearest
nearest(Mean().distance(noisy_comparison(1000)))
distance = Mean().distance(noisy_comparison(int(sys.argv[1])))
start = time.perf_counter()
linkage = nearest(distance)
seconds = time.perf_counter() - start
tracemalloc.start()
linkage = nearest(distance)
print(seconds, tracemalloc.get_traced_memory()[1] / 1e6, linkage.links("unique"))
"""
"""Extra memory is the peak of what numpy allocates during linking, the two files not counted."""


def memory_rows(n_records: int = 1_000_000) -> list[Row]:
    """Time and extra memory of linking a million records to a million, in a process of its own."""
    output = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", MEMORY_SCRIPT, str(n_records)], check=True, capture_output=True, text=True
    ).stdout
    seconds, megabytes, _ = (float(part) for part in output.split())
    size = f"{n_records:.0e} x {n_records:.0e} x {N_ATTRIBUTES}"
    return [
        Row(f"mean, {size}", seconds, "s", goal="completes"),
        Row(f"mean, {size}, extra memory", megabytes, "MB", goal="under 1000 MB"),
    ]


CATEGORIES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 8, "g": 10, "h": 12}


def category_rows(n_records: int = 100_000) -> list[Row]:
    """Eight categories changed by PRAM, linked through the sieve; every pair compared for a fiftieth of the people."""
    people = categorical_population(n_records, CATEGORIES, dependence=0.3, seed=1)
    comparison = make_comparison(pair_files(people, pram(people, keep=0.7, secret_seed=1).data))
    few = Mean().distance(comparison.restrict(np.arange(0, n_records, 50)))
    nearest(few)  # compile
    works: dict[str, Callable[[], object]] = {
        "sieve": partial(nearest, Mean().distance(comparison)),
        "every pair": partial(nearest, few, method="all"),
    }
    best = best_times(works, repeats=2)
    size = f"{n_records:.0e} x {n_records:.0e} x {len(CATEGORIES)} categories"
    before = 50.0 * best["every pair"]
    return [Row(f"mean, {size}", best["sieve"], "s", "every pair", best["sieve"] / before, goal="under 10 s")]


def assignment_rows() -> list[Row]:
    """One-to-one linkage on all distances, and on candidate lists."""
    rows = []
    for n_records in (3_000, 10_000):
        distance = Mean().distance(noisy_comparison(n_records))
        start = time.perf_counter()
        found = assign(distance)
        seconds = time.perf_counter() - start
        rows.append(Row(f"one to one, {n_records} records, gap {found.gap:.2%}", seconds, "s"))
    return rows
