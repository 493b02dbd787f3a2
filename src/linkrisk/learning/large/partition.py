"""A partition of the parameters, grown where a sample of people says that most can be linked.

Any partition bounds the links: theta lies in some leaf, and links nobody whom one rival rules out in the whole leaf.
So the sample decides how good the bound is, never whether it holds.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.learning.boxes.kernels import NARROW
from linkrisk.learning.boxes.state_kernels import LEAST
from linkrisk.learning.large.push_kernels import Tree, filter_box

FIRST_CUT, DEEP_CUT, DEEP = 0.1, 1e-3, 1e-6
"""Where [0, h] is cut, as parts of h; nearer to 0 once h is small. Other sides are cut at the geometric mean."""


@dataclass(frozen=True, eq=False)
class SampleRows:
    """Rows of some people against some rivals: those of record r from ``start[r]`` on; ``weight[r]`` is its worth."""

    values: FloatArray
    start: IntArray
    weight: FloatArray


@dataclass(order=True)
class _Leaf:
    """A leaf in the order in which leaves are divided: the largest count first."""

    rank: float
    box: int
    record: IntArray = field(compare=False)
    first: IntArray = field(compare=False)
    row: IntArray = field(compare=False)
    sure: float = field(compare=False)
    cut: tuple[int, float] = field(compare=False)


class Partition:
    """Boxes of theta >= 0, largest entry 1, on one face for each entry that may be the largest; it can only grow.

    *Guarantee* (docs/mathematics.md#partition): every theta >= 0, scaled so that its largest entry is 1, is in a leaf.
    """

    def __init__(self, rows: SampleRows) -> None:
        n = rows.values.shape[1]
        self.rows = rows
        self._low: list[FloatArray] = []
        self._high: list[FloatArray] = []
        self._children: list[tuple[int, int]] = []
        self._depths: list[int] = []
        self._open: list[_Leaf] = []
        self._record = np.empty(len(rows.weight), dtype=np.int64)
        self._first = np.empty(len(rows.weight) + 1, dtype=np.int64)
        self._row = np.empty(len(rows.values), dtype=np.int64)
        everybody = np.arange(len(rows.weight)), rows.start, np.arange(len(rows.values))
        for face in range(n):
            low, high = np.zeros(n), np.ones(n)
            low[face] = 1.0
            self._add(low, high, 0, *everybody, 0.0)
        self.n_roots = n

    @property
    def n_leaves(self) -> int:
        """Leaves: those that can be divided, and those that are too small."""
        return len(self._low) - sum(child >= 0 for child, _ in self._children)

    @property
    def most(self) -> float:
        """The largest count of the sample among leaves that can be divided."""
        return -self._open[0].rank if self._open else 0.0

    def grow(self, n_leaves: int, enough: float) -> None:
        """Divide the leaf that holds most of the sample, until there are so many leaves, or none holds more."""
        n_now = self.n_leaves
        while self._open and n_now < n_leaves and self.most > enough:
            leaf = heapq.heappop(self._open)
            self._divide(leaf)
            n_now += 1

    def tree(self) -> tuple[Tree, int]:
        """Return the boxes as kernels read them, and how deep they are."""
        children = np.array(self._children, dtype=np.int64).reshape(-1, 2)
        return Tree(np.array(self._low), np.array(self._high), children, self.n_roots), max(self._depths) + 1

    def _divide(self, leaf: _Leaf) -> None:
        k, cut = leaf.cut
        low, high = self._low[leaf.box], self._high[leaf.box]
        below, above = high.copy(), low.copy()
        below[k] = above[k] = cut
        known = leaf.record, leaf.first, leaf.row, leaf.sure
        depth = self._depths[leaf.box] + 1
        self._children[leaf.box] = (self._add(low, below, depth, *known), self._add(above, high, depth, *known))

    def _add(
        self,
        low: FloatArray,
        high: FloatArray,
        depth: int,
        record: IntArray,
        first: IntArray,
        row: IntArray,
        sure: float,
    ) -> int:
        """Add a box; it is open where it can be divided and somebody in it is undecided."""
        share = np.empty(len(low))
        rows = self.rows
        new = self._record, self._first, self._row
        count, doubt, more = filter_box(rows.values, rows.weight, low, high, record, first, row, *new, share)
        box = len(self._low)
        self._low.append(low)
        self._high.append(high)
        self._children.append((-1, -1))
        self._depths.append(depth)
        k, cut = _choose_cut(low, high, share)
        if count and k >= 0:
            kept = self._record[:count].copy(), self._first[: count + 1].copy(), self._row[: self._first[count]].copy()
            heapq.heappush(self._open, _Leaf(-(sure + more + doubt), box, *kept, sure + more, (k, cut)))
        return box


def _choose_cut(low: FloatArray, high: FloatArray, share: FloatArray) -> tuple[int, float]:
    """Return the coordinate that most of the indecision is due to, and where to cut it; -1 if the box is too small."""
    is_wide = (high - low > NARROW * high) & (high > LEAST)
    if not is_wide.any():
        return -1, 0.0
    k = int(np.argmax(np.where(is_wide, share, -1.0)))
    if low[k] == 0.0:
        return k, float(high[k] * (FIRST_CUT if high[k] > DEEP else DEEP_CUT))
    cut = float(np.sqrt(low[k] * high[k]))
    return k, cut if low[k] < cut < high[k] else float(0.5 * (low[k] + high[k]))


def leaf_totals(tree: Tree, held: FloatArray) -> FloatArray:
    """Return what each leaf holds: its own records, and those of all boxes that it is in.

    >>> tree = Tree(np.zeros((3, 1)), np.ones((3, 1)), np.array([[1, 2], [-1, -1], [-1, -1]]), 1)
    >>> leaf_totals(tree, np.array([5.0, 1.0, 2.0])).tolist()
    [6.0, 7.0]
    """
    total = held.copy()
    for box, (lower, upper) in enumerate(tree.children):  # children come after the box that they are parts of
        if lower >= 0:
            total[lower] += total[box]
            total[upper] += total[box]
    return np.asarray(total[tree.children[:, 0] < 0])
