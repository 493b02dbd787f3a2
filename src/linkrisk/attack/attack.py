"""One attacker against one comparison: links, certainty, what is disclosed, and the risk of each record."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.attack.claims import claims
from linkrisk.attack.disclosure import disclosures
from linkrisk.attack.holdout import explain, has_no_ranges, hold_out, learn_family
from linkrisk.attack.interval import wilson_interval
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.repeats import Linked, LinkedBefore
from linkrisk.attack.result import Attack, AttackResult, CeilingResult, OneToOne, RecordAttack, Way
from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.formula import make_formula
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.informed.attack import InformedLinkage, attack_informed
from linkrisk.learning.learned import Learned
from linkrisk.learning.search import Watcher, watch_nothing
from linkrisk.learning.starts import Start
from linkrisk.linkage.assignment import Assignment
from linkrisk.linkage.linkage import Linkage, shared_chances
from linkrisk.linkage.nearest_class import nearest_classes
from linkrisk.linkage.one_to_one import link_one_to_one
from linkrisk.linkage.search import expected_chance, nearest
from linkrisk.linkage.ties import Ties

SHORT = "bayes is not worked out of releases that informed breaks already"
"""What is said where his links were enough."""

MOST_GAIN, FEW_MORE = 8.0, 20.0
"""Times as many expected links, once so few are added, that linking one to one is trusted to make of nearest records.
The most that was seen is 3.7 times as many: a file like Adult under weak noise, docs/decisions/0010."""

UNSCALED = "values"
"""What stands in place of a scale for an attacker who takes values as they are."""


def make_attack(
    attacker: Attacker,
    comparison: Comparison,
    plan: AttackPlan,
    *,
    label: str | None = None,
    confidential: tuple[ColumnPair, ...] = (),
    starts: Sequence[Start] = (),
    rival: float = 0.0,
    linked: LinkedBefore | None = None,
    progress: Progress = no_progress,
    watcher: Watcher = watch_nothing,
) -> Attack:
    """Let one attacker attack on one scale; parameters that are not given are learned first.

    ``starts`` are distances of others on the same people: learning starts from those that lie in the family. Where
    others have ``rival`` expected links, and this attacker so few to nearest records that he is not expected to have as
    many one to one (`is_left_behind`), he does not look for these. Those in ``linked`` are not looked for again.
    """
    count = _Count(attacker, label or attacker.name, comparison, plan, confidential, progress, rival, linked)
    family = attacker.family() if attacker.is_learned else None
    if family is None:
        return count.of_given()
    learned = learn_family(family, comparison, plan, watcher, starts=starts)
    with interrupt.set_aside():  # keeps what was learned before Ctrl-C
        made = count.of_learned(learned)
    result = replace(made.result, holdout=hold_out(family, comparison, plan, watcher))
    if plan.learning.explain and not interrupt.is_pending():
        notes = (f"{family.name}: no ranges of parameters, because not all people were looked at",)
        told = (*result.notes, *(notes if has_no_ranges(learned) else ()))
        result = replace(result, explanation=explain(learned, plan, watcher), notes=told)
    return replace(made, result=result)


def make_informed_attack(
    attacker: Attacker,
    files: FilePair,
    plan: AttackPlan,
    *,
    label: str | None = None,
    progress: Progress = no_progress,
    enough: float = math.inf,
) -> Attack:
    """Let the intruder attack who knows the method; of several descriptions that fit the files the strongest counts.

    Where he links more than the share ``enough`` of the people without Markov chains, none are run for a ceiling.
    """
    start = time.perf_counter()
    descriptions, notes = attacker.descriptions(files, plan.published)
    made = attack_informed(
        files,
        descriptions,
        seed=plan.seed,
        threads=plan.threads,
        progress=progress,
        ties=plan.ties,
        enough=enough * int((files.own >= 0).sum()),
    )
    best = max(made, key=lambda found: max(found.linkage.links(plan.ties), found.assignment.links(plan.ties)))
    linkage = best.linkage
    links = _by_ties(linkage)
    assigned, status = {Way.ASSIGNMENT: _by_ties(best.assignment)}, _status(best.marginals.is_converged)
    one_to_one = OneToOne.of(assigned, plan.ties, best.assignment.gap, status)
    n_pairs = int(linkage.has_counterpart.sum())
    is_linked = linkage.is_linked(plan.ties)
    found = _better(linkage.chances(plan.ties), best.assignment.chances(plan.ties))
    name = label or attacker.name
    result = AttackResult(
        name=attacker.name,
        label=name,
        scale=UNSCALED,
        links=links,
        ties=plan.ties,
        n_pairs=n_pairs,
        chance=expected_chance(n_pairs, files.n_protected),
        has_true_pairs=False,
        interval=wilson_interval(max(links[plan.ties], one_to_one.links[plan.ties]), n_pairs),
        seconds=time.perf_counter() - start,
        claims=claims(linkage, best.classes, plan.ties),
        disclosures=disclosures(best.classes, files.own, files.confidential),
        one_to_one=one_to_one,
        parameters={"method": str(best.description), "tried": [str(found.description) for found in made]},
        notes=(*notes, *((SHORT,) if best.is_short else ())),
        certain=best.n_certain,
        ceiling=_ceiling(best),
    )
    return Attack(result, _record_attack(name, UNSCALED, is_linked, linkage, found))


def _ceiling(found: InformedLinkage) -> CeilingResult | None:
    ceiling = found.ceiling
    if ceiling is None:
        return None
    model = found.description
    methods = " and ".join(dict.fromkeys(part.method for part in model.treatments)) or "leaving values as they are"
    return CeilingResult(ceiling.links, ceiling.lower, ceiling.error, ceiling.is_converged, str(model), methods)


@dataclass(frozen=True)
class _Count:
    """Counts the links of an attacker, in the same way for all attackers."""

    attacker: Attacker
    label: str
    comparison: Comparison
    plan: AttackPlan
    confidential: tuple[ColumnPair, ...]
    progress: Progress
    rival: float
    linked: LinkedBefore | None

    def of_given(self) -> Attack:
        """Count the links of an attacker whose parameters are given, or who has none."""
        start = time.perf_counter()
        distance = self.attacker.for_run(self.plan.seed, self.plan.threads).distance(self.comparison)
        linkage = self._nearest(distance)
        distance = self.attacker.with_findings(distance, linkage, str(self.comparison.scale))
        made = self._attack(distance, linkage, linkage.is_linked(self.plan.ties))
        return replace(made, result=replace(made.result, seconds=time.perf_counter() - start))

    def of_learned(self, learned: Learned) -> Attack:
        """Count the links of what was learned: headline and rows of records come from one exact count."""
        linkage = replace(learned.linkage, twins=_counted_twins(learned, self.plan.ties))
        if self.plan.has_own_ranks:
            linkage = replace(linkage, rank=self._nearest(learned.distance).rank)
        usual = None
        if self.plan.learning.margin > 0.0:  # it is asked of links; what is equally near is another matter
            usual = replace(learned.distance, tolerance=learned.family.tolerance)
        made = self._attack(learned.distance, linkage, learned.is_linked, usual)
        ties = self.plan.ties
        result = replace(
            made.result,
            has_true_pairs=True,
            interval=None,
            links={**made.result.links, ties: learned.links if ties is Ties.EXPECTED else round(learned.links)},
            bound=learned.bound,
            status=str(learned.status),
            seconds=learned.seconds,
            meaning=learned.meaning().to_dict(),
            notes=(*made.result.notes, *_sample_notes(learned)),
        )
        return replace(made, result=result, learned=learned)

    def _nearest(self, distance: Distance) -> Linkage:
        plan = self.plan
        return nearest(distance, is_ranking=plan.has_own_ranks, threads=plan.threads, progress=self.progress)

    def _attack(
        self, distance: Distance, linkage: Linkage, is_linked: BoolArray, usual: Distance | None = None
    ) -> Attack:
        """Count; ``usual`` is the distance that says what is equally near, where it is another one."""
        n_pairs = int(linkage.has_counterpart.sum())
        links = _by_ties(linkage)
        near = linkage if usual is None else self._nearest(usual)
        classes = nearest_classes(usual or distance, near, threads=self.plan.threads)
        has_true_pairs, scale = self.attacker.has_true_pairs, str(self.comparison.scale)
        is_behind = is_left_behind(links[Ties.EXPECTED], self.rival)
        one_to_one, by_matching = (None, None) if is_behind else self._linked_one_to_one(distance)
        result = AttackResult(
            name=self.attacker.name,
            label=self.label,
            scale=scale,
            links=links,
            ties=self.plan.ties,
            n_pairs=n_pairs,
            chance=expected_chance(n_pairs, len(self.comparison.coordinates.protected)),
            has_true_pairs=has_true_pairs,
            interval=None,
            seconds=0.0,
            claims=claims(near, classes, self.plan.ties),
            disclosures=disclosures(classes, self.comparison.coordinates.own, self.confidential),
            one_to_one=one_to_one,
            parameters=distance.parameters,
            notes=distance.notes,
        )
        if not has_true_pairs:
            result = replace(result, interval=wilson_interval(result.found(), n_pairs))
        found = _better(shared_chances(is_linked, linkage.twins, self.plan.ties), by_matching)
        formula = make_formula(distance, self.comparison)
        return Attack(result, _record_attack(self.label, scale, is_linked, linkage, found), formula=formula)

    def _linked_one_to_one(self, distance: Distance) -> Linked:
        """Link one to one, unless that was done by a multiple of the distance and is known."""
        known = None if self.linked is None else self.linked.find(distance)
        found = self._one_to_one(distance) if known is None else known
        if self.linked is not None and known is None:
            self.linked.keep(distance, found)
        return found

    def _one_to_one(self, distance: Distance) -> Linked:
        """Link one to one, where that is asked for; return also how likely each record is found by the better way."""
        plan, coordinates = self.plan, distance.coordinates
        if not plan.is_one_to_one(max(len(coordinates.original), len(coordinates.protected))):
            return None, None
        found = link_one_to_one(distance, seed=plan.seed, threads=plan.threads, progress=self.progress)
        ways: dict[Way, Assignment | Linkage] = {Way.ASSIGNMENT: found.assignment}
        if found.linkage is not None:
            ways[Way.POSTERIOR] = found.linkage
        status = "no likelihood" if found.linkage is None else _status(found.is_converged)
        by_way = {way: _by_ties(linked) for way, linked in ways.items()}
        result = OneToOne.of(by_way, plan.ties, found.assignment.gap, status)
        return result, ways[result.way].chances(plan.ties)


def is_left_behind(links: float, rival: float) -> bool:
    """Whether an attacker links so few nearest records that one to one he is not expected to find as many as a rival.

    >>> is_left_behind(10.0, 200.0), is_left_behind(10.0, 400.0)
    (False, True)
    """
    return MOST_GAIN * (links + FEW_MORE) < rival


def _sample_notes(learned: Learned) -> tuple[str, ...]:
    """Say on how many people an attacker was learned, if not on all."""
    return () if learned.sample is None else (f"{learned.family.name}: {learned.sample}",)


def _by_ties(linkage: Linkage | Assignment) -> dict[Ties, float]:
    return {rule: linkage.links(rule) for rule in Ties}


def _better(nearest: FloatArray, one_to_one: FloatArray | None) -> FloatArray:
    """Return the chances of the records by the way that finds more people, as `AttackResult.found` counts them."""
    return nearest if one_to_one is None or nearest.sum() >= one_to_one.sum() else one_to_one


def _status(is_converged: bool) -> str:
    return "converged" if is_converged else "not converged"


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


def _margin(linkage: Linkage) -> FloatArray:
    larger = np.maximum(np.abs(linkage.own), np.abs(linkage.nearest_other))
    with np.errstate(divide="ignore", invalid="ignore"):
        margin = (linkage.nearest_other - linkage.own) / larger
    return np.where(larger == 0.0, 0.0, np.where(np.isinf(linkage.nearest_other), 1.0, margin))


def _record_attack(label: str, scale: str, is_linked: BoolArray, linkage: Linkage, found: FloatArray) -> RecordAttack:
    return RecordAttack(
        label=label,
        scale=scale,
        is_linked=is_linked,
        margin=_margin(linkage),
        tied=linkage.tied,
        twins=linkage.twins,
        found=found,
        rank=linkage.rank,
    )
