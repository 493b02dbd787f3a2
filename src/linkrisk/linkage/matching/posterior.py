"""The posterior over one-to-one matchings: how likely each pair is, given both files as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.linkage.matching.assignment import assign_pairs
from linkrisk.linkage.matching.balance import balance
from linkrisk.linkage.matching.belief import Belief, propagate
from linkrisk.linkage.matching.chain import N_CHAINS, Draws, sample
from linkrisk.linkage.matching.problem import Problem, check_strangers, make_problem
from linkrisk.linkage.matching.scores import PairScores

Method = Literal["auto", "belief", "chain"]


@dataclass(frozen=True, eq=False, repr=False)
class Marginals:
    """Probabilities of pairs under the posterior over matchings.

    Parameters
    ----------
    scores
        The pairs.
    probability
        P(i is j | both files) of each pair, aligned with ``scores.value``; pairs in no matching have exactly 0.
    stranger, absent
        Probability that each protected record is a stranger's, and that each original record is not in the release.
    method
        How it was computed: "belief" (propagation), "chain" (Markov chain), or "exact".
    is_converged
        Whether messages settled, or chains from different starts agree.
    n_unlisted
        Number of pairs that the model demands and that cannot be listed ones (see `posterior`); 0 in good order.
    error
        Monte Carlo standard error of the expected links of one good assignment; 0 where nothing is drawn: of what is
        exact, and of belief propagation, whose error is that of the approximation, which nobody knows.
    """

    scores: PairScores
    probability: FloatArray
    stranger: FloatArray
    absent: FloatArray
    method: str
    is_converged: bool
    n_unlisted: int
    error: float

    def __repr__(self) -> str:
        status = "converged" if self.is_converged else "not converged"
        return f"Marginals({self.scores!r}, method={self.method!r}, {status})"


def posterior(
    scores: PairScores,
    *,
    n_strangers: int | None = None,
    stranger: FloatArray | None = None,
    method: Method = "auto",
    seed: int = 0,
    sweeps: int | None = None,
    chains: int = N_CHAINS,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Marginals:
    """Compute the probability of each pair when every record is matched at most once.

    *Model.* S = ``n_strangers`` of the M protected records belong to people whom the intruder does not know; the others
    to M - S different people of the N whom he knows. Without a number there are no more strangers than there must be,
    and then everybody known is in the release, or everybody in the release is known. Before the intruder looks at the
    values, all ways to be so are equally likely. Given a matching, protected records are independent, y_j with density
    p(y_j | x_i) if j is i, and g(y_j) if j is a stranger's. So a matching has the probability

        P(matching | files) = (1 / Z) * product over its pairs of p(y_j | x_i) / g(y_j).

    Nothing is assumed of people who are known and not in the release, but that each is as likely to be absent as any
    other. Without strangers g plays no part, and values may have a constant for each j. With strangers values must be
    true log-densities, or have one constant for all j, and ``stranger`` holds log g(y_j) with the same constant.
    Without it g is the same at all released records; how large it is plays no part, because the number of strangers is
    given. What g must not be is the mean of p(y_j | x_i) over known people: next to a known person that is mostly his
    own peak, so that every record would seem as strange as any other, however near somebody known is. (Measured: noise
    of 0.05 on 3 normal attributes, 200 people known, half of them among 2,000 records: 12 links expected with that
    mean and 20 found; 87 and 88 with a constant; 88 and 88 with the true density.)

    *Pairs that are not listed* have probability 0. Where listed pairs cannot make up a matching of M - S pairs, the
    largest they can make up are taken; ``n_unlisted`` tells how many pairs are missing. A protected record without
    candidates is a stranger's.

    *Method.* "belief": belief propagation, fast, the same for every order of the records; it makes likely pairs too
    likely, most where two matchings compete, while the best assignment by it is nearly always as good as the exact
    one. "chain": draws from the posterior, exact in the limit, with a Monte Carlo error. "auto": belief, or the chain
    where that does not converge.

    *Guarantee* (docs/mathematics.md#matching-posterior): under this model the formula is the posterior.

    Ties: protected records that are alike share their probabilities equally, up to rounding (belief) or Monte Carlo
    error (chain). Missing values: as the scores say. Cost: see `propagate` and `sample`. Reference: Tancredi and Liseo
    (2011), https://doi.org/10.1214/10-AOAS447, for the posterior of matchings in linkage.

    >>> equal = PairScores(np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.zeros(4), n_original=2)
    >>> posterior(equal).probability.tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    if method not in ("auto", "belief", "chain"):
        raise ParameterError(f"method must be auto, belief or chain, not {method!r}")
    problem = make_problem(scores, check_strangers(scores, n_strangers), stranger)
    weights = balance(problem, threads=threads)
    belief = propagate(problem, weights, threads=threads)
    if method == "belief" or (method == "auto" and belief.is_converged):
        return believed_marginals(scores, problem, belief)
    watched = assign_pairs(problem.scores, belief.probability, seed=seed).pairs
    draws = sample(
        problem, weights, watched, seed=seed, sweeps=sweeps, chains=chains, threads=threads, progress=progress
    )
    return drawn_marginals(scores, problem, draws, draws.probability())


def believed_marginals(scores: PairScores, problem: Problem, belief: Belief) -> Marginals:
    """Return what belief propagation says of the pairs."""
    return _marginals(scores, problem, belief.probability, "belief", belief.is_converged, 0.0)


def exact_marginals(scores: PairScores, problem: Problem, probability: FloatArray) -> Marginals:
    """Return probabilities of the pairs that are known exactly."""
    return _marginals(scores, problem, probability, "exact", True, 0.0)


def drawn_marginals(scores: PairScores, problem: Problem, draws: Draws, probability: FloatArray) -> Marginals:
    """Return what chains say of the pairs."""
    return _marginals(scores, problem, probability, "chain", draws.is_converged, draws.error)


def _marginals(
    scores: PairScores, problem: Problem, known: FloatArray, method: str, is_converged: bool, error: float
) -> Marginals:
    probability = np.zeros(scores.n_pairs)
    probability[problem.kept] = known
    of_protected = np.bincount(scores.protected(), weights=probability, minlength=scores.n_protected)
    of_original = np.bincount(scores.original, weights=probability, minlength=scores.n_original)
    return Marginals(
        scores=scores,
        probability=probability,
        stranger=np.maximum(0.0, 1.0 - of_protected),
        absent=np.maximum(0.0, 1.0 - of_original),
        method=method,
        is_converged=is_converged,
        n_unlisted=problem.n_unlisted,
        error=error,
    )
