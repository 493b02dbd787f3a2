"""Learning: the papers' seven files with every family, uniform microaggregation, 13 attributes, heavy tails.

python -m benchmarks learning      the seven files
python -m benchmarks uniform       weighted mean and OWA under uniform microaggregation (abril2012-weights.txt)
python -m benchmarks wide          13 attributes (B1 to B3 of torra2010-owa.txt)
python -m benchmarks tails         lognormal attributes over five orders of magnitude, half the records linkable

Compilation is not counted. Census is looked for as in the tests; without it there is nothing to run but `tails`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.solvers import CENSUS, FAMILIES, FILES, make_comparison
from benchmarks.table import Row
from linkrisk.aggregate.bilinear import BilinearFamily, Form
from linkrisk.aggregate.family import Family
from linkrisk.compare import Comparison, compare
from linkrisk.data import pair_files
from linkrisk.learn.learn import Learned, learn
from linkrisk.protect import microaggregate

PSD = BilinearFamily(Form.SEMIDEFINITE)
WEIGHTS = ("weighted_mean", "owa")


def row(what: str, learned: Learned, goal: str) -> Row:
    """One line: instance, links and bound, seconds."""
    gap = learned.bound - learned.links
    outcome = str(learned.status) if gap < 1e-9 else f"{learned.status}, gap {gap:g}"
    return Row(f"{what}: {learned.links:g} links, {outcome}", learned.seconds, "s", goal=goal)


def warm_up(families: list[Family]) -> None:
    """Compile what a benchmark needs."""
    random = np.random.default_rng(0)
    original = random.normal(size=(40, 3))
    comparison = compare(pair_files(original, original + 0.5 * random.normal(size=original.shape)))
    for family in families:
        learn(family, comparison, time_limit=5.0)


def seven_rows() -> list[Row]:
    """Every family on the seven files of abril2012-choquet.txt."""
    families = [*FAMILIES.values(), PSD]
    warm_up(families)
    rows = []
    for family in families:
        for name in FILES:
            limit = 0.5 if family.name in WEIGHTS else 1.0 if family.name.startswith("choquet") else 5.0
            if name == "M5-38":
                limit = {0.5: 0.5, 1.0: 5.0, 5.0: 60.0}[limit]
            if name == "M7-999" and family.name in WEIGHTS:
                limit = 2.0
            learned = learn(family, make_comparison(name), time_limit=120.0)
            rows.append(row(f"{family.name} {name}", learned, f"proven, {limit:g} s"))
    return rows


def census(n_records: int) -> pd.DataFrame:
    """Draw records of Census, or all of them."""
    values = pd.read_csv(CENSUS)
    chosen = np.random.default_rng(0).choice(len(values), n_records, replace=False)
    return values.iloc[np.sort(chosen) if n_records == len(values) else chosen].reset_index(drop=True)


def uniform_comparison(size: int, k: int, n_records: int, *, standardised: bool) -> Comparison:
    """Microaggregate all 13 attributes in groups of ``size``, then keep some records and the first 7 attributes."""
    values = pd.read_csv(CENSUS).astype(float)
    names = list(values.columns)
    groups = [tuple(names[start : start + size]) for start in range(0, len(names), size)]
    protected = microaggregate(values, groups, k, standardise=standardised).data
    rows = np.random.default_rng(0).choice(len(values), n_records, replace=False)
    kept = [frame.iloc[rows, :7].reset_index(drop=True) for frame in (values, protected)]
    return compare(pair_files(*kept))


def uniform_rows() -> list[Row]:
    """Weighted mean and OWA with 7 attributes under uniform microaggregation."""
    warm_up([FAMILIES[name] for name in WEIGHTS])
    rows = []
    for n_records, limit in ((400, 1.0), (1080, 5.0)):
        for standardised in (False, True):
            for size in range(2, 7):
                for k in (3, 5, 10, 20):
                    comparison = uniform_comparison(size, k, n_records, standardised=standardised)
                    for name in WEIGHTS:
                        learned = learn(FAMILIES[name], comparison, time_limit=60.0)
                        values = "standardised" if standardised else "raw"
                        what = f"{name} Mic{size} k={k} {values} {n_records} records"
                        rows.append(row(what, learned, f"proven, {limit:g} s"))
    return rows


def wide_rows() -> list[Row]:
    """13 attributes: B1 to B3 of torra2010-owa.txt."""
    warm_up([FAMILIES[name] for name in WEIGHTS])
    specifications = {"B1": ((3, 3, 3, 3, 1), 4), "B2": ((5, 8), 4), "B3": ((6, 7), 20)}
    rows = []
    for n_records in (100, 400, 1080):
        original = census(n_records).astype(float)
        names = list(original.columns)
        for label, (sizes, k) in specifications.items():
            ends = np.cumsum(sizes)
            groups = [tuple(names[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
            for standardised in (False, True):
                protected = microaggregate(original, groups, k, standardise=standardised).data
                comparison = compare(pair_files(original, protected))
                for name in WEIGHTS:
                    learned = learn(FAMILIES[name], comparison, time_limit=180.0)
                    values = "standardised" if standardised else "raw"
                    rows.append(
                        row(f"{name} {label} {values} {n_records} records", learned, "proven, or gap under 1 %")
                    )
    return rows


def heavy_comparison(n_records: int = 400, n_attributes: int = 5, seed: int = 0) -> Comparison:
    """Lognormal attributes over five orders of magnitude, with noise in proportion: about half are linkable."""
    random = np.random.default_rng(seed)
    original = np.exp(random.normal(0.0, 1.9, (n_records, n_attributes)))
    return compare(pair_files(original, original * np.exp(random.normal(0.0, 0.35, original.shape))), "original")


def tail_rows() -> list[Row]:
    """Heavy tails: weights in seconds, Choquet and psd within 10 minutes or a small gap."""
    families = [*(FAMILIES[name] for name in WEIGHTS), FAMILIES["choquet"], PSD]
    warm_up(families)
    return [
        row(
            f"{family.name} heavy tails",
            learn(family, heavy_comparison(), time_limit=600.0),
            "proven in seconds" if family.name in WEIGHTS else "proven in 600 s, or gap under 8",
        )
        for family in families
    ]
