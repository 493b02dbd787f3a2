"""Box search: the best parameters theta >= 0 of a distance with few of them, with proof.

theta is scaled so that its largest entry is 1. For each entry that may be the largest, the others range over a box,
which is split until no part of it can hold anything better than the best theta known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import FloatArray
from linkrisk.learn.box_kernels import FOUND, FULL, search_slice
from linkrisk.learn.box_log_kernels import Log
from linkrisk.learn.box_state_kernels import (
    BEST,
    BOXES,
    LEFT,
    SINGLE,
    UNSETTLED,
    UNSETTLED_BOUND,
    Centred,
    Ends,
    Lists,
    Memory,
    Problem,
    Stack,
    Units,
)
from linkrisk.learn.line_kernels import search_lines
from linkrisk.learn.line_search import draw_directions
from linkrisk.learn.rows import Rows
from linkrisk.learn.search import Clock, State, Status

SLICE = 2_000_000
"""Rows looked at between two looks at the clock."""

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
        weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
        given = np.ascontiguousarray(rows.values)
        self.problem = Problem(
            _upper_values(given), rows.start, weight, given, _least_gain(weight), float(weight.max(initial=0.0))
        )
        self.memory = _make_memory(rows.n_records, theta, links)
        self._open_faces(rows)
        self.log = _empty_log()

    def _open_faces(self, rows: Rows) -> None:
        """Put one box for each entry that may be the largest on the stack; all rows are undecided."""
        n = rows.n_parameters
        size, n_rows = 64 + n, len(rows.values)
        weight = self.problem.weight
        has_rows = np.flatnonzero(np.diff(rows.start) > 0)
        undecided = float(weight[has_rows].sum())
        self.stack = Stack(
            np.zeros((size, n)),
            np.ones((size, n)),
            np.full(size, float(weight.sum()) - undecided),
            np.full(size, undecided),
            np.zeros((size, 2), np.int64),
            np.zeros((size, 2), np.int64),
        )
        self.stack.low[np.arange(n), np.arange(n)] = 1.0
        self.stack.span[:n, 1] = len(has_rows)
        m = len(has_rows)
        self.lists = Lists(
            np.zeros(4 * m, np.int64),
            np.full(4 * m, SINGLE),
            np.zeros((4 * m, 2), np.int64),
            np.zeros(4 * n_rows, np.int64),
        )
        self.lists.record[:m] = has_rows
        self.lists.span[:m] = np.column_stack([rows.start[has_rows], rows.start[has_rows + 1]])
        self.lists.row[:n_rows] = np.arange(n_rows)
        self.memory.counts[LEFT] = n if m else 0

    def run(self) -> Status | None:
        """Search until all boxes are done, or return why to stop before."""
        while self.memory.counts[LEFT] > 0:
            if stopped := self.clock.must_stop():
                return stopped
            reason = search_slice(self.problem, self.stack, self.lists, self.memory, self.log, SLICE)
            if reason == FULL:
                self._grow()
            elif reason == FOUND:
                self._improve()
            self.clock.tell(State(best=self.links, bound=self.bound, work=int(self.memory.counts[BOXES])))
        return None

    def _grow(self) -> None:
        """Make room for more open boxes and undecided rows."""
        self.stack = Stack(*(np.concatenate([part, part]) for part in self.stack))
        self.lists = Lists(*(np.concatenate([part, part]) for part in self.lists))

    def _improve(self) -> None:
        """Improve the best theta along lines."""
        theta, figures = self.memory.theta, self.memory.figures
        directions = draw_directions(self.generator, 20, len(theta))
        rows = (self.problem.given, self.problem.start, self.problem.weight)
        theta[:], figures[BEST], _ = search_lines(*rows, theta.copy(), figures[BEST], directions)

    @property
    def links(self) -> float:
        """Links of the best theta."""
        return float(self.memory.figures[BEST])

    @property
    def bound(self) -> float:
        """Links that no theta exceeds, as far as is known."""
        left = int(self.memory.counts[LEFT])
        unsettled = self.memory.figures[UNSETTLED_BOUND]
        return float(max([self.links, unsettled, *(self.stack.sure[:left] + self.stack.linkable[:left])]))

    def result(self, stopped: Status | None) -> BoxResult:
        """Return what was found and proven."""
        links, bound = self.links, self.bound
        status = stopped or Status.UNSETTLED
        if bound < links + self.problem.gain:
            bound, status = links, Status.OPTIMAL
        counts = self.memory.counts
        return BoxResult(self.memory.theta.copy(), links, bound, status, int(counts[BOXES]), int(counts[UNSETTLED]))


def _least_gain(weight: FloatArray) -> float:
    """Return what links are gained at least when they are gained at all: almost 1, or more than sums may err by."""
    if np.all(weight == np.round(weight)):
        return 1.0 - 1e-9
    return max(1e-12, len(weight) * 2.0**-51) * float(weight.sum())


def _make_memory(n_records: int, theta: FloatArray, links: float) -> Memory:
    n = len(theta)
    return Memory(
        counts=np.zeros(8, np.int64),
        figures=np.array([links, links]),
        theta=theta.copy(),
        low=np.empty(n),
        high=np.empty(n),
        lower=np.empty((n_records, n)),
        upper=np.empty((n_records, n)),
        share=np.empty(n),
        tightest=np.empty(n_records, np.int64),
        ends=Ends(*(np.empty(n_records) for _ in range(4))),
        units=Units(
            of=np.empty(n_records, np.int64),
            weight=np.empty(n_records),
            first=np.empty(n_records),
            last=np.empty(n_records),
            home=np.full(n_records, -1),
        ),
        centred=Centred(
            np.empty(n_records), np.empty((n_records, n)), np.empty(n_records), np.empty(n_records, np.int64)
        ),
    )


def _empty_log() -> Log:
    integers, numbers = np.empty(0, np.int64), np.empty(0)
    return Log(
        integers, integers, integers, numbers, integers, integers, integers, integers, integers, integers, integers,
        numbers, np.zeros(5, np.int64), 0,
    )  # fmt: skip


def _upper_values(values: FloatArray) -> FloatArray:
    """Scale each row by a power of two to about 1, and round entries that are next to nothing up.

    Guarantee: a theta >= 0 for which the row returned is not positive does not satisfy the row given.
    """
    largest = np.abs(values).max(axis=1, initial=0.0)
    exponent = np.frexp(np.where(largest > 0.0, largest, 1.0))[1]
    scaled = np.ldexp(values, -exponent[:, None])
    is_tiny = np.abs(scaled) < TINY
    return np.where(is_tiny, np.where(values > 0.0, TINY, 0.0), scaled)
