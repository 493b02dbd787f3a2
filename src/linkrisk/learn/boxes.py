"""Box search: the best parameters theta >= 0 of a distance with few of them, with proof.

theta is scaled so that its largest entry is 1. For each entry that may be the largest, the others range over a box,
which is split until no part of it can hold anything better than the best theta known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import FloatArray
from linkrisk.learn.box_kernels import (
    BEST,
    BOXES,
    LEFT,
    UNSETTLED,
    UNSETTLED_BOUND,
    Lists,
    Problem,
    Stack,
    search_slice,
)
from linkrisk.learn.line_kernels import count_clear_links, search_lines
from linkrisk.learn.line_search import draw_directions
from linkrisk.learn.rows import Rows
from linkrisk.learn.search import Clock, State, Status

SLICE = 20_000
"""Boxes between two looks at the clock."""

TINY = 2.0**-900


@dataclass(frozen=True)
class BoxResult:
    """How a box search ended: theta, the links it makes, links no theta >= 0 exceeds, and the work done.

    ``unsettled`` boxes were too small to split and too large to lose: they keep the bound above the links.
    """

    theta: FloatArray
    links: float
    bound: float
    status: Status
    boxes: int
    unsettled: int


def search_boxes(
    rows: Rows, *, incumbent_theta: FloatArray, incumbent_links: float, clock: Clock, seed: int = 0
) -> BoxResult:
    """Find the theta >= 0 that links most, starting from an incumbent, and prove it.

    ``incumbent_links`` must be made by ``incumbent_theta`` beyond rounding (see `linkrisk.learn.line_search`).

    Guarantee: no theta >= 0 links more than ``bound``; ``links`` are made by ``theta``, both in exact arithmetic (sums
    of weights that are not whole numbers are compared to one part in 10^12).
    """
    search = _Search(rows, incumbent_theta, incumbent_links, clock, seed)
    stopped = search.run()
    return search.result(stopped)


class _Search:
    """The open boxes, and the best theta so far."""

    def __init__(self, rows: Rows, theta: FloatArray, links: float, clock: Clock, seed: int) -> None:
        self.clock = clock
        self.generator = np.random.default_rng(seed)
        self.weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
        self.exact = (np.ascontiguousarray(rows.values), rows.start, self.weight)
        is_counting = bool(np.all(self.weight == np.round(self.weight)))
        gain = 1.0 - 1e-9 if is_counting else 1e-12 * max(1.0, float(self.weight.sum()))
        self.problem = Problem(_upper_values(self.exact[0]), rows.start, self.weight, gain)
        self.theta = theta
        self.state = np.zeros(5)
        self.state[BEST] = links
        self.state[UNSETTLED_BOUND] = links
        self.candidate = np.empty(rows.n_parameters)
        self._open_faces(rows)

    def _open_faces(self, rows: Rows) -> None:
        """Put one box for each entry that may be the largest on the stack; all rows are undecided."""
        n = rows.n_parameters
        size, n_rows = 64 + n, len(rows.values)
        has_rows = np.flatnonzero(np.diff(rows.start) > 0)
        free = float(self.weight.sum() - self.weight[has_rows].sum())
        self.stack = Stack(
            np.zeros((size, n)), np.ones((size, n)), np.zeros(size), np.zeros(size), np.zeros((size, 2), np.int64)
        )
        self.stack.low[np.arange(n), np.arange(n)] = 1.0
        self.stack.bound[:n] = self.weight.sum()
        self.stack.sure[:n] = free
        self.stack.span[:n, 1] = len(has_rows)
        self.lists = Lists(
            np.zeros(4 * len(has_rows), np.int64),
            np.zeros((4 * len(has_rows), 2), np.int64),
            np.zeros(4 * n_rows, np.int64),
        )
        self.lists.record[: len(has_rows)] = has_rows
        self.lists.span[: len(has_rows)] = np.column_stack([rows.start[has_rows], rows.start[has_rows + 1]])
        self.lists.row[:n_rows] = np.arange(n_rows)
        self.state[LEFT] = n if len(has_rows) else 0

    def run(self) -> Status | None:
        """Search until all boxes are done, or return why to stop before."""
        while self.state[LEFT] > 0:
            if stopped := self.clock.must_stop():
                return stopped
            self.candidate[0] = np.nan
            if not search_slice(self.problem, self.stack, self.lists, self.state, self.candidate, SLICE):
                self._grow()
            if not np.isnan(self.candidate[0]):
                self._adopt()
            self.clock.tell(State(best=float(self.state[BEST]), bound=self.bound, work=int(self.state[BOXES])))
        return None

    def _grow(self) -> None:
        """Make room for more open boxes and undecided rows."""
        self.stack = Stack(*(np.concatenate([part, part]) for part in self.stack))
        self.lists = Lists(*(np.concatenate([part, part]) for part in self.lists))

    def _adopt(self) -> None:
        """Improve the candidate along lines, and take it as the best."""
        theta = self.candidate / self.candidate.max()
        links = count_clear_links(*self.exact, theta)
        theta, links, _ = search_lines(*self.exact, theta, links, draw_directions(self.generator, 20, len(theta)))
        if links > self.state[BEST]:
            self.theta, self.state[BEST] = theta, links

    @property
    def bound(self) -> float:
        """Links that no theta exceeds, as far as is known."""
        left = int(self.state[LEFT])
        return float(max([self.state[BEST], self.state[UNSETTLED_BOUND], *self.stack.bound[:left]]))

    def result(self, stopped: Status | None) -> BoxResult:
        """Return what was found and proven."""
        links, bound = float(self.state[BEST]), self.bound
        status = stopped or Status.UNSETTLED
        if bound < links + self.problem.gain:
            bound, status = links, Status.OPTIMAL
        return BoxResult(self.theta, links, bound, status, int(self.state[BOXES]), int(self.state[UNSETTLED]))


def _upper_values(values: FloatArray) -> FloatArray:
    """Scale each row by a power of two to about 1, and round entries that are next to nothing up.

    Guarantee: a theta >= 0 for which the row returned is not positive does not satisfy the row given.
    """
    largest = np.abs(values).max(axis=1, initial=0.0)
    exponent = np.frexp(np.where(largest > 0.0, largest, 1.0))[1]
    scaled = np.ldexp(values, -exponent[:, None])
    is_tiny = np.abs(scaled) < TINY
    return np.where(is_tiny, np.where(values > 0.0, TINY, 0.0), scaled)
