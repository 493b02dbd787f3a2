"""Weights of pairs brought to sums of 1: proposals of the chain that are near what it will find."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine.threads import for_chunks
from linkrisk.linkage.matching.problem import Problem

MOST_ROUNDS = 30
"""Most rounds of scaling."""

ENOUGH = 0.02
"""Scaling ends when no logarithm of a factor changes by more than this."""

LEAST = -600.0
"""Least logarithm of a weight, so that no pair becomes impossible by rounding."""


CHUNKS, ALONE = 8, 100_000
"""Parts into which the records are divided, where there are more than so many pairs."""


@dataclass(frozen=True, eq=False)
class Listing:
    """Pairs listed by the records of one file: record r has those from ``start[r]`` to ``start[r + 1]``.

    ``other`` is the other record of each pair, ``value`` its log-weight.
    """

    start: IntArray
    other: IntArray
    value: FloatArray

    def factors(self, shift: FloatArray, slack: FloatArray, threads: int | None) -> FloatArray:
        """Return the log of one over the sum of each record, others' factors given; 0 where there is nothing to sum."""
        from linkrisk.linkage.matching.balance_kernels import log_totals  # noqa: PLC0415

        totals = np.empty(len(slack))

        def work(part: slice) -> None:
            log_totals(self.start, self.other, self.value, shift, part.start, part.stop, totals)

        if len(self.value) <= ALONE:
            work(slice(0, len(totals)))
        else:
            for_chunks(work, len(totals), -(-len(totals) // CHUNKS), threads=threads)
        sums = np.logaddexp(totals, slack)
        return np.where(np.isneginf(sums), 0.0, -sums)


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
    of_original = np.zeros(scores.n_original)
    of_protected = np.zeros(scores.n_protected)
    for _ in range(MOST_ROUNDS):
        before = of_original
        stranger = _slack(problem.may_be_stranger, problem.n_strangers, of_protected)
        of_protected = columns.factors(of_original, stranger, threads)
        absent = _slack(problem.may_be_absent, problem.n_absent, of_original)
        of_original = rows.factors(of_protected, absent, threads)
        if np.abs(of_original - before).max(initial=0.0) < ENOUGH:
            break
    logs = scores.value + of_original[original] + of_protected[protected]
    return Balanced(np.exp(np.maximum(logs, LEAST)), np.exp(absent + of_original), np.exp(stranger + of_protected))


def _slack(may_be: BoolArray, number: int, factors: FloatArray) -> FloatArray:
    """Log of the weight of all unmatched partners together, before the factor of each record; -inf where there is none.

    Each of them has one record: the factors of the records it may have sum to one over its own factor.
    """
    if number == 0 or not may_be.any():
        return np.full(len(may_be), -np.inf)
    top = float(factors[may_be].max())
    total = np.log(number) - top - np.log(np.exp(factors[may_be] - top).sum())
    return np.where(may_be, total, -np.inf)
