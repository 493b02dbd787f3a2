"""How far a job is: what its process tells, gathered for the page."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linkrisk.engine.schedule import Schedule, duration

MOST_POINTS = 200
"""Points of a course that are kept: more would not be seen."""


@dataclass(frozen=True)
class StepDone:
    """A step that is finished: what it was, how many seconds it took, and the most links found, where it searched."""

    label: str
    seconds: float
    best: float | None


@dataclass
class Course:
    """How the best and the bound of a search went: moments in seconds, each with both."""

    points: list[tuple[float, float, float | None]] = field(default_factory=list)
    _every: int = 1
    _n_told: int = 0

    def add(self, seconds: float, best: float, bound: float | None) -> None:
        """Add a moment; where there are too many, every second one is left out, and the last one always kept.

        The best only grows and the bound only falls, whichever engine tells of its own; a clock that begins anew is
        another search, and another course.
        """
        if self.points and seconds < self.points[-1][0]:
            self.points = []
        if self.points:
            _, best_before, bound_before = self.points[-1]
            best = max(best, best_before)
            bound = min((each for each in (bound, bound_before) if each is not None), default=None)
        if self._n_told % self._every and len(self.points) > 1:
            self.points.pop()
        self.points.append((seconds, best, bound))
        self._n_told += 1
        if len(self.points) > MOST_POINTS:
            self.points = [*self.points[:-1:2], self.points[-1]]
            self._every *= 2


@dataclass
class Progress:
    """What is known of a job that is being done.

    ``course`` is that of the last search, and ``searched`` the step it belongs to: it stays until another one begins.
    """

    begun: float = field(default_factory=time.monotonic)
    label: str = ""
    share: float = 0.0
    done: list[StepDone] = field(default_factory=list)
    course: Course = field(default_factory=Course)
    searched: str = ""
    _schedule: Schedule = field(default_factory=Schedule)
    _step_begun: float | None = None

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take in one message of the process."""
        now = time.monotonic() - self.begun
        match message["say"]:
            case "expect":
                self._schedule.expect([float("inf") if limit is None else limit for limit in message["limits"]])
            case "step":
                self._end_step(now)
                self._schedule.begin(now)
                self._step_begun, self.share = now, 0.0
                self.label = message["label"]
            case "aside":
                self.label = message["label"]
            case "share":
                self.share = message["share"]
            case "search":
                if self.searched != self.label:
                    self.searched, self.course = self.label, Course()
                self.course.add(message["seconds"], message["best"], message["bound"])

    def plain(self) -> dict[str, Any]:
        """Return it for the browser."""
        now = time.monotonic() - self.begun
        left = self._schedule.left(now, self.share)
        return {
            "step": len(self._schedule.begun),
            "steps": len(self._schedule.limits),
            "label": self.label,
            "share": self.share,
            "seconds": now,
            "left": None if left is None or now < 2.0 else duration(left),
            "course": self.course.points,
            "searched": self.searched,
            "done": [{"label": step.label, "seconds": step.seconds, "best": step.best} for step in self.done],
        }

    def _end_step(self, now: float) -> None:
        if self._step_begun is not None:
            best = self.course.points[-1][1] if self.searched == self.label and self.course.points else None
            self.done.append(StepDone(self.label, now - self._step_begun, best))
