"""Weights of pairs brought to sums of 1: proposals of the chain that are near what it will find."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.threads import default_threads, for_chunks
from linkrisk.linkage.matching.problem import Problem

MOST_ROUNDS = 30
"""Most rounds of scaling."""

ENOUGH = 0.02
"""Scaling ends when no logarithm of a factor changes by more than this."""

LEAST = -600.0
"""Least logarithm of a weight, so that no pair becomes impossible by rounding."""

EXACT_ROUNDS = 2
"""Rounds after which factors are near enough to those that are looked for: sums are then made of weights themselves."""

FARTHEST, LEAST_TOTAL = 100.0, 1e-250
"""Largest change of a log-factor from there, and least sum, for which floats hold all that matters."""

CHUNKS, ALONE = 4, 400_000
"""Parts into which the records are divided, where there are more than so many pairs."""


@dataclass(frozen=True, eq=False)
class Listing:
    """Pairs listed by the records of one file: record r has those from ``start[r]`` to ``start[r + 1]``.

    ``other`` is the other record of each pair, ``value`` its log-weight.
    """

    start: IntArray
    other: IntArray
    value: FloatArray

    def log_totals(self, shift: FloatArray, pool: ThreadPoolExecutor) -> FloatArray:
        """Return the logarithm of the sum over each record's pairs, others' log-factors given; -inf where none is."""
        from linkrisk.linkage.matching.balance_kernels import log_totals  # noqa: PLC0415

        totals = np.empty(len(self.start) - 1)
        known = self.start, self.other, self.value, shift
        self.share(lambda part: log_totals(*known, part.start, part.stop, totals), pool)
        return totals

    def share(self, work: Callable[[slice], None], pool: ThreadPoolExecutor) -> None:
        """Divide the records among the cores, where they are worth it."""
        n_records = len(self.start) - 1
        if len(self.value) <= ALONE:
            work(slice(0, n_records))
        else:
            for_chunks(work, n_records, -(-n_records // CHUNKS), pool=pool)

    def near(self, own: FloatArray, others: FloatArray) -> NearListing:
        """Return the same for log-factors that are not far from these: its sums need no exponentials."""
        lengths = np.diff(self.start)
        weight = np.exp(self.value + np.repeat(own, lengths) + others[self.other])
        return NearListing(self, weight, own, others, lengths == 0)


@dataclass(frozen=True, eq=False)
class NearListing:
    """A listing whose weights have been multiplied by factors that are nearly right."""

    listing: Listing
    weight: FloatArray
    own: FloatArray
    others: FloatArray
    has_no_pairs: BoolArray

    def log_totals(self, shift: FloatArray, pool: ThreadPoolExecutor) -> FloatArray:
        """Return what the listing returns, up to rounding; by its exponentials where floats would not hold the sums."""
        from linkrisk.linkage.matching.balance_kernels import plain_totals  # noqa: PLC0415

        moved = shift - self.others
        if np.abs(moved).max(initial=0.0) > FARTHEST:
            return self.listing.log_totals(shift, pool)
        totals, factor = np.empty(len(self.own)), np.exp(moved)
        known = self.listing.start, self.listing.other, self.weight, factor
        self.listing.share(lambda part: plain_totals(*known, part.start, part.stop, totals), pool)
        is_held = (totals > LEAST_TOTAL) | self.has_no_pairs
        if not is_held.all():
            return self.listing.log_totals(shift, pool)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(totals) - self.own)


@dataclass(frozen=True, eq=False)
class Balanced:
    """Weights after scaling: of pairs, of each original record's absence, of a stranger at each protected record."""

    weight: FloatArray
    absent: FloatArray
    stranger: FloatArray


def balance(problem: Problem, *, threads: int | None = None) -> Balanced:
    """Multiply the weights of each original and each protected record so that they sum to about 1 (Sinkhorn scaling).

    Every matching of the problem has each record once, matched or not, so that its probability does not change. Sums
    of original records, absence included, are 1 up to rounding, those of protected records nearly so. Strangers count
    as so many more original records, absent people as so many more protected ones.

    Cost: linear in pairs and rounds. Reference: Sinkhorn and Knopp (1967), https://doi.org/10.2140/pjm.1967.21.343.
    """
    scores = problem.scores
    original, protected = scores.original, scores.protected()
    order, start = scores.by_original()
    rows = Listing(start, protected[order], scores.value[order])
    columns = Listing(scores.start, original, scores.value)
    row_totals, column_totals = rows.log_totals, columns.log_totals
    of_original = np.zeros(scores.n_original)
    of_protected = np.zeros(scores.n_protected)
    with interrupt.deferred(), ThreadPoolExecutor(threads or default_threads()) as pool:
        for number in range(MOST_ROUNDS):
            interrupt.check()
            if number == EXACT_ROUNDS:
                row_totals = rows.near(of_original, of_protected).log_totals
                column_totals = columns.near(of_protected, of_original).log_totals
            before = of_original
            stranger = _slack(problem.may_be_stranger, problem.n_strangers, of_protected)
            of_protected = _factors(column_totals(of_original, pool), stranger)
            absent = _slack(problem.may_be_absent, problem.n_absent, of_original)
            of_original = _factors(row_totals(of_protected, pool), absent)
            if np.abs(of_original - before).max(initial=0.0) < ENOUGH:
                break
    logs = scores.value + of_original[original] + of_protected[protected]
    return Balanced(np.exp(np.maximum(logs, LEAST)), np.exp(absent + of_original), np.exp(stranger + of_protected))


def _factors(totals: FloatArray, slack: FloatArray) -> FloatArray:
    """Return the log of one over what each record sums to, given its pairs and its slack; 0 where that is nothing."""
    sums = np.logaddexp(totals, slack)
    return np.where(np.isneginf(sums), 0.0, -sums)


def _slack(may_be: BoolArray, number: int, factors: FloatArray) -> FloatArray:
    """Log of the weight of all unmatched partners together, before the factor of each record; -inf where there is none.

    Each of them has one record: the factors of the records it may have sum to one over its own factor.
    """
    if number == 0 or not may_be.any():
        return np.full(len(may_be), -np.inf)
    top = float(factors[may_be].max())
    total = np.log(number) - top - np.log(np.exp(factors[may_be] - top).sum())
    return np.where(may_be, total, -np.inf)
