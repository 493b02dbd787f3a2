"""Probabilistic linkage: counting patterns of agreement, EM on a million of them, and linking by levels."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.linking import noisy_comparison
from benchmarks.table import Row
from linkrisk.attackers import Mean, Probabilistic
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.distances.probabilistic.agreement import Agreement, make_agreement
from linkrisk.distances.probabilistic.em import Problem
from linkrisk.distances.probabilistic.patterns import Patterns, count_patterns
from linkrisk.distances.probabilistic.starts import make_starts
from linkrisk.linkage.search import nearest

N_PATTERNS = 1_000_000
ITERATIONS = 10


def matching_rows() -> list[Row]:
    """All of it."""
    return [*em_rows(), *count_rows(), *link_rows()]


def em_rows(n_attributes: int = 7, n_levels: int = 14) -> list[Row]:
    """One iteration of EM on a million distinct patterns of seven attributes."""
    rng = np.random.default_rng(1)
    levels = np.unique(rng.integers(0, n_levels, size=(int(1.01 * N_PATTERNS), n_attributes), dtype=np.uint8), axis=0)
    levels = np.ascontiguousarray(levels[:N_PATTERNS])
    patterns = Patterns(levels, rng.integers(1, 100, len(levels)), 1000, 1000)
    names = tuple(f"V{k + 1}" for k in range(n_attributes))
    tolerances = (tuple(float(t) for t in range(n_levels - 1)),) * n_attributes
    agreement = Agreement(names, tolerances, (DifferenceRule.SQUARED,) * n_attributes, (None,) * n_attributes)
    problem = Problem.of(patterns, agreement, 1e-3)
    _, start = next(make_starts(problem, 0))
    problem.run(start, 1)  # compile
    begin = time.perf_counter()
    problem.run(start, ITERATIONS)
    seconds = (time.perf_counter() - begin) / ITERATIONS
    return [Row(f"EM, {len(levels):.0e} distinct patterns, an iteration", seconds, "s", goal="well under 1 s")]


def count_rows(n_records: int = 10_000) -> list[Row]:
    """Count the patterns of all pairs, few levels and many."""
    comparison = noisy_comparison(n_records)
    rows = []
    for levels in (0, 4, 8):
        agreement = make_agreement(comparison, levels)
        count_patterns(agreement, comparison.coordinates, max_records=10)  # compile
        begin = time.perf_counter()
        patterns = count_patterns(agreement, comparison.coordinates)
        seconds = time.perf_counter() - begin
        what = f"patterns of {patterns.n_pairs:.0e} pairs, {levels} tolerances: {len(patterns.counts)} distinct"
        rows.append(Row(what, seconds, "s"))
    return rows


def link_rows(n_records: int = 10_000) -> list[Row]:
    """Learn and link; `mean` through the tree beside it."""
    comparison = noisy_comparison(n_records)
    begin = time.perf_counter()
    distance = Probabilistic().distance(comparison)
    learned = time.perf_counter()
    linkage = nearest(distance)
    linked = time.perf_counter()
    mean = nearest(Mean().distance(comparison))
    other = time.perf_counter() - linked
    size = f"{n_records:.0e} x {n_records:.0e} x {comparison.n_attributes}"
    return [
        Row(f"probabilistic, {size}, learning", learned - begin, "s"),
        Row(f"probabilistic, {size}, linking: {linkage.links()} links", linked - learned, "s"),
        Row(f"mean, {size}: {mean.links()} links", other, "s"),
    ]
