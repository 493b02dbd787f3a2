"""Random permutations within windows in machine code: exchanges that keep every rank within its window.

A permutation is held both ways: ``taken[r]`` is the rank whose value goes to rank r, ``taker[t]`` the rank that the
value of rank t goes to.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel


@kernel
def permute_blocks(uniforms: FloatArray, window: int) -> IntArray:
    """Return ``taken``: consecutive blocks of ``window`` + 1 ranks, each permuted uniformly (Fisher and Yates)."""
    n_ranks = uniforms.shape[0]
    taken = np.arange(n_ranks)
    for rank in range(n_ranks):
        last = min(rank - rank % (window + 1) + window, n_ranks - 1)
        other = rank + _place(uniforms[rank], last - rank + 1)
        taken[rank], taken[other] = taken[other], taken[rank]
    return taken


@lean_kernel
def sweep_ranks(taken: IntArray, taker: IntArray, uniforms: FloatArray, window: int) -> None:
    """Let each rank, from the lowest on, ask for a random value of its window; change ``taken`` and ``taker``.

    Rank r asks for the value of rank t, uniform among those at most ``window`` away from r, and gives what it has to
    the rank that has t now, unless that would be more than ``window`` away from it.
    """
    n_ranks = uniforms.shape[0]
    for rank in range(n_ranks):
        first = max(rank - window, 0)
        last = min(rank + window, n_ranks - 1)
        wanted = first + _place(uniforms[rank], last - first + 1)
        other, given = taker[wanted], taken[rank]
        if abs(given - other) <= window:
            taken[rank], taken[other] = wanted, given
            taker[wanted], taker[given] = rank, other


@lean_kernel
def _place(uniform: float, count: int) -> int:
    """Return a number from 0 to ``count`` - 1."""
    return min(int(uniform * count), count - 1)
