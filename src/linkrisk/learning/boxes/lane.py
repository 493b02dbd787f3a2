"""A lane: one part of a box search, with arrays of its own, so that lanes can run side by side."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.learning.boxes.kernels import FULL, search_slice
from linkrisk.learning.boxes.log_kernels import FACE, OVERFLOW, Log
from linkrisk.learning.boxes.state_kernels import (
    BEST,
    LEFT,
    ROWS,
    SINGLE,
    UNSETTLED_BOUND,
    Centred,
    Ends,
    Lists,
    Memory,
    Problem,
    Stack,
    Units,
)

FIRST_BOXES = 64
"""Open boxes there is room for at first."""

FIRST_NODES = 4096
"""Nodes there is room for at first in the log of a lane that tells what it does."""

LOG_BITS = 40
"""Node j of lane l has the number l 2^40 + j."""


class Lane:
    """Open boxes and what is needed to search them, depth first."""

    def __init__(self, problem: Problem, number: int, *, is_recording: bool) -> None:
        n = problem.values.shape[1]
        self.problem = problem
        self.memory = make_memory(len(problem.weight), n)
        self.stack = make_stack(FIRST_BOXES, n)
        self.lists = make_lists(0, 0)
        self.log = make_log(FIRST_NODES if is_recording else 0, number << LOG_BITS)

    @property
    def n_open(self) -> int:
        """Number of open boxes."""
        return int(self.memory.counts[LEFT])

    @property
    def links(self) -> float:
        """Links of the best theta this lane knows."""
        return float(self.memory.figures[BEST])

    @property
    def bound(self) -> float:
        """Links that no theta of an open or unsettled box exceeds.

        *Guarantee* (docs/mathematics.md#box-search): each box is in the stack of exactly one lane, or done, or
        unsettled.
        """
        left = self.n_open
        open_bounds = self.stack.sure[:left] + self.stack.linkable[:left]
        return max(float(self.memory.figures[UNSETTLED_BOUND]), float(open_bounds.max(initial=0.0)))

    def know(self, theta: FloatArray, links: float) -> None:
        """Take note of the best theta."""
        self.memory.theta[:] = theta
        self.memory.figures[BEST] = links

    def open_faces(self) -> None:
        """Open one box for each coordinate that may be the largest; all rows are undecided.

        *Guarantee* (docs/mathematics.md#faces): up to its length, every theta >= 0, except 0 itself, is in one of them.
        """
        start, weight = self.problem.start, self.problem.weight
        n_rows, n = self.problem.values.shape
        has_rows = np.flatnonzero(np.diff(start) > 0)
        span = np.column_stack([start[has_rows], start[has_rows + 1]])
        self._hold(has_rows, np.full(len(has_rows), SINGLE), span, np.arange(n_rows))
        undecided = float(weight[has_rows].sum())
        for face in range(n if len(has_rows) else 0):
            low = np.zeros(n)
            low[face] = 1.0
            origin = np.array([FACE, face])
            self._open(low, np.ones(n), float(weight.sum()) - undecided, undecided, len(has_rows), origin)

    def take_from(self, other: Lane) -> None:
        """Take over the first open box of another lane, usually its largest; this lane has none."""
        begin, end = other.stack.span[0]
        span = other.lists.span[begin:end]
        first, last = span[0, 0], span[-1, 1]
        record, group, row = other.lists.record[begin:end], other.lists.group[begin:end], other.lists.row[first:last]
        self._hold(record, group, span - first, row)
        stack = other.stack
        self._open(stack.low[0], stack.high[0], stack.sure[0], stack.linkable[0], len(record), stack.origin[0])
        left = other.n_open
        for part in stack:
            part[: left - 1] = part[1:left].copy()
        other.memory.counts[LEFT] = left - 1

    def search(self, n_rows: int) -> int:
        """Search until some rows have been looked at, or a better theta was found; return why it ended."""
        until = int(self.memory.counts[ROWS]) + n_rows
        while True:
            left = until - int(self.memory.counts[ROWS])
            reason = search_slice(self.problem, self.stack, self.lists, self.memory, self.log, left)
            if reason != FULL:
                return reason
            self._grow()

    def _grow(self) -> None:
        """Make room for more open boxes and undecided rows, or for a longer log."""
        if self.log.counts[OVERFLOW]:
            self.log = longer_log(self.log)
        else:
            self.stack = Stack(*(np.concatenate([part, part]) for part in self.stack))
            self.lists = Lists(*(np.concatenate([part, part]) for part in self.lists))

    def _hold(self, record: IntArray, group: IntArray, span: IntArray, row: IntArray) -> None:
        """Put the records and rows of a box at the beginning of the lists."""
        if len(self.lists.record) < 3 * len(record) or len(self.lists.row) < 3 * len(row):
            self.lists = make_lists(4 * len(record), 4 * len(row))
        for part, values in zip(self.lists, (record, group, span, row), strict=True):
            part[: len(values)] = values

    def _open(
        self, low: FloatArray, high: FloatArray, sure: float, linkable: float, n_records: int, origin: IntArray
    ) -> None:
        """Put a box on the stack whose parent's records are at the beginning of the lists."""
        at = self.n_open
        self.stack.span[at] = 0, n_records
        self.stack.low[at], self.stack.high[at] = low, high
        self.stack.sure[at], self.stack.linkable[at] = sure, linkable
        self.stack.origin[at] = origin
        self.memory.counts[LEFT] = at + 1


def make_stack(size: int, n: int) -> Stack:
    """Return room for open boxes."""
    pairs = (np.zeros((size, 2), np.int64), np.zeros((size, 2), np.int64))
    return Stack(np.zeros((size, n)), np.zeros((size, n)), np.zeros(size), np.zeros(size), *pairs)


def make_lists(n_records: int, n_rows: int) -> Lists:
    """Return room for undecided records and rows."""
    record, group, row = (np.zeros(size, np.int64) for size in (n_records, n_records, n_rows))
    return Lists(record, group, np.zeros((n_records, 2), np.int64), row)


def make_memory(n_records: int, n: int) -> Memory:
    """Return the working memory of a lane."""
    return Memory(
        counts=np.zeros(5, np.int64),
        figures=np.zeros(2),
        theta=np.empty(n),
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
            middle=np.empty(n_records),
            slope=np.empty((n_records, n)),
            scale=np.empty(n_records),
            row=np.empty(n_records, np.int64),
        ),
    )


def make_log(size: int, base: int) -> Log:
    """Return room for the tree of a search; size 0 keeps nothing."""

    def integers(factor: int) -> IntArray:
        return np.zeros(factor * size, np.int64)

    return Log(
        parent=integers(1),
        side=integers(1),
        division=integers(1),
        cut=np.zeros(size),
        first_loss=integers(1),
        lost_record=integers(8),
        lost_row=integers(8),
        first_set=integers(1),
        group=integers(2),
        first_member=integers(2),
        member_row=integers(4),
        multiplier=np.zeros(4 * size),
        counts=np.zeros(6, np.int64),
        base=base,
    )


def longer_log(log: Log) -> Log:
    """Return a log twice as long with the same in it."""
    grown = make_log(2 * len(log.parent), log.base)
    for before, after in zip(log[:-2], grown[:-2], strict=True):
        after[: len(before)] = before
    grown.counts[:] = log.counts
    grown.counts[OVERFLOW] = 0
    return grown
