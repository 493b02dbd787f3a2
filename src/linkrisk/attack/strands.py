"""Attacks made side by side in copies of this process, where that is quicker than all cores for one attack."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

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

    def is_broken_by(self, place: Place) -> None:
        """Take note of an attack that is enough."""

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


def are_worth_it(n_records: int, threads: int | None) -> bool:
    """Whether the attacks of an assessment of so many records are made in copies of this process."""
    return n_records <= MAX_RECORDS and (threads or default_threads()) > 1 and are_allowed()


def make_side_by_side(runs: Sequence[Run], threads: int | None) -> None:
    """Make the attacks of several runs in copies of this process; `Attacks.run` then has them.

    That is done for small files alone, and where copies are allowed. What comes out is the same.
    """
    worth_it = [run for run in runs if are_worth_it(run.n_records, threads)]
    parted = [run for run in worth_it if run.begin_given(math.inf)]
    strands = [Strand(run, places) for run in parted for places in run.strands()]
    _work(sorted(strands, key=lambda strand: strand.turn(runs[0])), threads or default_threads())
    for run in parted:
        run.check_taken()


def make_until_enough(run: Run, threads: int | None, enough: float) -> None:
    """Make the attacks of one run in copies of this process until one links more than a share of the people.

    For files of any length, where copies are allowed. Strands that take longest come first, which are the last ones. Of
    several in which somebody links so many, the first in that order counts, whoever is heard of first.
    """
    at_once = threads or default_threads()
    if at_once < 2 or not are_allowed() or not run.begin_given(enough):
        return
    strands = [Strand(run, places) for places in reversed(run.strands())]
    breaker = _work(strands, at_once, enough)
    if breaker is None:
        run.check_taken()
    else:
        run.is_broken_by(breaker)


def _work(strands: Sequence[Strand], at_once: int, enough: float = math.inf) -> Place | None:
    """Have strands made in copies, and take what they make; return whose attack is enough, if one is."""
    if not strands:
        return None
    relay = Relay(strands[0].run.reporter)
    n_left = [len(strand.places) for strand in strands]
    breakers: dict[int, Place] = {}

    def hear(number: int, message: _Made | Told) -> None:
        if isinstance(message, Told):
            relay.hand_on(number, message)
            return
        strands[number].run.take(message.place, message.attack)
        n_left[number] -= 1
        if is_more_than(message.attack, enough):
            breakers.setdefault(number, message.place)
        if breakers and not any(n_left[: min(breakers)]):
            raise Enough

    own = max(1, at_once // len(strands))
    work_side_by_side([partial(_make, strand, own, enough) for strand in strands], hear, at_once=at_once)
    return breakers[min(breakers)] if breakers else None


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
