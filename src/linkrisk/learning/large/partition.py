"""A partition of the parameters, grown where a sample of people says that many can be linked.

Any partition bounds the links: theta lies in some leaf, and links nobody whom one rival rules out in the whole leaf.
So the sample decides how good the bound is, never whether it holds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine.threads import for_chunks
from linkrisk.learning.large.growing_kernels import Parts, Sample, grow_from, held_by
from linkrisk.learning.large.push_kernels import ROUNDING, UNIT, Tree

ENTRIES = 32
"""Parts of a partition that are grown side by side, at least, once there are so many."""

MOST_PARTS = 1 << 17
"""Boxes that one of these parts grows by at most, at a time."""


class Partition:
    """Boxes of theta >= 0, largest entry 1, on one face for each entry that may be the largest; it can only grow.

    ``total`` is the worth of the sample, ``sampled`` what each box holds of it, ``level`` how many cuts a box is inside
    of. ``excess`` is how much more a leaf held of everybody than the sample said, once that is known; parts of it are
    thought to do so, too.

    *Guarantee* (docs/mathematics.md#partition): every theta >= 0, scaled so that its largest entry is 1, is in a leaf.
    """

    def __init__(self, sample: Sample) -> None:
        n = self.n_roots = sample.rows.shape[1]
        self.sample = sample
        low, high = np.zeros((n, n)), np.ones((n, n))
        np.fill_diagonal(low, 1.0)
        nowhere = np.full(n, -1, dtype=np.int64)
        self.tree = Tree(low, high, nowhere, nowhere.copy(), n)
        self.total = float(sample.worth.sum()) / UNIT
        self.sampled = np.array([held_by(sample, low[root], high[root]) / UNIT for root in range(n)])
        self.excess = np.zeros(n)
        self.level = np.zeros(n, dtype=np.int64)
        self.n_visits = 0

    @property
    def n_boxes(self) -> int:
        """Boxes, leaves included."""
        return len(self.tree.axis)

    @property
    def is_leaf(self) -> BoolArray:
        """Which boxes are not cut."""
        return np.asarray(self.tree.axis < 0)

    @property
    def n_leaves(self) -> int:
        """Boxes that are not cut."""
        return int(self.is_leaf.sum())

    @property
    def depth(self) -> int:
        """Cuts that are inside of each other, at most, and one."""
        return int(self.level.max()) + 1

    def inner_by_level(self) -> list[IntArray]:
        """Return the boxes that are cut, those inside fewest cuts first."""
        by_level = np.argsort(self.level, kind="stable")
        inner = by_level[self.tree.axis[by_level] >= 0]
        return np.split(inner, np.flatnonzero(np.diff(self.level[inner])) + 1)

    def above(self, marked: BoolArray) -> BoolArray:
        """Return which boxes are marked, or hold one that is."""
        found = marked.copy()
        for level in reversed(self.inner_by_level()):
            first = self.tree.first[level]
            found[level] |= found[first] | found[first + 1]
        return found

    def grow(self, target: FloatArray, threads: int | None) -> BoolArray:
        """Cut leaves until none of their parts holds more of the sample than the target of the leaf.

        A box whose target is infinite is left. Return which boxes are new, or were cut. ``n_visits`` are looks at a
        record of the sample in one of these, or on the way to it.
        """
        goes, wanted = self.above(np.isfinite(target)), np.where(np.isfinite(target), target * UNIT, np.inf)
        entries = self._entries(goes)
        made: list[tuple[Parts, int, int] | None] = [None] * len(entries)
        visits = np.zeros((len(entries), 1), dtype=np.int64)

        def work(piece: slice) -> None:
            for place in range(piece.start, piece.stop):
                parts, box = _room_for(self.n_roots, MOST_PARTS), entries[place]
                level = int(self.level[box])
                n, n_cut = grow_from(self.sample, self.tree, box, level, goes, wanted, parts, visits[place])
                made[place] = _first_of(parts, n), n, n_cut

        for_chunks(work, len(entries), 1, threads=threads)
        self.n_visits = int(visits.sum())
        return self._joined([each for each in made if each is not None], np.isfinite(target))

    def _entries(self, goes: BoolArray) -> list[int]:
        """Return boxes that hold all that goes, none inside another; the deeper they are, the more there are."""
        entries = [root for root in range(self.n_roots) if goes[root]]
        while len(entries) < ENTRIES:
            inner = [box for box in entries if self.tree.axis[box] >= 0]
            if not inner:
                break
            parts = [int(self.tree.first[box]) + side for box in inner for side in range(2)]
            entries = [box for box in entries if self.tree.axis[box] < 0] + [box for box in parts if goes[box]]
        return entries

    def _joined(self, made: Sequence[tuple[Parts, int, int]], touched: BoolArray) -> BoolArray:
        """Take in new boxes; return which are new, or were to be cut and are."""
        axis, first = self.tree.axis.copy(), self.tree.first.copy()
        n_before = offset = self.n_boxes
        axes, firsts = [axis], [first]
        for parts, n, n_cut in made:
            leaves = parts.cut_leaf[:n_cut]
            axis[leaves], first[leaves] = parts.cut_axis[:n_cut], parts.cut_first[:n_cut] + offset
            axes.append(parts.axis)
            firsts.append(np.where(parts.first < 0, -1, parts.first + offset))
            offset += n
        low: FloatArray = np.concatenate([self.tree.low, *(parts.low for parts, *_ in made)])
        high: FloatArray = np.concatenate([self.tree.high, *(parts.high for parts, *_ in made)])
        whole_axis: IntArray = np.concatenate(axes)
        whole_first: IntArray = np.concatenate(firsts)
        self.tree = Tree(low, high, whole_axis, whole_first, self.n_roots)
        self.sampled = np.concatenate([self.sampled, *(parts.held / UNIT for parts, *_ in made)])
        self.level = np.concatenate([self.level, *(parts.level for parts, *_ in made)])
        self.excess = np.concatenate([self.excess, *(self.excess[parts.origin] for parts, *_ in made)])
        return np.concatenate([touched & (axis >= 0), np.ones(offset - n_before, dtype=np.bool_)])


def _room_for(n: int, size: int) -> Parts:
    def whole() -> IntArray:
        return np.empty(size, dtype=np.int64)

    low, high = np.empty((size, n)), np.empty((size, n))
    return Parts(low, high, whole(), whole(), whole(), whole(), whole(), whole(), whole(), whole())


def _first_of(parts: Parts, n: int) -> Parts:
    """Return as many boxes as there are, without the room behind them."""
    return Parts._make(each[:n].copy() for each in parts)


class Held:
    """What boxes hold of the people who were pushed, in units; and how fast they lose them."""

    def __init__(self, n_boxes: int, n_parameters: int) -> None:
        self.worth = np.zeros(n_boxes, dtype=np.int64)
        self.slope = np.zeros((n_boxes, n_parameters), dtype=np.int64)

    def forget(self, boxes: BoolArray) -> None:
        """Have room for all boxes, and begin anew with some."""
        more = len(boxes) - len(self.worth)
        self.worth = np.concatenate([self.worth, np.zeros(more, dtype=np.int64)])
        self.slope = np.concatenate([self.slope, np.zeros((more, self.slope.shape[1]), dtype=np.int64)])
        self.worth[boxes] = 0
        self.slope[boxes] = 0

    def copied(self) -> Held:
        """Return the same, for another partition to go on with."""
        made = Held(0, 0)
        made.worth, made.slope = self.worth.copy(), self.slope.copy()
        return made

    def add(self, other: Held) -> None:
        """Add what other people make."""
        self.worth += other.worth
        self.slope += other.slope


def leaf_counts(partition: Partition, held: Held) -> FloatArray:
    """Return what each box holds: its own people, and those of all boxes that it is in; only leaves have all of it."""
    total = held.worth.copy()
    for level in partition.inner_by_level():
        for side in range(2):
            total[partition.tree.first[level] + side] += total[level]
    return np.asarray(total / UNIT)


def leaf_totals(partition: Partition, held: Held) -> FloatArray:
    """Return what leaves hold, less what any theta inside loses by their slopes; of other boxes it means nothing.

    *Guarantee* (docs/mathematics.md#slopes): no theta of a leaf links people of more worth.
    """
    slope = held.slope / UNIT
    most = np.where(slope > 0.0, slope * partition.tree.high, slope * partition.tree.low).sum(axis=1)
    most += ROUNDING * (np.abs(slope) * partition.tree.high).sum(axis=1) + 2.0 / UNIT
    return np.asarray(leaf_counts(partition, held) + np.minimum(most, 0.0))
