"""From scores of pairs to links: who each original record most likely is."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.scores import PairScores

TIED = 1e-6
"""Log-probabilities that differ by less, relatively, count as equal: messages of records that are alike are sums of the
same numbers in another order."""


def link_scores(scores: PairScores, logarithms: FloatArray, own: IntArray, copies: IntArray | None = None) -> Linkage:
    """Link each original record to the protected one that is it with the largest probability.

    Distances are -log of the probability that j is i, as given for each pair, infinite for pairs that are not listed.

    Ties: the intruder cannot tell apart what is equally likely, so all that ties with a record's own counts as its
    twin: under ``expected`` a link is worth one over their number. With ``copies``, each protected record of the scores
    stands for so many that are alike, and these are twins; what ties and is not alike counts against the record, as it
    does when nearest records are linked.
    """
    order, start = scores.by_original()
    j_of, distance = scores.protected()[order], np.maximum(-logarithms[order], 0.0)
    n = scores.n_original
    i_of = np.repeat(np.arange(n), np.diff(start))
    is_own = j_of == own[i_of]
    own_distance = np.full(n, np.inf)
    own_distance[i_of[is_own]] = distance[is_own]
    has_counterpart = own >= 0
    is_found = has_counterpart & np.isfinite(own_distance)
    near = own_distance[i_of]
    with np.errstate(invalid="ignore"):  # infinite both
        is_tied = ~is_own & np.isfinite(near) & (np.abs(distance - near) <= TIED * (1.0 + near))
    is_nearer = ~is_own & ~is_tied & (distance < near)
    size = np.ones(scores.n_protected, dtype=np.int64) if copies is None else copies
    tied, nearer = (_numbers(which, i_of, size[j_of], n) for which in (is_tied, is_nearer))
    alike = np.where(has_counterpart, size[own] - 1, 0)
    first, second, who = _two_least(np.where(is_own & (alike[i_of] == 0), np.inf, distance), j_of, i_of, n)
    return Linkage(
        own=np.where(has_counterpart, own_distance, np.nan),
        nearest_other=first,
        second_other=second,
        other=who,
        is_beaten=(nearer > 0) | ~is_found,
        tied=np.where(nearer > 0, 0, alike + tied),
        twins=np.where(nearer > 0, 0, alike + (tied if copies is None else 0)),
        strangers=np.where(is_found, nearer if copies is None else nearer + tied, 1),
        has_counterpart=has_counterpart,
        rank=np.where(is_found, nearer + 1, 0),
    )


def _numbers(which: BoolArray, i_of: IntArray, size: IntArray, n: int) -> IntArray:
    """Return how many protected records some of the pairs stand for, for each original record."""
    return np.bincount(i_of[which], weights=size[which], minlength=n).astype(np.int64)


def _two_least(values: FloatArray, j_of: IntArray, i_of: IntArray, n: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the least and second-least value of each original record, and whose the least is; ``i_of`` ascends."""
    counts = np.bincount(i_of, minlength=n)
    has_one = counts > 0
    start = (np.cumsum(counts) - counts)[has_one]
    first, second, who = np.full(n, np.inf), np.full(n, np.inf), np.full(n, -1, dtype=np.int64)
    if start.size:
        first[has_one] = np.minimum.reduceat(values, start)
        places = np.flatnonzero(values == first[i_of])
        places = places[np.diff(i_of[places], prepend=-1) > 0]
        who[has_one] = j_of[places]
        others = values.copy()
        others[places] = np.inf
        second[has_one] = np.minimum.reduceat(others, start)
    return first, second, who
