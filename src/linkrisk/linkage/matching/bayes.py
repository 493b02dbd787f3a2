"""The ceiling: how many links any intruder can expect, whatever he does."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.linkage.matching.assignment import BestAssignment, assign_pairs, claim_pairs
from linkrisk.linkage.matching.balance import balance
from linkrisk.linkage.matching.belief import propagate
from linkrisk.linkage.matching.blocks import Blocks, solve_blocks
from linkrisk.linkage.matching.chain import N_CHAINS, sample
from linkrisk.linkage.matching.posterior import Marginals, believed_marginals, drawn_marginals, exact_marginals
from linkrisk.linkage.matching.problem import Problem, check_strangers, make_problem
from linkrisk.linkage.matching.scores import PairScores


@dataclass(frozen=True)
class Ceiling:
    """Expected links of the best intruder under a model, from above and from below.

    Parameters
    ----------
    links
        The most expected links over all rules, with the probabilities of solved blocks and those that the chains found
        elsewhere. Choosing the best for these very draws errs upwards: on average this is not below the true ceiling.
    lower
        Expected links of a rule that was chosen before the chains began (by solved blocks and belief propagation), as
        these blocks and the chains judge it. No rule is better than the best one, so this is on average not above the
        true ceiling. Where all blocks are solved, both are the ceiling.
    error
        Monte Carlo standard error of ``lower``, and of what the draws say of any other rule as good.
    spread
        Standard deviation of the number of right links of that rule over the truths that are possible: in one file
        it may find so many more or fewer than expected.
    n_records
        Number of original records.
    is_one_to_one
        Whether the intruder links each protected record at most once.
    is_converged
        Whether the chains agree with each other. If not, neither figure can be trusted.
    n_unlisted
        Number of pairs that the model demands and that were not listed; if not 0, the ceiling is that of another model.
    drawn
        Expected links of rules made of what half of the chains found, as the other half judges them: on average not
        above the true ceiling either.
    believed, marginals
        Probabilities of pairs by belief propagation, and as the chains found them; in solved blocks both are exact.
    partner
        The rule's links: the protected record of each original one, -1: none.
    """

    links: float
    lower: float
    error: float
    spread: float
    n_records: int
    is_one_to_one: bool
    is_converged: bool
    n_unlisted: int
    drawn: float
    believed: Marginals = field(repr=False, compare=False)
    marginals: Marginals = field(repr=False, compare=False)
    partner: IntArray = field(repr=False, compare=False)

    @property
    def best(self) -> Marginals:
        """The probabilities that make the better rule, as chains that had no part in it judge; no true pair is used.

        Those of the chains must be better by more than two standard errors: they are noisy, and tell equals apart.
        """
        is_better = self.drawn > self.lower + 2.0 * self.error
        return self.marginals if is_better and self.is_converged else self.believed

    @property
    def limit(self) -> float:
        """Return ``links`` plus two standard errors, but at most N: above the true ceiling with 97.5 % probability."""
        return min(float(self.n_records), self.links + 2.0 * self.error)


def bayes_links(
    scores: PairScores,
    *,
    n_strangers: int | None = None,
    stranger: FloatArray | None = None,
    is_one_to_one: bool = True,
    seed: int = 0,
    sweeps: int | None = None,
    chains: int = N_CHAINS,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Ceiling:
    """Compute the expected number of right links of the intruder who does the best that can be done.

    Who links original record i to j is right with probability P(i is j | both files), whatever led him there. So a
    rule's expected links are a sum of these probabilities over the pairs it names, and none has more than

        max over one-to-one assignments of the sum of P(i is j | files)      (``is_one_to_one``)
        sum over i of max over j of P(i is j | files)                        (otherwise; the same j may be named twice)

    *What it assumes.* The model of `posterior`: who is who is equally likely in all ways before looking at the values;
    the protected records are independent given who is who; p(y | x) is the method's true distribution, which the
    intruder knows, and ``stranger`` that of strangers. A rule that was fitted with true pairs knows more and may
    exceed the ceiling. It bounds expectations: in one file a rule may be luckier, see ``spread``.

    *Guarantee* (docs/mathematics.md#ceiling): under the model, and with draws from the posterior, E(lower) <= ceiling
    <= E(links), and E(drawn) <= ceiling; ``limit`` is an upper confidence limit.

    The true ceiling is usually near ``lower``: belief propagation overstates probabilities, so they are no ceiling, but
    it puts pairs in the right order, while the maximum over noisy probabilities is too high by the noise (more sweeps,
    less noise). Records that are alike in the release share their probability, so that k of them count as one link in
    all. Blocks of records that are small, or all alike, are solved exactly (`solve_blocks`); chains are run for the
    rest, and none where nothing is left. Missing values: as the scores say. Cost: `solve_blocks`, `propagate`,
    `sample`, and two assignments. Reference: the best rule for a sum of 0-1 losses, Berger (1985), Statistical Decision
    Theory and Bayesian Analysis, section 4.4.

    >>> import numpy as np
    >>> equal = PairScores(np.arange(0, 17, 4), np.tile(np.arange(4), 4), np.zeros(16), n_original=4)
    >>> ceiling = bayes_links(equal, seed=1)
    >>> round(ceiling.lower, 1), round(ceiling.links, 1)
    (1.0, 1.0)
    """
    if chains < 2:
        raise ParameterError(f"chains must be 2 or more, for an error to be known; it is {chains}")
    problem = make_problem(scores, check_strangers(scores, n_strangers), stranger)
    weights = balance(problem, threads=threads)
    blocks = solve_blocks(problem, weights)
    choose = assign_pairs if is_one_to_one else claim_pairs
    rest, rest_weights = blocks.rest()
    belief = propagate(rest, rest_weights, threads=threads)
    believed = _put(blocks.probability, rest, belief.probability)
    rule = choose(problem.scores, believed, seed=seed)
    if rest.scores.n_pairs == 0:
        return _exact(scores, blocks, rule, is_one_to_one)
    watched = np.flatnonzero(np.isin(rest.kept, rule.pairs))
    draws = sample(
        rest, rest_weights, watched, seed=seed, sweeps=sweeps, chains=chains, threads=threads, progress=progress
    )
    first, second = (_put(blocks.probability, rest, half) for half in draws.halves())
    judged = [
        float(second[choose(problem.scores, first, seed=seed).pairs].sum()),
        float(first[choose(problem.scores, second, seed=seed).pairs].sum()),
    ]
    drawn = _put(blocks.probability, rest, draws.probability())
    return Ceiling(
        links=choose(problem.scores, drawn, seed=seed).bound,
        lower=blocks.expected(rule) + float(draws.agreements.mean()),
        error=draws.error,
        spread=math.sqrt(blocks.variance(rule) + float(draws.agreements.var())),
        n_records=scores.n_original,
        is_one_to_one=is_one_to_one,
        is_converged=draws.is_converged,
        n_unlisted=problem.n_unlisted,
        drawn=sum(judged) / 2.0,
        believed=believed_marginals(scores, problem, replace(belief, probability=believed)),
        marginals=drawn_marginals(scores, problem, draws, drawn),
        partner=rule.partner,
    )


def _put(known: FloatArray, rest: Problem, found: FloatArray) -> FloatArray:
    """Return the probabilities of all pairs: those known, and those found for the rest."""
    result = known.copy()
    result[rest.kept] = found
    return result


def _exact(scores: PairScores, blocks: Blocks, rule: BestAssignment, is_one_to_one: bool) -> Ceiling:
    """Return the ceiling where every block is solved: no draws, no error."""
    marginals = exact_marginals(scores, blocks.problem, blocks.probability)
    return Ceiling(
        links=rule.bound,
        lower=rule.expected,
        error=0.0,
        spread=math.sqrt(blocks.variance(rule)),
        n_records=scores.n_original,
        is_one_to_one=is_one_to_one,
        is_converged=True,
        n_unlisted=blocks.problem.n_unlisted,
        drawn=rule.expected,
        believed=marginals,
        marginals=marginals,
        partner=rule.partner,
    )
