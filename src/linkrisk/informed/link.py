"""From scores of pairs to links: who each original record most likely is."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.matching.scores import PairScores

TIED = 1e-6
"""Log-probabilities that differ by less, relatively, count as equal: belief propagation ends that near."""


def link_scores(scores: PairScores, logarithms: FloatArray, own: IntArray) -> Linkage:
    """Link each original record to the protected one that is it with the largest probability.

    Distances are -log of the probability that j is i, as given for each pair, infinite for pairs that are not listed.
    The intruder cannot tell apart what is equally likely, so all that ties with a record's own counts as its twin:
    under ``expected`` a link is worth one over their number.
    """
    order, start = scores.by_original()
    j_of, distance = scores.protected()[order], np.maximum(-logarithms[order], 0.0)
    n = scores.n_original
    i_of = np.repeat(np.arange(n), np.diff(start))
    is_own = j_of == own[i_of]
    own_distance = np.full(n, np.inf)
    own_distance[i_of[is_own]] = distance[is_own]
    others = np.where(is_own, np.inf, distance)
    first, second, who = _two_least(others, j_of, i_of, n)
    near = own_distance[i_of]
    with np.errstate(invalid="ignore"):  # both may be infinite
        is_tied = ~is_own & np.isfinite(near) & (np.abs(distance - near) <= TIED * (1.0 + near))
    is_nearer = ~is_own & ~is_tied & (distance < near)
    tied = np.bincount(i_of[is_tied], minlength=n)
    nearer = np.bincount(i_of[is_nearer], minlength=n)
    has_counterpart = own >= 0
    is_found = has_counterpart & np.isfinite(own_distance)
    return Linkage(
        own=np.where(has_counterpart, own_distance, np.nan),
        nearest_other=first,
        second_other=second,
        other=who,
        is_beaten=(nearer > 0) | ~is_found,
        tied=np.where(nearer > 0, 0, tied),
        twins=np.where(nearer > 0, 0, tied),
        strangers=np.where(is_found, nearer, 1),
        has_counterpart=has_counterpart,
        rank=np.where(is_found, nearer + 1, 0),
    )


def _two_least(values: FloatArray, j_of: IntArray, i_of: IntArray, n: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the least and second-least value of each original record, and whose the least is."""
    order = np.lexsort((values, i_of))
    counts = np.bincount(i_of, minlength=n)
    start = np.cumsum(counts) - counts
    first, second, who = np.full(n, np.inf), np.full(n, np.inf), np.full(n, -1, dtype=np.int64)
    has_one, has_two = counts >= 1, counts >= 2
    first[has_one], who[has_one] = values[order][start[has_one]], j_of[order][start[has_one]]
    second[has_two] = values[order][start[has_two] + 1]
    return first, second, who
