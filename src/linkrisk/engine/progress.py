"""How long work tells how far it is; the terminal decides how to show it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told how many items of a step are done. Called from the thread that waits for the work."""

    def __call__(self, done: int, total: int) -> None:
        """Report ``done`` of ``total`` items."""


def no_progress(done: int, total: int) -> None:
    """Report nothing."""
