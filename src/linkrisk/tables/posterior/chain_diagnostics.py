"""How far draws of several Markov chains can be trusted: what is demanded of them, standard errors, a forecast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.mixing import effective_size
from linkrisk.engine.progress import Progress, no_progress

MOST_R_HAT = 1.01
"""Largest split R-hat of chains that have converged (Vehtari and others, 2021, Rank-normalization, folding, ...)."""

LEAST_EFFECTIVE = 400.0
"""Least effective size of chains that have converged (the same authors: 100 for each of four chains)."""

GIVE_UP_AT = (0.1, 0.2, 0.4)
"""Shares of the time after which it is asked whether chains can get there."""

FAR_TOO_FEW = 10.0
"""Chains are given up where so many times the effective draws that are to be expected would not be enough."""

N_BATCHES = 20
"""Batches of each chain for the standard errors of probabilities."""


@dataclass(frozen=True)
class ChainSettings:
    """Number of chains, seed, when to stop, and how many effective draws are enough.

    ``must_converge``: draws that are too few are of no use, so it is better to stop as soon as they are foreseen.
    """

    chains: int
    seed: int
    deadline: float
    effective: float = 2.0 * LEAST_EFFECTIVE
    progress: Progress = no_progress
    must_converge: bool = False


@dataclass(frozen=True, eq=False)
class ChainDiagnostics:
    """How far the draws of one overlap count can be trusted.

    Parameters
    ----------
    n_chains, n_draws
        Number of chains, and of draws kept of each.
    r_hat
        Split R-hat of the count: near 1 where both halves of all chains agree.
    effective_size
        Number of independent draws that would be as informative.
    standard_errors
        Monte Carlo standard error of each probability of the posterior.
    match_standard_error
        Monte Carlo standard error of the probability of a match.
    acceptance
        Share of proposals that were accepted.
    feasible
        Share of records in which no sample and no table was violated; the other records are not draws.
    """

    n_chains: int
    n_draws: int
    r_hat: float
    effective_size: float
    standard_errors: FloatArray
    match_standard_error: float
    acceptance: float
    feasible: float

    @property
    def is_converged(self) -> bool:
        """Whether split R-hat and effective size are as good as is usually demanded."""
        return self.r_hat <= MOST_R_HAT and self.effective_size >= LEAST_EFFECTIVE


def probability_errors(draws: IntArray, low: int, n_counts: int) -> FloatArray:
    """Return the Monte Carlo standard error of the share of each count, from the shares in batches of all chains."""
    length = draws.shape[1] // N_BATCHES
    batches = draws[:, : length * N_BATCHES].reshape(-1, length) - low
    shares = np.stack([np.bincount(batch, minlength=n_counts) / length for batch in batches])
    return np.asarray(shares.std(axis=0, ddof=1) / np.sqrt(len(shares)))


def expected_effective(records: IntArray, share_of_time: float) -> float:
    """Return how many effective draws of the worst count are to be expected in all, from those in the time so far.

    ``records`` are those of all chains since they started, ``share_of_time`` is the share of all time that they took.
    The first half of them is thrown away, for chains start far apart; and so will be half of all.
    """
    late = records[:, records.shape[1] // 2 :].astype(np.float64)
    worst = min(effective_size(late[:, :, column]) for column in range(late.shape[2]))
    return worst / share_of_time
