"""Attacks made side by side in copies of this process: for small files, whose attacks are mostly Python."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from linkrisk.attack.loop import Attacks, Place
from linkrisk.attack.result import Attack
from linkrisk.engine.copies import Tell, are_allowed, work_side_by_side
from linkrisk.engine.threads import default_threads
from linkrisk.learning.search import State
from linkrisk.learning.starts import Start

MAX_RECORDS = 1_000
"""Records up to which attacks are made in copies: with more the kernels, which use all cores, take most of the time,
and who learns for a limited time would get less done on one core."""

SECONDS_BETWEEN = 0.05
"""Least time between two messages about how far something is."""


@dataclass(frozen=True, eq=False)
class Strand:
    """Some attacks that are made one after the other, because who learns starts from what was learned before."""

    attacks: Attacks
    places: tuple[Place, ...]

    def turn(self, first: Attacks) -> tuple[bool, int]:
        """Return when to begin: the first run before the others, and long ones early, so that all end together.

        Those who learn take longest. Those with given parameters take a moment, and come before them in the first run:
        an interrupt should leave something.
        """
        is_later = self.attacks is not first
        label, scale = self.places[0]
        if self.attacks.is_learned(label):
            return is_later, 1
        return is_later, 2 if scale is None else 3 if is_later else 0


@dataclass(frozen=True)
class _Made:
    """What a copy sends of an attack that it made."""

    place: Place
    attack: Attack
    start: Start | None


@dataclass(frozen=True)
class _Told:
    """What a copy sends of its progress: what the reporter is to be told."""

    what: str
    arguments: tuple[Any, ...]


def make_side_by_side(runs: Sequence[Attacks], threads: int | None) -> None:
    """Make attacks of several runs, as far as they are worth a copy of this process; `Attacks.run` then has them.

    What comes out is the same; only what was learned, which is large, is not sent back (`Attack.learned`).
    """
    at_once = threads or default_threads()
    small = [run for run in runs if run.n_records <= MAX_RECORDS]
    if at_once < 2 or not small or not are_allowed():
        return
    for run in small:
        run.begin_given()
    strands = [Strand(run, places) for run in small for places in run.strands()]
    strands.sort(key=lambda strand: strand.turn(runs[0]))
    listener = _Listener(strands)
    own = max(1, at_once // len(strands))
    work_side_by_side([partial(_make, strand, own) for strand in strands], listener.hear, at_once=at_once)
    for run in small:
        run.check_taken()


def _make(strand: Strand, threads: int, tell: Tell) -> None:
    """Make the attacks of a strand in a copy, where the run may be changed, and send them."""
    run = strand.attacks
    run.reporter = _Telling(tell)
    run.plan = replace(run.plan, threads=threads)
    for place, made, start in run.made_in_turn(strand.places):
        tell(_Made(place, replace(made, learned=None), start))


class _Telling:
    """Reports to the process that made the copy; how far something is only now and then."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._last = time.perf_counter()

    def expect(self, limits: Sequence[float]) -> None:
        """Leave that to the process itself."""

    def aside(self, label: str) -> None:
        """Tell of work that is no step of its own."""
        self._tell(_Told("aside", (label,)))

    def step(self, label: str) -> None:
        """Begin a step."""
        self._tell(_Told("step", (label,)))

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""
        self._now_and_then(_Told("progress", (done, total)))

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""
        self._now_and_then(_Told("search", (state,)))

    def _now_and_then(self, told: _Told) -> None:
        now = time.perf_counter()
        if now - self._last >= SECONDS_BETWEEN:
            self._last = now
            self._tell(told)


class _Listener:
    """Hears what copies send: keeps the attacks, and shows the progress of the strand that began a step last."""

    def __init__(self, strands: Sequence[Strand]) -> None:
        self._strands = strands
        self._shown = -1

    def hear(self, number: int, message: _Made | _Told) -> None:
        """Take a message of the copy that makes the strand of some number."""
        run = self._strands[number].attacks
        if isinstance(message, _Made):
            run.take(message.place, message.attack, message.start)
            return
        if message.what == "step":
            self._shown = number
        if number == self._shown:
            tell: Callable[..., None] = getattr(run.reporter, message.what)
            tell(*message.arguments)
