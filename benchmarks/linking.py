"""Linking: against scipy's cKDTree in the same run, at a million records, and one to one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.table import Row
from linkrisk.aggregate import OWA, Attacker, Choquet, Kernel, Mahalanobis, Mean, WeightedMean
from linkrisk.aggregate.choquet import subset_labels
from linkrisk.compare import Comparison, compare
from linkrisk.data import pair_files
from linkrisk.datasets import census_like
from linkrisk.engine.threads import default_threads
from linkrisk.link.assignment import assign
from linkrisk.link.nearest import nearest
from linkrisk.protect import add_noise

N_ATTRIBUTES = 7
REPEATS = 3


def make_comparison(n_records: int) -> Comparison:
    """Make records of seven attributes and a version with noise of 16 % of the standard deviation."""
    original = census_like(n_records, seed=1).iloc[:, :N_ATTRIBUTES]
    return compare(pair_files(original, add_noise(original, 16.0, seed=2).data))


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
        "choquet": Choquet(measure=measure),
        "kernel, degree 2": Kernel(),
        "mahalanobis": Mahalanobis(),
    }


def best_time(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Least time of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def nearest_rows(n_records: int = 100_000) -> list[Row]:
    """Nearest and second-nearest records with ties, against cKDTree's two nearest without."""
    comparison = make_comparison(n_records)
    attackers = make_attackers(comparison.names)
    theta = attackers["weighted mean"].distance(comparison).theta
    x = comparison.coordinates.original * np.sqrt(theta)
    y = comparison.coordinates.protected * np.sqrt(theta)
    threads = default_threads()
    nearest(Mean().distance(make_comparison(1000)))  # compile
    size = f"{n_records:.0e} x {n_records:.0e} x {N_ATTRIBUTES}"
    one = best_time(lambda: cKDTree(y).query(x, k=1, workers=threads))
    two = best_time(lambda: cKDTree(y).query(x, k=2, workers=threads))
    rows = [
        Row(f"cKDTree, nearest 1, {size}", one, "s"),
        Row(f"cKDTree, nearest 2, {size}", two, "s"),
    ]
    goals = {"weighted mean": "no slower", "owa": "within 5 x", "choquet": "within 15 x"}
    for name, attacker in attackers.items():
        distance = attacker.distance(comparison)
        seconds = best_time(lambda distance=distance: nearest(distance))  # type: ignore[misc]  # a default binds the loop variable
        rows.append(
            Row(
                f"{name}, with ties, {size}",
                seconds,
                "s",
                f"nearest 2, {seconds / one:.2f} x nearest 1",
                seconds / two,
                goals.get(name, ""),
            )
        )
    return rows


MEMORY_SCRIPT = """
import sys, time, tracemalloc
from benchmarks.linking import make_comparison
from linkrisk.aggregate import Mean
from linkrisk.link.nearest import nearest
nearest(Mean().distance(make_comparison(1000)))
distance = Mean().distance(make_comparison(int(sys.argv[1])))
start = time.perf_counter()
linkage = nearest(distance)
seconds = time.perf_counter() - start
tracemalloc.start()
linkage = nearest(distance)
print(seconds, tracemalloc.get_traced_memory()[1] / 1e6, linkage.links())
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


def assignment_rows() -> list[Row]:
    """One-to-one linkage on all distances, and on candidate lists."""
    rows = []
    for n_records in (3_000, 10_000):
        distance = Mean().distance(make_comparison(n_records))
        start = time.perf_counter()
        found = assign(distance)
        seconds = time.perf_counter() - start
        rows.append(Row(f"one to one, {n_records} records, gap {found.gap:.2%}", seconds, "s"))
    return rows
