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
    ``sampled``: memory did not suffice for all people; the parameters were learned on some, counted on all, and nothing
    is proven of others.
    """

    OPTIMAL = "optimal"
    TIME_LIMIT = "time_limit"
    INTERRUPTED = "interrupted"
    UNSETTLED = "unsettled"
    REPAIRED = "repaired"
    SAMPLED = "sampled"


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
    ``reserve`` seconds of the limit are kept back for what follows a search.
    """

    limit: float = float("inf")
    watcher: Watcher = watch_nothing
    reserve: float = 0.0
    started: float = field(default_factory=time.perf_counter)
    told: float = 0.0

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
