"""Belief propagation: probabilities of pairs by the Bethe approximation of the sum over all matchings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.threads import for_chunks
from linkrisk.linkage.matching.problem import Problem

MOST_ROUNDS = 300
"""Rounds of messages after which propagation ends."""

DAMPING = 0.2
"""Share of the old message that is kept: keeps two records with two candidates each from taking turns."""

LEAST_CHANGE = 1e-6
"""Propagation has converged when a round changes the probabilities by less than this for each matched record."""

ALONE = 100_000
"""Pairs up to which one core does the work."""

CHUNKS = 32
"""Parts into which the records are divided where several cores do it."""


@dataclass(frozen=True, eq=False)
class Belief:
    """Probabilities of the pairs of a problem, how many rounds it took, and whether it converged."""

    probability: FloatArray
    n_rounds: int
    is_converged: bool


def propagate(problem: Problem, *, threads: int | None = None, most_rounds: int = MOST_ROUNDS) -> Belief:
    """Compute the probability of each pair by belief propagation.

    Record r tells pair e: ``m(r, e) = 1 / (s_r + sum over its other pairs e' of w(e') m(r', e'))``, where r' is the other
    record of e' and s_r the weight of being unmatched: 1 for an original record that may be absent, z / N for a protected
    one that may be a stranger's, 0 for a record that is always matched. The odds of a pair are ``w(e) m(i, e) m(j, e)``. z
    is 1 where numbers follow from who may be unmatched; else it is tuned in every round so that the expected number of
    strangers is the given one.

    *Guarantee* (docs/mathematics.md#belief-trees): where the pairs form no cycle and z is 1, the probabilities are exact.
    Otherwise they are those of the Bethe approximation, which overstates what is likely: of two matchings that differ by
    one cycle alone it believes the better one.

    Cost: two logarithms and three exponentials per pair and round; memory three numbers per pair.
    References: Huang and Jebara (2009), https://arxiv.org/abs/0908.1769; Watanabe and Chertkov (2010),
    https://doi.org/10.1088/1751-8113/43/24/242002; Vontobel (2013), https://doi.org/10.1109/TIT.2012.2227109.
    """
    if problem.scores.n_pairs == 0:
        return Belief(np.zeros(0), 0, is_converged=True)
    rounds = _Rounds(problem, threads)
    for number in range(1, most_rounds + 1):
        interrupt.check()
        if rounds.run() <= LEAST_CHANGE * problem.n_matched:
            return Belief(rounds.belief, number, is_converged=True)
    return Belief(rounds.belief, most_rounds, is_converged=False)


class _Rounds:
    """The messages of all pairs, in the order of the protected records."""

    def __init__(self, problem: Problem, threads: int | None) -> None:
        scores = problem.scores
        self._problem = problem
        self._value = scores.value
        self._threads = threads
        self._to_original, self._to_protected = np.zeros(scores.n_pairs), np.zeros(scores.n_pairs)
        self._by_original, self._original_start = scores.by_original()
        self._by_protected, self._protected_start = np.arange(scores.n_pairs), scores.start
        self._absent = np.where(problem.may_be_absent, 0.0, -np.inf)
        self._stranger = np.where(problem.may_be_stranger, -np.log(max(1, scores.n_original)), -np.inf)
        self.belief = np.zeros(scores.n_pairs)

    def run(self) -> float:
        """Send all messages once; return by how much all probabilities have changed."""
        damping = DAMPING if self.belief.any() else 0.0
        self._send(
            self._original_start, self._by_original, self._to_original, self._absent, damping, self._to_protected
        )
        if not self._problem.is_maximum:
            self._tune()
        self._send(
            self._protected_start, self._by_protected, self._to_protected, self._stranger, damping, self._to_original
        )
        return self._believe()

    def _send(
        self,
        start: IntArray,
        order: IntArray,
        incoming: FloatArray,
        slack: FloatArray,
        damping: float,
        outgoing: FloatArray,
    ) -> None:
        from linkrisk.linkage.matching.belief_kernels import send_messages  # noqa: PLC0415

        def work(part: slice) -> None:
            send_messages(start, order, self._value, incoming, slack, damping, part.start, part.stop, outgoing)

        self._share(work, len(start) - 1)

    def _share(self, work: Callable[[slice], None], n_items: int) -> None:
        if len(self._value) <= ALONE:
            work(slice(0, n_items))
        else:
            for_chunks(work, n_items, -(-n_items // CHUNKS), threads=self._threads)

    def _believe(self) -> float:
        from linkrisk.linkage.matching.belief_kernels import believe  # noqa: PLC0415

        changes: list[float] = []

        def work(part: slice) -> None:
            value, begin, end = self._value, part.start, part.stop
            changes.append(believe(value, self._to_original, self._to_protected, begin, end, self.belief))

        self._share(work, len(self._value))
        return float(np.sum(changes))

    def _tune(self) -> None:
        """Give strangers the weight with which they are as many as they should be."""
        from scipy.optimize import brentq  # noqa: PLC0415  (slow to import)
        from scipy.special import expit  # noqa: PLC0415

        from linkrisk.linkage.matching.belief_kernels import log_totals  # noqa: PLC0415

        totals = np.empty(self._problem.scores.n_protected)

        def work(part: slice) -> None:
            value, known = self._value, self._to_protected
            log_totals(self._protected_start, self._by_protected, value, known, part.start, part.stop, totals)

        self._share(work, len(totals))
        listed = totals[np.isfinite(totals)]  # the others are strangers
        wanted = self._problem.n_strangers - (len(totals) - len(listed))
        low, high = float(listed.min()) - 50.0, float(listed.max()) + 50.0
        self._stranger[:] = brentq(lambda weight: float(expit(weight - listed).sum()) - wanted, low, high, xtol=1e-9)
