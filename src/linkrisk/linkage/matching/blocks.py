"""Blocks of records that are all equally likely to be each other: there the posterior is known without any chain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.linkage.matching.assignment import BestAssignment
from linkrisk.linkage.matching.problem import Problem


@dataclass(frozen=True, eq=False, repr=False)
class EvenBlocks:
    """A problem that falls apart into blocks in which everybody can be everybody, all with the same weight.

    Parameters
    ----------
    probability
        Probability of each pair of the problem: one over the originals, or over the protected records, of its block,
        whichever are more.
    n_original, n_protected
        Records of each block.
    of_original
        The block of each original record.
    """

    probability: FloatArray
    n_original: IntArray
    n_protected: IntArray
    of_original: IntArray

    def __repr__(self) -> str:
        return f"<EvenBlocks: {len(self.n_original)} blocks>"

    def expected(self, *, is_one_to_one: bool) -> float:
        """Return the most expected links: as many as records of a block are linked, over the more of its records."""
        most = np.maximum(self.n_original, self.n_protected)
        linked = np.minimum(self.n_original, self.n_protected) if is_one_to_one else self.n_original
        is_block = (self.n_original > 0) & (self.n_protected > 0)
        return math.fsum((linked[is_block] / most[is_block]).tolist())

    def spread(self, rule: BestAssignment) -> float:
        """Return the standard deviation of the right links of a rule over the matchings that are possible.

        With K the more of a block's records, two links to different records are both right with probability
        1 / (K (K - 1)), two to the same one never are.
        """
        linked = np.flatnonzero(rule.partner >= 0)
        block, partner = self.of_original[linked], rule.partner[linked]
        most = np.maximum(self.n_original, self.n_protected)
        n_linked = np.bincount(block, minlength=len(most)).astype(np.float64)
        _, first, counts = np.unique(partner, return_index=True, return_counts=True)
        same = np.bincount(block[first], weights=counts.astype(np.float64) ** 2, minlength=len(most))
        share = n_linked / most
        both = (n_linked**2 - same) / np.maximum(most * (most - 1.0), 1.0)
        return math.sqrt(max(0.0, math.fsum((share + both - share**2).tolist())))


def even_blocks(problem: Problem) -> EvenBlocks | None:
    """Return the blocks of a problem if all are even; None if one is not, or if fewer are matched than could be.

    So it is where a method that draws nothing was run again: records that come out alike are a block. All ways to match
    the fewer records of a block with its others are then equally likely, so that a pair has the probability one over
    the more of them.

    *Guarantee* (docs/mathematics.md#even-blocks): these probabilities are exact. Cost: linear in the pairs.
    """
    from linkrisk.linkage.matching.graph_kernels import label_components  # noqa: PLC0415

    scores = problem.scores
    if not problem.is_maximum or scores.n_pairs == 0:
        return None
    protected = scores.protected()
    label = np.empty(scores.n_original + scores.n_protected, dtype=np.int64)
    n_blocks = label_components(scores.original, scores.n_original + protected, label)
    of_original, of_pair = label[: scores.n_original], label[scores.original]
    n_original = np.bincount(of_original, minlength=n_blocks)
    n_protected = np.bincount(label[scores.n_original :], minlength=n_blocks)
    value = np.full(n_blocks, np.nan)
    value[of_pair] = scores.value
    is_whole = np.bincount(of_pair, minlength=n_blocks) == n_original * n_protected
    if not is_whole.all() or (value[of_pair] != scores.value).any():
        return None
    probability = 1.0 / np.maximum(n_original, n_protected)[of_pair]
    return EvenBlocks(probability, n_original, n_protected, of_original)
