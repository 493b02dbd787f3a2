"""Progress in one line: the step, how far it is, the seconds since the start, and about how long the rest takes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence

from linkrisk.engine import interrupt
from linkrisk.engine.schedule import Schedule, duration
from linkrisk.learning.search import State
from linkrisk.printable import printable

ESTIMATE_SECONDS = 2.0
"""Seconds after which there is something to estimate the rest from."""


class ProgressLine:
    """A reporter that puts what it is told into one line; a subclass shows it (``put``) as often as it likes.

    It raises a Ctrl-C that was lost in other code.
    """

    seconds_between = 0.0
    """Least time between two lines, and before the first."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._last = self._start
        self._label = ""
        self._schedule = Schedule()

    def put(self, line: str, share: float) -> None:
        """Show a line; ``share`` of all steps is done."""
        raise NotImplementedError

    def expect(self, limits: Sequence[float]) -> None:
        """Learn of steps to come: how many, and how many seconds each may take."""
        self._schedule.expect(limits)

    def step(self, label: str) -> None:
        """Begin a step."""
        self._schedule.begin(time.perf_counter())
        self._label = self._schedule.number() + label
        self._show("")

    def aside(self, label: str) -> None:
        """Tell of work that is no step."""
        self._label = label
        self._show("")

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""
        share = done / max(total, 1)
        self._show(f", {share:.0%}", share)

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""
        gap = state.bound - state.best
        bound = f"bound {state.bound:g}, gap {gap:g}" if gap < math.inf else "no bound yet"
        self._show(f": best {state.best:g}, {bound}, {state.lost} lost for good, {state.work} {state.unit}")

    def _show(self, told: str, share: float = 0.0) -> None:
        if threading.current_thread() is threading.main_thread():
            interrupt.check()
        now = time.perf_counter()
        if now - self._last < self.seconds_between:
            return
        self._last = now
        line = printable(f"{self._label}{told} ({now - self._start:.1f} s{self._rest(now, share)})")
        self.put(line, self._schedule.share(share))

    def _rest(self, now: float, share: float) -> str:
        left = self._schedule.left(now, share) if now - self._start >= ESTIMATE_SECONDS else None
        return "" if left is None else f", {duration(left)} left"
