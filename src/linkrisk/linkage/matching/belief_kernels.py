"""Belief propagation over matchings in machine code: messages of records, and what is believed of pairs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel

LEAST = 1e-150
"""Least sum of alternatives: a record that has none says so with certainty enough."""

ALIKE, SLOWEST = 0.9, 0.9995
"""Two changes must have this correlation, and the second at most this share of the first, for a leap."""

FARTHEST = 3.0
"""Most by which a leap changes the logarithm of a message."""

PlaceArray = NDArray[np.int32]
"""Places in a list of pairs: half the memory of usual ones, and faster to read."""


@kernel
def send_messages(
    start: IntArray,
    place: PlaceArray,
    weight: FloatArray,
    incoming: FloatArray,
    slack: FloatArray,
    damping: float,
    first: int,
    last: int,
    outgoing: FloatArray,
) -> None:
    """Send the messages of records ``first`` to ``last``: one over what each could have instead of the pair.

    Weights and messages that are sent are in the order of the senders' pairs; ``place`` tells where each pair is among
    the messages that come in. The sum without a pair is made of the sums before and after it, never by subtraction,
    which would lose the alternatives of a record that is nearly certain.
    """
    longest = 0
    for record in range(first, last):
        longest = max(longest, start[record + 1] - start[record])
    terms, before, after = np.empty(longest), np.empty(longest), np.empty(longest)
    for record in range(first, last):
        begin, n_pairs = np.uint64(start[record]), np.uint64(start[record + 1] - start[record])
        for k in range(n_pairs):
            terms[k] = weight[begin + k] * incoming[place[begin + k]]
        forwards, backwards = slack[record], 0.0
        for k in range(n_pairs):  # two sums at once, neither of which waits for the other
            opposite = n_pairs - np.uint64(1) - k
            before[k], after[opposite] = forwards, backwards
            forwards += terms[k]
            backwards += terms[opposite]
        for k in range(n_pairs):
            rest = before[k] + after[k]
            message = 1.0 / (rest if rest > LEAST else LEAST)
            outgoing[begin + k] += (1.0 - damping) * (message - outgoing[begin + k])


@lean_kernel
def believe(
    place: PlaceArray,
    weight: FloatArray,
    of_protected: FloatArray,
    of_original: FloatArray,
    first: int,
    last: int,
    belief: FloatArray,
) -> float:
    """Write the probability of each pair; return by how much they have changed in all."""
    change = 0.0
    for pair in range(first, last):
        odds = weight[pair] * of_protected[pair] * of_original[place[pair]]
        probability = odds / (1.0 + odds)
        change += abs(probability - belief[pair])
        belief[pair] = probability
    return change


@lean_kernel
def leap(
    start: IntArray,
    before: FloatArray,
    between: FloatArray,
    after: FloatArray,
    belief: FloatArray,
    first: int,
    last: int,
) -> None:
    """Take the messages of records ``first`` to ``last`` to where they are going, if their last two changes tell that.

    The changes of log-messages, each pair counting as much as it is believed, must point the same way, and the second
    one be smaller.
    """
    for record in range(first, last):
        old, mixed, new = 0.0, 0.0, 0.0
        for pair in range(start[record], start[record + 1]):
            one, two = math.log(between[pair] / before[pair]), math.log(after[pair] / between[pair])
            old += belief[pair] * one * one
            mixed += belief[pair] * one * two
            new += belief[pair] * two * two
        if not 0.0 < mixed < SLOWEST * old or mixed < ALIKE * math.sqrt(old * new):
            continue
        length = mixed / (old - mixed)
        for pair in range(start[record], start[record + 1]):
            step = length * math.log(after[pair] / between[pair])
            after[pair] *= math.exp(min(max(step, -FARTHEST), FARTHEST))
