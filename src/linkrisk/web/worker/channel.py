"""How the process talks to the server: one JSON object per line."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from linkrisk.learning.search import State

SECONDS_BETWEEN = 0.1
"""Least time between two messages about how far something is."""


class Channel:
    """The way out; standard output is closed for everybody else, for libraries write to it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def take(cls) -> Channel:
        """Take standard output for the messages; what others write there is lost."""
        own = os.dup(sys.stdout.fileno())
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        return cls(own)

    def tell(self, say: str, **contents: Any) -> None:
        """Send a message."""
        line = json.dumps({"say": say, **contents}, allow_nan=False) + "\n"
        view = memoryview(line.encode())
        while view:
            view = view[os.write(self._descriptor, view) :]


class ChannelReporter:
    """Tells the server what an assessment is doing; how far something is only now and then."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._last = 0.0

    def expect(self, limits: Sequence[float]) -> None:
        """Tell of steps to come; one without end has no limit."""
        self._channel.tell("expect", limits=[None if limit == float("inf") else limit for limit in limits])

    def aside(self, label: str) -> None:
        """Tell of work that is no step of its own."""
        self._channel.tell("aside", label=label)

    def step(self, label: str) -> None:
        """Begin a step."""
        self._last = 0.0
        self._channel.tell("step", label=label)

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""
        if self._is_time():
            self._channel.tell("share", share=done / max(total, 1))

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""
        if self._is_time():
            bound = None if state.bound == float("inf") else float(state.bound)
            self._channel.tell("search", seconds=state.seconds, best=float(state.best), bound=bound)

    def _is_time(self) -> bool:
        now = time.perf_counter()
        is_time = now - self._last >= SECONDS_BETWEEN
        self._last = now if is_time else self._last
        return is_time
