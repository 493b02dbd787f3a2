"""What every search for the best parameters shares: how long it may take, what it tells, how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from linkrisk.engine import interrupt


class Status(StrEnum):
    """How a search ended; ``optimal`` only when the bound is proven to equal the links made.

    ``unsettled``: the search gave up with a gap that more time does not close. ``repaired``: the
    matrix that was learned was changed afterwards (bilinear_higham), so that its links are below the bound.
    ``bounded``: a large file; the bound is proven by a partition of the parameters, whose gap more time may close.
    ``sampled``: memory did not suffice for all people; the parameters were learned on some, counted on all, and nothing
    is proven of others.
    """

    OPTIMAL = "optimal"
    TIME_LIMIT = "time_limit"
    INTERRUPTED = "interrupted"
    UNSETTLED = "unsettled"
    REPAIRED = "repaired"
    SAMPLED = "sampled"
    BOUNDED = "bounded"


@dataclass
class State:
    """Where a search stands: links made, links that cannot be exceeded, records lost for good, work done."""

    best: float = 0.0
    bound: float = float("inf")
    lost: int = 0
    work: int = 0
    unit: str = "boxes"
    seconds: float = 0.0


Watcher = Callable[[State], None]


def watch_nothing(state: State) -> None:
    """Ignore what a search reports."""


@dataclass
class Clock:
    """Tells a search when to stop, and tells its watcher, several times per second, where the search stands.

    Ctrl-C (`linkrisk.engine.interrupt`) stops a search as the end of its time does: what was found is kept.
    ``reserve`` seconds of the limit are kept back for what follows a search. ``foresees``: work that is all or nothing
    is given up once it is clear that it will not be done in time (`Progression`).
    """

    limit: float = float("inf")
    watcher: Watcher = watch_nothing
    reserve: float = 0.0
    started: float = field(default_factory=time.perf_counter)
    told: float = 0.0
    foresees: bool = False

    INTERVAL = 0.2

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float:
        """Time that is left."""
        return self.limit - self.reserve - self.seconds

    def must_stop(self) -> Status | None:
        """Return why the search must stop now, or None."""
        if interrupt.is_pending():
            return Status.INTERRUPTED
        return Status.TIME_LIMIT if self.left <= 0.0 else None

    def tell(self, state: State) -> None:
        """Report, not more often than a reader can follow."""
        seconds = self.seconds
        if seconds - self.told >= self.INTERVAL:
            self.told = seconds
            state.seconds = seconds
            self.watcher(state)


@dataclass
class Progression:
    """Tells whether work of many like parts will be done before a clock stops it.

    It is in vain where it would take more than the share `IN_VAIN` of what is left: then there would be hardly any time
    for what comes after it. The first parts are not counted: they may have to load what the others use.
    """

    clock: Clock
    n_parts: int
    n_counted: int = 0
    begun: float | None = None

    IN_VAIN = 0.8
    LEAST_SHARE = 0.05
    FIRST_PARTS = 8

    def is_in_vain(self, n_done: int) -> bool:
        """Whether to give up after so many parts; never where the clock does not foresee."""
        clock = self.clock
        if not clock.foresees or n_done < self.FIRST_PARTS:
            return False
        if self.begun is None:
            self.n_counted, self.begun = n_done, clock.seconds
            return False
        spent = clock.seconds - self.begun
        if n_done == self.n_counted or spent < self.LEAST_SHARE * clock.limit:
            return False
        return spent / (n_done - self.n_counted) * (self.n_parts - n_done) > self.IN_VAIN * clock.left
