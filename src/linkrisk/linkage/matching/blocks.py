"""Blocks of records that no possible pair leaves: small ones, and those of equals, are solved without any chain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.linkage.matching.assignment import BestAssignment
from linkrisk.linkage.matching.balance import LEAST, Balanced
from linkrisk.linkage.matching.problem import Problem
from linkrisk.linkage.matching.scores import listed_by

MOST_FEWER, MOST_MORE = 10, 60
"""Blocks of unequal pairs are solved up to so many records of the file with fewer, and of the other one."""

SAME = 1e-9
"""Probabilities of a small block that differ by no more than this share are made equal: equals may have been summed in
another order."""


@dataclass(frozen=True, eq=False, repr=False)
class Blocks:
    """Blocks of a problem, and the probabilities of the pairs of those that are solved.

    Parameters
    ----------
    problem, weights
        What the blocks are of, and its weights brought to sums of 1.
    probability
        Probability of each pair of the problem, nan in blocks that are not solved.
    of_original, of_protected
        The block of each record.
    is_even, is_solved
        Blocks in which everybody can be everybody, all with the same weight; and blocks that are solved.
    """

    problem: Problem
    weights: Balanced
    probability: FloatArray
    of_original: IntArray
    of_protected: IntArray
    is_even: BoolArray
    is_solved: BoolArray

    def __repr__(self) -> str:
        return f"<Blocks: {len(self.is_solved)}, {int(self.is_solved.sum())} of them solved>"

    def rest(self) -> tuple[Problem, Balanced]:
        """Return the blocks that are not solved as a problem of their own, whose ``kept`` are places in this one."""
        return _part(self.problem, self.weights, ~self.is_solved[self.of_original], ~self.is_solved[self.of_protected])

    def expected(self, rule: BestAssignment) -> float:
        """Return the expected right links of a rule in blocks that are solved."""
        found = self.probability[rule.pairs]
        return math.fsum(found[~np.isnan(found)].tolist())

    def variance(self, rule: BestAssignment) -> float:
        """Return the variance of the right links of a rule in blocks that are solved, over the possible matchings."""
        is_claimed = np.zeros(self.problem.scores.n_pairs, dtype=np.bool_)
        is_claimed[rule.pairs] = True
        uneven = (
            _sum_matchings(each, is_claimed)[1]
            for each in _listed(self.problem, self.weights, self.of_original, self.is_solved & ~self.is_even)
        )
        return math.fsum(uneven) + self._even_variance(rule)

    def _even_variance(self, rule: BestAssignment) -> float:
        """Return the variance in even blocks.

        With K the more of a block's records, two links to different records are both right with probability
        1 / (K (K - 1)), two to the same one never are.
        """
        n_blocks = len(self.is_even)
        most = np.maximum(*(np.bincount(each, minlength=n_blocks) for each in (self.of_original, self.of_protected)))
        linked = np.flatnonzero(rule.partner >= 0)
        block, partner = self.of_original[linked], rule.partner[linked]
        n_linked = np.bincount(block, minlength=n_blocks).astype(np.float64)
        _, first, counts = np.unique(partner, return_index=True, return_counts=True)
        same = np.bincount(block[first], weights=counts.astype(np.float64) ** 2, minlength=n_blocks)
        share = n_linked / most
        both = (n_linked**2 - same) / np.maximum(most * (most - 1.0), 1.0)
        return max(0.0, math.fsum((share + both - share**2)[self.is_even].tolist()))


def solve_blocks(problem: Problem, weights: Balanced) -> Blocks:
    """Find what hangs together by possible pairs, and solve blocks that are small or even.

    Where as many records are matched as can be, a matching is one of each block, the fewer of its records all matched,
    and blocks are independent. Where a method that draws nothing was run again, records that come out alike are a
    block, and all ways to match it are equally likely: a pair has the probability one over the more of its records. In
    small blocks the matchings are summed by the set of the fewer records that are taken. Where fewer records are
    matched than could be, blocks depend on each other, and none is solved.

    *Guarantee* (docs/mathematics.md#solved-blocks): these probabilities are exact, up to rounding.

    Cost: linear in the pairs, and for small blocks n m 2^n, with n the fewer and m the more of their records.
    Reference: sums over subsets for permanents, Ryser (1963), Combinatorial Mathematics, chapter 2.
    """
    from linkrisk.linkage.matching.graph_kernels import label_components  # noqa: PLC0415

    scores = problem.scores
    label = np.empty(scores.n_original + scores.n_protected, dtype=np.int64)
    n_blocks = label_components(scores.original, scores.n_original + scores.protected(), label)
    of_original, of_protected = label[: scores.n_original], label[scores.n_original :]
    probability, none = np.full(scores.n_pairs, np.nan), np.zeros(n_blocks, dtype=np.bool_)
    blocks = Blocks(problem, weights, probability, of_original, of_protected, none, none)
    if not problem.is_maximum:
        return blocks
    n_original, n_protected = (np.bincount(each, minlength=n_blocks) for each in (of_original, of_protected))
    of_pair, more = of_original[scores.original], np.maximum(n_original, n_protected)
    is_even = _are_even(problem, of_pair, n_original * n_protected)
    probability[is_even[of_pair]] = 1.0 / more[of_pair[is_even[of_pair]]]
    is_solved = is_even.copy()
    is_small = ~is_even & (np.minimum(n_original, n_protected) <= MOST_FEWER) & (more <= MOST_MORE)
    nobody = np.zeros(scores.n_pairs, dtype=np.bool_)
    for each in _listed(problem, weights, of_original, is_small & ~_have_clipped(of_pair, weights, n_blocks)):
        interrupt.check()
        found, variance = _sum_matchings(each, nobody)
        if not math.isnan(variance):
            probability[each.pairs] = _levelled(found)
            is_solved[of_pair[each.pairs[0]]] = True
    return replace(blocks, is_even=is_even, is_solved=is_solved)


def _are_even(problem: Problem, of_pair: IntArray, n_possible: IntArray) -> BoolArray:
    """Whether in each block all pairs are possible, and have the same value; a record without pairs is one, too."""
    value = np.full(len(n_possible), np.nan)
    value[of_pair] = problem.scores.value
    is_other = of_pair[value[of_pair] != problem.scores.value]
    is_even: BoolArray = np.bincount(of_pair, minlength=len(n_possible)) == n_possible
    is_even[is_other] = False
    return is_even


def _have_clipped(of_pair: IntArray, weights: Balanced, n_blocks: int) -> BoolArray:
    """Whether each block has a weight that was too small for `balance` and is no longer what it was."""
    result = np.zeros(n_blocks, dtype=np.bool_)
    result[of_pair[weights.weight <= math.exp(LEAST + 1.0)]] = True
    return result


def _levelled(values: FloatArray) -> FloatArray:
    """Return the mean of values that are equal up to rounding in the place of each of them."""
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    level = np.concatenate([[0], np.cumsum(ascending[1:] > ascending[:-1] * (1.0 + SAME))])
    result = np.empty_like(values)
    result[order] = (np.bincount(level, weights=ascending) / np.bincount(level))[level]
    return result


class _Block(NamedTuple):
    """A block as matrices: where its pairs are, a row for each of the more records, and weights of who is left."""

    pairs: IntArray
    row: IntArray
    column: IntArray
    weight: FloatArray
    left: FloatArray


def _listed(problem: Problem, weights: Balanced, of_original: IntArray, is_meant: BoolArray) -> Iterator[_Block]:
    """Return some of the blocks one by one."""
    scores = problem.scores
    protected = scores.protected()
    order, start = listed_by(of_original[scores.original], len(is_meant))
    for block in np.flatnonzero(is_meant):
        pairs = order[start[block] : start[block + 1]]
        originals, i = np.unique(scores.original[pairs], return_inverse=True)
        protecteds, j = np.unique(protected[pairs], return_inverse=True)
        has_more_originals = len(originals) > len(protecteds)
        row, column = (i, j) if has_more_originals else (j, i)
        left = weights.absent[originals] if has_more_originals else weights.stranger[protecteds]
        matrix = np.zeros((len(left), min(len(originals), len(protecteds))))
        matrix[row, column] = weights.weight[pairs]
        yield _Block(pairs, row, column, matrix, left)


def _sum_matchings(block: _Block, is_claimed: BoolArray) -> tuple[FloatArray, float]:
    """Return the probabilities of a block's pairs, and the variance of how many of those claimed are right."""
    from linkrisk.linkage.matching.block_kernels import sum_matchings  # noqa: PLC0415

    claimed = np.zeros(block.weight.shape, dtype=np.bool_)
    claimed[block.row, block.column] = is_claimed[block.pairs]
    probability = np.zeros(block.weight.shape)
    variance = sum_matchings(block.weight, block.left, claimed, probability)
    return probability[block.row, block.column], variance


def _part(
    problem: Problem, weights: Balanced, has_original: BoolArray, has_protected: BoolArray
) -> tuple[Problem, Balanced]:
    """Return some of a problem's records as a problem; their pairs are with each other only."""
    scores = problem.scores
    is_pair = has_original[scores.original]
    number = np.cumsum(has_original) - 1
    start = scores.restricted(is_pair, scores.value).start
    ends = np.concatenate([has_protected, [True]])
    partner = problem.partner[has_protected]
    part = replace(
        problem,
        scores=replace(
            scores,
            start=start[ends],
            original=number[scores.original[is_pair]],
            value=scores.value[is_pair],
            n_original=int(has_original.sum()),
        ),
        kept=np.flatnonzero(is_pair),
        n_matched=int((partner >= 0).sum()),
        n_unlisted=0,
        may_be_stranger=problem.may_be_stranger[has_protected],
        may_be_absent=problem.may_be_absent[has_original],
        partner=np.where(partner >= 0, number[partner], -1),
    )
    kept = Balanced(weights.weight[is_pair], weights.absent[has_original], weights.stranger[has_protected])
    return part, kept
