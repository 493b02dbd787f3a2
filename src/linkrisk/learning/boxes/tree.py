"""The tree of boxes that proves a bound: its nodes in order, for anyone to check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.learning.boxes.log_kernels import AGAIN, GIVE_UP, LOSSES, MEMBERS, NODES, SETS, Log, order_nodes


@dataclass(frozen=True)
class BoxTree:
    """Boxes of theta, largest entry 1, in preorder: first those of the face theta_0 = 1, then of theta_1 = 1, ...

    A root of face k has theta_k = 1 and all others from 0 to 1. ``division`` is a coordinate (two children: its lower
    and its upper part, split at the next ``cut``), -1 for a leaf, or -2 (`GIVE_UP`): the node's combination marked with
    group -1 is a core, and there is one child for each record of it, in the order of its rows, in which that record is
    given up. ``n_lost`` losses belong to each node: in its box ``lost_row`` is positive nowhere, hence ``lost_record``
    is linked nowhere. ``n_sets`` combinations belong to each node: with ``n_members`` rows each, ``multiplier`` times
    ``member_row`` is positive nowhere in the box. One of ``group`` >= 0 is a pair of records of that group: of the
    records of a group one at most is linked, in this box and all below.
    In a leaf the greatest weight of a record not lost, summed over groups and records in none, is at most the bound.
    """

    division: IntArray
    cut: FloatArray
    n_lost: IntArray
    lost_record: IntArray
    lost_row: IntArray
    n_sets: IntArray
    group: IntArray
    n_members: IntArray
    member_row: IntArray
    multiplier: FloatArray

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.division)

    def __repr__(self) -> str:
        return f"<tree of {self.n_nodes} boxes, {len(self.lost_row)} losses, {len(self.group)} combinations>"


def make_tree(logs: Sequence[Log], factor: FloatArray) -> BoxTree:
    """Put the nodes of all logs in order; ``factor[s]`` turns multipliers of rows as searched into those of row s."""
    sizes = [int(log.counts[NODES]) for log in logs]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    parent, side = _parents(logs, sizes, starts)
    order = order_nodes(parent, np.argsort(-side, kind="stable"))
    losses = _Ragged([log.first_loss[: log.counts[NODES]] for log in logs], [int(log.counts[LOSSES]) for log in logs])
    sets = _Ragged([log.first_set[: log.counts[NODES]] for log in logs], [int(log.counts[SETS]) for log in logs])
    members = _Ragged(
        [log.first_member[: log.counts[SETS]] for log in logs], [int(log.counts[MEMBERS]) for log in logs]
    )
    division = _join([log.division for log in logs], sizes)[order]
    last = np.flatnonzero(division != AGAIN)  # a box looked at again is one node with what it was before
    first = np.concatenate([[0], last[:-1] + 1])
    set_order = sets.take(order)
    member_order = members.take(set_order)
    member_row = _join([log.member_row for log in logs], members.sizes)[member_order]
    cut = _join([log.cut for log in logs], sizes)[order][last]
    loss_order = losses.take(order)
    return BoxTree(
        division=division[last],
        cut=cut[division[last] >= 0],
        n_lost=_sums(losses.lengths[order], first),
        lost_record=_join([log.lost_record for log in logs], losses.sizes)[loss_order],
        lost_row=_join([log.lost_row for log in logs], losses.sizes)[loss_order],
        n_sets=_sums(sets.lengths[order], first),
        group=_join([log.group for log in logs], sets.sizes)[set_order],
        n_members=members.lengths[set_order],
        member_row=member_row,
        multiplier=_join([log.multiplier for log in logs], members.sizes)[member_order] * factor[member_row],
    )


class _Ragged:
    """Entries that belong to nodes, or to combinations, of several logs, put behind one another."""

    def __init__(self, firsts: Sequence[IntArray], sizes: Sequence[int]) -> None:
        self.sizes = list(sizes)
        offsets = np.concatenate([[0], np.cumsum(self.sizes)])
        self.begin = np.concatenate([first + offset for first, offset in zip(firsts, offsets[:-1], strict=True)])
        ends = [np.append(first[1:], size) for first, size in zip(firsts, self.sizes, strict=True)]
        self.lengths = np.concatenate([end[: len(first)] - first for end, first in zip(ends, firsts, strict=True)])

    def take(self, order: IntArray) -> IntArray:
        """Return the places of the entries of owners in a new order."""
        lengths = self.lengths[order]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.asarray(np.repeat(self.begin[order], lengths) + within)


def _parents(logs: Sequence[Log], sizes: Sequence[int], starts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the place of each node's parent among all, -1 for roots, and its side."""
    parent = _join([log.parent for log in logs], sizes)
    side = _join([log.side for log in logs], sizes)
    bases = np.array([log.base for log in logs])
    lane = np.searchsorted(bases, parent, side="right") - 1
    return np.where(parent < 0, -1, parent - bases[lane] + starts[lane]), side


def _join(parts: Sequence[IntArray] | Sequence[FloatArray], sizes: Sequence[int]) -> IntArray:
    return np.concatenate([part[:size] for part, size in zip(parts, sizes, strict=True)])


def _sums(values: IntArray, first: IntArray) -> IntArray:
    return np.add.reduceat(values, first) if len(values) else values


__all__ = ["GIVE_UP", "BoxTree", "make_tree"]
