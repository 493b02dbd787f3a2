"""Progress in a notebook: a bar that goes when the work is done."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, ParamSpec, TypeVar, cast

from linkrisk.attack.progress_line import ProgressLine
from linkrisk.attack.reporter import Reporter, SilentReporter


class NotebookReporter(ProgressLine):
    """Shows a bar and a line in the cell that runs, at most four times a second; quick work shows nothing."""

    seconds_between = 0.25

    def __init__(self, display: Callable[..., Any]) -> None:
        super().__init__()
        self._display = display
        self._handle: Any = None

    def put(self, line: str, share: float) -> None:
        """Show the bar, or change it."""
        bar = f'<progress max="1" value="{share:.3f}" style="width:20em"></progress> {escape(line)}'
        self._update({"text/html": f"<div>{bar}</div>", "text/plain": line})

    def close(self) -> None:
        """Take the bar away."""
        if self._handle is not None:
            self._update({"text/html": "", "text/plain": ""})

    def _update(self, shown: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)


@contextmanager
def reported(reporter: Reporter | None) -> Iterator[Reporter]:
    """Within, report to whom the user named; if he named nobody, in a notebook to the cell that runs."""
    display = None if reporter is not None else _notebook_display()
    if display is None:
        yield reporter or SilentReporter()
        return
    own = NotebookReporter(display)
    try:
        yield own
    finally:
        own.close()


def _notebook_display() -> Callable[..., Any] | None:
    """Return what shows things in a notebook, None where there is none."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if ipython is None or not hasattr(shell, "kernel"):
        return None
    return cast("Callable[..., Any]", ipython.display.display)


Given = ParamSpec("Given")
Found = TypeVar("Found")


def shows_progress(verb: Callable[Given, Found]) -> Callable[Given, Found]:
    """Let a verb that takes a ``reporter`` show its progress in a notebook, where the user named no other."""

    @functools.wraps(verb)
    def shown(*args: Given.args, **options: Given.kwargs) -> Found:
        given = cast("Reporter | None", options.get("reporter"))
        with reported(given) as reporter:
            options["reporter"] = reporter
            return verb(*args, **options)

    return shown
