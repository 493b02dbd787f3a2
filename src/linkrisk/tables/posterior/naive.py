"""The naive posterior of an overlap count: every table as if it were independent of the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import StrEnum

import numpy as np
from scipy.special import logsumexp

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import Sampling
from linkrisk.tables.posterior.factors import Factor
from linkrisk.tables.posterior.posterior import NEGLIGIBLE, Posterior


class NaiveVariant(StrEnum):
    """Which tables enter the naive posterior; all tables enter the bounds.

    ``paper``: the samples, and tables over exactly the overlap attributes (smith-elliot-bayesian.txt, Equation 5).
    ``sums``: all tables that share an attribute with the overlap, by sums and convolutions (the same, "Other tables").
    """

    PAPER = "paper"
    SUMS = "sums"


def used_factors(evidence: Evidence, variant: NaiveVariant) -> list[Factor]:
    """Return the factors of the published tables that enter the posterior."""
    factors = [Factor(table, evidence) for table in evidence.tables]
    if variant is NaiveVariant.PAPER:
        return [factor for factor in factors if factor.is_direct]
    return [factor for factor in factors if factor.shared and factor.is_feasible]


def naive_posteriors(
    evidence: Evidence, cells: IntArray, low: IntArray, high: IntArray, variant: NaiveVariant = NaiveVariant.PAPER
) -> list[Posterior]:
    """Return the posterior of overlap cells in which every sample has one record, over the counts from low to high.

    p(F | R) is proportional to the product of p(f | F) over the samples and tables that enter (Equation 5); before
    anything is known all counts are equally likely. Cells about which all tables say the same share one posterior.
    Cost: for each different combination of bounds and published counts, one step per count within the bounds; counts
    whose probability is 0 in float64 are left out.

    Raises
    ------
    SettingsError
        If no count is possible in some cell, because tables and samples contradict each other.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from linkrisk.tables import make_evidence, naive_bounds
    >>> survey = pd.DataFrame({"sex": ["f", "m"], "job": ["cook", "nurse"]})
    >>> register = pd.DataFrame({"sex": ["f", "m", "m"], "car": ["yes", "no", "no"]})
    >>> samples = {"survey": survey, "register": register}
    >>> evidence, cell = make_evidence(samples, population=10), np.array([0])
    >>> posterior = naive_posteriors(evidence, cell, *naive_bounds(evidence, cell))[0]
    >>> round(posterior.mean, 2), round(posterior.probability(4), 3)
    (4.11, 0.216)
    """
    factors = used_factors(evidence, variant)
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
    while last < high and weights[-1] > weights.max() - NEGLIGIBLE:  # tables favour larger counts than samples do
        last = min(2 * last, high)
        weights = _weights(evidence, factors, own, low, last)
    if high < low or not np.isfinite(weights).any():
        raise SettingsError(
            "no count is possible in a cell with a match, so tables and samples contradict each other; check how they "
            "were made"
        )
    probabilities = np.exp(weights - logsumexp(weights))
    return Posterior(low, probabilities)


def _weights(evidence: Evidence, factors: Sequence[Factor], own: Sequence[Hashable], low: int, last: int) -> FloatArray:
    """Return the logarithms of the weights of the counts from low to last; these rise to one peak and then fall."""
    counts = np.arange(low, last + 1)
    weights = np.zeros(len(counts))
    for sample in evidence.samples:
        weights += Sampling(sample.size, evidence.population).log_likelihood(1, counts)
    for factor, signature in zip(factors, own, strict=True):
        weights += factor.log_weights(signature, counts)
    return weights


def _last_of_weight(evidence: Evidence, low: int, high: int) -> int:
    """Return a count beyond which the weight of the samples alone is negligible.

    The likelihood that a sample of n draws one of F people has its peak near F = N / n; the product over several
    samples falls after the largest of these peaks.
    """
    peak = max(evidence.population // sample.size for sample in evidence.samples)
    start = max(low, peak)
    samples = [Sampling(sample.size, evidence.population) for sample in evidence.samples]
    steps = np.unique(np.minimum(start + np.append(0, 2 ** np.arange(0, 48)), high))
    weights = sum((sample.log_likelihood(1, steps) for sample in samples), np.zeros(len(steps)))
    negligible = np.flatnonzero(weights < weights[0] - NEGLIGIBLE)
    return int(steps[negligible[0]]) if start <= high and len(negligible) else high
