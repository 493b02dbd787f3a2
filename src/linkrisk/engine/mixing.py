"""Whether several Markov chains have mixed: split R-hat and effective sample size."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray


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
