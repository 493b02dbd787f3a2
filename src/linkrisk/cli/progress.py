"""Progress on the terminal: one live line, or plain lines where there is no terminal."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from linkrisk.engine import interrupt
from linkrisk.engine.schedule import Schedule, duration
from linkrisk.learning.search import State
from linkrisk.printable import printable

LINE_SECONDS = 1.0
"""Seconds between two lines where there is no terminal, and before the first: quick work says nothing."""

ESTIMATE_SECONDS = 2.0
"""Seconds after which there is something to estimate the rest from."""


class TerminalReporter:
    """Shows the step, how far it is, the seconds since the start, and about how long the rest takes.

    It raises a Ctrl-C that was lost in other code. A standard error that is closed or full ends the reports, not the
    work.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._start = time.perf_counter()
        self._last_line = self._start
        self._label = ""
        self._schedule = Schedule()
        self._is_heard = True
        self._status: Status | None = Status("", console=console) if console.is_terminal else None

    def __enter__(self) -> TerminalReporter:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            with contextlib.suppress(OSError, ValueError):  # the terminal may be gone
                self._status.stop()

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
        if not self._is_heard or (self._status is None and now - self._last_line < LINE_SECONDS):
            return
        self._last_line = now
        text = printable(f"{self._label}{told} ({now - self._start:.1f} s{self._rest(now, share)})")
        try:
            if self._status is not None:
                self._status.update(escape(text))
            else:
                self._console.print(text, highlight=False, markup=False, soft_wrap=True)
        except (OSError, ValueError):
            self._is_heard = False

    def _rest(self, now: float, share: float) -> str:
        left = self._schedule.left(now, share) if now - self._start >= ESTIMATE_SECONDS else None
        return "" if left is None else f", {duration(left)} left"


def reporting() -> TerminalReporter:
    """Return a reporter that writes to standard error: standard output is for the result."""
    return TerminalReporter(Console(stderr=True))
