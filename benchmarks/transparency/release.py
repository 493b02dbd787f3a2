"""A release as an intruder meets it: rows in another order, and the record of how it was made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import linkrisk
from benchmarks.solvers import CENSUS
from linkrisk import Assessment
from linkrisk.attack.result import AttackResult, CeilingResult
from linkrisk.protection import Protection

N_CENSUS = 1080
THREADS = 2


@dataclass(frozen=True)
class Release:
    """Two files and what is published.

    ``pairs`` are row numbers from 1, of the original and of its protected version; ``schema`` is for both files.
    """

    original: pd.DataFrame
    protected: pd.DataFrame
    pairs: NDArray[np.int64]
    published: tuple[Protection, ...]
    schema: Any = None

    @classmethod
    def of(cls, original: pd.DataFrame, steps: Sequence[Protection], seed: int, schema: Any = None) -> Release:
        """Put what the last step released into an order drawn from a seed."""
        order = np.random.default_rng(seed).permutation(len(original))
        protected = steps[-1].data.iloc[order].reset_index(drop=True)
        pairs = np.column_stack([order + 1, np.arange(1, len(order) + 1)])
        return cls(original.reset_index(drop=True), protected, pairs, tuple(steps), schema)

    def known_in_part(self, share: float, seed: int) -> Release:
        """Return the same for an intruder who knows some of the people only, drawn from a seed."""
        n = len(self.original)
        rows = np.sort(np.random.default_rng(seed).choice(n, round(share * n), replace=False))
        place = np.full(n, -1)
        place[rows] = np.arange(len(rows))
        kept = self.pairs[place[self.pairs[:, 0] - 1] >= 0]
        pairs = np.column_stack([place[kept[:, 0] - 1] + 1, kept[:, 1]])
        return replace(self, original=self.original.iloc[rows].reset_index(drop=True), pairs=pairs)

    def assessed(self, attackers: Sequence[Any], *, is_told: bool = True, **options: Any) -> Assessment:
        """Let attackers attack, one to one besides; those who know the method only if they are told."""
        return linkrisk.assess(
            self.original,
            self.protected,
            pairs=self.pairs,
            schema=self.schema,
            published=list(self.published) if is_told else None,
            attackers=attackers,
            one_to_one=True,
            threads=THREADS,
            **options,
        )


def read_census(n_attributes: int = 7) -> pd.DataFrame:
    """Return the first attributes of Census; where it is not at hand, of a generated file of its size."""
    whole = pd.read_csv(CENSUS) if CENSUS.exists() else linkrisk.datasets.census_like(N_CENSUS, seed=1)
    return whole.iloc[:, :n_attributes].astype(float)


def nearest_links(attack: AttackResult) -> float:
    """Return the expected links of each record's nearest."""
    return attack.links[attack.ties]


def assigned_links(attack: AttackResult) -> float:
    """Return the expected links one to one; NaN where that was not worked out."""
    return math.nan if attack.one_to_one is None else attack.one_to_one.links[attack.ties]


def informed_attack(result: Assessment) -> AttackResult:
    """Return the attack of the intruder who knows the method."""
    return next(attack for attack in result.attacks if attack.name == "informed")


def ceiling_text(ceiling: CeilingResult | None) -> str:
    """Return the ceiling in words: from below, from above, and the Monte Carlo error."""
    if ceiling is None:
        return "not known"
    doubt = "" if ceiling.is_converged else ", not converged"
    return f"{ceiling.lower:.1f} to {ceiling.links:.1f} ± {ceiling.error:.1f}{doubt}"


def best_of(attacks: Sequence[AttackResult]) -> AttackResult | None:
    """Return the attack that finds most, by the better of its two ways."""
    return max(attacks, key=lambda attack: attack.found(), default=None)
