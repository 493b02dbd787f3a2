"""Learned attackers in an assessment: the worst case on all records, and beside it what holds on held-out ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.assessment.result import Explanation, Holdout
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.learning.explanation.carriers import carriers
from linkrisk.learning.explanation.ranges import parameter_ranges
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing
from linkrisk.linkage.linkage import Ties
from linkrisk.linkage.search import nearest


@dataclass(frozen=True)
class LearnOptions:
    """How attackers are learned.

    ``time_limit`` holds for an attacker on a scale; the repetitions with held-out records together get as much again.
    ``holdout`` is the share of the true pairs that is held out (0: none), ``repeats`` how often, and ``pool`` who the
    candidates are then: ``"all"`` protected records, or those of the ``"test"`` records only (and of the training
    records while learning). With ``is_explained`` the ranges of the parameters and the attributes that carry the risk
    are worked out, too: ``time_limit`` holds for the ranges, and for each attribute. ``known`` are parameters that
    weaker attackers have found on the same records, to start from; held-out records know of none.
    """

    time_limit: float = math.inf
    holdout: float = 0.0
    repeats: int = 5
    pool: str = "all"
    margin: float = 0.0
    is_explained: bool = False
    ties: Ties = Ties.UNIQUE
    seed: int = 0
    threads: int | None = None
    known: Mapping[str, FloatArray] | None = None


def learn_attacker(
    family: Family, comparison: Comparison, options: LearnOptions, watcher: Watcher = watch_nothing
) -> Learned:
    """Learn an attacker on all records."""
    return learn(
        family,
        comparison,
        ties=options.ties,
        margin=options.margin,
        time_limit=options.time_limit,
        seed=options.seed,
        threads=options.threads,
        watcher=watcher,
        known=options.known,
    )


def hold_out(
    family: Family,
    comparison: Comparison,
    options: LearnOptions,
    watcher: Watcher = watch_nothing,
) -> Holdout | None:
    """Learn on some of the true pairs and attack the others; repeated, for the spread.

    Reference: abril2012-weights.txt, section 5 and Tables 7 and 9 (there the candidates are the test records,
    ``pool="test"``).
    """
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    n_test = round(options.holdout * len(people))
    if options.holdout == 0.0 or n_test < 1 or len(people) - n_test < 2:
        return None
    training, testing = [], []
    part = replace(options, time_limit=options.time_limit / options.repeats, known=None)
    for train, test in _splits(people, n_test, options.repeats, options.seed):
        if interrupt.is_pending():
            break
        known = _part(comparison, train, options.pool)
        learned = learn_attacker(family, known, part, watcher)
        attacked = _part(comparison, test, options.pool)
        with interrupt.set_aside():
            distance = family.for_others().distance(learned.theta, attacked)
            distance = replace(distance, tolerance=learned.problem.tolerance)
            linkage = nearest(distance, threads=options.threads)
        training.append(learned.linkage.links(options.ties) / len(train))
        testing.append(linkage.links(options.ties) / len(test))
    if not testing:
        return None
    return Holdout(options.holdout, options.pool, tuple(training), tuple(testing))


def explain(learned: Learned, options: LearnOptions, watcher: Watcher = watch_nothing) -> Explanation:
    """Say how far each parameter can move without losing a link, and without which attributes links are lost.

    Cost: two linear programmes a parameter, and one more run of the learner an attribute.
    """
    low, high = parameter_ranges(learned, time_limit=options.time_limit)
    labels = learned.family.parameter_labels(learned.problem.names)
    found = carriers(
        learned, time_limit=options.time_limit, seed=options.seed, watcher=watcher, threads=options.threads
    )
    ranges = {label: (float(a), float(b)) for label, a, b in zip(labels, low, high, strict=True)}
    return Explanation(ranges, found)


def _splits(people: IntArray, n_test: int, repeats: int, seed: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield training and test records, drawn with the seed of the run."""
    random = np.random.default_rng(seed)
    for _ in range(repeats):
        order = random.permutation(people)
        yield np.sort(order[n_test:]), np.sort(order[:n_test])


def _part(comparison: Comparison, rows: IntArray, pool: str) -> Comparison:
    """Keep some original records, against all protected ones or against theirs."""
    part = comparison.restrict(rows)
    return part.among_own() if pool == "test" else part
