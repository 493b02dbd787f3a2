"""The ceiling: how many links any intruder can expect, whatever he does."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.linkage.matching.assignment import BestAssignment, assign_pairs
from linkrisk.linkage.matching.chain import N_CHAINS, Draws, sample
from linkrisk.linkage.matching.posterior import Marginals, drawn_marginals
from linkrisk.linkage.matching.problem import check_strangers, make_problem
from linkrisk.linkage.matching.scores import PairScores

Chooser = Callable[[PairScores, FloatArray, int], BestAssignment]
"""A rule: the pairs it names, given their probabilities and a seed for ties."""


@dataclass(frozen=True)
class Ceiling:
    """Expected links of the best intruder under a model, from above and from below.

    Parameters
    ----------
    links
        The most expected links over all rules, with the probabilities that the chains found. Choosing the best for these
        very draws errs upwards: on average this is not below the true ceiling.
    lower
        Expected links of a rule chosen with half of the chains, judged by the other half. No rule is better than the best
        one, so this is on average not above the true ceiling.
    error
        Monte Carlo standard error of both.
    spread
        Standard deviation of the number of right links of one good assignment over the truths that are possible: one file
        may turn out so far from what was expected.
    n_records
        Number of original records.
    is_one_to_one
        Whether the intruder links each protected record at most once.
    is_converged
        Whether the chains agree with each other. If not, neither figure can be trusted.
    n_unlisted
        Number of pairs that the model demands and that were not listed; if not 0, the ceiling is that of another model.
    marginals, partner
        Probabilities of pairs, and the links of the best rule: the protected record of each original one, -1: none.
    """

    links: float
    lower: float
    error: float
    spread: float
    n_records: int
    is_one_to_one: bool
    is_converged: bool
    n_unlisted: int
    marginals: Marginals = field(repr=False, compare=False)
    partner: IntArray = field(repr=False, compare=False)

    @property
    def limit(self) -> float:
        """Return ``links`` plus two standard errors, but at most N: above the true ceiling with 97.5 % probability."""
        return min(float(self.n_records), self.links + 2.0 * self.error)


def bayes_links(
    scores: PairScores,
    *,
    n_strangers: int | None = None,
    is_one_to_one: bool = True,
    seed: int = 0,
    sweeps: int | None = None,
    chains: int = N_CHAINS,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Ceiling:
    """Compute the expected number of right links of the intruder who does the best that can be done.

    Who links original record i to j is right with probability P(i is j | both files), whatever led him there. So a rule's
    expected links are a sum of these probabilities over the pairs it names, and none has more than

        max over one-to-one assignments of the sum of P(i is j | files)      (``is_one_to_one``)
        sum over i of max over j of P(i is j | files)                        (otherwise; the same j may be named twice)

    *What it assumes.* The model of `posterior`: who is who is equally likely in all ways before looking at the values; the
    protected records are independent given who is who; p(y | x) is the method's true distribution, which the intruder
    knows. A rule that was fitted with true pairs knows more and may exceed the ceiling. It bounds expectations: in one file
    a rule may be luckier.

    *Guarantee* (docs/mathematics.md#ceiling): under the model, and with draws from the posterior, E(lower) <= ceiling <=
    E(links); ``limit`` is an upper confidence limit.

    Records that are alike in the release share their probability, so that k of them count as one link in all. Belief
    propagation is not used: it makes likely pairs too likely, and nobody can say by how much. Cost: `sample`, and three
    assignments. ``chains`` must be 4 or more. Reference: the best rule for a sum of 0-1 losses, Berger (1985), Statistical
    Decision Theory and Bayesian Analysis, section 4.4.

    >>> equal = PairScores(np.arange(0, 17, 4), np.tile(np.arange(4), 4), np.zeros(16), n_original=4)
    >>> ceiling = bayes_links(equal, seed=1)
    >>> round(ceiling.lower, 1), round(ceiling.links, 1)
    (1.0, 1.0)
    """
    if chains < 4:
        raise ParameterError(f"chains must be 4 or more, two to choose and two to judge; it is {chains}")
    problem = make_problem(scores, check_strangers(scores, n_strangers))
    draws = sample(problem, seed=seed, sweeps=sweeps, chains=chains, threads=threads, progress=progress)
    choose = _assignment if is_one_to_one else _claims
    best = choose(problem.scores, draws.probability(), seed)
    judged = _judged(problem.scores, draws, choose, seed)
    return Ceiling(
        links=best.bound,
        lower=math.fsum(judged.tolist()) / len(judged),
        error=float(judged.std(ddof=1)) / math.sqrt(len(judged)),
        spread=float(draws.agreements.std()),
        n_records=scores.n_original,
        is_one_to_one=is_one_to_one,
        is_converged=draws.is_converged,
        n_unlisted=problem.n_unlisted,
        marginals=drawn_marginals(scores, problem, draws),
        partner=best.partner,
    )


def _judged(scores: PairScores, draws: Draws, choose: Chooser, seed: int) -> FloatArray:
    """Return, for each chain, the links of the rule chosen with the chains of the other half."""
    half = len(draws.counts) // 2
    first, second = slice(0, half), slice(half, None)
    by_first = draws.totals(choose(scores, draws.probability(first), seed).pairs)[second]
    by_second = draws.totals(choose(scores, draws.probability(second), seed).pairs)[first]
    return np.concatenate([by_second, by_first])


def _assignment(scores: PairScores, probability: FloatArray, seed: int) -> BestAssignment:
    return assign_pairs(scores, probability, seed=seed)


def _claims(scores: PairScores, probability: FloatArray, seed: int) -> BestAssignment:
    """Choose the most likely protected record of each original one; of equal ones a random one."""
    order = np.lexsort((np.random.default_rng(seed).random(len(probability)), -probability, scores.original))
    order = order[probability[order] > 0.0]
    is_first = np.diff(scores.original[order], prepend=-1) > 0
    pairs = order[is_first]
    partner = np.full(scores.n_original, -1, dtype=np.int64)
    partner[scores.original[pairs]] = scores.protected()[pairs]
    expected = math.fsum(probability[pairs].tolist())
    return BestAssignment(partner, pairs, expected, expected)
