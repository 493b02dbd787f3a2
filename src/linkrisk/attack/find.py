"""The first half of an attack: a distance, learned where it is not given, and its links to nearest records."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from linkrisk.arrays import BoolArray, IntArray
from linkrisk.attack.course import Course, CoursePoint
from linkrisk.attack.holdout import explain, has_no_ranges, hold_out, learn_family
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.result import Explanation, Holdout
from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.formula import make_formula
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing
from linkrisk.learning.starts import Start
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties


@dataclass(frozen=True, eq=False, repr=False)
class Found:
    """What an attacker links to nearest records on one scale; all else about the attack is counted from it.

    ``is_linked`` counts by the tie rule of the run. ``learned`` is what was learned, and None where parameters were
    given; then ``holdout`` and ``explanation`` are there where they were asked for. ``seconds`` is the time it took,
    ``course`` how learning went on.
    """

    attacker: Attacker
    comparison: Comparison
    distance: Distance
    linkage: Linkage
    is_linked: BoolArray
    seconds: float
    learned: Learned | None = None
    holdout: Holdout | None = None
    explanation: Explanation | None = None
    notes: tuple[str, ...] = ()
    course: tuple[CoursePoint, ...] = ()

    def start(self, ties: Ties) -> Start:
        """Return the distance as a start for others, with the links that it makes by a tie rule."""
        formula = make_formula(self.distance, self.comparison)
        if self.learned is None:
            return Start(formula, self.comparison, self.linkage.links(ties))
        links = self.learned.links if ties is Ties.EXPECTED else round(self.learned.links)
        return Start(formula, self.comparison, links, self.learned.family, self.learned.theta)


def find_links(
    attacker: Attacker,
    comparison: Comparison,
    plan: AttackPlan,
    *,
    starts: Sequence[Start] = (),
    least: float = 0.0,
    progress: Progress = no_progress,
    watcher: Watcher = watch_nothing,
) -> Found:
    """Find the links of one attacker on one scale to nearest records; parameters that are not given are learned first.

    ``starts`` are distances of others on the same people: learning starts from those that lie in the family, and ends
    there where the best of them links fewer than ``least``.
    """
    family = attacker.family() if attacker.is_learned else None
    if family is not None:
        course = Course(watcher)
        learned = learn_family(family, comparison, plan, course.watch, starts=starts, least=least)
        return replace(_learned(attacker, learned, comparison, plan, watcher), course=course.up_to(learned))
    begun = time.perf_counter()
    distance = attacker.for_run(plan.seed, plan.threads).distance(comparison)
    linkage = nearest_by(distance, plan, progress)
    distance = attacker.with_findings(distance, linkage, str(comparison.scale))
    seconds = time.perf_counter() - begun
    return Found(attacker, comparison, distance, linkage, linkage.is_linked(plan.ties), seconds)


def nearest_by(distance: Distance, plan: AttackPlan, progress: Progress = no_progress) -> Linkage:
    """Link each record to its nearest, as a run does it."""
    return nearest(distance, is_ranking=plan.has_own_ranks, threads=plan.threads, progress=progress)


def _learned(attacker: Attacker, learned: Learned, comparison: Comparison, plan: AttackPlan, watcher: Watcher) -> Found:
    """Count the links of what was learned: headline and rows of records come from one exact count."""
    family = learned.family
    notes = () if learned.sample is None else (f"{family.name}: {learned.sample}",)
    if learned.partition is not None and learned.partition.statistical is not None:
        notes = (*notes, f"{family.name}: {learned.partition.statistical}")
    with interrupt.deferred(), interrupt.set_aside():  # keeps what was learned before Ctrl-C
        linkage = replace(learned.linkage, twins=_counted_twins(learned, plan.ties))
        if plan.has_own_ranks:
            linkage = replace(linkage, rank=nearest_by(learned.distance, plan).rank)
    holdout = hold_out(family, comparison, plan, watcher)
    explanation = None
    if plan.learning.explain and not interrupt.is_pending():
        explanation = explain(learned, plan, watcher)
        if has_no_ranges(learned):
            notes = (*notes, f"{family.name}: no ranges of parameters, because not all people were looked at")
    return Found(
        attacker,
        comparison,
        learned.distance,
        linkage,
        learned.is_linked,
        learned.seconds,
        learned,
        holdout,
        explanation,
        notes,
    )


def _counted_twins(learned: Learned, ties: Ties) -> IntArray:
    """Twins of each record; where links are shared among twins, as many as a link was shared among.

    The linkage of the distance leaves out twins that a form sees farther, and those of records that it sees beaten by
    rounding; the learner's count, exact, shares a link among all twins.
    """
    twins = learned.linkage.twins.copy()
    problem = learned.problem
    if ties is Ties.EXPECTED:
        linked = learned.is_linked[problem.records]
        linked[len(linked) - problem.n_unseen :] = False  # for these the linkage has counted
        twins[problem.records[linked]] = problem.n_twins[linked] - 1
    return twins
