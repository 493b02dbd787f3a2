"""How much can be linked in the boxes of a tree: a walk that keeps track of lost records and of conflicts.

Two records are in conflict if they cannot both be linked. Records of which any two are in conflict form a group: at
most one of them can be linked. So what can be linked in a box is at most the sum, over its groups and over the records
in no group, of the greatest worth of a record that is not lost.
"""

from __future__ import annotations

from fractions import Fraction

from linkrisk.engine import interrupt
from linkrisk.verifier.boxes.tree import CORE, GIVE_UP, LEAF, BoxTree
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verification import Rejection

FOUND, CHANGED, MOVED, IN_CONFLICT = range(4)
"""What is undone when the walk leaves a box: a loss, the worth of a unit, the unit of a record, a conflict."""


class BoxWalk:
    """A walk through a tree of boxes; a *unit* is a group, or a record in no group."""

    def __init__(self, worths: Worths, tree: BoxTree) -> None:
        self.worths = worths
        self.tree = tree
        self.n = worths.n_records
        self.value = [int(worth / worths.step) if worths.step else 0 for worth in worths.of]
        self.is_lost = [not is_open for is_open in worths.is_open.tolist()]
        self.unit = list(range(self.n))
        self.members: dict[int, set[int]] = {i: {i} for i in range(self.n)}
        self.linkable = dict(enumerate(self.value))
        self.total = sum(self.value)
        self.conflicts: set[tuple[int, int]] = set()
        self.done: list[tuple[int, ...]] = []

    def bound(self) -> Fraction:
        """Return the most that can be linked in any box that is not divided.

        *Guarantee* (docs/mathematics.md#verify-boxes): in a leaf, every theta of the box links no lost record and at
        most one record of each group. If a box is divided by a core, every theta of the box fails to link some record
        of the core, and the child in which that record is given up covers this theta.
        """
        best = 0
        depths: list[tuple[int, int]] = []  # the boxes above, and how much was done before each
        parent, side, division = self.tree.parent.tolist(), self.tree.side.tolist(), self.tree.division.tolist()
        contents = _Contents(self.tree)
        for box, above in enumerate(parent):
            if box % 1024 == 0:
                interrupt.check()
            while depths and depths[-1][0] != above:
                self._take_back(depths.pop()[1])
            depths.append((box, len(self.done)))
            if above >= 0 and division[above] == GIVE_UP:
                self._lose(contents.core[above][side[box]])
            for record in contents.losses(box):
                self._lose(record)
            self._group(contents.conflicts(box))
            if division[box] == LEAF:
                best = max(best, self.total)
        return best * self.worths.step

    def _lose(self, record: int) -> None:
        """Mark a record as lost."""
        if not self.is_lost[record]:
            self.is_lost[record] = True
            self.done.append((FOUND, record))
            self._revalue(self.unit[record])

    def _group(self, conflicts: list[tuple[int, int, int]]) -> None:
        """Put pairs of records that are in conflict into their groups; raise unless any two members are in conflict.

        A member that is not named here leaves the group if it is not in conflict with all records named.
        """
        named: dict[int, set[int]] = {}
        for group, first, second in conflicts:
            pair = (first, second) if first < second else (second, first)
            if pair not in self.conflicts:
                self.conflicts.add(pair)
                self.done.append((IN_CONFLICT, *pair))
            named.setdefault(self.n + group, set()).update(pair)
            for record in pair:
                self._move(record, self.n + group)
        for unit, records in named.items():
            for other in sorted(self.members[unit] - records):
                if not all(self._are_in_conflict(other, record) for record in records):
                    self._move(other, other)
            members = self.members[unit]  # those not named here were in conflict with each other before
            if not all(self._are_in_conflict(a, b) for a in records & members for b in members - {a}):
                raise Rejection("A group of the proof has two records that are not shown to be in conflict")

    def _are_in_conflict(self, first: int, second: int) -> bool:
        """Tell whether two records cannot both be linked: one of them is lost, or they are in conflict."""
        pair = (first, second) if first < second else (second, first)
        return self.is_lost[first] or self.is_lost[second] or pair in self.conflicts

    def _move(self, record: int, unit: int) -> None:
        before = self.unit[record]
        if before != unit:
            self.done.append((MOVED, record, before))
            self._put(record, unit)
            self._revalue(before)
            self._revalue(unit)

    def _put(self, record: int, unit: int) -> None:
        self.members[self.unit[record]].remove(record)
        self.members.setdefault(unit, set()).add(record)
        self.unit[record] = unit

    def _revalue(self, unit: int) -> None:
        """Bring the worth of a unit up to date."""
        before = self.linkable.get(unit, 0)
        now = max((self.value[i] for i in self.members[unit] if not self.is_lost[i]), default=0)
        if now != before:
            self.done.append((CHANGED, unit, before))
            self.linkable[unit] = now
            self.total += now - before

    def _take_back(self, length: int) -> None:
        """Undo the last steps, until only ``length`` of them are left."""
        while len(self.done) > length:
            kind, *what = self.done.pop()
            if kind == FOUND:
                self.is_lost[what[0]] = False
            elif kind == CHANGED:
                self.total += what[1] - self.linkable[what[0]]
                self.linkable[what[0]] = what[1]
            elif kind == MOVED:
                self._put(what[0], what[1])
            else:
                self.conflicts.remove((what[0], what[1]))


class _Contents:
    """What the proof says about each box: the records lost in it, its conflicts, and the records of its core."""

    def __init__(self, tree: BoxTree) -> None:
        n_boxes = len(tree.parent)
        self.records: list[int] = tree.losses.original.tolist()
        self.first_loss = _starts(tree.of_loss.tolist(), n_boxes)
        self.pairs: list[tuple[int, int, int]] = []
        self.core: dict[int, list[int]] = {}
        of_pair = []
        for mixture, (box, group) in enumerate(zip(tree.of_mixture.tolist(), tree.group.tolist(), strict=True)):
            members = tree.records_of(mixture)
            if group == CORE:
                self.core[box] = members
                continue
            if len(members) != 2:
                raise Rejection("A conflict of the proof is not between two records")
            self.pairs.append((group, members[0], members[1]))
            of_pair.append(box)
        self.first_pair = _starts(of_pair, n_boxes)

    def losses(self, box: int) -> list[int]:
        """Return the records lost in a box."""
        return self.records[self.first_loss[box] : self.first_loss[box + 1]]

    def conflicts(self, box: int) -> list[tuple[int, int, int]]:
        """Return the conflicts of a box: a group and two records each."""
        return self.pairs[self.first_pair[box] : self.first_pair[box + 1]]


def _starts(owners: list[int], n_boxes: int) -> list[int]:
    """Return for each box where its items begin; ``owners`` are the boxes of all items, sorted.

    >>> _starts([0, 0, 2], 3)
    [0, 2, 2, 3]
    """
    starts = [0] * (n_boxes + 1)
    for owner in owners:
        starts[owner + 1] += 1
    for box in range(n_boxes):
        starts[box + 1] += starts[box]
    return starts
