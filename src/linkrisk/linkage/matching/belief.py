"""Belief propagation: probabilities of pairs by the Bethe approximation of the sum over all matchings."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.threads import default_threads, for_chunks
from linkrisk.linkage.matching.balance import Balanced
from linkrisk.linkage.matching.problem import Problem

MOST_ROUNDS = 300
"""Rounds of messages after which propagation ends."""

DAMPING = 0.2
"""Share of the old message that is kept: keeps two records with two candidates each from taking turns."""

LEAST_CHANGE = 1e-4
"""Propagation has converged when a round changes the probabilities by less than this for each matched record. Where two
matchings are nearly as likely, changes fall with the square of the rounds only, long after the best links are known: on
Census (noise, rank swapping) links after 5 rounds are as many as after 300."""

STRIDE = 5
"""Rounds between two looks at the probabilities."""

LEAP = 10
"""Rounds between two leaps; twice as many whenever one made things worse, and was taken back."""

ALONE = 400_000
"""Pairs up to which one core does the work."""

CHUNKS = 4
"""Parts into which the records are divided where several cores do it."""


@dataclass(frozen=True, eq=False)
class Belief:
    """Probabilities of the pairs of a problem, how many rounds it took, and whether it converged."""

    probability: FloatArray
    n_rounds: int
    is_converged: bool


def propagate(
    problem: Problem,
    weights: Balanced,
    *,
    threads: int | None = None,
    most_rounds: int | None = None,
    least_change: float | None = None,
) -> Belief:
    """Compute the probability of each pair by belief propagation.

    Record r tells pair e: ``m(r, e) = 1 / (s_r + sum over its other pairs e' of w(e') m(r', e'))``, where r' is the
    other record of e' and s_r the weight of being unmatched: 1 for an original record that may be absent, z for a
    protected one that may be a stranger's, 0 for a record that is always matched. The odds of a pair are ``w(e) m(i,
    e) m(j, e)``. z is 1 where numbers follow from who may be unmatched; else it is tuned in every round so that the
    expected number of strangers is the given one.

    *Guarantee* (docs/mathematics.md#belief-trees): where the pairs form no cycle and z is 1, the probabilities are
    exact. Otherwise they are those of the Bethe approximation, which overstates what is likely: of two matchings that
    differ by one cycle alone it believes the better one.

    Weights are balanced first (`balance`), so that messages stay within what floating point can hold. Where parts of
    the files hardly meet, or matchings are nearly as good as each other, the change of a record's messages is rho times
    that of the round before, rho near 1: then they leap to their limit, by rho / (1 - rho) times the last change
    (Aitken). Limits stay what they are. (Measured: noise of 40 %, 10^4 records, a change of 10^-6: 100 rounds, without
    leaps more than 300.)
    Cost: some 20 operations per pair and round; memory some seven numbers per pair.
    References: Huang and Jebara (2009), https://arxiv.org/abs/0908.1769; Watanabe and Chertkov (2010),
    https://doi.org/10.1088/1751-8113/43/24/242002; Vontobel (2013), https://doi.org/10.1109/TIT.2012.2227109.
    """
    if problem.scores.n_pairs == 0:
        return Belief(np.zeros(0), 0, is_converged=True)
    enough = (LEAST_CHANGE if least_change is None else least_change) * problem.n_matched
    most = MOST_ROUNDS if most_rounds is None else most_rounds
    with interrupt.deferred(), ThreadPoolExecutor(threads or default_threads()) as pool:
        rounds = _Rounds(problem, weights, pool)
        leaps = _Leaps()
        for number in range(STRIDE, most + 1, STRIDE):
            interrupt.check()
            change = rounds.run(STRIDE)
            if change <= enough:
                return Belief(rounds.belief, number, is_converged=True)
            leaps.after(number, change, rounds)
    return Belief(rounds.belief, most, is_converged=False)


@dataclass(frozen=True, eq=False)
class _Senders:
    """The records of one file: their pairs, where these are among the other file's, and the messages they send."""

    start: IntArray
    place: NDArray[np.int32]
    weight: FloatArray
    messages: FloatArray


@dataclass
class _Leaps:
    """When to leap: every so many rounds; and back again where things are worse than before, after as many rounds."""

    wait: int = LEAP
    due: int = LEAP
    before: float | None = None

    def after(self, number: int, change: float, rounds: _Rounds) -> None:
        """Leap, or leap back, if it is time to, after a number of rounds and a change of probabilities."""
        if number < self.due:
            return
        if self.before is not None and change > self.before:
            rounds.leap_back()
            self.wait, self.before = 2 * self.wait, None
        else:
            rounds.leap()
            self.before = change
        self.due = number + self.wait


class _Rounds:
    """The messages of all pairs; beliefs are in the order of the protected records."""

    def __init__(self, problem: Problem, weights: Balanced, pool: ThreadPoolExecutor) -> None:
        scores = problem.scores
        listed, start = scores.by_original()
        order = listed.astype(np.int32)
        place = np.empty_like(order)
        place[order] = np.arange(len(order), dtype=np.int32)
        ones = np.ones(scores.n_pairs)
        self._problem, self._pool = problem, pool
        self._originals = _Senders(start, order, weights.weight[order], ones)
        self._protecteds = _Senders(scores.start, place, weights.weight, ones.copy())
        self._absent, self._stranger = weights.absent, weights.stranger
        self._damping = 0.0
        self._before, self._between, self._saved = np.empty((3, scores.n_pairs))
        self.belief = np.zeros(scores.n_pairs)

    def run(self, n_rounds: int) -> float:
        """Send all messages some times; return by how much the last round has changed all probabilities."""
        for number in range(n_rounds):
            if number == n_rounds - 2:
                self._before[:] = self._protecteds.messages
            if number == n_rounds - 1:
                self._between[:] = self._protecteds.messages
                self._believe()
            self._send(self._originals, self._protecteds.messages, self._absent)
            if not self._problem.is_maximum:
                self._tune()
            self._send(self._protecteds, self._originals.messages, self._stranger)
            self._damping = DAMPING
        return self._believe()

    def leap(self) -> None:
        """Take messages to where their last two changes lead."""
        from linkrisk.linkage.matching.belief_kernels import leap  # noqa: PLC0415

        self._saved[:] = self._protecteds.messages
        known = self._protecteds.start, self._before, self._between, self._protecteds.messages, self.belief
        self._share(lambda part: leap(*known, part.start, part.stop), len(self._stranger))
        self._damping = 0.0  # original records answer to the new messages alone

    def leap_back(self) -> None:
        """Return to the messages before the last leap."""
        self._protecteds.messages[:] = self._saved
        self._damping = 0.0

    def _send(self, senders: _Senders, incoming: FloatArray, slack: FloatArray) -> None:
        from linkrisk.linkage.matching.belief_kernels import send_messages  # noqa: PLC0415

        def work(part: slice) -> None:
            known = senders.start, senders.place, senders.weight, incoming, slack, self._damping
            send_messages(*known, part.start, part.stop, senders.messages)

        self._share(work, len(slack))

    def _believe(self) -> float:
        from linkrisk.linkage.matching.belief_kernels import believe  # noqa: PLC0415

        changes: list[float] = []
        senders = self._protecteds

        def work(part: slice) -> None:
            known = senders.place, senders.weight, senders.messages, self._originals.messages
            changes.append(believe(*known, part.start, part.stop, self.belief))

        self._share(work, len(self.belief))
        return math.fsum(changes)

    def _tune(self) -> None:
        """Give strangers the weight with which they are as many as they should be."""
        from scipy.optimize import brentq  # noqa: PLC0415  (slow to import)
        from scipy.special import expit  # noqa: PLC0415

        scores = self._problem.scores
        told = self._protecteds.weight * self._originals.messages[self._protecteds.place]
        known = np.bincount(scores.protected(), told, scores.n_protected)
        is_listed = known > 0.0  # the others are strangers
        odds = np.log(self._stranger[is_listed]) - np.log(known[is_listed])
        wanted = self._problem.n_strangers - int((~is_listed).sum())
        low, high = -float(odds.max()) - 50.0, 50.0 - float(odds.min())
        factor = brentq(lambda shift: float(expit(odds + shift).sum()) - wanted, low, high, xtol=1e-9)
        self._stranger = self._stranger * math.exp(factor)

    def _share(self, work: Callable[[slice], None], n_items: int) -> None:
        if len(self.belief) <= ALONE:
            work(slice(0, n_items))
        else:
            for_chunks(work, n_items, -(-n_items // CHUNKS), pool=self._pool)
