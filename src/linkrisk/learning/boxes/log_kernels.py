"""Writing down a box search as a tree that others can check, compiled.

A node is a box: who is its parent and which child of it this is, how it is divided (along a coordinate at a cut, or by
whom to give up), which records are lost in it that were not in its parent, each with the row that shows it, and which
combinations of rows show that not all of some records can be linked. `boxes.tree` puts the nodes in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel

LEAF, GIVE_UP, AGAIN = -1, -2, -3
"""How a node is divided, if not along a coordinate: not at all; by whom to give up; one child, the same box again."""

FACE = -2
"""The parent of a first box; -1 is that of any box where no log is kept."""

CORE = -1
"""The group of a combination that is the core of its node."""

NODES, LOSSES, SETS, MEMBERS, OVERFLOW, GAPS = range(6)
"""Places in ``Log.counts``: entries of each kind, whether there was no room, losses that no single row shows."""


class Log(NamedTuple):
    """Nodes, losses, and combinations of rows in the order they were found; nothing is kept where there is no room.

    Node j is child ``side[j]`` of ``parent[j]``; its losses and combinations begin at ``first_loss[j]`` and
    ``first_set[j]``. A combination is of ``group[s]`` and begins at ``first_member[s]``. The number of node j among all
    logs of a search is base + j.
    """

    parent: IntArray
    side: IntArray
    division: IntArray
    cut: FloatArray
    first_loss: IntArray
    lost_record: IntArray
    lost_row: IntArray
    first_set: IntArray
    group: IntArray
    first_member: IntArray
    member_row: IntArray
    multiplier: FloatArray
    counts: IntArray
    base: int


@lean_kernel
def log_node(log: Log, parent: int, side: int) -> int:
    """Begin a node, a leaf until it is divided; return its number, or -1 if nothing is kept."""
    j = log.counts[NODES]
    if len(log.parent) == 0:
        return -1
    if j >= len(log.parent):
        log.counts[OVERFLOW] = 1
        return -1
    log.parent[j], log.side[j] = parent, side
    log.division[j], log.cut[j] = LEAF, 0.0
    log.first_loss[j], log.first_set[j] = log.counts[LOSSES], log.counts[SETS]
    log.counts[NODES] = j + 1
    return int(log.base + j)


@lean_kernel
def log_division(log: Log, node: int, division: int, cut: float) -> None:
    """Tell how a node is divided."""
    if node >= 0:
        log.division[node - log.base], log.cut[node - log.base] = division, cut


@lean_kernel
def log_loss(log: Log, record: int, row: int) -> None:
    """Tell that a record is lost in the node begun last, and by which row; -1 is a gap: then the tree is no proof."""
    if row < 0:
        log.counts[GAPS] += 1
        return
    j = log.counts[LOSSES]
    if j >= len(log.lost_row):
        if len(log.parent) > 0:
            log.counts[OVERFLOW] = 1
        return
    log.lost_record[j], log.lost_row[j] = record, row
    log.counts[LOSSES] = j + 1


@lean_kernel
def log_set(log: Log, group: int) -> None:
    """Begin a combination of rows in the node begun last."""
    j = log.counts[SETS]
    if j >= len(log.group):
        if len(log.parent) > 0:
            log.counts[OVERFLOW] = 1
        return
    log.group[j], log.first_member[j] = group, log.counts[MEMBERS]
    log.counts[SETS] = j + 1


@lean_kernel
def log_member(log: Log, row: int, multiplier: float) -> None:
    """Add a row with its multiplier to the combination begun last."""
    j = log.counts[MEMBERS]
    if j >= len(log.member_row):
        if len(log.parent) > 0:
            log.counts[OVERFLOW] = 1
        return
    log.member_row[j], log.multiplier[j] = row, multiplier
    log.counts[MEMBERS] = j + 1


@kernel
def take_back(log: Log, counts: IntArray, node: int) -> None:
    """Remove all that was logged since the counts had these values, and make the node a leaf again."""
    if len(log.parent) > 0:
        log.counts[:OVERFLOW] = counts[:OVERFLOW]
        log_division(log, node, LEAF, 0.0)


@kernel
def order_nodes(parent: IntArray, by_side: IntArray) -> IntArray:
    """Return nodes in preorder: a node, then its first child with all below it, then the next; roots by side.

    ``by_side`` are the nodes from the last side to the first.
    """
    n_nodes = len(parent)
    first_child, next_sibling = np.full(n_nodes + 1, -1), np.full(n_nodes, -1)
    for j in by_side:  # each is put before those already there
        above = parent[j] if parent[j] >= 0 else n_nodes
        next_sibling[j], first_child[above] = first_child[above], j
    order, waiting = np.empty(n_nodes, np.int64), np.empty(n_nodes + 1, np.int64)
    n_ordered, n_waiting = 0, 1
    waiting[0] = first_child[n_nodes]
    while n_waiting > 0:
        j = waiting[n_waiting - 1]
        if j < 0:
            n_waiting -= 1
            continue
        waiting[n_waiting - 1] = next_sibling[j]
        order[n_ordered] = j
        n_ordered += 1
        waiting[n_waiting] = first_child[j]
        n_waiting += 1
    return order[:n_ordered]
