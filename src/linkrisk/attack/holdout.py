"""Learned attackers in an attack: what they find of all records, and the rate on held-out records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.result import Explanation, Holdout
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.learning.explanation.carriers import carriers
from linkrisk.learning.explanation.ranges import parameter_ranges
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing
from linkrisk.learning.starts import Start
from linkrisk.linkage.search import nearest


def learn_family(
    family: Family,
    comparison: Comparison,
    plan: AttackPlan,
    watcher: Watcher = watch_nothing,
    *,
    starts: Sequence[Start] = (),
    share: float = 1.0,
    least: float = 0.0,
) -> Learned:
    """Learn the best distance of a family on all records of a comparison, within a ``share`` of the time limit.

    Nothing is searched where the best start links fewer than the ``least`` number of people.
    """
    return learn(
        family,
        comparison,
        ties=plan.ties,
        margin=plan.learning.margin,
        time_limit=share * plan.learning.seconds,
        seed=plan.seed,
        threads=plan.threads,
        watcher=watcher,
        starts=starts,
        foresees=plan.foresees,
        least=least,
    )


def hold_out(
    family: Family, comparison: Comparison, plan: AttackPlan, watcher: Watcher = watch_nothing
) -> Holdout | None:
    """Learn on some of the true pairs and attack the others, several times, to know the spread.

    Nothing that was learned on all records is used to start from. Reference: abril2012-weights.txt, section 5 and
    Tables 7 and 9 (there the candidates are the test records, ``pool="test"``).
    """
    asked = plan.learning
    training, testing = [], []
    for known, tested in parts(comparison, plan):
        if interrupt.is_pending():
            break
        learned = learn_family(family, known, plan, watcher, share=1.0 / asked.repeats)
        with interrupt.set_aside():
            distance = family.for_others().distance(learned.theta, tested)
            linkage = nearest(replace(distance, tolerance=learned.distance.tolerance), threads=plan.threads)
        training.append(learned.links / len(known.coordinates.own))
        testing.append(linkage.links(plan.ties) / len(tested.coordinates.own))
    if not testing:
        return None
    return Holdout(asked.holdout, asked.pool, tuple(training), tuple(testing))


def parts(comparison: Comparison, plan: AttackPlan) -> Iterator[tuple[Comparison, Comparison]]:
    """Yield the people to learn from, and those held out, one split for each repeat; none where either are too few."""
    asked = plan.learning
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    n_test = round(asked.holdout * len(people))
    if asked.holdout == 0.0 or n_test < 1 or len(people) - n_test < 2:
        return
    for train, test in _splits(people, n_test, asked.repeats, plan.seed):
        yield _part(comparison, train, asked.pool), _part(comparison, test, asked.pool)


def explain(learned: Learned, plan: AttackPlan, watcher: Watcher = watch_nothing) -> Explanation:
    """Say how far each parameter can move without losing a link, and which attributes carry links.

    No ranges are told of who was learned on some of the people, or had no time to look at all: the links of the others
    would not limit them. Cost: two linear programmes per parameter, and one more run of the learner per attribute.
    """
    seconds = plan.learning.seconds
    ranges = {} if has_no_ranges(learned) else _ranges(learned, seconds)
    found = carriers(learned, time_limit=seconds, seed=plan.seed, watcher=watcher, threads=plan.threads)
    return Explanation(ranges, found)


def has_no_ranges(learned: Learned) -> bool:
    """Whether some people were not looked at, so that it is not known how far parameters can move."""
    return learned.sample is not None or learned.problem.n_unseen > 0


def _ranges(learned: Learned, seconds: float) -> dict[str, tuple[float, float]]:
    low, high = parameter_ranges(learned, time_limit=seconds)
    labels = learned.family.parameter_labels(learned.problem.names)
    return {label: (float(a), float(b)) for label, a, b in zip(labels, low, high, strict=True)}


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
