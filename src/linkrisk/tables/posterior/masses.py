"""The weight of each count of a block, added up over everything inside it, in two forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy.special import gammaln

from linkrisk.tables.evidence.domain import IntArray
from linkrisk.tables.evidence.mechanisms import FloatArray
from linkrisk.tables.posterior.atoms import Statement, log_ways

COUNTS_AT_ONCE = 256
"""Counts that are worked out together: they share the terms that matter."""

LEFT_OUT = 50.0
"""Terms of a sum less than exp of this below another are left out: together they are beyond the last digit."""


@dataclass(frozen=True, eq=False)
class Mass:
    """G(F): the weight of all ways in which F people can be in a block, as logarithms.

    Two forms. By *counts*: ``weights`` of F from ``low`` on. By people *drawn*, where only samples tell something
    inside: G(F) = C(F + K - 1, F) * sum over n of exp(weights[n]) C(F, n), with K base cells (``size``) and n different
    people in some sample. It does not grow with the population, and nothing but sums of positive numbers is needed:

    * C(F, a) C(F, b) = sum over n of n! / ((n - a)! (n - b)! (a + b - n)!) C(F, n): two sets of a and b people are n
      different ones;
    * C(F + K - 1, F) C(F, n) = C(K + n - 1, n) C(F + K - 1, K + n - 1), and the latter, for two blocks, convolve to
      the one of K + K' and n + n'.
    """

    low: int
    weights: FloatArray
    size: float | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether it is given by people drawn."""
        return self.size is not None

    @property
    def high(self) -> int:
        """The largest count, in the form by counts."""
        return self.low + len(self.weights) - 1

    def at(self, counts: IntArray) -> FloatArray:
        """Return the logarithm of the weight of each count."""
        if self.size is None:
            is_inside = (counts >= self.low) & (counts <= self.high)
            return np.where(is_inside, self.weights[np.where(is_inside, counts - self.low, 0)], -np.inf)
        sums = np.empty(len(counts))
        for start in range(0, len(counts), COUNTS_AT_ONCE):
            part = counts[start : start + COUNTS_AT_ONCE]
            sums[start : start + COUNTS_AT_ONCE] = self._drawn_sums(part)
        return np.asarray(log_ways(self.size, counts) + sums)

    def _drawn_sums(self, counts: IntArray) -> FloatArray:
        """Return the logarithm of the sum of w[n] C(F, n) over all n that matter for any of these F.

        *Guarantee*: every term left out is less than exp(-50) of one that is not. Let n be below all that matter for
        the least F, and p the largest term there: C(F, p) / C(F, n) grows with F. Likewise above, for the largest F.
        """
        n = np.arange(len(self.weights))
        ends = np.array([[counts.min()], [counts.max()]])
        terms = self.weights[None, :] + log_choose(ends, n[None, :])
        peaks = terms.max(axis=1, keepdims=True)
        matter = np.flatnonzero((terms > np.where(np.isfinite(peaks), peaks - LEFT_OUT, -np.inf)).any(axis=0))
        if not len(matter):
            return np.full(len(counts), -np.inf)
        n = n[matter[0] if np.isfinite(peaks[0, 0]) else 0 : matter[-1] + 1]
        terms = self.weights[None, n] + log_choose(counts[:, None], n[None, :])
        return log_sum(terms, 1)

    def by_counts(self, least: int, most: int) -> Mass:
        """Return it by counts, those of no weight at either end left out."""
        low = least if self.is_drawn else max(least, self.low)
        high = most if self.is_drawn else min(most, self.high)
        weights = self.at(np.arange(low, high + 1))
        possible = np.flatnonzero(np.isfinite(weights))
        if not len(possible):
            return Mass(low, np.zeros(0))
        return Mass(low + int(possible[0]), weights[possible[0] : possible[-1] + 1])

    def told(self, statement: Statement, most: int) -> Mass:
        """Return it times the likelihood of a statement about the count."""
        if self.is_drawn and statement.is_drawn:
            return Mass(0, times_drawn(self.weights, statement.drawn), self.size)
        mass = self.by_counts(statement.low, min(statement.high, most))
        counts = np.arange(mass.low, mass.high + 1)
        return Mass(mass.low, mass.weights + statement.log_likelihood(counts))


def log_choose(n: IntArray, k: IntArray) -> FloatArray:
    """Return the logarithms of n over k, -inf where k is more than n."""
    is_possible = k <= n
    inside = np.where(is_possible, n, k)
    return np.where(is_possible, gammaln(inside + 1.0) - gammaln(k + 1.0) - gammaln(inside - k + 1.0), -np.inf)


def log_sum(terms: FloatArray, axis: int) -> FloatArray:
    """Return the logarithms of sums along an axis; scipy's takes far longer for the many small ones here."""
    peak = terms.max(axis=axis, keepdims=True)
    base = np.where(np.isfinite(peak), peak, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(terms - base).sum(axis=axis)) + base.squeeze(axis))


@lru_cache(maxsize=4096)
def _sets_of_people(taken: tuple[int, ...]) -> FloatArray:
    """Return the weights of n different people for sets of so many people each, one a sample."""
    weights = np.zeros(1)
    for number in taken:
        weights = times_drawn(weights, number)
    return weights


def times_drawn(weights: FloatArray, drawn: int) -> FloatArray:
    """Return sum over n of w[n] C(F, n), times C(F, drawn), again as such a sum.

    >>> np.exp(times_drawn(np.array([-np.inf, 0.0]), 1)).round(6).tolist()  # F * F = C(F, 1) + 2 C(F, 2)
    [0.0, 1.0, 2.0]
    """
    old = np.arange(len(weights))[:, None]
    new = np.arange(len(weights) + drawn)[None, :]
    is_possible = (new >= old) & (new >= drawn) & (new <= old + drawn)
    a, b, both = (np.where(is_possible, part, 0) for part in (new - old, new - drawn, old + drawn - new))
    total = np.where(is_possible, new, 0)
    ways = gammaln(total + 1.0) - gammaln(a + 1.0) - gammaln(b + 1.0) - gammaln(both + 1.0)
    return log_sum(np.where(is_possible, ways + weights[:, None], -np.inf), 0)


@dataclass(frozen=True, eq=False)
class Options:
    """What a child can add: its count (or people drawn), then a number for each statement it is part of; weights."""

    added: IntArray
    weights: FloatArray


def counted_options(mass: Mass, drawn: list[int], n_sums: int) -> Options:
    """Return the options of a child by counts: people drawn for each of its samples' statements, sums for others."""
    counts = np.arange(mass.low, mass.high + 1)
    columns: list[list[int]] = []
    parts: list[FloatArray] = []
    for taken in product(*(range(f + 1) for f in drawn)):
        weights = mass.weights.copy()
        for number in taken:
            weights += log_choose(counts, np.full(len(counts), number))
        columns += [[count, *taken, *([count] * n_sums)] for count in counts.tolist()]
        parts.append(weights)
    return _possible(columns, parts, 1 + len(drawn) + n_sums)


def drawn_options(mass: Mass, drawn: list[int]) -> Options:
    """Return the options of a child by people drawn, in the weights that add up when blocks are joined."""
    columns: list[list[int]] = []
    parts: list[FloatArray] = []
    for taken in product(*(range(f + 1) for f in drawn)):
        weights = _sets_of_people(taken)
        if len(mass.weights) > 1:
            weights = mass.weights
            for number in taken:
                weights = times_drawn(weights, number)
        columns += [[n, *taken] for n in range(len(weights))]
        parts.append(joined(weights, mass.size or 0.0))
    return _possible(columns, parts, 1 + len(drawn))


def _possible(columns: list[list[int]], parts: list[FloatArray], n_columns: int) -> Options:
    added = np.array(columns, dtype=np.int64).reshape(-1, n_columns)
    weights = np.concatenate(parts) if parts else np.zeros(0)
    is_possible = np.isfinite(weights)
    return Options(added[is_possible], weights[is_possible])


def joined(weights: FloatArray, size: float) -> FloatArray:
    """Return weights for C(F + K - 1, K + n - 1) from those for C(F + K - 1, F) C(F, n)."""
    return np.asarray(weights + log_ways(size, np.arange(len(weights))))


def parted(weights: FloatArray, size: float) -> FloatArray:
    """Return weights for C(F + K - 1, F) C(F, n) from those for C(F + K - 1, K + n - 1)."""
    return np.asarray(weights - log_ways(size, np.arange(len(weights))))
