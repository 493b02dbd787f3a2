"""Attacks made side by side in copies of this process, where that is quicker than all cores for one attack."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter
from linkrisk.attack.result import Attack
from linkrisk.attack.telling import Relay, Telling, Told
from linkrisk.differences.scale import Scale
from linkrisk.engine.copies import Enough, Tell, are_allowed, work_side_by_side
from linkrisk.engine.threads import default_threads

Place = tuple[str, Scale | None]
"""An attacker, by his label, on a scale, or without one."""

MAX_RECORDS = 1_000
"""Records up to which the attacks of an assessment are made in copies: with more the kernels, which use all cores, take
most of the time, and who learns for a limited time would get less done on one core."""


class Run(Protocol):
    """A run of attacks (`linkrisk.attack.loop.Attacks`), as far as it is parted and its parts are put together here."""

    plan: AttackPlan
    reporter: Reporter

    @property
    def n_records(self) -> int:
        """Records of the longer file."""

    def begin_given(self, enough: float) -> bool:
        """Make what all parts need; tell whether anything is left to be done."""

    def strands(self) -> list[tuple[Place, ...]]:
        """Return who attacks on which scale, in parts."""

    def made_in_turn(self, places: Sequence[Place], enough: float) -> Iterator[tuple[Place, Attack]]:
        """Make the attacks of a part."""

    def take(self, place: Place, made: Attack) -> None:
        """Take an attack that was made elsewhere."""

    def check_taken(self) -> None:
        """Give back attacks that are to be made here."""

    def is_learned(self, label: str) -> bool:
        """Whether an attacker learns."""


@dataclass(frozen=True, eq=False)
class Strand:
    """Some attacks that are made one after the other, because who learns starts from what was learned before."""

    run: Run
    places: tuple[Place, ...]

    def turn(self, first: Run) -> tuple[bool, int]:
        """Return when to begin: the first run before the others, and long ones early, so that all end together.

        Those who learn take longest. Those with given parameters take a moment, and come before them in the first run:
        an interrupt should leave something.
        """
        is_later = self.run is not first
        label, scale = self.places[0]
        if self.run.is_learned(label):
            return is_later, 1
        return is_later, 2 if scale is None else 3 if is_later else 0


@dataclass(frozen=True)
class _Made:
    """What a copy sends of an attack that it made."""

    place: Place
    attack: Attack


def make_side_by_side(runs: Sequence[Run], threads: int | None) -> None:
    """Make the attacks of several runs in copies of this process; `Attacks.run` then has them.

    That is done for small files alone, and where copies are allowed. What comes out is the same.
    """
    at_once = threads or default_threads()
    small = [run for run in runs if run.n_records <= MAX_RECORDS]
    if at_once < 2 or not are_allowed():
        return
    parted = [run for run in small if run.begin_given(math.inf)]
    strands = [Strand(run, places) for run in parted for places in run.strands()]
    _work(sorted(strands, key=lambda strand: strand.turn(runs[0])), at_once)
    for run in parted:
        run.check_taken()


def make_until_enough(run: Run, threads: int | None, enough: float) -> None:
    """Make the attacks of one run in copies of this process until one links more than a share of the people.

    For files of any length, where copies are allowed. Those that take longest come first, which are the last.
    """
    at_once = threads or default_threads()
    if at_once < 2 or not are_allowed() or not run.begin_given(enough):
        return
    _work([Strand(run, places) for places in reversed(run.strands())], at_once, enough)
    run.check_taken()


def _work(strands: Sequence[Strand], at_once: int, enough: float = math.inf) -> None:
    """Have strands made in copies, and take what they make."""
    if not strands:
        return
    relay = Relay(strands[0].run.reporter)

    def hear(number: int, message: _Made | Told) -> None:
        if isinstance(message, _Made):
            strands[number].run.take(message.place, message.attack)
            if is_more_than(message.attack, enough):
                raise Enough
        else:
            relay.hand_on(number, message)

    own = max(1, at_once // len(strands))
    work_side_by_side([partial(_make, strand, own, enough) for strand in strands], hear, at_once=at_once)


def is_more_than(attack: Attack, enough: float) -> bool:
    """Whether an attack links more than a share of the people, or any intruder can expect to."""
    return max(attack.result.rate(), attack.result.bayes or 0.0) > enough


def _make(strand: Strand, threads: int, enough: float, tell: Tell) -> None:
    """Make the attacks of a strand in a copy, where the run may be changed, and send them."""
    run = strand.run
    run.reporter = Telling(tell)
    run.plan = replace(run.plan, threads=threads)
    for place, made in run.made_in_turn(strand.places, enough):
        tell(_Made(place, made))


def each_side_by_side(
    run: Run, works: Sequence[partial[Attack]], threads: int | None, enough: float
) -> dict[int, Attack]:
    """Have each of some attacks of a run made in a copy; return those that were, by their places."""
    at_once = threads or default_threads()
    made: dict[int, Attack] = {}
    if at_once < 2 or len(works) < 2 or not are_allowed():
        return made
    relay, own = Relay(run.reporter), max(1, at_once // len(works))

    def hear(number: int, message: Any) -> None:
        if isinstance(message, Told):
            relay.hand_on(number, message)
        else:
            made[number] = message
            if is_more_than(message, enough):
                raise Enough

    def make(work: partial[Attack], tell: Tell) -> None:
        run.reporter = Telling(tell)
        run.plan = replace(run.plan, threads=own)
        tell(work())

    work_side_by_side([partial(make, work) for work in works], hear, at_once=at_once)
    return made
