"""EM for two classes of pairs: the matches expected at each level, and the probabilities they make most likely."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.em_kernels import pool_levels
from linkrisk.distances.probabilistic.expectation import Expectation
from linkrisk.distances.probabilistic.patterns import Patterns
from linkrisk.engine import interrupt

MET = 0.05
"""Two states have met when their m place no more than this share of the matches of an attribute at other levels."""

BORROWED = 30.0
"""Matches that attributes with the same levels lend each other: what is learned of few is steadied by the others."""


@dataclass(frozen=True)
class State:
    """Where EM is: m and u, the share of matches, how often it went through the files, and how well all this fits."""

    m: FloatArray
    u: FloatArray
    share: float
    iterations: int = 0
    log_likelihood: float = -math.inf
    objective: float = -math.inf
    is_settled: bool = False

    def apart(self, other: State) -> float:
        """Largest difference between the two m of an attribute, as the share of matches they place otherwise."""
        return float(0.5 * np.abs(self.m - other.m).sum(axis=1).max())

    def change(self, after: State) -> float:
        """Largest difference between two probabilities, or, relatively, the shares."""
        gaps = max(float(np.abs(after.m - self.m).max()), float(np.abs(after.u - self.u).max()))
        return max(gaps, abs(after.share - self.share) / self.share)


@dataclass(frozen=True)
class Problem:
    """Counted patterns and what does not change while EM runs.

    ``totals[k, l]`` are the pairs at each level, ``prior`` their shares, by which the prior pair of each class is
    spread (0 where a level does not occur or takes no part: it is not ``is_used``). ``n_graded[k]`` levels are in
    order. Attributes of one of the ``families`` have the same levels and borrow from each other; ``borrowed[k, l]`` are
    matches added to those at each level.
    """

    patterns: Patterns
    expectation: Expectation
    totals: FloatArray
    prior: FloatArray
    is_used: BoolArray
    borrowed: FloatArray
    families: tuple[IntArray, ...]
    farness: FloatArray
    n_graded: IntArray
    is_informative: BoolArray
    n_pairs: float
    largest_share: float
    is_monotone: bool
    is_share_known: bool

    @classmethod
    def of(
        cls,
        patterns: Patterns,
        agreement: Agreement,
        largest_share: float,
        *,
        is_monotone: bool = True,
        is_missing_level: bool = False,
        is_share_known: bool = False,
    ) -> Problem:
        """Count the pairs at each level."""
        n_graded = np.array(agreement.n_levels)
        is_used = np.arange(agreement.width) < n_graded[:, None] + 2 * int(is_missing_level)
        expectation = Expectation.of(patterns)
        totals = np.where(is_used, expectation.totals(agreement.width), 0.0)
        prior = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1.0)
        is_informative = (totals > 0.0).sum(axis=1) > 1
        return cls(
            patterns=patterns,
            expectation=expectation,
            totals=totals,
            prior=prior,
            is_used=prior > 0.0,
            borrowed=np.zeros_like(prior),
            families=_families(agreement.alike, is_informative),
            farness=agreement.farness,
            n_graded=n_graded,
            is_informative=is_informative,
            n_pairs=float(expectation.counts.sum()),
            largest_share=largest_share,
            is_monotone=is_monotone,
            is_share_known=is_share_known,
        )

    def borrowing(self, state: State) -> Problem:
        """Return the problem in which attributes with the same levels borrow matches from their mean m in a state."""
        borrowed = np.zeros_like(self.prior)
        for members in self.families:
            common = np.where(self.is_used[members], state.m[members].mean(axis=0), 0.0)
            borrowed[members] = BORROWED * shares(common)
        return replace(self, borrowed=borrowed)

    def on(self, threads: int | None) -> Problem:
        """Return the same problem, worked on by some cores."""
        return replace(self, expectation=self.expectation.on(threads))

    def log_ratio(self, state: State) -> FloatArray:
        """Return log(m / u) of each level, 0 where it says nothing."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(state.m) - np.log(state.u)
        return np.where(self.is_used & self.is_informative[:, None], ratio, 0.0)

    def iterate(self, state: State) -> tuple[State, State]:
        """Go through the files once: return the state with its fit, and the one that EM makes of it.

        That is: the matches expected with these probabilities, and the probabilities most likely with these matches.
        """
        matched, matches, likelihood = self.expectation.expect(self.log_ratio(state), state.share)
        share = self.largest_share if self.is_share_known else min(matches / self.n_pairs, self.largest_share)
        among = np.where(self.is_used, matched, 0.0) + self.prior + self.borrowed
        others = np.where(self.is_used, np.maximum(self.totals - matched, 0.0) + self.prior, 0.0)
        among, others = self.in_order(among, others)
        after = State(shares(among), shares(others), max(share, 1e-300), state.iterations + 1)
        likelihood += float(_sum_of_logarithms(self.totals * self.is_used, state.u))
        return self.rated(replace(state, log_likelihood=likelihood)), after

    def step(self, state: State) -> State:
        """Make one iteration."""
        return self.iterate(state)[1]

    def run(self, state: State, iterations: int) -> State:
        """Make some iterations."""
        for _ in range(iterations):
            interrupt.check()
            state = self.step(state)
        return self.valued(state)

    def valued(self, state: State) -> State:
        """Return the state with its log-likelihood and objective."""
        return self.iterate(state)[0]

    def rated(self, state: State) -> State:
        """Return a state whose log-likelihood is known with its objective in this problem."""
        added = _sum_of_logarithms(self.prior + self.borrowed, state.m) + _sum_of_logarithms(self.prior, state.u)
        return replace(state, objective=state.log_likelihood + float(added))

    def in_order(self, among: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Pool levels whose weights are out of order (`pool_levels`), where weights have to be in order."""
        if self.is_monotone:
            pool_levels(among, others, self.is_used, self.n_graded)
        return among, others

    def agrees_more(self, state: State) -> bool:
        """Whether matches agree more than other pairs, by the mean level over the attributes."""
        is_graded = np.arange(self.prior.shape[1]) < self.n_graded[:, None]
        return bool(np.where(is_graded, (state.u - state.m) * self.farness, 0.0).sum() >= 0.0)


def _families(alike: IntArray, is_informative: BoolArray) -> tuple[IntArray, ...]:
    """Return the attributes that tell something and have the same levels, where there are several."""
    found = (np.flatnonzero((alike == number) & is_informative) for number in np.unique(alike[is_informative]))
    return tuple(members for members in found if len(members) > 1)


def _sum_of_logarithms(counts: FloatArray, probabilities: FloatArray) -> float:
    """Return the sum of count . log(probability) over what is counted."""
    is_counted = counts > 0.0
    return float((counts[is_counted] * np.log(probabilities[is_counted])).sum())


def shares(values: FloatArray) -> FloatArray:
    """Divide each row by its sum; a row without values stays 0."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), math.ulp(0.0)))
