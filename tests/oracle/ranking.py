"""Individual ranking and rank swapping, one value after the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def ranking_groups(values: Sequence[float], k: int) -> list[int]:
    """Return the group of each value: in order of size, ties as in the file, k at a time; what is left joins the last.

    Worked by hand, k = 2 and five values 5, 1, 5, 2, 9: in order 1, 2 | 5, 5, 9.

    >>> ranking_groups([5, 1, 5, 2, 9], 2)
    [1, 0, 1, 0, 1]
    """
    order = sorted(range(len(values)), key=lambda i: values[i])
    groups = [0] * len(values)
    group = 0
    while order:
        size = k if len(order) >= 2 * k else len(order)
        for i in order[:size]:
            groups[i] = group
        order = order[size:]
        group += 1
    return groups


def group_means(values: Sequence[float], groups: Sequence[int]) -> list[float]:
    """Replace each value by the mean of its group, rounded once."""
    members = {group: [Fraction(v) for v, own in zip(values, groups, strict=True) if own == group] for group in groups}
    return [float(sum(members[group], Fraction(0)) / len(members[group])) for group in groups]


def swap_partners(uniforms: Sequence[float], window: int) -> list[int]:
    """Return for each rank its partner: from the lowest on, a random one of those free at most ``window`` above.

    Worked by hand, five ranks, window 2, numbers .9 .1 .2 .6 .3: rank 0 may take 1 or 2, .9 takes the second, 2. Rank 1
    may take 3 only. Ranks 2 and 3 are taken. Rank 4 has none above it and stays.

    >>> swap_partners([0.9, 0.1, 0.2, 0.6, 0.3], 2)
    [2, 3, 0, 1, 4]
    """
    partners = list(range(len(uniforms)))
    free = set(partners)
    for rank in range(len(uniforms)):
        candidates = [other for other in range(rank + 1, rank + window + 1) if other in free]
        if rank not in free or not candidates:
            continue
        partner = candidates[int(uniforms[rank] * len(candidates))]
        partners[rank], partners[partner] = partner, rank
        free -= {rank, partner}
    return partners
