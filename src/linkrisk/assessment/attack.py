"""One attacker against one comparison: links, certainty, what is disclosed, and the risk of each record."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.assessment.claims import claims
from linkrisk.assessment.interval import wilson_interval
from linkrisk.assessment.learning import LearnOptions, explain, hold_out, learn_attacker
from linkrisk.assessment.result import AttackResult, Disclosure, Holdout, OneToOne, RecordAttack
from linkrisk.assessment.unchanged import is_missing, same_values
from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import ColumnPair
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.meaning import true_pair_covariance
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing
from linkrisk.linkage.assignment import assign
from linkrisk.linkage.linkage import Linkage, Ties
from linkrisk.linkage.probabilistic import with_pair_classes
from linkrisk.linkage.search import expected_chance, nearest


@dataclass(frozen=True)
class AttackOptions:
    """How attacks are run and counted."""

    ties: Ties = Ties.UNIQUE
    is_one_to_one: bool = False
    is_ranking: bool = False
    threads: int | None = None
    learning: LearnOptions = field(default_factory=LearnOptions)


def attack(
    attacker: Attacker,
    comparison: Comparison,
    confidential: tuple[ColumnPair, ...],
    options: AttackOptions,
    progress: Progress = no_progress,
    watcher: Watcher = watch_nothing,
) -> tuple[AttackResult, RecordAttack, Learned | None]:
    """Run one attacker on one scale; one whose parameters are not given is learned first."""
    family = attacker.family() if attacker.is_learned else None
    if family is None:
        return *_evaluate(attacker, comparison, confidential, options, progress), None
    learned = learn_attacker(family, comparison, options.learning, watcher)
    given = attacker.with_parameters(learned.theta, learned.problem.names)
    with interrupt.set_aside():  # what was learned until Ctrl-C stands
        tolerance = learned.problem.tolerance
        result, record = _evaluate(given, comparison, confidential, options, progress, tolerance)
    holdout = hold_out(family, comparison, options.learning, watcher)
    result = _with_learning(result, learned, holdout)
    if options.learning.is_explained and not interrupt.is_pending():
        result = replace(result, explanation=explain(learned, options.learning, watcher))
    return result, record, learned


def _with_learning(result: AttackResult, learned: Learned, holdout: Holdout | None) -> AttackResult:
    """Add to a result what learning tells."""
    ties, family = learned.problem.ties, learned.family
    covariance = true_pair_covariance(learned.problem.comparison, family.name) if family.is_signed else None
    return replace(
        result,
        name=family.name,
        has_true_pairs=True,
        interval=None,
        links={**result.links, ties: learned.links if ties is Ties.EXPECTED else round(learned.links)},
        bound=learned.bound,
        status=str(learned.status),
        seconds=learned.seconds,
        holdout=holdout,
        meaning=family.meaning(learned.theta, learned.problem.names, covariance).to_dict(),
    )


def _evaluate(
    attacker: Attacker,
    comparison: Comparison,
    confidential: tuple[ColumnPair, ...],
    options: AttackOptions,
    progress: Progress,
    tolerance: float | None = None,
) -> tuple[AttackResult, RecordAttack]:
    """Count what an attacker links, by a tolerance other than his own where a margin was asked for."""
    start = time.perf_counter()
    distance = attacker.for_run(options.learning.seed, options.threads).distance(comparison)
    if tolerance is not None:
        distance = replace(distance, tolerance=tolerance)
    linkage = nearest(distance, is_ranking=options.is_ranking, threads=options.threads, progress=progress)
    if isinstance(distance, AgreementDistance):
        distance = with_pair_classes(distance, linkage, str(comparison.scale))
    one_to_one = None
    if options.is_one_to_one:
        assignment = assign(distance, threads=options.threads, progress=progress)
        one_to_one = OneToOne({rule: assignment.links(rule) for rule in Ties}, assignment.gap)
    n_pairs = int(linkage.has_counterpart.sum())
    links = {rule: linkage.links(rule) for rule in Ties}
    result = AttackResult(
        name=attacker.name,
        label=attacker.name,
        scale=str(comparison.scale),
        links=links,
        n_pairs=n_pairs,
        chance=expected_chance(n_pairs, len(comparison.coordinates.protected)),
        has_true_pairs=attacker.has_true_pairs,
        interval=None if attacker.has_true_pairs else wilson_interval(links[options.ties], n_pairs),
        seconds=time.perf_counter() - start,
        claims=claims(linkage),
        disclosures=_disclosures(linkage, comparison, confidential, options.ties),
        one_to_one=one_to_one,
        parameters=distance.parameters,
        notes=distance.notes,
    )
    record = RecordAttack(
        label=attacker.name,
        scale=str(comparison.scale),
        is_linked=linkage.is_linked(options.ties),
        margin=_margin(linkage),
        tied=linkage.tied,
        twins=linkage.twins,
        rank=linkage.rank,
    )
    return result, record


def _margin(linkage: Linkage) -> FloatArray:
    larger = np.maximum(np.abs(linkage.own), np.abs(linkage.nearest_other))
    with np.errstate(divide="ignore", invalid="ignore"):
        margin = (linkage.nearest_other - linkage.own) / larger
    return np.where(larger == 0.0, 0.0, np.where(np.isinf(linkage.nearest_other), 1.0, margin))


def _disclosures(
    linkage: Linkage, comparison: Comparison, confidential: tuple[ColumnPair, ...], ties: Ties
) -> tuple[Disclosure, ...]:
    rows = np.flatnonzero(linkage.is_linked(ties))
    own = comparison.coordinates.own[rows]
    result = []
    for column in confidential:
        seen = column.protected[own]
        is_known = ~is_missing(seen)
        exact: int | None = None
        if not is_missing(column.original).all():
            exact = int((is_known & same_values(column.original[rows], seen)).sum())
        result.append(Disclosure(column.attribute.name, int(is_known.sum()), exact))
    return tuple(result)
