"""Exact bounds of all overlap cells of problems with 10^4 base cells."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.table import Row
from linkrisk.tables.bounds.cells import make_cells
from linkrisk.tables.bounds.exact import exact_bounds
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.simulation import categorical_population, draw_sample, publish_table

N_PEOPLE, N_DRAWN, SECONDS = 20_000, 1_000, 60.0
GOAL = "under 60 s"
PROBLEMS = {
    "two margins of three attributes rounded, one exact": (("abd", None), ("bcd", 3), ("acd", 3)),
    "three margins of three attributes, exact": (("abd", None), ("bcd", None), ("acd", None)),
    "three margins of three attributes, rounded": (("abd", 3), ("bcd", 3), ("acd", 3)),
    "five margins of two attributes": (("ab", None), ("bc", None), ("ac", None), ("cd", None), ("ad", 3)),
}


def bounding_rows() -> list[Row]:
    """Time, programmes and populations for the 1000 overlap cells of each problem, and how much tighter than naive."""
    rows: list[Row] = []
    for what, margins in PROBLEMS.items():
        evidence = _evidence(margins)
        cells = make_cells(evidence)
        assert cells is not None  # noqa: S101  (it has 10^4 cells)
        start = time.perf_counter()
        bounds = exact_bounds(evidence, cells.overlap_keys, seconds=SECONDS)
        seconds = time.perf_counter() - start
        low, high = naive_bounds(evidence, cells.overlap_keys)
        share = float(np.mean(bounds.high - bounds.low)) / float(np.mean(high - low))
        done = f"{bounds.n_linear} LPs, {bounds.n_branched} MILPs, {bounds.n_populations} populations"
        rows.append(Row(f"{what}: {cells.n_cells} cells, {done}", seconds, "s", "naive width", share, GOAL))
        rows.append(Row(f"{what}: cells not exact of {len(low)}", bounds.status.count("outer"), "", goal="0"))
    return rows


def _evidence(margins: tuple[tuple[str, int | None], ...]) -> Evidence:
    people = categorical_population(N_PEOPLE, dict.fromkeys("abcd", 10), seed=1)
    samples = {
        name: draw_sample(people, N_DRAWN, list("abc"), seed=seed).assign(**{name: "own"})
        for seed, name in enumerate(("first", "second"))
    }
    tables = [
        publish_table(people, list(names), "random_rounding" if base else "exact", base=base, seed=seed)
        for seed, (names, base) in enumerate(margins)
    ]
    return make_evidence(samples, tables, population=N_PEOPLE)
