"""How a learned attacker closed in: the links of the best parameters, and the bound, over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from linkrisk.learning.learned import Learned
from linkrisk.learning.search import State, Watcher

MOST_POINTS = 200
"""Points that are kept of a search; while it runs, up to twice as many."""


@dataclass(frozen=True)
class CoursePoint:
    """Links of the best parameters after some seconds, and links that none exceed; None while there is no bound."""

    seconds: float
    best: float
    bound: float | None


@dataclass
class Course:
    """Watches a search and keeps where it stood, handing everything on to another watcher.

    Several engines work on one search, one after the other, and each tells of itself: what counts is the best that any
    has found, and the lowest bound that any has proven. Cost: nothing to speak of, for a search tells of itself a few
    times per second.
    """

    watcher: Watcher
    points: list[CoursePoint] = field(default_factory=list)

    def watch(self, state: State) -> None:
        """Keep where a search stands, and hand it on."""
        best = max([state.best, *(point.best for point in self.points[-1:])])
        bound = min([state.bound, *(point.bound for point in self.points[-1:] if point.bound is not None)])
        self.points.append(CoursePoint(state.seconds, best, None if math.isinf(bound) else bound))
        if len(self.points) >= 2 * MOST_POINTS:
            self.points = list(thinned(self.points))
        self.watcher(state)

    def up_to(self, learned: Learned) -> tuple[CoursePoint, ...]:
        """Return the course, which ends with what was learned."""
        before = [point for point in self.points if point.seconds < learned.seconds]
        return thinned([*before, CoursePoint(learned.seconds, learned.links, learned.bound)])


def thinned(points: Sequence[CoursePoint], most: int = MOST_POINTS) -> tuple[CoursePoint, ...]:
    """Return so many points at most, evenly chosen, the first and the last among them.

    >>> [point.best for point in thinned([CoursePoint(k, k, None) for k in range(9)], 3)]
    [0, 4, 8]
    """
    if len(points) <= most:
        return tuple(points)
    step = (len(points) - 1) / (most - 1)
    return tuple(points[round(place * step)] for place in range(most))
