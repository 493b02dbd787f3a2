"""Matches of two samples of an Adult-like file, everything included: bounds, posterior, what each table gives away.

python -m benchmarks adult-matches      two samples of 1,500 from 32,561 people, several sets of published tables
"""

from __future__ import annotations

import time

import pandas as pd

import linkrisk
from benchmarks.table import Row
from linkrisk.tables import draw_sample, publish_table

N_DRAWN = 1500
AGES = [0, 25, 35, 45, 55, 65, 200]
FIRST = ["age", "sex", "education", "marital-status", "race", "workclass"]
SECOND = ["sex", "education", "marital-status", "race", "occupation"]
SCHOOL, FAMILY = ["sex", "education", "race"], ["marital-status", "sex", "workclass"]

Tables = list[tuple[list[str], str, int | None]]

DESIGNS: dict[str, tuple[list[str], list[str], Tables]] = {
    "two exact tables": (FIRST, SECOND, [(SCHOOL, "exact", None), (FAMILY, "exact", None)]),
    "two rounded tables": (FIRST, SECOND, [(SCHOOL, "rounded", 5), (FAMILY, "random_rounding", 3)]),
    "three exact tables": (
        FIRST,
        SECOND,
        [(SCHOOL, "exact", None), (FAMILY, "exact", None), (["age", "sex", "race"], "exact", None)],
    ),
    "a ring of tables": (
        FIRST,
        SECOND,
        [
            (["sex", "education"], "exact", None),
            (["education", "marital-status"], "exact", None),
            (["marital-status", "sex"], "exact", None),
        ],
    ),
    "five attributes in common": (
        [*FIRST, "occupation"],
        [*SECOND, "relationship"],
        [(SCHOOL, "exact", None), (FAMILY, "exact", None)],
    ),
    "no table": (FIRST, SECOND, []),
}


def adult_match_rows() -> list[Row]:
    """Match every design; seconds of the clock, and of the processor."""
    people = linkrisk.datasets.adult_like().fillna("none")
    people["age"] = pd.cut(people["age"], AGES).astype(str)
    rows = []
    for name, (first, second, tables) in DESIGNS.items():
        samples = [draw_sample(people, N_DRAWN, names, seed=seed) for seed, names in ((1, first), (2, second))]
        published = [publish_table(people, names, how, base=base, seed=5) for names, how, base in tables]
        clock, processor = time.perf_counter(), time.process_time()
        report = linkrisk.match(samples, published, population=len(people), truth=people)
        spent = time.process_time() - processor
        what = f"{name}: {report.n_matches} matches, posterior {report.posterior}, {spent:.1f} s of the processor"
        rows.append(Row(what, time.perf_counter() - clock, "s", goal="10 s"))
    return rows
