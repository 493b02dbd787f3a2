"""Matches between samples: naive bounds and posteriors of all of them at a national scale.

python -m benchmarks matches       two samples of 10^5, 6 overlap attributes, ten tables of up to 10^6 cells
"""

from __future__ import annotations

import resource
import time

import pandas as pd

from benchmarks.table import Row
from linkrisk.tables import categorical_population, draw_sample, make_evidence, publish_table
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.publication import TableDescription
from linkrisk.tables.posterior.naive import NaiveVariant, naive_posteriors
from linkrisk.tables.unique_matches import unique_matches

N_PEOPLE = 1_000_000
N_DRAWN = 100_000
OVERLAP = {"age": 10, "trade": 10, "region": 10, "family": 10, "home": 10, "school": 10}


def match_rows() -> list[Row]:
    """Read samples and tables from frames, then bound and judge every unique match."""
    people = categorical_population(N_PEOPLE, {"income": 8, **OVERLAP, "health": 6}, dependence=0.3, seed=1)
    samples = [
        draw_sample(people, N_DRAWN, names, seed=seed)
        for seed, names in enumerate((["income", *OVERLAP], [*OVERLAP, "health"]))
    ]
    tables = _tables(people)
    start = time.perf_counter()
    evidence = make_evidence(samples, tables, population=N_PEOPLE)
    read = time.perf_counter()
    found = unique_matches(evidence)
    low, high = naive_bounds(evidence, found.cells)
    bounded = time.perf_counter()
    rows = [
        Row(f"reading, {sum(len(table.counts) for table in evidence.tables):,} cells", read - start, "s"),
        Row(f"{len(found):,} unique matches, naive bounds", bounded - read, "s", goal="seconds"),
    ]
    for how in NaiveVariant:
        start = time.perf_counter()
        posteriors = naive_posteriors(evidence, found.cells, low, high, how)
        expected = sum(posterior.match_probability() for posterior in posteriors)
        label = f"posteriors ({how}), {expected:,.0f} expected right"
        rows.append(Row(label, time.perf_counter() - start, "s", goal="seconds"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Row("largest memory of all, generating included", peak, "MB", goal="by the cells that occur")]


def _tables(people: pd.DataFrame) -> list[TableDescription]:
    names = list(OVERLAP)
    return [
        publish_table(people, names, "random_rounding", base=3, seed=1),
        publish_table(people, names, "sample", n=50_000, seed=2),
        publish_table(people, [*names[:5], "health"], "rounded", base=5),
        *(publish_table(people, names[k : k + 4], "exact") for k in range(3)),
        *(publish_table(people, names[k : k + 3], "suppressed") for k in range(4)),
    ]
