"""How far draws of several Markov chains can be trusted: split R-hat, effective sample size, standard errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray

MOST_R_HAT = 1.01
"""Largest split R-hat of chains that have converged (Vehtari and others, 2021, Rank-normalization, folding, ...)."""

LEAST_EFFECTIVE = 400.0
"""Least effective size of chains that have converged (the same authors: 100 for each of four chains)."""

N_BATCHES = 20
"""Batches of each chain for the standard errors of probabilities."""


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


def split_r_hat(draws: FloatArray) -> float:
    """Return split R-hat of chains (rows): sqrt(((n - 1) / n W + B / n) / W) over the halves of all chains.

    B / n is the variance of the means of the halves, W the mean variance within them. Draws that never change give 1.

    Reference: Gelman and others (2013), Bayesian Data Analysis, third edition, section 11.4.

    >>> split_r_hat(np.array([[0.0, 1.0, 0.0, 1.0], [5.0, 6.0, 5.0, 6.0]])) > 3
    True
    """
    if np.ptp(draws) == 0.0:
        return 1.0
    n = draws.shape[1] // 2
    halves = np.concatenate([draws[:, :n], draws[:, draws.shape[1] - n :]])
    within = float(halves.var(axis=1, ddof=1).mean())
    between = float(halves.mean(axis=1).var(ddof=1))
    return float("inf") if within == 0.0 else float(np.sqrt(((n - 1) / n * within + between) / within))


def effective_size(draws: FloatArray) -> float:
    """Return the effective sample size of chains (rows), from autocorrelations by Geyer's initial monotone sequence.

    Reference: Gelman and others (2013), section 11.5; Geyer (1992), Practical Markov chain Monte Carlo.
    """
    m, n = draws.shape
    if np.ptp(draws) == 0.0:
        return float(m * n)
    within = draws.var(axis=1, ddof=1).mean()
    between = draws.mean(axis=1).var(ddof=1) if m > 1 else 0.0
    total = (n - 1) / n * within + between
    rho = 1.0 - (within - _autocovariances(draws)) / total
    sums, last = 0.0, float("inf")
    for lag in range(0, n - 1, 2):
        pair = float(rho[lag] + rho[lag + 1])
        if pair < 0:
            break
        last = min(last, pair)
        sums += last
    return float(min(m * n / max(2.0 * sums - 1.0, 1e-12), m * n))


def _autocovariances(draws: FloatArray) -> FloatArray:
    """Return the autocovariances at all lags, averaged over chains."""
    n = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * n, axis=1)
    covariances = np.fft.irfft(np.abs(spectrum) ** 2, 2 * n, axis=1)[:, :n]
    result: FloatArray = covariances.mean(axis=0) / (n - 1)
    return result


def probability_errors(draws: IntArray, low: int, n_counts: int) -> FloatArray:
    """Return the Monte Carlo standard error of the share of each count, from the shares in batches of all chains."""
    length = draws.shape[1] // N_BATCHES
    batches = draws[:, : length * N_BATCHES].reshape(-1, length) - low
    shares = np.stack([np.bincount(batch, minlength=n_counts) / length for batch in batches])
    return np.asarray(shares.std(axis=0, ddof=1) / np.sqrt(len(shares)))
