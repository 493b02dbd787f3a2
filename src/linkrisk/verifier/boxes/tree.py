"""A tree of boxes as arrays, read from the columns of a proof and checked to be a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.verifier.certificate.fields import as_exacts, as_list, as_numbers, as_wholes, entry
from linkrisk.verifier.exact.rationals import Number
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.verification import Rejection

LEAF, GIVE_UP, AGAIN = -1, -2, -3
"""How a box is divided, if not along a coordinate: not at all; by which record of a core to give up; not, but with one
child, the same box again."""

CORE = -1
"""The group of a mixture that is the core of its box."""

LARGEST = 1 << 31
"""Larger than all counts and labels."""

MOST_SIDES = 1 << 27
"""Greatest number of boxes times weights that is checked."""


@dataclass(frozen=True)
class Rows:
    """Rows (i, j) of losses or of mixtures; each j counts against its i."""

    original: IntArray
    protected: IntArray


@dataclass(frozen=True)
class BoxTree:
    """Boxes in the order of the proof: a box, then its first child with everything below it, then its next child.

    ``losses[q]`` is lost in box ``of_loss[q]``. Mixture s holds in box ``of_mixture[s]``; it belongs to a group, or is
    the core of the box (`CORE`), and consists of the rows from ``first[s]`` to ``first[s + 1]`` of ``mixed``, each
    times its ``multiplier``, which ``is_positive`` or 0. ``low`` and ``high`` are the sides of the boxes.
    """

    parent: IntArray
    side: IntArray
    division: IntArray
    of_loss: IntArray
    losses: Rows
    of_mixture: IntArray
    group: IntArray
    first: IntArray
    mixed: Rows
    multiplier: list[Number]
    is_positive: NDArray[np.bool_]
    low: FloatArray
    high: FloatArray

    def records_of(self, mixture: int) -> list[int]:
        """Return the records of a mixture, each once, in the order in which they occur."""
        return distinct(self.mixed.original[self.first[mixture] : self.first[mixture + 1]].tolist())


def read_box_tree(proof: Mapping[str, Any], instance: Instance, n_parameters: int) -> BoxTree:
    """Return the tree of a proof; raise `Rejection` where its columns do not fit together."""
    division = _wholes(proof, "divisions", least=AGAIN, below=n_parameters)
    n_boxes = len(division)
    if n_boxes * n_parameters > MOST_SIDES:
        raise Rejection(f"The proof has more boxes than are checked: {MOST_SIDES:,} divided by the number of weights")
    group = _wholes(proof, "groups", least=CORE)
    of_loss = _owners(proof, "n_lost", n_boxes, _length(proof, "lost_records"))
    of_mixture = _owners(proof, "n_sets", n_boxes, len(group))
    of_row = _owners(proof, "n_rows", len(group), _length(proof, "row_records"))
    first = np.searchsorted(of_row, np.arange(len(group) + 1))
    losses = _rows(proof, "lost_records", "lost_to", len(of_loss), instance)
    mixed = _rows(proof, "row_records", "row_to", len(of_row), instance)
    written = as_exacts(entry(proof, "multipliers", "The proof"), "the column 'multipliers' of the proof", least=0)
    multiplier = _of_length(written, len(of_row), "multipliers")
    is_positive = np.array([value > 0 for value in multiplier], dtype=bool)
    n_children = np.where(division >= 0, 2, np.where(division == AGAIN, 1, 0))
    for box, mixture in _cores(division, of_mixture, group).items():
        n_children[box] = len(distinct(mixed.original[first[mixture] : first[mixture + 1]].tolist()))
    parent, side, depth = _parents(n_children.tolist(), n_parameters)
    cut = np.zeros(n_boxes)
    cut[division >= 0] = _of_length(_numbers(proof, "cuts"), int((division >= 0).sum()), "cuts")
    low, high = _boxes(parent, side, depth, division, cut, n_parameters)
    return BoxTree(
        parent, side, division, of_loss, losses, of_mixture, group, first, mixed, multiplier, is_positive, low, high
    )


def distinct(values: Sequence[int]) -> list[int]:
    """Return values, each once, in the order in which they occur.

    >>> distinct([3, 1, 3])
    [3, 1]
    """
    return list(dict.fromkeys(values))


def _cores(division: IntArray, of_mixture: IntArray, group: IntArray) -> dict[int, int]:
    """Return the core of each box that is divided by a core; raise unless exactly these boxes have one core each."""
    mixtures = np.flatnonzero(group == CORE)
    boxes = of_mixture[mixtures]
    if len(np.unique(boxes)) != len(boxes) or not np.array_equal(boxes, np.flatnonzero(division == GIVE_UP)):
        raise Rejection("A box of the proof has a core without being divided by it, or the other way round")
    return dict(zip(boxes.tolist(), mixtures.tolist(), strict=True))


def _parents(n_children: Sequence[int], n_roots: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return for every box its parent (-1 for a root), its place among the children of the parent, and its depth."""
    places: list[tuple[int, int, int]] = []
    waiting = [(-1, root, 0) for root in reversed(range(n_roots))]
    for box, count in enumerate(n_children):
        if not waiting:
            raise Rejection("The tree of boxes has more boxes than its divisions make")
        places.append(waiting.pop())
        depth = places[-1][2] + 1
        waiting += [(box, child, depth) for child in range(count - 1, -1, -1)]
    if waiting:
        raise Rejection("The tree of boxes has fewer boxes than its divisions make")
    columns = np.array(places, dtype=np.int64)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _boxes(
    parent: IntArray, side: IntArray, depth: IntArray, division: IntArray, cut: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return the sides of every box.

    *Guarantee* (docs/mathematics.md#faces): each lambda >= 0 except 0, scaled so that its largest entry is 1, lies in
    the root of that entry; each point of a box that is divided along a coordinate lies in one of its two children.
    """
    low, high = np.zeros((len(parent), n)), np.ones((len(parent), n))
    by_depth = np.argsort(depth, kind="stable")
    levels = np.split(by_depth, np.flatnonzero(np.diff(depth[by_depth])) + 1)
    low[levels[0], side[levels[0]]] = 1.0
    for boxes in levels[1:]:
        above = parent[boxes]
        low[boxes], high[boxes] = low[above], high[above]
        for end, is_upper in ((high, 0), (low, 1)):
            chosen = boxes[(division[above] >= 0) & (side[boxes] == is_upper)]
            end[chosen, division[parent[chosen]]] = cut[parent[chosen]]
    if (low > high).any():
        raise Rejection("A box of the proof is cut outside its sides")
    return low, high


def _rows(proof: Mapping[str, Any], originals: str, protecteds: str, length: int, instance: Instance) -> Rows:
    """Return the rows of two columns; raise unless each j counts against its i."""
    i = _of_length(_wholes(proof, originals, below=instance.n_original), length, originals)
    j = _of_length(_wholes(proof, protecteds, below=instance.n_protected), length, protecteds)
    keys = np.unique(i * instance.n_protected + j)
    records, others = np.divmod(keys, instance.n_protected)
    for place in np.split(np.arange(len(keys)), np.flatnonzero(np.diff(records)) + 1) if len(keys) else ():
        record = int(records[place[0]])
        if instance.own[record] < 0:
            raise Rejection("The proof names an original record that has no protected version")
        if not instance.counting(record)[others[place]].all():
            raise Rejection("The proof names a protected record that does not count against its original record")
    return Rows(i, j)


def _owners(proof: Mapping[str, Any], key: str, length: int, total: int) -> IntArray:
    """Return, for every item that a column counts, the place in the column where it is counted; there are ``total``."""
    counts = _of_length(_wholes(proof, key), length, key)
    if int(counts.sum()) != total:
        raise Rejection(f"The column {key!r} of the proof does not count what the proof holds")
    return np.repeat(np.arange(length), counts)


def _length(proof: Mapping[str, Any], key: str) -> int:
    return len(as_list(entry(proof, key, "The proof"), f"The column {key!r} of the proof"))


def _of_length(values: Any, length: int, key: str) -> Any:
    if len(values) != length:
        raise Rejection(f"The column {key!r} of the proof does not have the right length")
    return values


def _wholes(proof: Mapping[str, Any], key: str, *, least: int = 0, below: int = LARGEST) -> IntArray:
    """Return a column of whole numbers."""
    values = as_list(entry(proof, key, "The proof"), f"The column {key!r} of the proof")
    return as_wholes(values, f"A number of the column {key!r}", least=least, below=below)


def _numbers(proof: Mapping[str, Any], key: str) -> FloatArray:
    """Return a column of numbers."""
    return np.array(as_numbers(entry(proof, key, "The proof"), f"the column {key!r} of the proof"))
