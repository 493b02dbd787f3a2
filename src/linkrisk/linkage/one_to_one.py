"""Linking by a distance when each record is one person: by assignment, and by the posterior over matchings."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.distance import Distance
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import default_threads
from linkrisk.linkage.assignment import Assignment, assign_near
from linkrisk.linkage.candidates import MAX_LISTED, NearPairs, Shuffled, near_pairs, shuffled
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.link import link_scores
from linkrisk.linkage.matching.posterior import Marginals, Method, posterior
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.matching.temperature import estimate_temperature
from linkrisk.linkage.points import make_points

MAX_CHAIN, SWEEPS = 300, 200
"""Records up to which a Markov chain takes the place of belief propagation that does not converge, and its sweeps."""

ALONE = 5_000
"""Pairs looked at up to which starting a thread would take longer than it saves."""


@dataclass(frozen=True, eq=False, repr=False)
class OneToOneLinkage:
    """What an intruder links who knows that each protected record is one person.

    assignment
        The one-to-one assignment of the least total distance.
    linkage
        Who each person most likely is, by the posterior over all matchings; None where distances have no likelihood.
    marginals, temperature
        Probabilities of the pairs looked at, and the number by which distances were divided.
    """

    assignment: Assignment
    linkage: Linkage | None = None
    marginals: Marginals | None = None
    temperature: float | None = None

    @property
    def is_converged(self) -> bool:
        """Whether the probabilities were found; yes where none were looked for."""
        return self.marginals is None or self.marginals.is_converged

    def __repr__(self) -> str:
        return f"<OneToOneLinkage of {len(self.assignment.partner)} records>"


def link_one_to_one(
    distance: Distance,
    *,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
    max_listed: int = MAX_LISTED,
) -> OneToOneLinkage:
    """Link one to one by a distance: at the least total (`assign`), and by the posterior over matchings.

    *Who attacks:* somebody who measures how near records are by this distance, and knows that no two people have the
    same released record. A distance d is taken for a likelihood exp(-d / T), with T estimated from the two files alone
    (`estimate_temperature`); the probability that original record i is protected record j, given all records of both
    files, is that of `posterior`, and i is linked to its likeliest j. Under the model no rule has more right links in
    expectation. Two originals may be linked to the same j: which of them it is, is open, and each is the best guess.

    Ties: of protected records that are alike, each is as likely; they are twins. Who ties with one that is not alike
    counts 0, as where nearest records are linked. The order of the records plays no part (`shuffled`). Missing values
    count as the distance says. Negative distances: the assignment alone. Cost: lists of candidates seen from both
    files, an auction, and some 50 rounds of messages: half a second to a second for 5,000 records.

    >>> from linkrisk.data import pair_files
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.distances.weighted_mean import mean_distance
    >>> files = pair_files(np.array([[1.0], [2.0], [4.0], [7.0]]), np.array([[1.5], [2.2], [4.0], [7.5]]))
    >>> found = link_one_to_one(mean_distance(make_comparison(files)))
    >>> found.assignment.links(), found.linkage.links()
    (4.0, 4.0)
    """
    known = shuffled(distance, seed)
    pairs = near_pairs(known.distance, max_listed=max_listed, threads=threads, progress=progress)
    if (threads or default_threads()) == 1 or len(pairs.distance) <= ALONE:
        assignment = assign_near(distance, known, pairs, max_dense=max_listed)
        return OneToOneLinkage(assignment, *_likeliest(distance, known, pairs, seed, threads))
    with interrupt.deferred(), ThreadPoolExecutor(1) as pool:  # side by side: neither needs the other
        context = copy_context()  # an interrupt that is set aside here is so there
        assigned = pool.submit(context.run, assign_near, distance, known, pairs, max_dense=max_listed)
        likeliest = _likeliest(distance, known, pairs, seed, threads)
        return OneToOneLinkage(assigned.result(), *likeliest)


def _likeliest(
    distance: Distance, known: Shuffled, pairs: NearPairs, seed: int, threads: int | None
) -> tuple[Linkage | None, Marginals | None, float | None]:
    """Return who each person most likely is, by which probabilities and temperature; nothing without a likelihood."""
    temperature = estimate_temperature(known.distance, seed=seed)
    if temperature is None:
        return None, None, None
    scores = near_scores(known.distance, pairs, temperature)
    method: Method = "auto" if max(pairs.shape) <= MAX_CHAIN else "belief"
    marginals = posterior(scores, method=method, seed=seed, sweeps=SWEEPS, threads=threads)
    return _linked(distance, known, marginals), marginals, temperature


def near_scores(distance: Distance, pairs: NearPairs, temperature: float) -> PairScores:
    """Return the log-likelihoods -d / temperature of pairs."""
    n_original, n_protected = pairs.shape
    measured = distance.without_rivals(pairs.distance, pairs.original, pairs.protected)
    counts = np.bincount(pairs.protected, minlength=n_protected)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return PairScores(start, pairs.original, measured / -temperature, n_original)


def _linked(distance: Distance, known: Shuffled, marginals: Marginals) -> Linkage:
    """Link originals to distinct protected records, each of which stands for all that are alike."""
    points = make_points(distance)
    own = distance.coordinates.own
    scores = marginals.scores
    original = known.original[scores.original]
    point = points.point_of[known.protected[scores.protected()]]
    pooled, probability = _pooled(original, point, marginals.probability, (scores.n_original, points.n_points))
    with np.errstate(divide="ignore"):
        logarithms = np.log(probability / points.cloud.weights[pooled.protected()])
    own_point = np.where(own >= 0, points.point_of[own], -1)
    return link_scores(pooled, logarithms, own_point, points.cloud.weights)


def _pooled(
    original: IntArray, point: IntArray, probability: FloatArray, shape: tuple[int, int]
) -> tuple[PairScores, FloatArray]:
    """Add up the probabilities of the records of each point."""
    code, n_codes = point * shape[0] + original, shape[0] * shape[1]
    if n_codes <= len(code):  # as where all pairs are listed: then it takes no sorting
        is_there = np.zeros(n_codes, dtype=bool)
        is_there[code] = True
        found = np.flatnonzero(is_there)
        total = np.zeros(n_codes)
        np.add.at(total, code, probability)
        total = total[found]
    else:
        found, place = np.unique(code, return_inverse=True)
        total = np.zeros(len(found))
        np.add.at(total, place, probability)
    points, originals = np.divmod(found, shape[0])
    start = np.concatenate([[0], np.cumsum(np.bincount(points, minlength=shape[1]))]).astype(np.int64)
    return PairScores(start, originals, np.zeros(len(found)), shape[0]), total
