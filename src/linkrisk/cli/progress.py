"""Progress on the terminal: one live line, or plain lines where there is no terminal."""

from __future__ import annotations

import threading
import time
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from linkrisk.engine import interrupt
from linkrisk.learning.search import State

LINE_SECONDS = 1.0
"""Seconds between two lines where there is no terminal."""


class TerminalReporter:
    """Shows the step, how far it is, and the seconds since the start; raises a Ctrl-C that was lost in other code."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._start = time.perf_counter()
        self._last_line = self._start - LINE_SECONDS
        self._label = ""
        self._status: Status | None = Status("", console=console) if console.is_terminal else None

    def __enter__(self) -> TerminalReporter:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def step(self, label: str) -> None:
        """Begin a step."""
        self._label = label
        self._show("")

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""
        self._show(f", {done / max(total, 1):.0%}")

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""
        gap = state.bound - state.best
        bound = f"bound {state.bound:g}, gap {gap:g}" if gap < float("inf") else "no bound yet"
        self._show(f": best {state.best:g}, {bound}, {state.lost} lost for good, {state.work} {state.unit}")

    def _show(self, share: str) -> None:
        if threading.current_thread() is threading.main_thread():
            interrupt.check()
        now = time.perf_counter()
        text = f"{self._label}{share} ({now - self._start:.1f} s)"
        if self._status is not None:
            self._status.update(escape(text))
        elif now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            self._console.print(text, highlight=False, markup=False, soft_wrap=True)


def reporting() -> TerminalReporter:
    """Return a reporter that writes to standard error: standard output is for the result."""
    return TerminalReporter(Console(stderr=True))
