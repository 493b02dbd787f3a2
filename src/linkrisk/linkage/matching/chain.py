"""A Markov chain over matchings: probabilities of pairs with their Monte Carlo error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.mixing import split_r_hat
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import for_chunks
from linkrisk.linkage.matching.balance import Balanced
from linkrisk.linkage.matching.problem import Problem
from linkrisk.linkage.matching.starts import likely_matching, random_matching

if TYPE_CHECKING:  # kernels are imported where they run
    from linkrisk.linkage.matching.chain_kernels import State

N_CHAINS = 8
"""Chains that run side by side; half of them choose an assignment, the others judge it."""

STEPS = 1_000_000
LEAST_SWEEPS, MOST_SWEEPS = 60, 1_000
"""Unless they are given, a chain has so many sweeps that they come to this number of steps, within these limits."""

MOST_COUNTED = 65_535
"""Most sweeps that are counted: counts are kept in 16 bits."""

LONGEST = 4
"""Most steps of a walk, as a multiple of the original records."""

PORTION = 2_000_000
"""Steps between two looks whether Ctrl-C was pressed."""

ALONE = 20_000
"""Steps of a chain up to which starting threads would take longer than the steps."""

MOST_R_HAT = 1.1
"""Largest split R-hat of chains that are said to have converged."""


@dataclass(frozen=True, eq=False)
class Draws:
    """What chains have drawn.

    ``counts`` has two rows: how often each pair of the problem occurred in the matchings of the first half of the
    chains, and in those of the others, ``n_sweeps`` matchings of each chain.
    ``agreements``, one row per chain, holds for each matching the number of its pairs that are also in one assignment
    chosen before the chains began, the watched ones.
    """

    counts: IntArray
    agreements: FloatArray
    n_sweeps: int

    @property
    def r_hat(self) -> float:
        """Split R-hat of the agreements."""
        return split_r_hat(self.agreements)

    @property
    def is_converged(self) -> bool:
        """Whether chains from different starts, and their halves, tell the same."""
        return self.r_hat <= MOST_R_HAT

    @property
    def error(self) -> float:
        """Standard error of the mean of the agreements, from the means of the chains."""
        means = self.agreements.mean(axis=1)
        return float(means.std(ddof=1) / np.sqrt(len(means)))

    def probability(self) -> FloatArray:
        """Return the share of all matchings that have each pair."""
        return np.asarray(self.counts.sum(axis=0) / self.agreements.size)

    def halves(self) -> tuple[FloatArray, FloatArray]:
        """Return the shares of the matchings of the first half of the chains, and of the others."""
        n_chains = len(self.agreements)
        sizes = n_chains // 2, n_chains - n_chains // 2
        first, second = (counts / (size * self.n_sweeps) for counts, size in zip(self.counts, sizes, strict=True))
        return first, second


def default_sweeps(n_original: int) -> int:
    """Sweeps of a chain that are counted, unless told otherwise.

    >>> default_sweeps(1_000), default_sweeps(10_000), default_sweeps(100_000)
    (1000, 100, 60)
    """
    return int(np.clip(STEPS // max(1, n_original), LEAST_SWEEPS, MOST_SWEEPS))


def sample(
    problem: Problem,
    weights: Balanced,
    watched: IntArray,
    *,
    seed: int = 0,
    sweeps: int | None = None,
    chains: int = N_CHAINS,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Draws:
    """Draw matchings with probability proportional to the product of their weights, by several Markov chains.

    A sweep has four kinds of steps. *Swap*, once for each original record i that is in the release: i draws a
    protected record j' in proportion to its balanced weights; the holder i' of j' takes i's record j with probability
    min(1, w(i', j) / w(i', j')), a stranger by the same rule. *Walk*, for one in 32 records: a protected record
    is taken from its holder, who draws another one, whose holder does the same, until the first record is drawn; so
    cycles of every length occur, where swaps alone would not connect all matchings. Walks from outside the release do
    the same for people who may be absent, and *exchanges* let one person leave and another one enter.

    *Guarantee* (docs/mathematics.md#matching-chain): every step is reversible with respect to the posterior, and the
    steps together lead from each matching to each other one.

    Half of the chains start from a matching of great weight where it is quickly found, the others from matchings left
    to chance; all begin with long walks. Then a third of the sweeps is not counted. The result is the same for
    the same seed, whatever the number of threads. Cost: some N steps per sweep, each with two binary searches in lists
    of candidates, and walks of about as many steps in all.
    References: Metropolis-Hastings steps for permutations, Tancredi and Liseo (2011),
    https://doi.org/10.1214/10-AOAS447; walks, the worm algorithm of Prokof'ev and Svistunov (2001),
    https://doi.org/10.1103/PhysRevLett.87.160601.
    """
    n_sweeps = min(MOST_COUNTED, default_sweeps(problem.scores.n_original) if sweeps is None else sweeps)
    run = _Run(problem, weights, watched, seed, chains)
    run.settle(threads)
    run.advance(n_sweeps // 2, is_counting=False, threads=threads, progress=progress)
    agreements = run.advance(n_sweeps, is_counting=True, threads=threads, progress=progress)
    return Draws(run.counts(), agreements, n_sweeps)


class _Run:
    """Chains that are running, and the counts of their pairs, listed by original record."""

    def __init__(self, problem: Problem, weights: Balanced, watched: IntArray, seed: int, chains: int) -> None:
        from linkrisk.linkage.matching.chain_kernels import Target  # noqa: PLC0415

        scores = problem.scores
        self._problem = problem
        self._order, start = scores.by_original()
        self._rank = np.empty_like(self._order)
        self._rank[self._order] = np.arange(scores.n_pairs)
        self._protected = scores.protected()
        weight = weights.weight[self._order]
        column = self._protected[self._order]
        cumulative = _cumulative(weight, start)
        self._target = Target(start, column, weight, cumulative, weights.absent, weights.stranger)
        self._watched = self._places(watched)
        self._counts: NDArray[np.uint16] = np.zeros((chains, scores.n_pairs), dtype=np.uint16)
        self._states = [self._state(partner, dice) for partner, dice in self._starts(seed, chains)]

    def settle(self, threads: int | None) -> None:
        """Take every chain from its start to where it is likely."""
        from linkrisk.linkage.matching.chain_kernels import settle  # noqa: PLC0415

        def settle_chains(part: slice) -> None:
            for chain in range(part.start, part.stop):
                settle(self._target, self._states[chain])

        self._share(settle_chains, 1, threads)

    def advance(self, n_sweeps: int, *, is_counting: bool, threads: int | None, progress: Progress) -> FloatArray:
        """Run all chains for some sweeps; return how many watched pairs the matching after each sweep has."""
        from linkrisk.linkage.matching.chain_kernels import run  # noqa: PLC0415

        agreements = np.empty((len(self._states), n_sweeps))
        is_exchanging = not self._problem.is_maximum

        def run_chains(part: slice) -> None:
            for chain in range(part.start, part.stop):
                place = self._target, self._states[chain], is_exchanging, self._watched, is_counting
                run(*place, self._counts[chain], agreements[chain, begin:end])

        portion = max(1, PORTION // max(1, self._problem.scores.n_original))
        for begin in range(0, n_sweeps, portion):
            end = min(begin + portion, n_sweeps)
            self._share(run_chains, end - begin, threads)
            progress(end, n_sweeps)
        return agreements

    def _share(self, work: Callable[[slice], None], n_sweeps: int, threads: int | None) -> None:
        if self._problem.scores.n_original * n_sweeps <= ALONE:
            work(slice(0, len(self._states)))
        else:
            for_chunks(work, len(self._states), 1, threads=threads)

    def counts(self) -> IntArray:
        """Return how often each pair occurred in either half of the chains, in the order of the problem's pairs."""
        result = np.empty((2, self._counts.shape[1]), dtype=np.int64)
        middle = len(self._counts) // 2
        for half, counts in enumerate((self._counts[:middle], self._counts[middle:])):
            result[half, self._order] = counts.sum(axis=0, dtype=np.int64)
        return result

    def _starts(self, seed: int, chains: int) -> Iterator[tuple[IntArray, int]]:
        likely = likely_matching(self._problem)
        first = self._problem.partner if likely is None else likely
        for chain, sequence in enumerate(np.random.SeedSequence(seed).spawn(chains)):
            interrupt.check()
            dice = np.random.default_rng(sequence)
            partner = random_matching(self._problem, dice) if chain % 2 else first
            yield partner, int(sequence.generate_state(1, np.uint64)[0])

    def _places(self, pairs: IntArray) -> IntArray:
        """Return, for each original record, the place of its pair among those listed by original record; -1: none."""
        scores = self._problem.scores
        result = np.full(scores.n_original, -1, dtype=np.int64)
        result[scores.original[pairs]] = self._rank[pairs]
        return result

    def _state(self, partner: IntArray, dice: int) -> State:
        from linkrisk.linkage.matching.chain_kernels import State  # noqa: PLC0415

        scores = self._problem.scores
        pair = self._places(np.flatnonzero(scores.original == partner[self._protected]))
        moved, left, pushed = (np.empty(LONGEST * len(pair) + 1, dtype=np.int64) for _ in range(3))
        absent = np.flatnonzero(pair < 0)
        return State(pair, partner.copy(), absent, moved, left, pushed, np.array([dice], dtype=np.uint64))


def _cumulative(weight: FloatArray, start: IntArray) -> FloatArray:
    """Return the sums of the weights of each record up to each of its pairs."""
    sums = np.empty(len(weight))
    for record in range(len(start) - 1):
        place = slice(start[record], start[record + 1])
        np.cumsum(weight[place], out=sums[place])
    return sums
