"""The posterior of an overlap count, taking every table as if it were independent of the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import logsumexp

from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.tables.evidence.domain import IntArray
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import FloatArray, Sampling
from linkrisk.tables.posterior.factors import Factor

NEGLIGIBLE = 700.0
"""Counts whose weight is less than exp of this below the largest are left out: they are 0 in float64."""


class How(StrEnum):
    """Which tables enter the posterior itself; all of them enter the bounds.

    ``paper``: the samples, and tables in which the overlap cell is a cell (smith-elliot-bayesian.txt, Equation 5).
    ``sums``: all tables that share an attribute with the overlap, by sums and convolutions ("Other tables").
    """

    PAPER = "paper"
    SUMS = "sums"


@dataclass(frozen=True, eq=False)
class Posterior:
    """Probabilities of the counts of one cell, from ``low`` on."""

    low: int
    probabilities: FloatArray

    @property
    def counts(self) -> IntArray:
        """The counts."""
        return np.arange(self.low, self.low + len(self.probabilities))

    def match_probability(self, n_samples: int = 2) -> float:
        """Return sum of p(c) / c^(m - 1): all matchings of the cell's people in m samples being equally likely."""
        return float(np.sum(self.probabilities / self.counts.astype(np.float64) ** (n_samples - 1)))

    @property
    def mean(self) -> float:
        """The expected count."""
        return float(self.probabilities @ self.counts)

    def probability(self, count: int) -> float:
        """Return the probability of a count."""
        place = count - self.low
        return float(self.probabilities[place]) if 0 <= place < len(self.probabilities) else 0.0


def used_factors(evidence: Evidence, how: How) -> list[Factor]:
    """Return the factors of the released tables that enter the posterior itself."""
    factors = [Factor(table, evidence) for table in evidence.tables]
    if how is How.PAPER:
        return [factor for factor in factors if factor.is_direct]
    return [factor for factor in factors if factor.shared and factor.is_feasible]


def naive_posteriors(
    evidence: Evidence, cells: IntArray, low: IntArray, high: IntArray, how: How = How.PAPER
) -> list[Posterior]:
    """Return the posterior of each overlap cell, with one record of each sample in it, over counts from low to high.

    p(F | R) is proportional to the product of p(f | F) over the samples and tables that count (Equation 5), uniform a
    priori. Cells about which all tables say the same share one posterior. Cost: the counts within the bounds, for each
    different combination of bounds and published counts; counts of no weight in float64 are cut off.

    Raises
    ------
    SettingsError
        If no count is possible in some cell: tables and samples contradict each other.
    """
    factors = used_factors(evidence, how)
    signatures = [factor.signatures(cells) for factor in factors]
    shared: dict[Hashable, Posterior] = {}
    result = []
    for place in range(len(cells)):
        own = tuple(found[place] for found in signatures)
        key = (int(low[place]), int(high[place]), own)
        if key not in shared:
            interrupt.check()
            shared[key] = _posterior(evidence, factors, own, key[0], key[1])
        result.append(shared[key])
    return result


def _posterior(
    evidence: Evidence, factors: Sequence[Factor], own: Sequence[Hashable], low: int, high: int
) -> Posterior:
    low = max(low, 1)
    last = max(low, _last_of_weight(evidence, low, high))
    weights = _weights(evidence, factors, own, low, last)
    while last < high and weights[-1] > weights.max() - NEGLIGIBLE:  # tables pull the count up, against the samples
        last = min(2 * last, high)
        weights = _weights(evidence, factors, own, low, last)
    if high < low or not np.isfinite(weights).any():
        raise SettingsError(
            "no count is possible in a cell with a match: tables and samples contradict each other; check how they "
            "were made"
        )
    probabilities = np.exp(weights - logsumexp(weights))
    return Posterior(low, probabilities)


def _weights(evidence: Evidence, factors: Sequence[Factor], own: Sequence[Hashable], low: int, last: int) -> FloatArray:
    """Return the logarithms of the weights of the counts from low to last; they have one peak."""
    counts = np.arange(low, last + 1)
    weights = np.zeros(len(counts))
    for sample in evidence.samples:
        weights += Sampling(sample.size, evidence.population).log_likelihood(1, counts)
    for factor, signature in zip(factors, own, strict=True):
        weights += factor.log_weights(signature, counts)
    return weights


def _last_of_weight(evidence: Evidence, low: int, high: int) -> int:
    """Return a count beyond which the samples alone leave nothing; weights fall from their peak on.

    The peak of one person drawn of F in a sample of n is near F = N / n; the product of several falls after the last.
    """
    peak = max(evidence.population // sample.size for sample in evidence.samples)
    start = max(low, peak)
    samples = [Sampling(sample.size, evidence.population) for sample in evidence.samples]
    steps = np.unique(np.minimum(start + np.append(0, 2 ** np.arange(0, 48)), high))
    weights = sum((sample.log_likelihood(1, steps) for sample in samples), np.zeros(len(steps)))
    negligible = np.flatnonzero(weights < weights[0] - NEGLIGIBLE)
    return int(steps[negligible[0]]) if start <= high and len(negligible) else high
