"""Belief propagation over matchings in machine code: messages of records, and what is believed of pairs."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel

MOST = 1e150
"""Largest message, and one over the least: a record that has no other choice says so with certainty enough."""


@kernel
def send_messages(
    start: IntArray,
    order: IntArray,
    weight: FloatArray,
    incoming: FloatArray,
    slack: FloatArray,
    damping: float,
    first: int,
    last: int,
    outgoing: FloatArray,
) -> None:
    """Send the messages of records ``first`` to ``last``: one over what each could have instead of the pair.

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
        total = slack[record]
        for k in range(n_pairs):
            pair = order[begin + k]
            terms[k] = weight[pair] * incoming[pair]
            before[k] = total
            total += terms[k]
        after = 0.0
        for k in range(n_pairs - 1, -1, -1):
            pair = order[begin + k]
            rest = min(MOST, max(1.0 / MOST, before[k] + after))
            after += terms[k]
            outgoing[pair] += (1.0 - damping) * (1.0 / rest - outgoing[pair])


@kernel
def believe(
    weight: FloatArray, to_original: FloatArray, to_protected: FloatArray, first: int, last: int, belief: FloatArray
) -> float:
    """Write the probability of each pair; return by how much they have changed in all."""
    change = 0.0
    for pair in range(first, last):
        odds = weight[pair] * to_original[pair] * to_protected[pair]
        probability = odds / (1.0 + odds)
        change += abs(probability - belief[pair])
        belief[pair] = probability
    return change
