"""Belief propagation over matchings in machine code: messages of records, and what is believed of pairs."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel

MOST = 600.0
"""Largest message: a record that has no other choice says so with certainty enough."""


@kernel
def log_totals(
    start: IntArray, order: IntArray, value: FloatArray, shift: FloatArray, first: int, last: int, totals: FloatArray
) -> None:
    """Write the logarithms of the sums of exp(value + shift) over the pairs of records ``first`` to ``last``."""
    for record in range(first, last):
        top = -np.inf
        for place in range(start[record], start[record + 1]):
            pair = order[place]
            top = max(top, value[pair] + shift[pair])
        total = 0.0
        for place in range(start[record], start[record + 1]):
            pair = order[place]
            total += math.exp(value[pair] + shift[pair] - top)
        totals[record] = top + math.log(total) if total > 0.0 else -np.inf


@kernel
def send_messages(
    start: IntArray,
    order: IntArray,
    value: FloatArray,
    incoming: FloatArray,
    slack: FloatArray,
    damping: float,
    first: int,
    last: int,
    outgoing: FloatArray,
) -> None:
    """Send each record's messages: minus the log of what it could have instead of the pair, slack included.

    The sum without a pair is made of the sums before and after it, never by subtraction, which would lose the
    alternatives of a record that is nearly certain.
    """
    longest = 0
    for record in range(first, last):
        longest = max(longest, start[record + 1] - start[record])
    terms = np.empty(longest)
    before = np.empty(longest)
    for record in range(first, last):
        begin = start[record]
        n_pairs = start[record + 1] - begin
        top = slack[record]
        for k in range(n_pairs):
            pair = order[begin + k]
            terms[k] = value[pair] + incoming[pair]
            top = max(top, terms[k])
        total = math.exp(slack[record] - top)
        for k in range(n_pairs):
            terms[k] = math.exp(terms[k] - top)
            before[k] = total
            total += terms[k]
        after = 0.0
        for k in range(n_pairs - 1, -1, -1):
            pair = order[begin + k]
            rest = before[k] + after
            after += terms[k]
            message = MOST if rest == 0.0 else min(MOST, -(top + math.log(rest)))
            outgoing[pair] += (1.0 - damping) * (message - outgoing[pair])


@kernel
def believe(
    value: FloatArray, to_original: FloatArray, to_protected: FloatArray, first: int, last: int, belief: FloatArray
) -> float:
    """Write the probability of each pair; return by how much they have changed in all."""
    change = 0.0
    for pair in range(first, last):
        odds = value[pair] + to_original[pair] + to_protected[pair]
        probability = 1.0 / (1.0 + math.exp(-odds))
        change += abs(probability - belief[pair])
        belief[pair] = probability
    return change
