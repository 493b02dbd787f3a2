"""Risk against loss: the papers' tables beside ours.

python -m benchmarks scores        AvRL, PIL and Score of six files, over ten samples: abril-bilinear.txt, Table 5
python -m benchmarks keys          weights and single attributes, a p for each: abril2012-weights.txt, Tables 5 and 6
python -m benchmarks swaps         rank swapping and noise, plain and learned: abril2012-weights.txt, Tables 2 and 4

Census is looked for as in the tests.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.solvers import CENSUS, FAMILIES
from benchmarks.table import Row
from linkrisk.advice.average import average_linkage
from linkrisk.attackers import Mean
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.learning.learn import learn
from linkrisk.linkage import Ties
from linkrisk.linkage.search import nearest
from linkrisk.losses.pil import probabilistic_loss
from linkrisk.protection import add_noise, microaggregate, paper_groups, rank_swap

PAPER_SCORES = {
    "M4-33": (42.127, 23.85, 32.99),
    "M4-28": (33.47, 28.40, 30.94),
    "M4-82": (32.37, 31.80, 32.09),
    "M5-38": (26.01, 31.92, 28.96),
    "M6-385": (35.42, 36.91, 36.16),
    "M6-853": (30.65, 37.76, 34.21),
}
"""AvRL, PIL and Score in percent: abril-bilinear.txt, Table 5."""

PAPER_SWAPS = {1: (99.65, 100.0), 2: (98.525, 99.725), 3: (96.975, 98.85), 4: (94.65, 97.15), 6: (88.0, 90.825)}
"""DBRL and weighted mean in percent, by p: abril2012-weights.txt, Table 2."""

PAPER_NOISE = {8: 99.5, 10: 98.1, 12: 95.6, 16: 90.0}
"""DBRL in percent, by p: abril2012-weights.txt, Table 4 (as READING.md has it)."""

PAPER_KEYS = ((0.97970, 29.5), (0.01484, 14.75), (0.005, 10.5), (0.0, 6.75), (0.0, 7.0), (0.00046, 4.25), (0.0, 4.0))
"""Weight, and links by the attribute alone in percent, of V1 to V7: abril2012-weights.txt, Tables 5 and 6."""

SAMPLES = 10
SAMPLE_SIZE = 400


def score_rows() -> list[Row]:
    """AvRL, PIL and Score on samples of 400 records, mean and spread, the paper's figure as the goal.

    Microaggregation keeps means, which brings PIL down by a fifth; the mean of the other four kinds of statistics is
    within the spread of the paper's figure on all files but M5-38.
    """
    rows = []
    for name, paper in PAPER_SCORES.items():
        figures = np.array([_scores(name, seed) for seed in range(SAMPLES)])
        published_by_label = dict(zip(("AvRL", "PIL", "Score"), paper, strict=True))
        published_by_label["PIL without means"] = paper[1]
        for column, (label, published) in zip(figures.T, published_by_label.items(), strict=True):
            spread = f"spread {column.std(ddof=1):.2f}, {column.min():.1f} to {column.max():.1f}"
            rows.append(Row(f"{name} {label}, {spread}", float(column.mean()), "%", goal=f"paper {published:.2f}"))
    return rows


def _scores(name: str, seed: int) -> tuple[float, float, float, float]:
    census = _census(seed)
    groups = paper_groups(name, list(census.columns))
    original = census[[attribute for group in groups.names for attribute in group]]
    files = pair_files(original, microaggregate(original, groups.names, groups.k or (), raw=True, continuous=True).data)
    risk = 100.0 * average_linkage(make_comparison(files), ties=Ties.UNIQUE, most_subsets=100).rate
    loss = probabilistic_loss(files)
    others = (loss.variances + loss.covariances + loss.correlations + loss.quantiles) / 4.0
    return risk, loss.pil, (risk + loss.pil) / 2.0, others


def key_rows() -> list[Row]:
    """Show who carries the risk under noise of p = 1 for the first attribute, 2 for the second, and so on."""
    names = list(pd.read_csv(CENSUS, nrows=1).columns[:7])
    alone, weights = [], []
    for seed in range(SAMPLES):
        original = _census(seed)[names]
        sizes = {name: float(place) for place, name in enumerate(names, start=1)}
        comparison = make_comparison(
            pair_files(original, add_noise(original, sizes, continuous=True, secret_seed=seed).data)
        )
        weights.append(learn(FAMILIES["weighted_mean"], comparison, ties="unique").theta)
        alone.append(
            [nearest(Mean().distance(comparison.select([name]))).links("unique") / SAMPLE_SIZE for name in names]
        )
    rows = []
    for place, name in enumerate(names):
        weight, share = PAPER_KEYS[place]
        theta = np.array(weights)[:, place] / np.array(weights).sum(axis=1)
        rows.append(
            Row(f"{name}, p = {place + 1}: weight, mean of {SAMPLES}", float(theta.mean()), "", goal=f"{weight}")
        )
        single = 100.0 * np.array(alone)[:, place]
        rows.append(
            Row(f"{name} alone, spread {single.std(ddof=1):.2f}", float(single.mean()), "%", goal=f"paper {share}")
        )
    return rows


def swap_rows() -> list[Row]:
    """Protect the whole file, draw 400 records, keep seven attributes; plain mean and learned weights."""
    whole = pd.read_csv(CENSUS).astype(float)
    rows = []
    for p, (plain, learned) in PAPER_SWAPS.items():
        files = [rank_swap(whole, p, variant="pairs", secret_seed=seed).data for seed in range(SAMPLES)]
        rates = np.array([_swapped(whole, file, seed) for seed, file in enumerate(files)])
        for label, column, published in zip(("mean", "weighted mean"), rates.T, (plain, learned), strict=True):
            spread = f"spread {column.std(ddof=1):.2f}"
            rows.append(
                Row(f"rank swap p = {p}, {label}, {spread}", float(column.mean()), "%", goal=f"paper {published}")
            )
    for p, published in PAPER_NOISE.items():
        rates = np.array(
            [
                _swapped(whole, add_noise(whole, p, continuous=True, secret_seed=seed).data, seed)[0]
                for seed in range(SAMPLES)
            ]
        )
        what = f"noise p = {p}, mean, spread {rates.std(ddof=1):.2f}"
        rows.append(Row(what, float(rates.mean()), "%", goal=f"paper {published}"))
    return rows


def _swapped(original: pd.DataFrame, protected: pd.DataFrame, seed: int) -> tuple[float, float]:
    chosen = np.random.default_rng(seed).choice(len(original), SAMPLE_SIZE, replace=False)
    comparison = make_comparison(pair_files(original.iloc[chosen, :7], protected.iloc[chosen, :7]))
    plain = nearest(Mean().distance(comparison)).links("unique")
    learned = learn(FAMILIES["weighted_mean"], comparison, ties="unique", time_limit=20.0).links
    return 100.0 * plain / SAMPLE_SIZE, 100.0 * learned / SAMPLE_SIZE


def _census(seed: int) -> pd.DataFrame:
    chosen = np.random.default_rng(seed).choice(1080, SAMPLE_SIZE, replace=False)
    return pd.read_csv(CENSUS).astype(float).iloc[chosen].reset_index(drop=True)
