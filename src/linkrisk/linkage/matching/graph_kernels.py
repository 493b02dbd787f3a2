"""Graphs in machine code: what hangs together, and edges listed by one of their ends.

scipy has both, but importing its part for sparse matrices takes longer than linking a file of 1,000 records one to one.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.engine.jit import kernel


@kernel
def list_by(keys: IntArray, n_keys: int, start: IntArray, order: IntArray) -> None:
    """List places by their key: those with key k are ``order[start[k]:start[k + 1]]``, in ascending order."""
    start[:] = 0
    for key in keys:
        start[key + 1] += 1
    for k in range(n_keys):
        start[k + 1] += start[k]
    following = start[:-1].copy()
    for place in range(len(keys)):
        key = keys[place]
        order[following[key]] = place
        following[key] += 1


@kernel
def label_components(tails: IntArray, heads: IntArray, label: IntArray) -> int:
    """Give numbers to the connected parts of a graph without directions, by their first nodes; return how many.

    Reference: union-find with path halving, Tarjan and van Leeuwen (1984), https://doi.org/10.1145/62.2160.
    """
    root = np.arange(len(label))
    for edge in range(len(tails)):
        tail, head = tails[edge], heads[edge]
        while root[tail] != tail:
            root[tail] = root[root[tail]]
            tail = root[tail]
        while root[head] != head:
            root[head] = root[root[head]]
            head = root[head]
        if tail < head:
            root[head] = tail
        else:
            root[tail] = head
    n_parts = 0
    for node in range(len(label)):  # a root is the first node of its part, and so has a number before the others
        if root[node] == node:
            label[node] = n_parts
            n_parts += 1
        else:
            label[node] = label[root[node]]
    return n_parts


@kernel
def label_strong_components(start: IntArray, heads: IntArray, label: IntArray) -> int:
    """Give numbers to the strong parts of a directed graph, whose nodes reach each other; return how many.

    The edges of node v end in ``heads[start[v]:start[v + 1]]``.

    Reference: Tarjan (1972), https://doi.org/10.1137/0201010, with a stack of its own in place of recursion.
    """
    n_nodes = len(label)
    found, low = np.zeros(n_nodes, np.int64), np.zeros(n_nodes, np.int64)
    following = start[:-1].copy()
    waiting, path = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    n_waiting = n_found = n_parts = 0
    label[:] = -1
    for first in range(n_nodes):
        if found[first] > 0:
            continue
        path[0], depth = first, 1
        while depth > 0:
            node = path[depth - 1]
            if found[node] == 0:
                n_found += 1
                found[node] = low[node] = n_found
                waiting[n_waiting] = node
                n_waiting += 1
            if following[node] < start[node + 1]:
                head = heads[following[node]]
                following[node] += 1
                if found[head] == 0:
                    path[depth] = head
                    depth += 1
                elif label[head] < 0:
                    low[node] = min(low[node], found[head])
                continue
            depth -= 1
            if depth > 0:
                before = path[depth - 1]
                low[before] = min(low[before], low[node])
            if low[node] == found[node]:
                while label[node] < 0:
                    n_waiting -= 1
                    label[waiting[n_waiting]] = n_parts
                n_parts += 1
    return n_parts
