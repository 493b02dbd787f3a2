"""Learning: the papers' seven files with every family, uniform microaggregation, 13 attributes, heavy tails.

python -m benchmarks learning      the seven files
python -m benchmarks uniform       weighted mean and OWA under uniform microaggregation (abril2012-weights.txt)
python -m benchmarks wide          13 attributes (B1 to B3 of torra2010-owa.txt)
python -m benchmarks tails         lognormal attributes over five orders of magnitude, half the records linkable
python -m benchmarks holdout       worst case and held-out rates beside Tables 7 and 9 of abril2012-weights.txt

Compilation is not counted. Census is looked for as in the tests; without it there is nothing to run but `tails`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.solvers import CENSUS, FAMILIES, FILES, papers_comparison
from benchmarks.table import Row
from linkrisk.arrays import IntArray
from linkrisk.attackers import Attacker, Mean, WeightedMean
from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.family import Family
from linkrisk.learning.compiling import compile_learning
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.linkage.search import nearest
from linkrisk.protection import microaggregate

PSD = BilinearFamily(Form.SEMIDEFINITE)
WEIGHTS = ("weighted_mean", "owa")

LIMITS = {
    "weighted_mean": {"": 0.5, "M7-999": 2.0},
    "owa": {"": 0.5, "M7-999": 2.0},
    "choquet": {"": 1.0, "M5-38": 5.0},
    "bilinear": {"": 5.0, "M5-38": 60.0},
}
"""Seconds wanted for a kind of attacker on most of the seven files, and on some."""


def row(what: str, learned: Learned, goal: str) -> Row:
    """One line: instance, links and bound, seconds."""
    gap = learned.bound - learned.links
    outcome = str(learned.status) if gap < 1e-9 else f"{learned.status}, gap {gap:g}"
    return Row(f"{what}: {learned.links:g} links, {outcome}", learned.seconds, "s", goal=goal)


def warm_up(families: list[Family]) -> None:
    """Compile what a benchmark needs."""
    for family in families:
        compile_learning(family)


def seven_rows() -> list[Row]:
    """Every family on the seven files of abril2012-choquet.txt."""
    families = [*FAMILIES.values(), PSD]
    warm_up(families)
    rows = []
    for family in families:
        for name in FILES:
            learned = learn(family, papers_comparison(name), ties="unique", time_limit=120.0)
            limits = next(limits for prefix, limits in LIMITS.items() if family.name.startswith(prefix))
            rows.append(row(f"{family.name} {name}", learned, f"proven, {limits.get(name, limits['']):g} s"))
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
    protected = microaggregate(values, groups, k, raw=not standardised, continuous=True).data
    rows = np.random.default_rng(0).choice(len(values), n_records, replace=False)
    kept = [frame.iloc[rows, :7].reset_index(drop=True) for frame in (values, protected)]
    return make_comparison(pair_files(*kept))


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
                        learned = learn(FAMILIES[name], comparison, ties="unique", time_limit=60.0)
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
                protected = microaggregate(original, groups, k, raw=not standardised, continuous=True).data
                comparison = make_comparison(pair_files(original, protected))
                for name in WEIGHTS:
                    learned = learn(FAMILIES[name], comparison, ties="unique", time_limit=180.0)
                    values = "standardised" if standardised else "raw"
                    rows.append(
                        row(f"{name} {label} {values} {n_records} records", learned, "proven, or gap under 1 %")
                    )
    return rows


HOLDOUT = {
    "Mic553-2.8.5": ((5, 5, 3), (2, 8, 5), (42.025, 90.0), (39.38, 86.94)),
    "Mic553-8.2.5": ((5, 5, 3), (8, 2, 5), (25.75, 82.6), (23.66, 78.48)),
    "Mic553-5.3.5": ((5, 5, 3), (5, 3, 5), (30.75, 82.375), (28.84, 77.6)),
    "Mic2236-8.3.10.5": ((2, 2, 3, 6), (8, 3, 10, 5), (82.725, 97.5), (80.82, 96.46)),
}
"""Sizes of groups, k of each, and the rates of plain mean and weighted mean in Tables 7 and 9."""


def holdout_rows() -> list[Row]:
    """Draw 400 records to learn on and 500 others to attack, ten times, as abril2012-weights.txt does."""
    family = FAMILIES["weighted_mean"]
    warm_up([family])
    values = pd.read_csv(CENSUS).astype(float)
    names = list(values.columns)
    rows = []
    for label, (sizes, k, training, testing) in HOLDOUT.items():
        ends = np.cumsum(sizes)
        groups = [tuple(names[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
        protected = microaggregate(values, groups, k, raw=True, continuous=True).data
        draws = [np.random.default_rng(seed).permutation(len(values)) for seed in range(10)]
        learned = [learn(family, _drawn(values, protected, draw[:400]), ties="unique") for draw in draws]
        tests = [_drawn(values, protected, draw[400:900]) for draw in draws]
        figures = {
            f"mean, 400 records (Table 7: {training[0]:g})": _rate(Mean(), [one.problem.comparison for one in learned]),
            f"weighted mean, worst case, 400 records (Table 7: {training[1]:g})": float(
                np.mean([one.links / 400 for one in learned])
            ),
            f"mean, 500 others (Table 9: {testing[0]:g})": _rate(Mean(), tests),
            f"weighted mean, held out, 500 others (Table 9: {testing[1]:g})": float(
                np.mean([_rate(_given(one), [test]) for one, test in zip(learned, tests, strict=True)])
            ),
        }
        n_proven = sum(one.status == "optimal" for one in learned)
        rows += [Row(f"{label} {what}", 100.0 * value, "%") for what, value in figures.items()]
        rows.append(Row(f"{label} learning, {n_proven} of 10 proven", sum(one.seconds for one in learned) / 10, "s"))
    return rows


def _drawn(original: pd.DataFrame, protected: pd.DataFrame, rows: IntArray) -> Comparison:
    """Keep some records and the first 7 attributes."""
    return make_comparison(
        pair_files(*(frame.iloc[rows, :7].reset_index(drop=True) for frame in (original, protected)))
    )


def _given(learned: Learned) -> Attacker:
    """Return the weighted mean with the weights learned."""
    return WeightedMean().with_parameters(learned.theta, learned.problem.names)


def _rate(attacker: Attacker, comparisons: list[Comparison]) -> float:
    """Mean rate of links."""
    linkages = [nearest(attacker.distance(comparison)) for comparison in comparisons]
    return float(np.mean([linkage.links("unique") / len(linkage.own) for linkage in linkages]))


def heavy_comparison(n_records: int = 400, n_attributes: int = 5, seed: int = 0) -> Comparison:
    """Lognormal attributes over five orders of magnitude, with noise in proportion: about half are linkable."""
    random = np.random.default_rng(seed)
    original = np.exp(random.normal(0.0, 1.9, (n_records, n_attributes)))
    return make_comparison(
        pair_files(original, original * np.exp(random.normal(0.0, 0.35, original.shape))), "original"
    )


def tail_rows() -> list[Row]:
    """Heavy tails: weights in seconds, Choquet and psd within 10 minutes or a small gap."""
    families = [*(FAMILIES[name] for name in WEIGHTS), FAMILIES["choquet"], PSD]
    warm_up(families)
    return [
        row(
            f"{family.name} heavy tails",
            learn(family, heavy_comparison(), ties="unique", time_limit=600.0),
            "proven in seconds" if family.name in WEIGHTS else "proven in 600 s, or gap under 8",
        )
        for family in families
    ]
