"""Box search: the best parameters theta >= 0 of a distance with few of them, with proof.

theta is scaled so that its largest entry is 1. For each entry that may be the largest, the others range over a box,
which is divided until no part of it can hold anything better than the best theta known (`boxes.kernels`).
The search runs in lanes, side by side on this machine's cores; they meet after a fixed number of rows, so that the
answer does not depend on how many cores there are.

There are files on which boxes do not come to an end. Where one attribute was left as it was, the best parameters lie at
the corner at which it has all the weight, and around it the problem looks the same at every scale. A search may
therefore be given a budget of rows, in which those in corners count more, and go on later.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine.threads import default_threads
from linkrisk.learning.boxes.lane import Lane
from linkrisk.learning.boxes.log_kernels import GAPS
from linkrisk.learning.boxes.state_kernels import (
    BOXES,
    CORNER_ROWS,
    ROWS,
    UNSETTLED,
    UNSETTLED_BOUND,
    Problem,
)
from linkrisk.learning.boxes.tree import BoxTree, make_tree
from linkrisk.learning.lines.kernels import count_clear_links, search_lines
from linkrisk.learning.lines.search import draw_directions
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Clock, State, Status

LANES = 4
"""Parts of a search that run side by side; fixed, since the answer may depend on it."""

FIRST_SLICE, SLICE = 200_000, 800_000
"""Rows a lane looks at between two looks at the clock: while only one lane works, and later."""

POLISHING_DIRECTIONS = 30
"""Lines along which a better theta is improved further."""

MANY_UNSETTLED = 50
"""Boxes that nothing settles, though they may hold better parameters, after which a search gives up."""

IN_CORNERS = 49
"""A row looked at in a corner of the set counts as one and so many more: of a file that ends there are few."""

TINY = 2.0**-900
"""Entries below this, a row scaled to about 1, are rounded up."""


@dataclass(frozen=True)
class BoxResult:
    """How a box search ended: theta, the links it makes, links no theta >= 0 exceeds, and the work done.

    ``unsettled`` boxes are too small to divide, and nothing shows that they hold no better theta: they keep the bound
    above the links. ``tree`` proves that no theta links more than ``links``; there is one if it was asked for and the
    search came to its end. ``is_over``: the search has come to an end, or has given up; more rows would not help.
    """

    theta: FloatArray
    links: float
    bound: float
    status: Status
    boxes: int
    unsettled: int
    is_over: bool = True
    tree: BoxTree | None = None


def search_boxes(
    rows: Rows,
    *,
    incumbent_theta: FloatArray,
    incumbent_links: float,
    clock: Clock,
    errors: FloatArray | None = None,
    seed: int = 0,
    is_recording: bool = False,
    threads: int | None = None,
) -> BoxResult:
    """Find the theta >= 0 that links most, starting from an incumbent, and prove it.

    ``incumbent_links`` must be made by ``incumbent_theta`` beyond rounding (see `linkrisk.learning.lines.search`). True
    rows may exceed those given by ``errors``; the bound holds for them. With ``is_recording`` the tree is kept, which
    takes the search again if it found a better theta. The same seed gives the same answer, on any number of threads,
    unless the clock stops the search.

    *Guarantee* (docs/mathematics.md#box-search): no theta >= 0 links more than ``bound``; ``links`` are made by
    ``theta``, both in exact arithmetic for the rows given (sums of weights that are not whole numbers are compared to
    one part in 10^12).
    """
    theta, links = incumbent_theta, incumbent_links
    while True:
        search = BoxSearch(
            rows,
            incumbent_theta=theta,
            incumbent_links=links,
            clock=clock,
            errors=errors,
            seed=seed,
            is_recording=is_recording,
        )
        result = search.run(threads)
        if not is_recording or result.status is not Status.OPTIMAL:
            return result
        if result.links < links + search.problem.gain:
            break
        theta, links = result.theta, result.links  # the log rests on a smaller incumbent: search and write it again
    if any(lane.n_open or lane.log.counts[GAPS] for lane in search.lanes):
        return result
    return replace(result, tree=make_tree([lane.log for lane in search.lanes], search.factor))


class BoxSearch:
    """A search under way: lanes, and the best theta so far. The arguments are those of `search_boxes`."""

    def __init__(
        self,
        rows: Rows,
        *,
        incumbent_theta: FloatArray,
        incumbent_links: float,
        clock: Clock,
        errors: FloatArray | None = None,
        seed: int = 0,
        is_recording: bool = False,
    ) -> None:
        self.problem, self.factor = _make_problem(rows, errors)
        self.columns = np.ascontiguousarray(self.problem.given.T)
        self.clock = clock
        self.is_recording = is_recording
        self.generator = np.random.default_rng(seed)
        self.lanes = [Lane(self.problem, number, is_recording=is_recording) for number in range(LANES)]
        self.theta, self.links = incumbent_theta / incumbent_theta.max(), incumbent_links
        self.lanes[0].open_faces()
        self._tell_lanes()

    def offer(self, theta: FloatArray) -> None:
        """Take theta >= 0 as the best one if it links more, beyond rounding."""
        scaled = np.asarray(theta / theta.max(), dtype=np.float64)
        links = count_clear_links(self.problem.given, self.problem.start, self.problem.weight, scaled)
        if links >= self.links + self.problem.gain:
            self.theta, self.links = scaled, links
            self._tell_lanes()

    def run(self, threads: int | None, *, budget: float = math.inf, enough: float = math.inf) -> BoxResult:
        """Search until all boxes are done, the clock says to stop, or the budget is spent in all; then it may go on.

        It also ends once ``enough`` is linked: links that something else proves to be the most there can be.
        """
        stopped = None
        with ExitStack() as stack:
            pool = None
            while busy := [lane for lane in self.lanes if lane.n_open]:
                if self.spent >= budget or self.links >= enough or (self.is_proven and not self.is_recording):
                    break
                if stopped := self.clock.must_stop():
                    break
                if pool is None and len(busy) > 1 and (threads or default_threads()) > 1:
                    pool = stack.enter_context(ThreadPoolExecutor(min(threads or default_threads(), LANES)))
                _search_lanes(busy, pool)
                self._meet()
                if self._is_pointless():
                    break
        return self._result(stopped)

    def _is_pointless(self) -> bool:
        """Whether so many boxes stay unsettled above the best links that nothing will be proven any more."""
        unsettled = max(float(lane.memory.figures[UNSETTLED_BOUND]) for lane in self.lanes)
        return self._count(UNSETTLED) > MANY_UNSETTLED and unsettled >= self.links + self.problem.gain

    def _meet(self) -> None:
        """Let all lanes know the best theta, improved along lines, and share the open boxes."""
        best = max(self.lanes, key=lambda lane: lane.links)
        if best.links > self.links:
            directions = draw_directions(self.generator, POLISHING_DIRECTIONS, len(self.theta))
            rows = (self.columns, self.problem.start, self.problem.weight)
            self.theta, self.links = search_lines(*rows, best.memory.theta.copy(), best.links, directions)
        self._tell_lanes()
        for lane in self.lanes:
            donor = max(self.lanes, key=lambda other: other.n_open)
            if not lane.n_open and donor.n_open > 1:
                lane.take_from(donor)
        boxes = self._count(BOXES)
        self.clock.tell(State(best=self.links, bound=self.bound, work=boxes))

    def _tell_lanes(self) -> None:
        for lane in self.lanes:
            lane.know(self.theta, self.links)

    def _count(self, place: int) -> int:
        return int(sum(lane.memory.counts[place] for lane in self.lanes))

    @property
    def spent(self) -> int:
        """The work done: rows looked at, those in corners of the set several times."""
        return self._count(ROWS) + IN_CORNERS * self._count(CORNER_ROWS)

    @property
    def bound(self) -> float:
        """Links that no theta exceeds, as far as is known."""
        return max(self.links, *(lane.bound for lane in self.lanes))

    @property
    def is_proven(self) -> bool:
        """Whether nothing links more than the best theta."""
        return self.bound < self.links + self.problem.gain

    def _result(self, stopped: Status | None) -> BoxResult:
        """Return what was found and proven."""
        bound, status = self.bound, stopped or Status.UNSETTLED
        is_over = self.is_proven or self._is_pointless() or not any(lane.n_open for lane in self.lanes)
        if self.is_proven:
            bound, status = self.links, Status.OPTIMAL
        return BoxResult(self.theta, self.links, bound, status, self._count(BOXES), self._count(UNSETTLED), is_over)


def _search_lanes(lanes: list[Lane], pool: ThreadPoolExecutor | None) -> None:
    """Let lanes search a slice each, side by side if there is a pool."""
    n_rows = SLICE if len(lanes) > 1 else FIRST_SLICE
    if pool is None:
        for lane in lanes:
            lane.search(n_rows)
    else:
        for future in [pool.submit(lane.search, n_rows) for lane in lanes]:
            future.result()


def _make_problem(rows: Rows, errors: FloatArray | None) -> tuple[Problem, FloatArray]:
    """Return the problem as it is searched, and what turns multipliers of its rows into those of the rows given.

    Rows are increased by their errors, each is scaled by a power of two to about 1, and entries that are next to
    nothing are rounded up.

    *Guarantee* (docs/mathematics.md#box-rows): a theta >= 0 for which a row searched is not positive does not satisfy
    the true row.
    """
    weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
    given = np.ascontiguousarray(rows.values, dtype=np.float64)
    largest = np.abs(given).max(axis=1, initial=0.0)
    exponent = np.frexp(np.where(largest > 0.0, largest, 1.0))[1]
    raised = given if errors is None else np.where(errors > 0.0, np.nextafter(given + errors, np.inf), given)
    scaled = np.ldexp(raised, -exponent[:, None])
    upper = np.where(np.abs(scaled) < TINY, np.where(raised > 0.0, TINY, 0.0), scaled)
    greatest = float(weight.max(initial=0.0))
    problem = Problem(upper, np.asarray(rows.start, np.int64), weight, given, _least_gain(weight), greatest)
    return problem, np.ldexp(np.ones(len(given)), -exponent)


def _least_gain(weight: FloatArray) -> float:
    """Return what links are gained at least when they are gained at all: almost 1, or more than sums may err by."""
    if np.all(weight == np.round(weight)):
        return 1.0 - 1e-9
    return max(1e-12, len(weight) * 2.0**-51) * float(weight.sum())
