"""Checks a tree of boxes, node by node, in rational numbers.

Whoever believes this page need not believe the search: a box is divided without gaps, a record is lost where one of its
rows is positive nowhere, records are in conflict where a combination of their rows is positive nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

Box = list[tuple[Fraction, Fraction]]
LEAF, GIVE_UP, CORE = -1, -2, -1


class WrongTreeError(Exception):
    """A step of the tree does not hold."""


def most_linkable(
    tree: Any, rows: Sequence[Sequence[float]], owner: Sequence[int], weights: Sequence[float]
) -> Fraction:
    """Return the greatest weight linkable in a leaf; raise if a step does not hold.

    ``rows[s]`` belongs to record ``owner[s]``.
    """
    return _Checker(tree, rows, owner, weights).run()


@dataclass
class _Node:
    """A box, records lost in it, the groups records are in, and the pairs in conflict."""

    box: Box
    lost: frozenset[int]
    group: dict[int, int]
    pairs: frozenset[frozenset[int]]


class _Checker:
    def __init__(
        self, tree: Any, rows: Sequence[Sequence[float]], owner: Sequence[int], weights: Sequence[float]
    ) -> None:
        self.rows = [[Fraction(x) for x in row] for row in rows]
        self.owner = [int(r) for r in owner]
        self.weights = [Fraction(w) for w in weights]
        self.divisions: Iterator[int] = iter(tree.division.tolist())
        self.cuts: Iterator[float] = iter(tree.cut.tolist())
        self.n_lost: Iterator[int] = iter(tree.n_lost.tolist())
        self.losses = iter(zip(tree.lost_record.tolist(), tree.lost_row.tolist(), strict=True))
        self.n_sets: Iterator[int] = iter(tree.n_sets.tolist())
        self.sets = iter(zip(tree.group.tolist(), tree.n_members.tolist(), strict=True))
        self.members = iter(zip(tree.member_row.tolist(), tree.multiplier.tolist(), strict=True))

    def run(self) -> Fraction:
        n = len(self.rows[0])
        best = Fraction(0)
        faces = [[(Fraction(int(k == face)), Fraction(1)) for k in range(n)] for face in range(n)]
        waiting = [_Node(box, frozenset(), {}, frozenset()) for box in reversed(faces)]
        while waiting:
            node = waiting.pop()
            division, core = self.read(node)
            self.check_groups(node)
            if division == LEAF:
                best = max(best, self.linkable(node))
            elif division == GIVE_UP:
                if not core:
                    raise WrongTreeError("nobody to give up")
                waiting += [replace(node, lost=node.lost | {record}) for record in reversed(core)]
            else:
                waiting += [replace(node, box=box) for box in reversed(self.split(node.box, division))]
        if next(self.divisions, None) is not None:
            raise WrongTreeError("there are more nodes than boxes")
        return best

    def read(self, node: _Node) -> tuple[int, list[int]]:
        """Read what the tree says of a node into it; return how it is divided, and its core."""
        division, core = next(self.divisions), list[int]()
        node.lost = node.lost | {self.read_loss(node.box) for _ in range(next(self.n_lost))}
        node.group = dict(node.group)
        for _ in range(next(self.n_sets)):
            label, records = self.read_set(node.box)
            if label == CORE:
                core = records
            else:
                node.pairs = node.pairs | {frozenset(records)}
                node.group.update(dict.fromkeys(records, label))
        return division, core

    def split(self, box: Box, k: int) -> list[Box]:
        low, high = box[k]
        cut = Fraction(next(self.cuts))
        if not low <= cut <= high:
            raise WrongTreeError("the cut is outside of the box")
        return [[*box[:k], part, *box[k + 1 :]] for part in ((low, cut), (cut, high))]

    def read_loss(self, box: Box) -> int:
        record, row = next(self.losses)
        if self.owner[row] != record or greatest_value(self.rows[row], box) > 0:
            raise WrongTreeError("a record said to be lost can be linked")
        return int(record)

    def read_set(self, box: Box) -> tuple[int, list[int]]:
        label, size = next(self.sets)
        members = [next(self.members) for _ in range(size)]
        if any(multiplier < 0 for _, multiplier in members) or all(multiplier == 0 for _, multiplier in members):
            raise WrongTreeError("multipliers must be positive")
        columns = zip(*([Fraction(m) * x for x in self.rows[s]] for s, m in members), strict=True)
        if greatest_value([sum(column, Fraction(0)) for column in columns], box) > 0:
            raise WrongTreeError("records said to be in conflict can be linked together")
        return label, list(dict.fromkeys(self.owner[s] for s, _ in members))

    def check_groups(self, node: _Node) -> None:
        for label in set(node.group.values()):
            members = [record for record, its in node.group.items() if its == label and record not in node.lost]
            if any(frozenset(pair) not in node.pairs for pair in combinations(members, 2)):
                raise WrongTreeError("two records of a group are not in conflict")

    def linkable(self, node: _Node) -> Fraction:
        best: dict[Any, Fraction] = {}
        for record, weight in enumerate(self.weights):
            if record not in node.lost:
                unit = ("group", node.group[record]) if record in node.group else ("record", record)
                best[unit] = max(best.get(unit, Fraction(0)), weight)
        return sum(best.values(), Fraction(0))


def greatest_value(row: Sequence[Fraction], box: Box) -> Fraction:
    """Greatest value of a row over a box."""
    return sum((max(x * low, x * high) for x, (low, high) in zip(row, box, strict=True)), Fraction(0))
