"""Permutations within windows: drawn step by step, listed one by one, and with their exact distribution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

Permutation = tuple[int, ...]


def permute_blocks(uniforms: Sequence[float], window: int) -> list[int]:
    """Permute blocks of ``window`` + 1 ranks: each rank takes one of those that are left of its block.

    Worked by hand, window 1, uniforms .9 .1 .2: in the block 0, 1 rank 0 takes the second; rank 2 is alone.

    >>> permute_blocks([0.9, 0.1, 0.2], 1)
    [1, 0, 2]
    """
    taken = list(range(len(uniforms)))
    for rank, uniform in enumerate(uniforms):
        block = [other for other in range(len(uniforms)) if other // (window + 1) == rank // (window + 1)]
        left = [other for other in block if other >= rank]
        other = left[int(uniform * len(left))]
        taken[rank], taken[other] = taken[other], taken[rank]
    return taken


def sweep(taken: Sequence[int], uniforms: Sequence[float], window: int) -> list[int]:
    """Let each rank ask for a random value of its window, and exchange if both stay within theirs.

    Worked by hand, window 1, nobody moved, uniforms .9 .9 .1: rank 0 asks for 1, held by rank 1, and they exchange.
    Rank 1, which now has 0, asks for 2; rank 2 would get 0, two away: nothing. Rank 2 asks for 1, held by rank 0, which
    would get 2, two away: nothing.

    >>> sweep([0, 1, 2], [0.9, 0.9, 0.1], 1)
    [1, 0, 2]
    """
    found = list(taken)
    for rank, uniform in enumerate(uniforms):
        wanted = [other for other in range(len(found)) if abs(other - rank) <= window]
        found = list(asked(tuple(found), rank, wanted[int(uniform * len(wanted))], window))
    return found


def asked(taken: Permutation, rank: int, wanted: int, window: int) -> Permutation:
    """Return what comes of it if a rank asks for the value of rank ``wanted``."""
    holder = taken.index(wanted)
    new = list(taken)
    new[rank], new[holder] = wanted, taken[rank]
    return tuple(new) if is_within(new, window) else taken


def is_within(taken: Sequence[int], window: int) -> bool:
    """Whether every rank is at most ``window`` away from the one whose value it has."""
    return all(abs(value - rank) <= window for rank, value in enumerate(taken))


def list_all(n_ranks: int, window: int) -> list[Permutation]:
    """Return every permutation within the windows.

    With window 1 neighbours may change places, and there are as many as Fibonacci says.

    >>> [len(list_all(n, 1)) for n in range(1, 7)]
    [1, 2, 3, 5, 8, 13]
    """
    return [found for found in permutations(range(n_ranks)) if is_within(found, window)]


def exact_distribution(n_ranks: int, window: int, n_sweeps: int) -> dict[Permutation, float]:
    """Return the probability of each permutation after blocks and some sweeps, by adding up all that can happen."""
    blocks: list[list[int]] = [
        [rank for rank in range(n_ranks) if rank // (window + 1) == block]
        for block in range(n_ranks // (window + 1) + 1)
    ]
    starts = [tuple(value for part in parts for value in part) for parts in product(*map(permutations, blocks))]
    law = {start: 1 / len(starts) for start in starts}
    for rank in list(range(n_ranks)) * n_sweeps:
        wanted = [other for other in range(n_ranks) if abs(other - rank) <= window]
        after: dict[Permutation, float] = {}
        for taken, probability in law.items():
            for other in wanted:
                new = asked(taken, rank, other, window)
                after[new] = after.get(new, 0.0) + probability / len(wanted)
        law = after
    return law


def count_implied_pairs(
    original: Sequence[Sequence[int]], released: Sequence[Sequence[int]], window: int
) -> list[list[int]]:
    """Return for each original record and released one how well the guess that they are one agrees with swapped pairs.

    Records are given by their ranks in each attribute, all different. A guess (i is q) outside a window counts -1.
    Otherwise it counts 1, and 1 more for each attribute in which the guess that it implies is within all windows: who
    had the value that q shows would be who shows the value that i had.
    """
    n_attributes = len(original[0])

    def is_inside(i: int, q: int) -> bool:
        return all(abs(a - b) <= window for a, b in zip(original[i], released[q], strict=True))

    had = [{record[j]: i for i, record in enumerate(original)} for j in range(n_attributes)]
    shows = [{record[j]: q for q, record in enumerate(released)} for j in range(n_attributes)]
    inside = [[is_inside(i, q) for q in range(len(released))] for i in range(len(original))]
    return [
        [
            1 + sum(inside[had[j][released[q][j]]][shows[j][original[i][j]]] for j in range(n_attributes))
            if inside[i][q]
            else -1
            for q in range(len(released))
        ]
        for i in range(len(original))
    ]
