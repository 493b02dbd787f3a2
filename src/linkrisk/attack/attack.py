"""The second half of an attack: links one to one, certainty, what is disclosed, and the risk of each record."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.attack.claims import claims
from linkrisk.attack.disclosure import disclosures
from linkrisk.attack.find import Found, find_links, nearest_by
from linkrisk.attack.interval import wilson_interval
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.repeats import Linked, LinkedBefore
from linkrisk.attack.result import (
    Attack,
    AttackResult,
    CeilingResult,
    LearnedParameters,
    OneToOne,
    RecordAttack,
    Way,
)
from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.linkage.assignment import Assignment
from linkrisk.linkage.linkage import Linkage, shared_chances
from linkrisk.linkage.nearest_class import nearest_classes
from linkrisk.linkage.one_to_one import link_one_to_one
from linkrisk.linkage.search import expected_chance
from linkrisk.linkage.ties import Ties

if TYPE_CHECKING:
    from linkrisk.informed.attack import InformedLinkage

SHORT = "bayes is not worked out of releases that informed breaks already"
"""What is said where his links were enough."""

MOST_GAIN, FEW_MORE = 8.0, 20.0
"""Times as many expected links, once so few are added, that linking one to one is trusted to make of nearest records.
The most that was seen is 3.7 times as many: a file like Adult under weak noise, docs/decisions/0010."""

UNSCALED = "values"
"""What stands in place of a scale for an attacker who takes values as they are."""


def make_attack(
    attacker: Attacker, comparison: Comparison, plan: AttackPlan, *, confidential: tuple[ColumnPair, ...] = ()
) -> Attack:
    """Let one attacker attack on one scale; parameters that are not given are learned first."""
    return count_attack(find_links(attacker, comparison, plan), plan, confidential=confidential)


def count_attack(
    found: Found,
    plan: AttackPlan,
    *,
    label: str | None = None,
    confidential: tuple[ColumnPair, ...] = (),
    rival: float = 0.0,
    linked: LinkedBefore | None = None,
    progress: Progress = no_progress,
) -> Attack:
    """Count an attack: links by tie rule and one to one, claims, what is disclosed, the risk of each record.

    Where others have ``rival`` expected links, and this attacker so few to nearest records that he is not expected to
    have as many one to one (`is_left_behind`), he does not look for these. Those in ``linked`` are not looked for
    again. The same for all attackers, whether learned or not.
    """
    start = time.perf_counter()
    made = _Count(label or found.attacker.name, found, plan, confidential, progress, rival, linked).attack()
    if found.learned is None:
        return replace(made, result=replace(made.result, seconds=found.seconds + time.perf_counter() - start))
    learned, ties = found.learned, plan.ties
    result = replace(
        made.result,
        has_true_pairs=True,
        interval=None,
        links={**made.result.links, ties: learned.links if ties is Ties.EXPECTED else round(learned.links)},
        bound=learned.bound,
        status=str(learned.status),
        seconds=learned.seconds,
        meaning=learned.meaning().to_dict(),
        notes=(*made.result.notes, *found.notes),
        holdout=found.holdout,
        explanation=found.explanation,
        course=found.course,
    )
    return replace(made, result=result, learned=LearnedParameters.of(learned))


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
    from linkrisk.informed.attack import attack_informed  # noqa: PLC0415  (takes a moment to load)

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
    chances = _better(linkage.chances(plan.ties), best.assignment.chances(plan.ties))
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
    return Attack(result, _record_attack(name, UNSCALED, is_linked, linkage, chances))


def _ceiling(found: InformedLinkage) -> CeilingResult | None:
    ceiling = found.ceiling
    if ceiling is None:
        return None
    model = found.description
    methods = " and ".join(dict.fromkeys(part.method for part in model.treatments)) or "leaving values as they are"
    return CeilingResult(ceiling.links, ceiling.lower, ceiling.error, ceiling.is_converged, str(model), methods)


@dataclass(frozen=True)
class _Count:
    """Counts what one attacker found."""

    label: str
    found: Found
    plan: AttackPlan
    confidential: tuple[ColumnPair, ...]
    progress: Progress
    rival: float
    linked: LinkedBefore | None

    def attack(self) -> Attack:
        """Count, the same for all attackers."""
        attacker, comparison, linkage = self.found.attacker, self.found.comparison, self.found.linkage
        distance = self.found.distance
        n_pairs = int(linkage.has_counterpart.sum())
        links = _by_ties(linkage)
        usual = self._usual()
        near = linkage if usual is distance else nearest_by(usual, self.plan, self.progress)
        classes = nearest_classes(usual, near, threads=self.plan.threads)
        scale = str(comparison.scale)
        is_behind = is_left_behind(links[Ties.EXPECTED], self.rival)
        one_to_one, by_matching = (None, None) if is_behind else self._linked_one_to_one(distance)
        result = AttackResult(
            name=attacker.name,
            label=self.label,
            scale=scale,
            links=links,
            ties=self.plan.ties,
            n_pairs=n_pairs,
            chance=expected_chance(n_pairs, len(comparison.coordinates.protected)),
            has_true_pairs=attacker.has_true_pairs,
            interval=None,
            seconds=0.0,
            claims=claims(near, classes, self.plan.ties),
            disclosures=disclosures(classes, comparison.coordinates.own, self.confidential),
            one_to_one=one_to_one,
            parameters=distance.parameters,
            notes=distance.notes,
        )
        if not attacker.has_true_pairs:
            result = replace(result, interval=wilson_interval(result.found(), n_pairs))
        is_linked = self.found.is_linked
        chances = _better(shared_chances(is_linked, linkage.twins, self.plan.ties), by_matching)
        return Attack(result, _record_attack(self.label, scale, is_linked, linkage, chances))

    def _usual(self) -> Distance:
        """Return the distance that says what is equally near: a margin is asked of links, which is another matter."""
        learned = self.found.learned
        if learned is None or self.plan.learning.margin == 0.0:
            return self.found.distance
        return replace(learned.distance, tolerance=learned.family.tolerance)

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


def _by_ties(linkage: Linkage | Assignment) -> dict[Ties, float]:
    return {rule: linkage.links(rule) for rule in Ties}


def _better(nearest: FloatArray, one_to_one: FloatArray | None) -> FloatArray:
    """Return the chances of the records by the way that finds more people, as `AttackResult.found` counts them."""
    return nearest if one_to_one is None or nearest.sum() >= one_to_one.sum() else one_to_one


def _status(is_converged: bool) -> str:
    return "converged" if is_converged else "not converged"


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
