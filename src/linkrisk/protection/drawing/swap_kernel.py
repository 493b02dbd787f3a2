"""Partners for rank swapping in machine code: a random free rank within a window, in logarithmic time.

Free ranks are counted in a binary indexed tree (Fenwick 1994): how many there are up to a rank, and which is the
m-th, take as many steps as n has binary digits.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel


@kernel
def swap_partners(uniforms: FloatArray, window: int) -> IntArray:
    """Return for each rank the rank it swaps with, its own where no partner was free.

    Ranks are taken from low to high; one that is not yet swapped takes the partner numbered
    floor(uniform * count) among the ``count`` free ranks at most ``window`` above it.
    """
    n_ranks = uniforms.shape[0]
    partners = np.arange(n_ranks)
    tree = _all_free(n_ranks)
    is_free = np.ones(n_ranks, np.bool_)
    n_below = 0  # free ranks below and including the present one, which are passed and stay
    for rank in range(n_ranks):
        if not is_free[rank]:
            continue
        n_below += 1
        count = _count_free(tree, min(rank + window, n_ranks - 1)) - n_below
        if count == 0:
            continue
        choice = min(int(uniforms[rank] * count), count - 1)
        partner = _find_free(tree, n_below + choice)
        partners[rank] = partner
        partners[partner] = rank
        _take(tree, rank)
        _take(tree, partner)
        is_free[partner] = False
        n_below -= 1
    return partners


@kernel
def _all_free(n_ranks: int) -> IntArray:
    """Return the tree of n free ranks; entry i counts the lowest set bit of i of them."""
    tree = np.empty(n_ranks + 1, np.int64)
    for i in range(n_ranks + 1):
        tree[i] = i & -i
    return tree


@lean_kernel
def _count_free(tree: IntArray, last: int) -> int:
    """Return how many ranks from 0 to ``last`` are free."""
    count = 0
    i = last + 1
    while i > 0:
        count += tree[i]
        i -= i & -i
    return count


@lean_kernel
def _find_free(tree: IntArray, number: int) -> int:
    """Return the free rank that ``number`` free ranks precede."""
    step = 1
    while 2 * step < tree.shape[0]:
        step *= 2
    place = 0
    while step > 0:
        if place + step < tree.shape[0] and tree[place + step] <= number:
            place += step
            number -= tree[place]
        step //= 2
    return place


@lean_kernel
def _take(tree: IntArray, rank: int) -> None:
    """Make a rank taken."""
    i = rank + 1
    while i < tree.shape[0]:
        tree[i] -= 1
        i += i & -i
