"""EM for two classes of pairs: the expected matches of each pattern, and the probabilities they make most likely."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.agreement_kernels import (
    add_packed,
    match_pairs,
    share_by_pattern,
    spread_packed,
    sum_by_record,
)
from linkrisk.distances.probabilistic.patterns import PatternRecords, Patterns
from linkrisk.distances.probabilistic.values import LevelArray
from linkrisk.engine import interrupt
from linkrisk.engine.threads import for_chunks

CHANGE = 1e-4
"""EM may have settled when nothing changes by more in an iteration: probabilities, and the share relatively."""

REMAINING = 3e-3
"""EM has settled when all changes still to come, as they shrink now, add up to no more than this."""

ROUNDING = 1e-12
"""Change that rounding alone may make, for ever."""

MET = 0.05
"""Two states have met when their m place no more than this share of the matches of an attribute at other levels."""

WINDOW = 4
"""Iterations over which the shrinking of the changes is measured."""

BORROWED = 30.0
"""Matches that attributes with the same levels lend each other: what is learned of few is steadied by the others."""

PIECE, FEW = 1 << 18, 64
"""Patterns, and records, that a core works on at a time; the same on every machine, so that sums are the same."""

LEVELS = 16
"""Levels that half a byte can hold."""

LARGEST_SCORE = 600.0
"""Natural logarithm of a pattern's ratio beyond which it would overflow."""


@dataclass(frozen=True)
class State:
    """Where EM is: m and u, the share of matches, how well they fit, and the state before the last iteration."""

    m: FloatArray
    u: FloatArray
    share: float
    iterations: int = 0
    log_likelihood: float = -math.inf
    objective: float = -math.inf
    is_settled: bool = False
    before: State | None = None

    def apart(self, other: State) -> float:
        """Largest difference between the two m of an attribute, as the share of matches they place otherwise."""
        return float(0.5 * np.abs(self.m - other.m).sum(axis=1).max())


@dataclass(frozen=True)
class Problem:
    """Counted patterns and what does not change while EM runs.

    ``totals[k, l]`` are the pairs at each level, ``prior`` their shares, by which the prior pair of each class is
    spread (0 where a level does not occur or takes no part). ``n_graded[k]`` levels are in order. Attributes of one
    number in ``alike`` have the same levels; ``borrowed[k, l]`` are matches added to those at each level.
    """

    patterns: Patterns
    counts: FloatArray
    totals: FloatArray
    prior: FloatArray
    borrowed: FloatArray
    alike: IntArray
    farness: FloatArray
    n_graded: IntArray
    is_informative: NDArray[np.bool_]
    largest_share: float
    is_monotone: bool
    is_share_known: bool
    packed: LevelArray
    by_pattern: PatternRecords | None
    threads: int | None = 1

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
        counts = patterns.counts.astype(np.float64)
        totals = np.array(
            [np.bincount(column, weights=counts, minlength=agreement.width) for column in patterns.levels.T]
        )
        totals = np.where(is_used, totals, 0.0)
        prior = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1.0)
        is_informative = (totals > 0.0).sum(axis=1) > 1
        return cls(
            patterns=patterns,
            counts=counts,
            totals=totals,
            prior=prior,
            borrowed=np.zeros_like(prior),
            alike=agreement.alike,
            farness=agreement.farness,
            n_graded=n_graded,
            is_informative=is_informative,
            largest_share=largest_share,
            is_monotone=is_monotone,
            is_share_known=is_share_known,
            packed=patterns.packed(),
            by_pattern=None if patterns.records is None else patterns.records.by_pattern(len(counts)),
        )

    def borrowing(self, state: State) -> Problem:
        """Return the problem in which attributes with the same levels borrow matches from their mean m in a state."""
        borrowed = np.zeros_like(self.prior)
        for number in np.unique(self.alike[self.is_informative]):
            members = np.flatnonzero((self.alike == number) & self.is_informative)
            if len(members) > 1:
                common = np.where(self.prior[members] > 0.0, state.m[members].mean(axis=0), 0.0)
                borrowed[members] = BORROWED * shares(common)
        return replace(self, borrowed=borrowed)

    @property
    def n_rivals(self) -> float:
        """Records of the other file that a record is compared with."""
        return float(self.counts.sum()) / self.patterns.n_records

    def run(self, state: State, iterations: int, until: State | None = None) -> State:
        """Iterate until EM has settled, or has come to ``until``, at most ``iterations`` times."""
        changes: deque[float] = deque(maxlen=WINDOW + 1)
        for _ in range(iterations):
            interrupt.check()
            after = self.step(state)
            changes.append(_change(state, after))
            state = replace(after, before=replace(state, before=None))
            if changes[-1] <= max(ROUNDING, min(CHANGE, REMAINING * (1.0 - _rate(changes)))):
                return replace(self.valued(state), is_settled=True)
            if until is not None and state.apart(until) <= MET:
                break
        return self.valued(state)

    def expect(self, state: State) -> tuple[FloatArray, float]:
        """Return the matches expected of each pattern, and the log-likelihood."""
        if self.by_pattern is None:
            matches = np.empty_like(self.counts)
            odds = math.log(state.share) - math.log1p(-state.share)
            likelihood = match_pairs(self._scores(state), self.counts, odds, matches)
            likelihood += float(self.counts.sum()) * math.log1p(-state.share)
        else:
            matches, likelihood = self._matches_of_records(self._scores(state, is_ratio=True), state.share)
        with np.errstate(divide="ignore", invalid="ignore"):
            others = np.where(self.prior > 0.0, self.totals * np.log(state.u), 0.0)
        return matches, likelihood + float(others.sum())

    def _scores(self, state: State, *, is_ratio: bool = False) -> FloatArray:
        """Return log(m / u) of each pattern, or m / u itself, within what can be held."""
        ratio = np.pad(self._log_ratio(state), ((0, 1), (0, LEVELS)))[:, :LEVELS]
        first, second = ratio[:-1:2], ratio[1::2]
        tables = (second[: len(first), :, np.newaxis] + first[:, np.newaxis, :]).reshape(len(first), -1)
        scores = np.empty_like(self.counts)

        def work(piece: slice) -> None:
            add_packed(self.packed[piece], tables, scores[piece])
            if is_ratio:
                np.exp(np.clip(scores[piece], -LARGEST_SCORE, LARGEST_SCORE), out=scores[piece])

        self._in_pieces(work, len(scores), PIECE)
        return scores

    def _matches_of_records(self, ratios: FloatArray, share: float) -> tuple[FloatArray, float]:
        """Return the matches expected if a record has one match or, with some probability, none; and the likelihood.

        That is the sum over the records of log(none + share . sum of the ratios).
        """
        records, listed = self.patterns.records, self.by_pattern
        assert records is not None  # noqa: S101  (they are listed)
        assert listed is not None  # noqa: S101
        totals, matches = np.empty(len(records.ends)), np.empty_like(ratios)

        def add_up(piece: slice) -> None:
            sum_by_record(ratios, records.ends, records.found, records.sizes, piece.start, piece.stop, totals)

        def share_out(piece: slice) -> None:
            share_by_pattern(ratios, *listed, factors, piece.start, piece.stop, matches)

        self._in_pieces(add_up, len(totals), FEW)
        none = max(1.0 - share * self.n_rivals, 0.0)
        totals = np.maximum(none + share * totals, 1e-300)
        factors = records.weights * share / totals
        self._in_pieces(share_out, len(matches), PIECE)
        return matches, math.fsum(records.weights * np.log(totals))

    def _spread(self, matches: FloatArray) -> FloatArray:
        """Return the matches at each level of each attribute."""
        starts = range(0, len(matches), PIECE)
        parts = np.zeros((max(len(starts), 1), self.packed.shape[1], LEVELS * LEVELS))

        def work(piece: slice) -> None:
            spread_packed(self.packed[piece], matches[piece], parts[piece.start // PIECE])

        self._in_pieces(work, len(matches), PIECE)
        both = parts.sum(axis=0).reshape(-1, LEVELS, LEVELS)
        matched = np.stack([both.sum(axis=1), both.sum(axis=2)], axis=1).reshape(-1, LEVELS)
        n_attributes, width = self.totals.shape
        return np.ascontiguousarray(matched[:n_attributes, :width])

    def _in_pieces(self, work: Callable[[slice], None], n_items: int, size: int) -> None:
        """Work on pieces, on several cores where there are several and they are many."""
        if self.threads == 1 or n_items <= size or len(self.counts) <= PIECE:
            for start in range(0, n_items, size):
                work(slice(start, min(start + size, n_items)))
        else:
            for_chunks(work, n_items, size, threads=self.threads)

    def _log_ratio(self, state: State) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log(state.m) - np.log(state.u)
        return np.where((self.prior > 0.0) & self.is_informative[:, None], ratio, 0.0)

    def step(self, state: State) -> State:
        """Make one iteration: matches expected with these probabilities, probabilities most likely with these."""
        matches, _ = self.expect(state)
        matched = self._spread(matches)
        share = min(float(matches.sum()) / float(self.counts.sum()), self.largest_share)
        if self.is_share_known:
            share = self.largest_share
        among = np.where(self.prior > 0.0, matched, 0.0) + self.prior + self.borrowed
        others = np.maximum(self.totals - matched, 0.0) + self.prior
        others = np.where(self.prior > 0.0, others, 0.0)
        if self.is_monotone:
            for k, n_levels in enumerate(self.n_graded):
                seen = np.flatnonzero(self.prior[k, :n_levels])
                among[k, seen], others[k, seen] = in_order(among[k, seen], others[k, seen])
        return State(shares(among), shares(others), max(share, 1e-300), state.iterations + 1)

    def valued(self, state: State) -> State:
        """Return the state with its log-likelihood and objective."""
        _, likelihood = self.expect(state)
        with np.errstate(divide="ignore", invalid="ignore"):
            added = (self.prior + self.borrowed) * np.log(state.m) + self.prior * np.log(state.u)
        added = np.where(self.prior > 0.0, added, 0.0)
        return replace(state, log_likelihood=likelihood, objective=likelihood + float(added.sum()))

    def agrees_more(self, state: State) -> bool:
        """Whether matches agree more than other pairs, by the mean level over the attributes."""
        is_graded = np.arange(self.prior.shape[1]) < self.n_graded[:, None]
        return bool(np.where(is_graded, (state.u - state.m) * self.farness, 0.0).sum() >= 0.0)


def _change(before: State, after: State) -> float:
    gaps = max(float(np.abs(after.m - before.m).max()), float(np.abs(after.u - before.u).max()))
    return max(gaps, abs(after.share - before.share) / before.share)


def _rate(changes: deque[float]) -> float:
    """By how much changes shrink in an iteration, on average; 1 where they do not, or where too few are known.

    >>> _rate(deque([8.0, 4.0, 2.0]))
    0.5
    """
    if changes[-1] == 0.0:
        return 0.0
    if len(changes) < 3 or changes[-1] >= changes[0]:
        return 1.0
    return float((changes[-1] / changes[0]) ** (1.0 / (len(changes) - 1)))


def shares(values: FloatArray) -> FloatArray:
    """Divide each row by its sum; a row without values stays 0."""
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), math.ulp(0.0)))


def in_order(among: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Pool neighbouring levels until among / others does not rise from one to the next.

    The most likely two distributions whose ratio is in order: the share of matches at each level by isotonic
    regression, the sum of both classes as it is.

    >>> a, b = in_order(np.array([1.0, 3.0, 0.5]), np.array([1.0, 1.0, 3.5]))
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
