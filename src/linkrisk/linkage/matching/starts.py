"""Where chains over matchings start."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.linkage.matching.problem import Problem, maximum_matching, without_worst

MOST_SOLVED = 100_000
"""Pairs up to which the matching of the greatest weight is looked for."""


def likely_matching(problem: Problem) -> IntArray | None:
    """Return the original record of each protected one in a matching of great weight; None where that takes long.

    It is the best of those with the most pairs; where a matching has fewer, the least likely pairs are left out.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415  (slow to import)
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    scores = problem.scores
    if scores.n_pairs > MOST_SOLVED or scores.n_pairs == 0:
        return None
    everybody = np.arange(scores.n_protected)
    cost = 1.0 + scores.value.max() - scores.value  # the solver takes a stored zero for a pair that is not there
    outside = (scores.n_protected + 1.0) * cost.max()
    rows = np.concatenate([scores.protected(), everybody])
    columns = np.concatenate([scores.original, scores.n_original + everybody])
    costs = np.concatenate([cost, np.full(scores.n_protected, outside)])
    graph = csr_array((costs, (rows, columns)), shape=(scores.n_protected, scores.n_original + scores.n_protected))
    matched, partner = min_weight_full_bipartite_matching(graph)
    result = np.full(scores.n_protected, -1, dtype=np.int64)
    result[matched] = np.where(partner < scores.n_original, partner, -1)
    return without_worst(scores, scores.value, result, int((result >= 0).sum()) - problem.n_matched)


def random_matching(problem: Problem, dice: np.random.Generator) -> IntArray:
    """Return the original record of each protected one in a matching that is as large, and otherwise left to chance."""
    scores = problem.scores
    chance = dice.random(scores.n_pairs)
    partner = maximum_matching(scores, chance)
    return without_worst(scores, chance, partner, int((partner >= 0).sum()) - problem.n_matched)
