"""Matches and other pairs told apart by their patterns of agreement alone: EM for two classes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.agreement_kernels import add_levels, match_pairs, match_records, spread_matches
from linkrisk.distances.probabilistic.patterns import Patterns
from linkrisk.engine import interrupt

MAX_ITERATIONS = 500

CHANGE = 1e-5
"""EM has converged when nothing changes by more in an iteration: probabilities, and the share of matches relatively."""

TRIAL = 10
"""Iterations of each start, before only the best one is continued."""

SHARPNESS = (0.5, 2.0, 6.0)
"""Starts: how many bits farther apart the ends of an attribute's levels are among matches than among other pairs."""

N_DRAWN = 2
"""Further starts, with a sharpness for each attribute drawn with the seed."""

FIRST_SHARE = 0.9
"""Share of the largest possible number of matches that EM starts from."""

LARGEST_SCORE = 600.0
"""Natural logarithm of a pattern's ratio beyond which it would overflow."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """What EM found.

    ``m[k, l]`` and ``u[k, l]`` are the probabilities of level l of attribute k among matches and among the other pairs
    (columns: the levels, then a value missing on one side, and on both; NaN where a level does not occur or takes no
    part), ``weights`` are log2(m / u), what a level is worth in bits (0 where it says nothing; levels that do not occur
    have the weight of a neighbour), ``share`` is the share of matches among all pairs. ``is_informative[k]`` tells
    whether the pairs differ in their level at all. ``log_likelihood`` is that of the counted pairs (natural logarithm),
    ``objective`` the same with the two prior pairs, ``starts`` the objectives of all starts after their first
    iterations. ``matches[p]`` is the number of matches expected among the pairs of pattern p.
    """

    m: FloatArray
    u: FloatArray
    weights: FloatArray
    share: float
    is_informative: tuple[bool, ...]
    log_likelihood: float
    objective: float
    iterations: int
    is_converged: bool
    starts: tuple[float, ...]
    matches: FloatArray

    def __repr__(self) -> str:
        ended = "converged" if self.is_converged else "not converged"
        return f"<Mixture: share of matches {self.share:.3g}, {ended} after {self.iterations} iterations>"


def fit_mixture(
    patterns: Patterns,
    agreement: Agreement,
    *,
    largest_share: float,
    is_monotone: bool = True,
    is_missing_level: bool = False,
    seed: int = 0,
    max_iterations: int = MAX_ITERATIONS,
) -> Mixture:
    """Fit two classes of pairs to counted patterns; within each class the attributes are independent.

    With r = prod_k m_k(level) / u_k(level) a pair is a match with probability share . r / (share . r + 1 - share): EM
    on the distinct patterns, one pass over them per iteration, however many pairs they stand for. Where it is known who
    has which pattern (``patterns.records``), the pairs of a record are taken together: among M protected records it has
    one match, or, with probability 1 - M . share, none, so pair j is it with probability share . r_j / (1 - M . share +
    share . sum of r). Attributes of unrelated people are not independent (people with equal incomes pay equal taxes).
    Pair by pair, EM takes such similar records for matches; record by record, they compete with the true one.

    Also: a record has one match at most, so the share stays at or below ``largest_share``; with ``is_monotone`` a
    closer level never speaks less for a match (the maximum under that order has a closed form: levels out of order are
    pooled); one prior pair in each class, spread as all pairs are, keeps every probability positive; of several starts
    the one with the largest objective after 10 iterations goes on. Starts whose matches agree less than the other
    pairs are passed over, if any other is left. A missing value says nothing, or, with ``is_missing_level``, is two
    levels of its own; an attribute in which all pairs have the same level says nothing.

    *Guarantee* (docs/mathematics.md#em): the objective never falls from one iteration to the next. EM ends when no
    probability changes by more than 1e-5, or after ``max_iterations``, when it has not converged. Reference:
    torra2010-owa.txt, section 2.
    """
    problem = _Problem.of(patterns, agreement, largest_share, is_monotone, is_missing_level)
    if not problem.is_informative.any():
        return problem.nothing()
    trials = [problem.run(start, TRIAL) for start in problem.starts(seed)]
    right = [state for state in trials if problem.agrees_more(state)] or trials
    best = max(right, key=lambda state: state.objective)
    final = best if best.is_converged else problem.run(best, max(max_iterations - best.iterations, 0))
    return problem.mixture(final, tuple(state.objective for state in trials))


@dataclass(frozen=True)
class _State:
    m: FloatArray
    u: FloatArray
    share: float
    iterations: int = 0
    log_likelihood: float = -math.inf
    objective: float = -math.inf
    is_converged: bool = False


@dataclass(frozen=True)
class _Problem:
    """Counted patterns and what does not change while EM runs.

    ``totals[k, l]`` are the pairs at each level, ``prior`` their shares, by which the prior pair of each class is
    spread (0 where a level does not occur or takes no part). ``n_graded[k]`` levels are in order.
    """

    patterns: Patterns
    counts: FloatArray
    totals: FloatArray
    prior: FloatArray
    n_graded: IntArray
    is_informative: NDArray[np.bool_]
    largest_share: float
    is_monotone: bool

    @classmethod
    def of(
        cls, patterns: Patterns, agreement: Agreement, largest_share: float, is_monotone: bool, is_missing_level: bool
    ) -> _Problem:
        n_graded = np.array(agreement.n_levels)
        is_used = np.arange(agreement.width) < n_graded[:, None] + 2 * int(is_missing_level)
        counts = patterns.counts.astype(np.float64)
        totals = np.array(
            [np.bincount(column, weights=counts, minlength=agreement.width) for column in patterns.levels.T]
        )
        totals = np.where(is_used, totals, 0.0)
        prior = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1.0)
        is_informative = (totals > 0.0).sum(axis=1) > 1
        return cls(patterns, counts, totals, prior, n_graded, is_informative, largest_share, is_monotone)

    def starts(self, seed: int) -> Iterator[_State]:
        """Yield the starts: other pairs are as all pairs are, and matches are more probable at closer levels."""
        random = np.random.default_rng(seed)
        n_attributes, width = self.prior.shape
        farness = np.arange(width) / (self.n_graded[:, None] - 1.0)
        drawn = random.uniform(0.0, max(SHARPNESS), size=(N_DRAWN, n_attributes))
        for sharpness in [*(np.full(n_attributes, s) for s in SHARPNESS), *drawn]:
            m = self.prior * 2.0 ** (-sharpness[:, None] * np.minimum(farness, 1.0))
            yield _State(_shares(m), self.prior, FIRST_SHARE * self.largest_share)

    def run(self, state: _State, iterations: int) -> _State:
        """Iterate until nothing changes any more, at most ``iterations`` times."""
        for _ in range(iterations):
            interrupt.check()
            after = self._step(state)
            if _change(state, after) <= CHANGE:
                return replace(self.valued(after), is_converged=True)
            state = after
        return self.valued(state)

    def _expect(self, state: _State) -> tuple[FloatArray, float]:
        """Return the matches expected of each pattern, and the log-likelihood."""
        scores, matches = np.empty_like(self.counts), np.empty_like(self.counts)
        add_levels(self.patterns.levels, self._log_ratio(state), scores)
        records = self.patterns.records
        if records is None:
            odds = math.log(state.share) - math.log1p(-state.share)
            likelihood = match_pairs(scores, self.counts, odds, matches)
            likelihood += float(self.counts.sum()) * math.log1p(-state.share)
        else:
            ratios = np.exp(np.clip(scores, -LARGEST_SCORE, LARGEST_SCORE))
            none = max(1.0 - state.share * self._n_protected, 0.0)
            likelihood = match_records(
                ratios, records.ends, records.found, records.sizes, records.weights, state.share, none, matches
            )
        with np.errstate(divide="ignore", invalid="ignore"):
            others = np.where(self.prior > 0.0, self.totals * np.log(state.u), 0.0)
        return matches, likelihood + float(others.sum())

    @property
    def _n_protected(self) -> float:
        return float(self.counts.sum()) / self.patterns.n_records

    def _log_ratio(self, state: _State) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(state.m) - np.log(state.u)
        return np.where((self.prior > 0.0) & self.is_informative[:, None], ratio, 0.0)

    def _step(self, state: _State) -> _State:
        matches, _ = self._expect(state)
        matched = np.empty_like(self.totals)
        spread_matches(self.patterns.levels, matches, matched)
        share = min(float(matches.sum()) / float(self.counts.sum()), self.largest_share)
        among = np.where(self.prior > 0.0, matched, 0.0) + self.prior
        others = np.maximum(self.totals - matched, 0.0) + self.prior
        others = np.where(self.prior > 0.0, others, 0.0)
        if self.is_monotone:
            for k, n_levels in enumerate(self.n_graded):
                seen = np.flatnonzero(self.prior[k, :n_levels])
                among[k, seen], others[k, seen] = _in_order(among[k, seen], others[k, seen])
        m, u = (_shares(values) for values in (among, others))
        return _State(m, u, max(share, 1e-300), state.iterations + 1)

    def valued(self, state: _State) -> _State:
        """Return the state with its log-likelihood and objective."""
        _, likelihood = self._expect(state)
        with np.errstate(divide="ignore", invalid="ignore"):
            prior = np.where(self.prior > 0.0, self.prior * (np.log(state.m) + np.log(state.u)), 0.0)
        return replace(state, log_likelihood=likelihood, objective=likelihood + float(prior.sum()))

    def agrees_more(self, state: _State) -> bool:
        """Whether matches agree more than other pairs, by the mean level over the attributes."""
        farness = np.arange(self.prior.shape[1]) / self.n_graded[:, None]
        is_graded = np.arange(self.prior.shape[1]) < self.n_graded[:, None]
        return bool(np.where(is_graded, (state.u - state.m) * farness, 0.0).sum() >= 0.0)

    def mixture(self, state: _State, starts: tuple[float, ...]) -> Mixture:
        """Return what was found; levels that take no part are NaN."""
        m, u = (np.where(self.prior > 0.0, values, np.nan) for values in (state.m, state.u))
        m = np.where(self.is_informative[:, None], m, u)
        return Mixture(
            m=m,
            u=u,
            weights=_filled(np.log2(m / u), self.n_graded),
            share=state.share,
            is_informative=tuple(bool(x) for x in self.is_informative),
            log_likelihood=state.log_likelihood,
            objective=state.objective,
            iterations=state.iterations,
            is_converged=state.is_converged,
            starts=starts,
            matches=self._expect(state)[0],
        )

    def nothing(self) -> Mixture:
        """Return the mixture where no attribute says anything: both classes alike."""
        state = self.valued(_State(self.prior, self.prior, FIRST_SHARE * self.largest_share))
        return self.mixture(replace(state, is_converged=True), ())


def _change(before: _State, after: _State) -> float:
    gaps = max(float(np.abs(after.m - before.m).max()), float(np.abs(after.u - before.u).max()))
    return max(gaps, abs(after.share - before.share) / before.share)


def _shares(values: FloatArray) -> FloatArray:
    """Divide each row by its sum; a row without values stays 0."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), math.ulp(0.0)))


def _in_order(among: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pool neighbouring levels until among / others does not rise from one to the next.

    The most likely two distributions whose ratio is in order: the share of matches at each level by isotonic
    regression, the sum of both classes as it is.

    >>> a, b = _in_order(np.array([1.0, 3.0, 0.5]), np.array([1.0, 1.0, 3.5]))
    >>> a.round(3).tolist(), b.round(3).tolist()
    ([1.333, 2.667, 0.5], [0.667, 1.333, 3.5])
    """
    blocks: list[tuple[float, float, int]] = []
    for a, b in zip(among.tolist(), others.tolist(), strict=True):
        block = (a, a + b, 1)
        while blocks and blocks[-1][0] * block[1] < block[0] * blocks[-1][1]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    both = among + others
    share = np.repeat([a / total for a, total, _ in blocks], [size for _, _, size in blocks])
    return share * both, (1.0 - share) * both


def _filled(weights: FloatArray, n_graded: IntArray) -> FloatArray:
    """Give levels that do not occur the weight of the next farther level that does, or else of the next closer one.

    Levels after the graded ones (missing values) that take no part get 0.

    >>> _filled(np.array([[np.nan, 2.0, np.nan, -1.0, np.nan, np.nan]]), np.array([5])).tolist()
    [[2.0, 2.0, -1.0, -1.0, -1.0, 0.0]]
    """
    result = weights.copy()
    for k, n_levels in enumerate(n_graded):
        seen = np.flatnonzero(~np.isnan(weights[k, :n_levels]))
        if seen.size:
            place = np.minimum(np.searchsorted(seen, np.arange(n_levels)), seen.size - 1)
            result[k, :n_levels] = weights[k, seen[place]]
    return np.nan_to_num(result, nan=0.0)
