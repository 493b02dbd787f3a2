"""Releases by every method: the best distance, the best weights, who knows the method, and the ceiling of any."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import linkrisk
from benchmarks.table import Row
from benchmarks.transparency.columns import mean_rows, mean_text, show_line
from benchmarks.transparency.release import (
    Release,
    assigned_links,
    best_of,
    informed_attack,
    nearest_links,
    read_census,
)
from linkrisk import Assessment
from linkrisk.tables import categorical_population

UNFITTED = ("mean", "median", "mahalanobis0", "kernel", "probabilistic")
"""Attackers who measure a distance and use no true pair."""

CATEGORIES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 8, "g": 10, "h": 12}
"""Eight nominal attributes."""

RANDOM = ("rank_swap", "noise", "correlated_noise", "pram")
"""Methods that draw."""

SECONDS = 4.0
"""For learning weights on one scale."""

SAMPLE_SIZE = 400
"""Records of M5-38, as in the papers."""


@dataclass(frozen=True)
class Setting:
    """A release: how it is made from a secret seed, and the share of the people who are known."""

    name: str
    make: Callable[[int], Release]
    share: float = 1.0
    has_weights: bool = True

    def release(self, seed: int) -> Release:
        """Return the release of a seed."""
        made = self.make(seed)
        return made if self.share == 1.0 else made.known_in_part(self.share, seed)


COLUMNS = (
    "unfitted nearest",
    "unfitted one to one",
    "weighted mean",
    "informed nearest",
    "informed one to one",
    "certain",
    "bayes from below",
    "bayes from above",
    "bayes error",
)


def release_rows(seeds: int = 3) -> list[Row]:
    """Make every release with several secret seeds and attack it; print mean and range as they come."""
    show_line("links of N people", COLUMNS)
    rows = []
    for setting in make_settings():
        columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
        for seed in range(1, seeds + 1):
            release = setting.release(seed)
            attackers = [*UNFITTED, "informed", *(["weighted_mean"] if setting.has_weights else [])]
            figures = _figures(release.assessed(attackers, time_limit=SECONDS))
            for name in COLUMNS:
                columns[name].append(figures[name])
        name = f"{setting.name}, N = {len(release.original):,}"
        show_line(name, [mean_text(values) for values in columns.values()])
        rows += mean_rows(name, columns)
    return rows


def _figures(result: Assessment) -> dict[str, float]:
    """Return the columns of one release."""
    unfitted = [attack for attack in result.attacks if attack.name in UNFITTED]
    learned = best_of([attack for attack in result.attacks if attack.name == "weighted_mean"])
    informed = informed_attack(result)
    ceiling = informed.ceiling
    return {
        "unfitted nearest": max(map(nearest_links, unfitted)),
        "unfitted one to one": max(map(assigned_links, unfitted)),
        "weighted mean": math.nan if learned is None else nearest_links(learned),
        "informed nearest": nearest_links(informed),
        "informed one to one": assigned_links(informed),
        "certain": float(informed.certain or 0),
        "bayes from below": math.nan if ceiling is None else ceiling.lower,
        "bayes from above": math.nan if ceiling is None else ceiling.links,
        "bayes error": math.nan if ceiling is None else ceiling.error,
    }


def make_settings() -> Iterator[Setting]:
    """List the releases of the table."""
    for p in (20, 30):
        for share, told in ((1.0, "all"), (0.5, "half"), (0.25, "a quarter"), (0.1, "a tenth")):
            make = _census_release("rank_swap", p=p, variant="pairs")
            yield Setting(f"rank swapping in pairs, p = {p}, {told} known", make, share)
    for p in (20, 30):
        make = _census_release("rank_swap", p=p, variant="permutation")
        yield Setting(f"rank swapping, permutation, p = {p}", make)
    yield Setting("noise p = 40, 7 attributes", _census_release("noise", p=40))
    yield Setting("noise p = 40, 13 attributes", _census_release("noise", 13, p=40))
    yield Setting("correlated noise p = 40, 7 attributes", _census_release("correlated_noise", p=40))
    yield Setting("PRAM keep 0.7, 8 nominal attributes", _nominal_release, has_weights=False)
    yield Setting("MDAV M5-38", _sample_release, 1.0)
    yield Setting("MDAV M5-38, half known", _sample_release, 0.5)
    yield Setting("individual ranking k = 10", _census_release("individual_ranking", k=10))
    yield Setting("individual ranking k = 10, half known", _census_release("individual_ranking", k=10), 0.5)
    yield Setting("rounding to half a deviation", _rounded_release)
    yield Setting("rounding to half a deviation, half known", _rounded_release, 0.5)
    yield Setting("random rounding to a deviation", _randomly_rounded_release)


def _census_release(method: str, n_attributes: int = 7, **parameters: Any) -> Callable[[int], Release]:
    def make(seed: int) -> Release:
        people = read_census(n_attributes)
        return _protected(people, seed, method, **parameters)

    return make


def _protected(people: pd.DataFrame, seed: int, method: str, **parameters: Any) -> Release:
    secret = seed if method in RANDOM else None
    return Release.of(people, [linkrisk.protect(people, method, **parameters, secret_seed=secret)], seed)


def _nominal_release(seed: int) -> Release:
    people = categorical_population(5000, CATEGORIES, dependence=0.3, seed=1)
    return _protected(people, seed, "pram", keep=0.7)


def _sample_release(seed: int) -> Release:
    """M5-38 of abril2012-choquet.txt: a sample of 400 records, three attributes with k = 3 and two with k = 8."""
    chosen = np.random.default_rng(seed).choice(len(read_census(5)), SAMPLE_SIZE, replace=False)
    people = read_census(5).iloc[chosen].reset_index(drop=True)
    return _protected(people, seed, "mdav", groups="M5-38", raw=True)


def _rounded_release(seed: int) -> Release:
    people = read_census()
    return _protected(people, seed, "rounding", base=_bases(people, 0.5))


def _randomly_rounded_release(seed: int) -> Release:
    people = read_census()
    done = linkrisk.protect(people, "rounding", base=_bases(people, 1.0), random=True, secret_seed=seed)
    return Release.of(people, [done], seed)


def _bases(people: pd.DataFrame, share: float) -> dict[str, float]:
    """Return a share of each attribute's standard deviation, as a base of one significant digit."""
    return {str(name): float(f"{share * people[name].std():.0e}") for name in people.columns}
