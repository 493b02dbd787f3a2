"""The expectation step of EM, compiled: matches expected at each level, record by record or pair by pair."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.distances.probabilistic.values import CodeArray, LevelArray, ShortArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

LARGEST_SCORE = 600.0
"""Natural logarithm of a pattern's ratio beyond which it would overflow."""


@lean_kernel
def encode_levels(
    levels: LevelArray, found: ShortArray, firsts: IntArray, group: IntArray, stride: IntArray, codes: CodeArray
) -> None:
    """Write codes[e, h] = firsts[h] + sum of stride . level over the attributes of group h, for patterns ``found``."""
    for e in range(len(found)):
        for h in range(codes.shape[1]):
            codes[e, h] = firsts[h]
        for k in range(levels.shape[1]):
            codes[e, group[k]] += stride[k] * levels[found[e], k]


@inlined_kernel
def ratio_of(codes: CodeArray, e: int, table: FloatArray, is_logarithm: bool) -> float:
    """Return m / u of an entry: the product of what the table has for its codes, or exp of their sum, cut off."""
    if is_logarithm:
        score = 0.0
        for h in range(codes.shape[1]):
            score += table[codes[e, h]]
        return np.exp(min(max(score, -LARGEST_SCORE), LARGEST_SCORE))  # type: ignore[no-any-return]
    ratio = 1.0
    for h in range(codes.shape[1]):
        ratio *= table[codes[e, h]]
    return ratio


@kernel
def match_records(
    codes: CodeArray,
    sizes: ShortArray,
    ends: IntArray,
    weights: IntArray,
    table: FloatArray,
    is_logarithm: bool,
    share: float,
    none: float,
    begin: int,
    end: int,
    totals: FloatArray,
    matched: FloatArray,
) -> None:
    """Add the matches expected of the records begin:end to those of their codes, while their ratios are at hand.

    A record has one match or, with probability ``none``, nobody: ``totals[i]`` = none + share . sum of its ratios, and
    an entry of ``sizes[e]`` pairs is its match with probability share . ratio . size / total. Entries of record i end
    before ``ends[i]``; ``weights[i]`` records are equal to it.
    """
    start = ends[begin - 1] if begin > 0 else 0
    longest = 0
    for i in range(begin, end):
        longest = max(longest, ends[i] - (ends[i - 1] if i > 0 else 0))
    ratios = np.empty(longest)
    for i in range(begin, end):
        stop = ends[i]
        total = 0.0
        for e in range(start, stop):
            ratio = sizes[e] * ratio_of(codes, e, table, is_logarithm)
            ratios[e - start] = ratio
            total += ratio
        totals[i] = max(none + share * total, 1e-300)
        factor = weights[i] * share / totals[i]
        for e in range(start, stop):
            chance = factor * ratios[e - start]
            for h in range(codes.shape[1]):
                matched[codes[e, h]] += chance
        start = stop


@lean_kernel
def match_pairs(
    codes: CodeArray,
    counts: FloatArray,
    table: FloatArray,
    is_logarithm: bool,
    share: float,
    begin: int,
    end: int,
    matched: FloatArray,
) -> float:
    """Add the matches expected of the patterns begin:end to those of their codes, each pair on its own.

    A pair is a match with probability s / (1 + s), s = share / (1 - share) . ratio. Returns the sum of count . log(1 +
    s).
    """
    odds = share / (1.0 - share)
    likelihood = 0.0
    for p in range(begin, end):
        s = odds * ratio_of(codes, p, table, is_logarithm)
        likelihood += counts[p] * np.log1p(s)
        chance = counts[p] * (s / (1.0 + s))
        for h in range(codes.shape[1]):
            matched[codes[p, h]] += chance
    return likelihood


@kernel
def pool_levels(among: FloatArray, others: FloatArray, is_used: BoolArray, n_graded: IntArray) -> None:
    """Pool neighbouring levels of each attribute, in place, until among / others does not rise from one to the next.

    The most likely two distributions whose ratio is in order: the share of matches at each level by isotonic
    regression, the sum of both classes as it is. Levels that are not used, and those after ``n_graded[k]``, have no
    place in the order.

    >>> a, b = np.array([[1.0, 3.0, 0.5]]), np.array([[1.0, 1.0, 3.5]])
    >>> pool_levels(a, b, a > 0.0, np.array([3]))
    >>> a.round(3).tolist(), b.round(3).tolist()
    ([[1.333, 2.667, 0.5]], [[0.667, 1.333, 3.5]])
    """
    width = among.shape[1]
    first, second, last = np.empty(width), np.empty(width), np.empty(width, np.int64)
    for k in range(len(among)):
        n_blocks = 0
        for level in range(n_graded[k]):
            if is_used[k, level]:
                matches, rest = among[k, level], others[k, level]
                while n_blocks > 0 and first[n_blocks - 1] * rest < matches * second[n_blocks - 1]:
                    n_blocks -= 1
                    matches, rest = first[n_blocks] + matches, second[n_blocks] + rest
                first[n_blocks], second[n_blocks], last[n_blocks] = matches, rest, level
                n_blocks += 1
        block = 0
        for level in range(n_graded[k]):
            if is_used[k, level]:
                if level > last[block]:
                    block += 1
                part = (among[k, level] + others[k, level]) / (first[block] + second[block])
                among[k, level], others[k, level] = first[block] * part, second[block] * part
