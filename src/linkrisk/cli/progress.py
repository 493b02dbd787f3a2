"""Progress on the terminal: one live line, or plain lines where there is no terminal."""

from __future__ import annotations

import contextlib
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from linkrisk.attack.progress_line import ProgressLine

LINE_SECONDS = 1.0
"""Seconds between two lines where there is no terminal, and before the first: quick work says nothing."""


class TerminalReporter(ProgressLine):
    """Shows what it is told as a line that changes, or as plain lines where there is no terminal.

    A standard error that is closed or full ends the reports, not the work.
    """

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._is_heard = True
        self._status: Status | None = Status("", console=console) if console.is_terminal else None
        self.seconds_between = LINE_SECONDS if self._status is None else 0.0

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

    def put(self, line: str, share: float) -> None:
        """Show a line; a terminal shows how far the work is in words."""
        del share
        if not self._is_heard:
            return
        try:
            if self._status is not None:
                self._status.update(escape(line))
            else:
                self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        except (OSError, ValueError):
            self._is_heard = False


def reporting() -> TerminalReporter:
    """Return a reporter that writes to standard error: standard output is for the result."""
    return TerminalReporter(Console(stderr=True))
