"""Every attacker on every scale: the one loop behind assess, compare and tune."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attack.attack import SHORT, count_attack, make_informed_attack
from linkrisk.attack.find import Found, find_links
from linkrisk.attack.labels import attacker_labels
from linkrisk.attack.pipeline import Key, Pipeline
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.repeats import LinkedBefore, on_scale, scales_alike
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.attack.result import Attack, AttackResult, LearnedParameters, Proof
from linkrisk.attack.strands import Place, is_more_than
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import learned_families
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.scale import Scale
from linkrisk.distances.distance import Rule
from linkrisk.distances.family import Family
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.formula import is_rescaled, make_formula
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress
from linkrisk.errors import NotApplicableError, ParameterError
from linkrisk.learning.learned import Learned
from linkrisk.learning.options import Learning
from linkrisk.learning.search import Status
from linkrisk.learning.starts import Start, fitted_starts
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties

Attempt = tuple[str, Scale]
"""An attacker, by his label, on a scale."""

IN_REACH = 0.8
"""Share of a limit below which an attacker who ran out of time while searching is not given more: decision 10."""

FAR_OFF = 0.25
"""The same share for who has not searched: he had no time to look at all people, or, on many records, did not begin."""

FEW, MANY = 500, 2_000
"""Records between which attacks are counted while the next attacker begins. With fewer, two threads lose more by
waiting for Python's lock than they gain. With more, nothing is counted while somebody learns, who needs all cores."""

LEFT_BEHIND = "no links one to one by attackers who find less than an eighth of what the strongest finds"
"""What is said where attackers did not link one to one, because they would not have been the strongest."""


@dataclass
class Attacks:
    """Attacks in progress; finished ones are kept, so that an interrupt loses nothing.

    ``is_forgiving``: an attacker whose parameters do not fit is left out with a note (in a scenario they were given for
    other attributes); otherwise that is an error. ``is_partial`` tells that attackers were left out, because others
    had linked more than ``enough`` already. ``left_out`` says who could not attack these files, and why. Attackers on
    scales in ``put_off``, by their labels, do not attack: whoever asks for that must say so. ``starts`` are distances
    found so far, and ``before`` is what was learned on other releases of the same file: those who learn start there.

    Where there is a limit ``enough``, ``longer`` is the time for those who learn and may yet exceed it: who ran out of
    the usual time and links at least the share `IN_REACH` of the limit learns once more. Those in ``first``, who have
    broken another release, learn before the others and have that time at once. On many records those do not learn who
    would start below the share `FAR_OFF` of the limit (``unlearned``): what they start from has attacked itself.

    ``is_verdict``: only the strongest attack counts. Then others do not link one to one where they are not expected to
    overtake the strongest so far (a note says so). Who knows the method comes first, because he finds most, as he does
    where there is a limit.

    ``certify`` makes the proof of what was learned, where one is asked for.

    ``is_once``: nothing is done twice that would come out the same (`linkrisk.attack.repeats`): on scales on which the
    files look the same, and one to one by distances that are multiples of each other.

    The first half of an attack (`find_links`) is made by the main thread. The second half (`count_attack`) may be made
    beside it, in the same order, while the next attacker begins; so may the attack of who knows the method. What comes
    out is the same, because nobody needs the second half of another attack for his first. Under a limit, or for a
    verdict, one attack is made after the other: what one finds may spare the next.
    """

    attackers: Sequence[Attacker]
    comparisons: Mapping[Scale, Comparison]
    plan: AttackPlan
    files: FilePair
    reporter: Reporter = field(default_factory=SilentReporter)
    where: str = ""
    is_forgiving: bool = False
    is_partial: bool = False
    put_off: frozenset[Attempt] = frozenset()
    first: tuple[Attempt, ...] = ()
    longer: Learning | None = None
    is_verdict: bool = False
    is_once: bool = False
    before: Mapping[Attempt, LearnedParameters] = field(default_factory=dict)
    starts: list[Start] = field(default_factory=list)
    certify: Callable[[Learned, int | None], Proof] | None = None
    unlearned: dict[Attempt, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    _made: dict[Key, Attack] = field(default_factory=dict)
    _taken: dict[Key, Attack] = field(default_factory=dict)
    _given: dict[Attempt, Found] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._labelled = dict(zip(attacker_labels(self.attackers), self.attackers, strict=True))
        self._linked = {scale: LinkedBefore() for scale in self.comparisons}
        self._least = 0.0
        self._breaker: Key | None = None
        self._fitted_starts: dict[tuple[Scale, bool], list[Start]] = {}
        self._begun: set[Key] = set()
        self._counted: dict[Key, Attack] = {}  # as they are counted, for those who are counted after them

    @cached_property
    def _alike(self) -> dict[Scale, Scale]:
        """For each scale the first on which the files are the same, where that is to be made use of."""
        return scales_alike(self.comparisons) if self.is_once else {}

    @cached_property
    def _earlier(self) -> list[Start]:
        """What was learned on other releases, to start from; what it links here is not known."""
        return [
            Start(None, self.comparisons[scale], math.inf, learned.family, learned.theta)
            for (_, scale), learned in self.before.items()
            if scale in self.comparisons
        ]

    @property
    def made(self) -> list[Attack]:
        """The attacks made, scale by scale, in the order in which the attackers were given."""
        keys = [(scale, label) for scale in (*self.comparisons, None) for label in self._labelled]
        return [self._made[key] for key in keys if key in self._made]

    @property
    def results(self) -> tuple[AttackResult, ...]:
        """What the attacks made have found."""
        return tuple(attack.result for attack in self.made)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, after those on who was left out."""
        return (*(f"left out: {reason}" for reason in self.left_out), *self.notes)

    def check(self) -> None:
        """Raise an error, before any long work, if no attacker can be used, or one was told of another release."""
        for attacker in self.attackers:
            attacker.check_files(self.files, self.plan.published)
        if not self._usable(next(iter(self.comparisons.values()))):
            reasons, remedy = "; ".join(self.left_out), "choose mean, which always can"
            raise ParameterError(f"none of the attackers (--attackers) can be used on these files: {reasons}; {remedy}")

    def limits(self) -> list[float]:
        """Return for each attack to come, in their order, how many seconds it may take; 0 where there is no limit.

        Those who learn come last, and all have the same time.
        """
        learning = self.plan.learning
        return sorted(
            learning.seconds if self._labelled[label].is_learned else 0.0
            for place, comparison in enumerate(self.comparisons.values())
            for label in self._usable(comparison)
            if self._labelled[label].is_scaled or place == 0
        )

    def run(self, enough: float = math.inf) -> Iterator[Attack]:
        """Make the attacks one by one: attackers with given parameters, who knows the method, then those who learn.

        Under a limit, or for a verdict, who knows the method comes first.

        Each attacker who learns starts from all distances of his family that were found before, also on another scale
        where it can be said what they are on his: he is never weaker than they are. Once an attack links more than the
        share ``enough`` of the people, or any intruder can expect to, nobody else attacks, because the release has
        failed already.
        """
        self._settle(enough)
        if any(attacker.is_scaled for attacker in self.attackers):
            self.notes |= dict.fromkeys(self.plan.left_out(self.n_records))
        with Pipeline(self.reporter, 1 if self.is_verdict or enough < 1.0 else self._threads) as pipeline:
            try:
                for key, made in self._in_order(pipeline, enough):
                    yield self._keep(key, made)
            except KeyboardInterrupt:
                for key, made in (*pipeline.kept(), *self._not_handed_on()):
                    yield self._keep(key, made)
                raise
            except GeneratorExit:  # whoever asked has been interrupted; what was begun is not lost
                for key, made in (*pipeline.kept(), *self._not_handed_on()):
                    self._keep(key, made)
                raise
        yield from self._again(enough)

    def _settle(self, enough: float) -> None:
        """Take note of how few links are too few to search from."""
        n_people = int((self.files.own >= 0).sum())
        self._least = FAR_OFF * enough * n_people if enough < 1.0 and self.n_records > MANY else 0.0

    def _again(self, enough: float) -> Iterator[Attack]:
        """Let those learn once more, for longer, who may yet exceed the limit."""
        for label, scale in self._in_reach(enough):
            if self._worst_rate() > enough:
                return
            yield self._attack_again(label, scale)

    def _in_order(self, pipeline: Pipeline, enough: float) -> Iterator[tuple[Key, Attack]]:
        """Make the attacks in their order, or hand on those that were made elsewhere.

        Where one of these is enough, it is the only one: others were not awaited.
        """
        if self._breaker is not None:
            self.is_partial = True
            yield self._breaker, self._taken[self._breaker]
            return
        for label, scale in self._order(enough):
            if (scale, label) in self._taken:
                start = None if scale is None else self._start(label, scale)
                self.starts += [] if start is None else [start]  # for those who learn here
                yield (scale, label), self._taken[scale, label]
                continue
            if scale is not None and self._is_far_off(label, scale):
                self.unlearned[label, scale] = None
                continue
            if self._labelled[label].is_learned and self.n_records > MANY:
                yield from pipeline.finished(is_awaited=True)
            self._begin(pipeline, label, scale, enough)
            yield from pipeline.finished(is_awaited=False)
        yield from pipeline.finished(is_awaited=True)

    def _not_handed_on(self) -> list[tuple[Key, Attack]]:
        """Return attacks that were made elsewhere and whose turn has not come."""
        return [(key, made) for key, made in self._taken.items() if key not in self._made]

    def begin_given(self, enough: float) -> bool:
        """Make the first halves of attackers with given parameters: those who learn start from them.

        Under a limit who knows the method attacks first. Tell whether anything is left to be done.
        """
        self._settle(enough)
        for place in self._unscaled if enough < 1.0 else ():
            for at, made in self.made_in_turn([place], enough):
                self.take(at, made)
                if is_more_than(made, enough):
                    self.is_broken_by(at)
                    return False
        others, _ = self._scaled_order()
        for label, scale in others:
            if self._labelled[label].is_start and self._alike.get(scale, scale) is scale:
                interrupt.check()
                self._given[label, scale] = self._found(label, scale)
        return True

    def strands(self) -> list[tuple[Place, ...]]:
        """Return who attacks on which scale, parted so that nobody starts from what another part learns.

        Families one of which contains the other are learned in one part, and so are scales that differ by factors.
        Where nothing is done twice, weighted sums of the same differences are in one part, too.
        """
        others, learners = self._scaled_order()
        places = [
            (label, scale)
            for label, scale in (*others, *learners)
            if self._alike.get(scale, scale) is scale and not self._is_far_off(label, scale)
        ]
        unscaled = [(place,) for place in self._unscaled if (place[1], place[0]) not in self._taken]
        return [*_parted(places, self._belong_together), *unscaled]

    @property
    def _unscaled(self) -> list[tuple[str, None]]:
        """Those who attack without a scale."""
        return [(label, None) for label, attacker in self._labelled.items() if not attacker.is_scaled]

    def _belong_together(self, one: Attempt, two: Attempt) -> bool:
        """Whether two attacks are made in one part."""
        if self.is_learned(one[0]) and self.is_learned(two[0]) and self._are_related(one, two):
            return True
        if self.is_once:
            return one[1] is two[1] and self._is_weighted(*one) and self._is_weighted(*two)
        return one[0] == two[0] and not self.is_learned(one[0])

    def _is_weighted(self, label: str, scale: Scale) -> bool:
        """Whether an attacker adds up differences with weights."""
        comparison = self.comparisons[scale]
        if self.is_learned(label):
            family = self._family(label)
            if family.is_signed:
                return False
            distance = family.distance(family.parameter_set(comparison.n_attributes).interior, comparison)
            return distance.rule is Rule.WEIGHTED
        return (label, scale) in self._given and self._given[label, scale].distance.rule is Rule.WEIGHTED

    def _are_related(self, one: Attempt, two: Attempt) -> bool:
        """Whether one of two who learn may start from what the other learns."""
        first, second = self._family(one[0]).unrepaired(), self._family(two[0]).unrepaired()
        if not (first.contains(second) or second.contains(first)):
            return False
        return one[1] is two[1] or is_rescaled(self.comparisons[one[1]], self.comparisons[two[1]])

    def is_learned(self, label: str) -> bool:
        """Whether an attacker learns."""
        return self._labelled[label].is_learned

    def _is_far_off(self, label: str, scale: Scale) -> bool:
        """Whether one who learns need not begin: all that he would start from links far too little to break a release.

        What was not attacked with, because it is fitted at once or was learned on another release, is linked for that.
        """
        if not self._least or not self.is_learned(label):
            return False
        family, comparison = self._family(label).unrepaired(), self.comparisons[scale]
        if family.is_signed:
            comparison, *_ = vectors_for(comparison, family.name)
        known = [(start.links, theta) for start, theta in _lying_in(family, comparison, self.starts)]
        if max((links for links, _ in known), default=0.0) >= self._least:
            return False
        unknown = [
            start
            for start, theta in _lying_in(family, comparison, (*self._earlier, *self._fitted(comparison, family)))
            if not any(_is_same(theta, other) for _, other in known)
        ]
        return bool(known or unknown) and all(self._links(start, family, comparison) < self._least for start in unknown)

    def _fitted(self, comparison: Comparison, family: Family) -> list[Start]:
        """Return the distances that are fitted at once, with their links to nearest records; linked once."""
        key = comparison.scale, family.is_signed
        if key not in self._fitted_starts:
            self._fitted_starts[key] = [
                replace(start, links=nearest(distance, threads=self.plan.threads).links(self.plan.ties))
                for start, distance in fitted_starts(comparison, is_signed=family.is_signed)
            ]
        return self._fitted_starts[key]

    def _links(self, start: Start, family: Family, comparison: Comparison) -> float:
        """Return the links of a start to nearest records; infinite where it makes no distance of the family."""
        theta = start.parameters(family, comparison)
        if not math.isinf(start.links) or theta is None:
            return start.links
        try:
            return nearest(family.distance(theta, comparison), threads=self.plan.threads).links(self.plan.ties)
        except ParameterError:  # some families leave out the border of their set
            return math.inf

    def _family(self, label: str) -> Family:
        """Return the family of one who learns."""
        family = self._labelled[label].family()
        assert family is not None  # noqa: S101  (those who learn have one)
        return family

    def check_taken(self) -> None:
        """Give back attacks that were made elsewhere without a start that they should have had: `run` makes them.

        That is a distance learned on another scale that looks at nothing but attributes which are alike on both.
        """
        _, learners = self._scaled_order()
        before: dict[Attempt, Start | None] = {}  # None: it was given back
        for place in [(label, scale) for label, scale in learners if (scale, label) in self._taken]:
            is_missed = any(self._misses(place, other, start) for other, start in before.items())
            before[place] = None if is_missed else self._start(*place)
            if is_missed:
                self._begun.discard((place[1], place[0]))
                del self._taken[place[1], place[0]]

    def _misses(self, place: Attempt, other: Attempt, start: Start | None) -> bool:
        """Whether one who learned elsewhere lacked what another one has found, or finds once more."""
        if self._are_related(place, other):
            return start is None
        family, comparison = self._family(place[0]).unrepaired(), self.comparisons[place[1]]
        return start is not None and start.parameters(family, comparison) is not None

    def _start(self, label: str, scale: Scale) -> Start | None:
        """Return what was learned elsewhere as a start for others."""
        learned, comparison = self._taken[scale, label].learned, self.comparisons[scale]
        if learned is None:
            return None
        formula = make_formula(learned.family.distance(learned.theta, comparison), comparison)
        return Start(formula, comparison, learned.links, learned.family, learned.theta)

    def made_in_turn(self, places: Sequence[Place], enough: float = math.inf) -> Iterator[tuple[Place, Attack]]:
        """Make some attacks in their order, one after the other; who may yet exceed the limit learns on at once."""
        self._linked = {scale: LinkedBefore() for scale in self.comparisons}  # of these alone, whoever made others
        with Pipeline(self.reporter, 1) as pipeline:
            for label, scale in places:
                self._begin(pipeline, label, scale, enough)
                for key, made in pipeline.finished(is_awaited=True):
                    self._made[key] = made
                    if scale is None or is_more_than(made, enough) or (label, scale) not in self._in_reach(enough):
                        yield (label, scale), made
                    else:
                        yield (label, scale), self._attack_again(label, scale)

    def take(self, place: Place, made: Attack) -> None:
        """Take an attack that was made elsewhere, to its end: `run` hands it on where its turn is."""
        label, scale = place
        self._taken[scale, label] = self._counted[scale, label] = made
        self._begun.add((scale, label))

    def is_broken_by(self, place: Place) -> None:
        """Take note of an attack made elsewhere that is enough: `run` hands on no other."""
        self._breaker = place[1], place[0]

    def _keep(self, key: Key, made: Attack) -> Attack:
        """Keep an attack that was made."""
        if key[0] is not None and made.result.one_to_one is None and self.plan.is_one_to_one(self.n_records):
            self.notes[LEFT_BEHIND] = None
        self.is_partial = self.is_partial or SHORT in made.result.notes
        self._made[key] = made
        return made

    def learned(self) -> dict[Attempt, LearnedParameters]:
        """Return what was learned by whom on which scale."""
        return {
            (label, scale): attack.learned
            for (scale, label), attack in self._made.items()
            if scale is not None and attack.learned is not None
        }

    def hurried(self) -> frozenset[Attempt]:
        """Return who learned without time to look at all people."""
        made = [(place, attack.learned) for place, attack in self._made.items() if attack.learned is not None]
        return frozenset((label, scale) for (scale, label), learned in made if scale and learned.n_unseen > 0)

    def _order(self, enough: float) -> Iterator[tuple[str, Scale | None]]:
        """Yield who attacks on which scale, in order, until the attacks made link more than is enough."""
        unscaled = self._unscaled
        early, late = (unscaled, []) if self.is_verdict or enough < 1.0 else ([], unscaled)
        for place in chain(early, self._later(late, enough)):
            if self._is_broken(enough):
                return
            yield place

    def _later(self, unscaled: list[tuple[str, None]], enough: float) -> Iterator[tuple[str, Scale | None]]:
        """Yield the others in order; they are not even looked at where the run has ended."""
        if any(attacker.is_scaled for attacker in self.attackers) and self._is_broken(enough):
            return
        others, learners = self._scaled_order()
        yield from (*others, *unscaled, *learners)

    def _scaled_order(self) -> tuple[list[Attempt], list[Attempt]]:
        """Return who attacks on which scale, those with given parameters and those who learn, each in order."""
        usable = {scale: self._usable(comparison) for scale, comparison in self.comparisons.items()}
        turns = {label: self._turn(label) for label, attacker in self._labelled.items() if attacker.is_scaled}
        places = [
            (label, scale)
            for label in sorted(turns, key=turns.__getitem__)
            for scale in usable
            if label in usable[scale] and (label, scale) not in self.put_off
        ]
        learners = [place for place in places if self._labelled[place[0]].is_learned]
        others = [place for place in places if place not in learners]
        return others, sorted(learners, key=lambda place: place not in self.first)

    def _in_reach(self, enough: float) -> list[Attempt]:
        """Return who ran out of time and may yet link more than is enough, those who link most first.

        That is who comes near the limit; farther from it may be who had no time to look at all people: he has not begun
        to search. Whose family is contained in that of another who learns on the same scale leaves it to him.
        """
        if self.longer is None:
            return []
        rates = {
            (label, scale): attack.result.rate()
            for (scale, label), attack in self._made.items()
            if scale is not None
            and attack.learned is not None
            and (label, scale) not in self.first
            and (scale, label) not in self._taken
            and self._alike.get(scale, scale) == scale
            and attack.result.status in (Status.TIME_LIMIT, Status.SAMPLED)
            and attack.result.rate() >= (FAR_OFF if attack.learned.n_unseen > 0 else IN_REACH) * enough
        }
        _, learners = self._scaled_order()
        return sorted(
            (attempt for attempt in rates if not any(self._is_contained(attempt, other) for other in learners)),
            key=lambda attempt: -rates[attempt],
        )

    def _is_contained(self, one: Attempt, two: Attempt) -> bool:
        """Whether what one may learn is among what another one may, on the same scale."""
        mine, other = self._family(one[0]), self._family(two[0])
        return one[1] is two[1] and other.contains(mine) and not mine.contains(other)

    def _is_broken(self, enough: float) -> bool:
        """Whether nobody else needs to attack; it is kept that the attacks are not all there are."""
        is_broken = self._worst_rate() > enough
        self.is_partial = self.is_partial or is_broken
        return is_broken

    def _turn(self, label: str) -> int:
        """Return when an attacker's turn is: the later, the more of the families to be learned he contains."""
        attacker = self._labelled[label]
        family = attacker.family() if attacker.is_learned else None
        return 0 if family is None else 1 + sum(family.contains(other) for other in learned_families(self.attackers))

    def _begin(self, pipeline: Pipeline, label: str, scale: Scale | None, enough: float) -> None:
        """Make the first half of an attack and have the second one made beside what follows."""
        interrupt.check()
        name = f"{self.where}{label}" if scale is None else f"{self.where}{label} on scale {scale}"
        alike = None if scale is None else self._alike.get(scale, scale)
        if scale is None:
            self.reporter.step(name)
            pipeline.begin((None, label), name, partial(self._attack_unscaled, label, enough))
        elif alike != scale and (alike, label) in self._begun:
            self.reporter.step(f"{name}, as on {alike}")
            pipeline.begin((scale, label), name, partial(self._known, label, scale))
        else:
            found = self._found(label, scale, self.longer if (label, scale) in self.first else None)
            is_kept = found.learned is not None
            pipeline.begin((scale, label), name, partial(self._count, found, label, scale), is_kept=is_kept)
        self._begun.add((scale, label))

    def _known(self, label: str, scale: Scale, _: Progress) -> Attack:
        """Return an attack that was made on another scale on which the files are the same."""
        self._counted[scale, label] = on_scale(self._counted[self._alike[scale], label], scale)
        return self._counted[scale, label]

    def _found(self, label: str, scale: Scale, learning: Learning | None = None) -> Found:
        """Make the first half of an attack on a scale; ``learning`` takes the place of the plan's."""
        if (label, scale) in self._given:
            return self._given[label, scale]
        attacker = self._labelled[label]
        verb = "learning " if attacker.is_learned else ""
        self.reporter.step(f"{self.where}{verb}{label} on scale {scale}")
        found = find_links(
            attacker,
            self.comparisons[scale],
            self.plan if learning is None else replace(self.plan, learning=learning),
            starts=(*self._earlier, *self.starts) if attacker.is_learned else (),
            least=self._least,
            progress=self.reporter.progress,
            watcher=self.reporter.search,
        )
        self.starts.append(found.start(self.plan.ties))
        return found

    def _count(self, found: Found, label: str, scale: Scale, progress: Progress) -> Attack:
        """Make the second half of an attack; those before it have been counted."""
        made = count_attack(
            found,
            self.plan,
            label=label,
            confidential=self.files.confidential,
            rival=self._rival(found.attacker),
            linked=self._linked[scale] if self.is_once else None,
            progress=progress,
        )
        if self.certify is not None and found.learned is not None:
            made = replace(made, proof=self.certify(found.learned, self.plan.threads))
        self._counted[scale, label] = made
        return made

    @property
    def _threads(self) -> int | None:
        """Threads for what is made beside other things."""
        return self.plan.threads if self.n_records > FEW else 1

    @property
    def n_records(self) -> int:
        """Records of the longer file."""
        return max(self.files.n_original, self.files.n_protected)

    def _rival(self, attacker: Attacker) -> float:
        """Return the links to overtake for becoming the strongest; 0 where everybody is asked to link one to one.

        Who does without true pairs is measured by others who do, because the strongest of these counts, too.
        """
        if not self.is_verdict or self.plan.one_to_one is not None:
            return 0.0
        is_fitted = attacker.has_true_pairs or attacker.is_learned
        others = [attack.result for attack in self._counted.values() if is_fitted or not attack.result.has_true_pairs]
        return max((result.found(Ties.EXPECTED) for result in others), default=0.0)

    def _attack_again(self, label: str, scale: Scale) -> Attack:
        """Learn for longer; what was found before stands where it finds more people, one to one. Both bounds hold."""
        interrupt.check()
        before = self._made[scale, label]
        found = self._found(label, scale, self.longer)
        with interrupt.deferred(), interrupt.set_aside():
            made = _as_before(before, found) or self._count(found, label, scale, self.reporter.progress)
        bounds = [each.bound for each in (before.result, made.result) if each.status != Status.REPAIRED]
        better = made if made.result.rate() >= before.result.rate() else before
        known = [bound for bound in bounds if bound is not None]
        if better.result.status != Status.REPAIRED and known:
            better = replace(better, result=replace(better.result, bound=min(known)))
        self._made[scale, label] = better
        return better

    def _attack_unscaled(self, label: str, enough: float, progress: Progress) -> Attack:
        """Attack once, in values as they are: the method has a scale of its own."""
        attacker = self._labelled[label]
        made = make_informed_attack(attacker, self.files, self.plan, label=label, progress=progress, enough=enough)
        self._counted[None, label] = made
        return made

    def _worst_rate(self) -> float:
        """Return the largest rate found, or expected of any intruder."""
        results = [attack.result for attack in self._made.values()]
        return max((max(result.rate(), result.bayes or 0.0) for result in results), default=0.0)

    def _usable(self, comparison: Comparison) -> list[str]:
        """Return the labels of the attackers who can attack; of the others it is kept why."""
        usable = []
        for label, attacker in self._labelled.items():
            try:
                attacker.check_usable(comparison, self.plan.learning.margin)
            except NotApplicableError as problem:
                self.left_out[str(problem)] = None
            except ParameterError as problem:
                if not self.is_forgiving:
                    raise
                self.left_out[f"its parameters do not fit: {problem}"] = None
            else:
                usable.append(label)
        return usable


def _parted(places: Sequence[Attempt], are_related: Callable[[Attempt, Attempt], bool]) -> list[tuple[Place, ...]]:
    """Part places so that related ones, directly or by way of others, are together; all stay in their order."""
    parts: list[list[Attempt]] = []
    for place in places:
        near = [part for part in parts if any(are_related(place, other) for other in part)]
        parts = [part for part in parts if part not in near] + [[*chain.from_iterable(near), place]]
    parts = [sorted(part, key=places.index) for part in parts]
    return [tuple(part) for part in sorted(parts, key=lambda part: places.index(part[0]))]


def _lying_in(family: Family, comparison: Comparison, starts: Iterable[Start]) -> Iterator[tuple[Start, FloatArray]]:
    """Yield the starts that lie in a family, with their parameters in it."""
    for start in starts:
        theta = start.parameters(family, comparison)
        if theta is not None and np.isfinite(theta).all() and theta.any():
            yield start, theta


def _is_same(theta: FloatArray, other: FloatArray) -> bool:
    """Whether parameters make the same distance, up to a factor and rounding."""
    if theta.shape != other.shape:
        return False
    sizes = np.abs(theta).max(), np.abs(other).max()
    return bool(np.allclose(theta / sizes[0], other / sizes[1], rtol=0.0, atol=2.0**-40))


def _as_before(before: Attack, found: Found) -> Attack | None:
    """Return an attack that was made once more and came out the same, with what is known now; None if it did not.

    Then there is nothing to count again: the same distance links the same people.
    """
    if before.learned is None or found.learned is None or found.learned.links != before.learned.links:
        return None
    if not np.array_equal(before.learned.theta, found.learned.theta):
        return None
    learned = found.learned
    result = replace(
        before.result, bound=learned.bound, status=str(learned.status), seconds=learned.seconds, course=found.course
    )
    return replace(before, result=result, learned=LearnedParameters.of(learned))
