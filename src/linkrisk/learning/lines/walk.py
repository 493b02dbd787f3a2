"""A walk along lines: better parameters of any family, each line followed to its deepest point.

Along theta + s u every record is linked on one interval of s, whatever the family, and so is every inequality of the
admissible set: the best s is where most intervals overlap. For weights on listed rows `lines.search` does the same,
compiled as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.lines.kernels import deepest_step
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.search import Clock

SHORT_OF_THE_END = 1.0 - 1e-6
"""Share of the way to the border of the admissible set that a step may go."""

OFF_THE_BORDER = (1e-2, 1e-3, 1e-5)
"""A walk may begin by moving theta off the border by one of these shares of the way to the interior."""

PATIENCE = 20
"""A walk ends after this many lines per parameter that have brought nothing."""


@dataclass(frozen=True)
class WalkPoint:
    """Admissible parameters, their largest entry 1 in size, and the weight they link."""

    theta: FloatArray
    links: float


class Walk:
    """Walks through the parameters of a problem; the same generator gives the same walk, if no clock ends it."""

    def __init__(self, problem: Problem, feasibility: Feasibility, generator: np.random.Generator) -> None:
        self.problem = problem
        self.feasibility = feasibility
        self.generator = generator
        self.everybody = np.ones(len(problem.records), dtype=bool)
        self.total = float(problem.weight.sum())

    def count(self, theta: FloatArray) -> WalkPoint:
        """Return theta, scaled, with the weight of what it links by the floating-point rows."""
        scaled = np.asarray(theta / np.abs(theta).max())
        linked = self.feasibility.scan(scaled, self.everybody) > 1e-12
        return WalkPoint(scaled, float(self.problem.weight[linked].sum()))

    def improve(self, theta: FloatArray, clock: Clock, patience: int | None = None) -> WalkPoint:
        """Go on from theta until ``patience`` lines in a row, many by default, have brought nothing."""
        point = self._start(theta)
        left = patience = patience or PATIENCE * len(theta)
        while left and point.links < self.total and clock.must_stop() is None:
            moved = self.follow(point)
            left = patience if moved.links > point.links else left - 1
            point = moved
        return point

    def _start(self, theta: FloatArray) -> WalkPoint:
        """Return theta, moved off the border of the admissible set if that loses no links: lines there lead nowhere."""
        interior = self.problem.parameters.interior
        scale = float(np.abs(theta).max()) / float(np.abs(interior).max())
        start = self.count(self.problem.parameters.inside(theta))
        for share in OFF_THE_BORDER:
            moved = self.count((1.0 - share) * theta + share * scale * interior)
            if moved.links >= start.links and self._is_admissible(moved.theta):
                return moved
        return start

    def follow(self, point: WalkPoint) -> WalkPoint:
        """Return the deepest point of a random line, if it links no less.

        *Guarantee* (docs/mathematics.md#walk): what is returned is admissible up to rounding and links its weight by
        the floating-point rows.
        """
        parameters, source = self.problem.parameters, self.problem.source
        direction = parameters.draw_direction(point.theta, self.generator)
        low, high = parameters.reach(point.theta, direction)
        if self.problem.family.is_nonnegative:
            least, greatest = source.reach(point.theta, direction)
            low, high = max(low, least), min(high, greatest)
        first, last = source.intervals(point.theta, direction)
        first, last = np.maximum(first, SHORT_OF_THE_END * low), np.minimum(last, SHORT_OF_THE_END * high)
        owner = np.flatnonzero(first < last)
        if not len(owner):
            return point
        step, depth = deepest_step(np.stack([first[owner], last[owner]]), owner, len(owner), self.problem.weight)
        if depth < point.links - 1e-9 * self.total:
            return point
        moved = self.count(point.theta + step * direction)
        return moved if moved.links >= point.links and self._is_admissible(moved.theta) else point

    def _is_admissible(self, theta: FloatArray) -> bool:
        """Whether theta is in its set, and no pair has a negative distance where that is asked for."""
        if len(self.problem.parameters.cuts(theta)):
            return False
        return not (self.problem.family.is_nonnegative and len(self.problem.source.negative(theta, 1)[0]))
