"""Masses: the weight of each count of a block, summed over all that can be inside it, in two forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy.special import gammaln

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.tables.posterior.atoms import Statement, log_ways

COUNTS_AT_ONCE = 256
"""Counts that are computed together: they share the terms that matter."""

LEFT_OUT = 50.0
"""A term whose logarithm is further than this below another is left out of a sum: it does not change the last digit."""


@dataclass(frozen=True, eq=False)
class Mass:
    """G(F): the total weight of all ways in which F people can be in a block, as logarithms.

    There are two forms. By *counts*: ``weights`` holds the weights of F = ``low``, ``low`` + 1, and so on. By people
    *drawn*, where only samples say something about the block: G(F) = C(F + K - 1, F) * sum over n of exp(weights[n])
    C(F, n), with K base cells (``size``) and n different people in some sample. This form does not grow with the
    population, and only sums of positive numbers are needed:

    * C(F, a) C(F, b) = sum over n of n! / ((n - a)! (n - b)! (a + b - n)!) C(F, n): two sets of a and of b people have
      n different people together;
    * C(F + K - 1, F) C(F, n) = C(K + n - 1, n) C(F + K - 1, K + n - 1), and the convolution of the last factors of two
      blocks is that of K + K' and n + n'.
    """

    low: int
    weights: FloatArray
    size: float | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether it is in the form by people drawn."""
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

        *Guarantee* (docs/mathematics.md#people-drawn): every term left out is less than exp(-50) times one that is
        kept. Let n be below all that matter for the least F, and p be the place of its largest term: C(F, p) / C(F, n)
        grows with F, so term n matters even less for a larger F. The same holds for n above all that matter for the
        largest F.
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
        """Return the form by counts, without counts of weight 0 at either end."""
        low = least if self.is_drawn else max(least, self.low)
        high = most if self.is_drawn else min(most, self.high)
        weights = self.at(np.arange(low, high + 1))
        possible = np.flatnonzero(np.isfinite(weights))
        if not len(possible):
            return Mass(low, np.zeros(0))
        return Mass(low + int(possible[0]), weights[possible[0] : possible[-1] + 1])

    def times_likelihood(self, statement: Statement, most: int) -> Mass:
        """Return the mass times the likelihood of a statement about the count."""
        if self.is_drawn and statement.is_drawn:
            return Mass(0, times_drawn(self.weights, statement.drawn), self.size)
        mass = self.by_counts(statement.low, min(statement.high, most))
        counts = np.arange(mass.low, mass.high + 1)
        return Mass(mass.low, mass.weights + statement.log_likelihood(counts))


def log_choose(n: IntArray, k: IntArray) -> FloatArray:
    """Return the logarithms of the binomial coefficients C(n, k); -inf where k is larger than n."""
    is_possible = k <= n
    inside = np.where(is_possible, n, k)
    return np.where(is_possible, gammaln(inside + 1.0) - gammaln(k + 1.0) - gammaln(inside - k + 1.0), -np.inf)


def log_sum(terms: FloatArray, axis: int) -> FloatArray:
    """Return the logarithms of sums along an axis; the function of scipy is far slower for the many short sums here."""
    peak = terms.max(axis=axis, keepdims=True)
    base = np.where(np.isfinite(peak), peak, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(terms - base).sum(axis=axis)) + base.squeeze(axis))


@lru_cache(maxsize=4096)
def _sets_of_people(taken: tuple[int, ...]) -> FloatArray:
    """Return the weights of n different people, for sets of so many people, one set per sample."""
    weights = np.zeros(1)
    for number in taken:
        weights = times_drawn(weights, number)
    return weights


def times_drawn(weights: FloatArray, drawn: int) -> FloatArray:
    """Return the weights of C(F, drawn) times the sum of w[n] C(F, n), written as such a sum again.

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
class Additions:
    """What a child can add to a state: its count (or people drawn), a number for each statement it is in, weights."""

    added: IntArray
    weights: FloatArray


def counted_additions(mass: Mass, drawn: list[int], n_sums: int) -> Additions:
    """Return what a child in the form by counts can add: people drawn for statements of samples, sums for others."""
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


def drawn_additions(mass: Mass, drawn: list[int]) -> Additions:
    """Return what a child in the form by people drawn can add, with weights that convolve when blocks are joined."""
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


def _possible(columns: list[list[int]], parts: list[FloatArray], n_columns: int) -> Additions:
    added = np.array(columns, dtype=np.int64).reshape(-1, n_columns)
    weights = np.concatenate(parts) if parts else np.zeros(0)
    is_possible = np.isfinite(weights)
    return Additions(added[is_possible], weights[is_possible])


def joined(weights: FloatArray, size: float) -> FloatArray:
    """Return weights for C(F + K - 1, K + n - 1) from those for C(F + K - 1, F) C(F, n)."""
    return np.asarray(weights + log_ways(size, np.arange(len(weights))))


def parted(weights: FloatArray, size: float) -> FloatArray:
    """Return weights for C(F + K - 1, F) C(F, n) from those for C(F + K - 1, K + n - 1)."""
    return np.asarray(weights - log_ways(size, np.arange(len(weights))))
