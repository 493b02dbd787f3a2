"""Where everything is exact: blocks of records within which all matchings are equally likely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.linkage.matching.problem import Problem

EQUAL = 1e-9
"""Logarithms that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Blocks of as many original as protected records, any of which can be any, all equally likely.

    ``of_protected`` is the number of each protected record's block, ``size`` how many original records a block has.
    """

    of_protected: IntArray
    size: IntArray

    def probability(self, problem: Problem) -> FloatArray:
        """Return the probability of each pair: one over the size of its block."""
        return np.asarray(1.0 / self.size[self.of_protected[problem.scores.protected()]])

    def spread(self, problem: Problem, pairs: IntArray) -> float:
        """Return the standard deviation of the right links among some pairs, each original record in one at most.

        Two pairs of a block of n are right at once with probability 1 / (n (n - 1)), and never if both claim the same
        protected record.
        """
        claimed = problem.scores.protected()[pairs]
        times = np.bincount(claimed, minlength=len(self.of_protected))
        block = self.of_protected
        number = np.bincount(block, weights=times, minlength=len(self.size))
        repeated = np.bincount(block, weights=times * (times - 1.0), minlength=len(self.size))
        size = self.size.astype(np.float64)
        together = (number * (number - 1.0) - repeated) / np.maximum(size * (size - 1.0), 1.0)
        return float(np.sqrt(max(0.0, (number / size + together - (number / size) ** 2).sum())))


def equal_blocks(problem: Problem) -> Blocks | None:
    """Return the blocks of a problem; None where it is not made of such blocks alone, everybody matched.

    So it is after a method that can be run again: who looks alike afterwards can be anyone of those who do.

    *Guarantee* (docs/mathematics.md#equal-blocks): all permutations within the blocks are equally likely, so a pair has
    the probability one over the size of its block. Cost: connected components of the pairs.

    >>> from linkrisk.linkage.matching.problem import make_problem
    >>> from linkrisk.linkage.matching.scores import PairScores
    >>> pairs = PairScores(np.array([0, 2, 4, 5]), np.array([0, 1, 0, 1, 2]), np.zeros(5), n_original=3)
    >>> equal_blocks(make_problem(pairs, 0)).size.tolist()
    [2, 1]
    """
    from scipy.sparse import csr_array  # noqa: PLC0415  (slow to import)
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    scores = problem.scores
    if scores.n_pairs == 0 or problem.may_be_stranger.any() or problem.may_be_absent.any():
        return None
    n_protected, n_original = scores.n_protected, scores.n_original
    ones, everybody = np.ones(scores.n_pairs, dtype=np.int8), n_protected + n_original
    start = np.concatenate([scores.start, np.full(n_original, scores.start[-1])])
    graph = csr_array((ones, n_protected + scores.original, start), shape=(everybody, everybody))
    n_blocks, label = connected_components(graph, directed=False)
    size = np.bincount(label[n_protected:], minlength=n_blocks)
    is_square = np.array_equal(size, np.bincount(label[:n_protected], minlength=n_blocks))
    block = label[scores.protected()]
    is_full = np.array_equal(np.bincount(block, minlength=n_blocks), size**2)
    least, most = np.full(n_blocks, np.inf), np.full(n_blocks, -np.inf)
    np.minimum.at(least, block, scores.value)
    np.maximum.at(most, block, scores.value)
    if not (is_square and is_full and bool((most - least <= EQUAL).all())):
        return None
    return Blocks(label[:n_protected].astype(np.int64), size.astype(np.int64))
