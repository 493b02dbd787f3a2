"""What copies of the process tell of their progress, and how that reaches the reporter."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.attack.reporter import Reporter
from linkrisk.engine.copies import Tell
from linkrisk.learning.search import State

SECONDS_BETWEEN = 0.05
"""Least time between two messages about how far something is."""


@dataclass(frozen=True)
class Told:
    """What a copy sends of its progress: what the reporter is to be told."""

    what: str
    arguments: tuple[Any, ...]


class Telling:
    """A reporter in a copy: it tells the process that made the copy; how far something is only now and then."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._last = time.perf_counter()

    def expect(self, limits: Sequence[float]) -> None:
        """Leave that to the process itself."""

    def aside(self, label: str) -> None:
        """Tell of work that is no step of its own."""
        self._tell(Told("aside", (label,)))

    def step(self, label: str) -> None:
        """Begin a step."""
        self._tell(Told("step", (label,)))

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""
        self._now_and_then(Told("progress", (done, total)))

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""
        self._now_and_then(Told("search", (state,)))

    def _now_and_then(self, told: Told) -> None:
        now = time.perf_counter()
        if now - self._last >= SECONDS_BETWEEN:
            self._last = now
            self._tell(told)


class Relay:
    """Hands what copies tell to a reporter: all steps, and how far the one is that began last."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._shown = -1

    def hand_on(self, number: int, told: Told) -> None:
        """Hand on what the copy with the task of some number tells."""
        if told.what == "step":
            self._shown = number
        if number == self._shown:
            getattr(self._reporter, told.what)(*told.arguments)
