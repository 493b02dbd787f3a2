"""One step of the dynamic programme in machine code: every addition to every state, weights summed for each new state.

A state is a row of partial sums; an addition is a row that is added to it. Weights are logarithms: each new state keeps
the largest logarithm so far and the sum relative to it, which is accurate however different the weights are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, lean_kernel


class Frame(NamedTuple):
    """The bounds on the partial sums of a new state, and how these sums make one number, the key of the state."""

    least: IntArray
    most: IntArray
    stride: IntArray


class Found(NamedTuple):
    """New states: a hash table of places (-1: free), and for each place the key and the weight of a state."""

    slots: IntArray
    keys: IntArray
    peak: FloatArray
    total: FloatArray
    n: IntArray
    """Number of states, in an array of one entry."""


def make_found(most: int) -> Found:
    """Return an empty table with room for ``most`` states."""
    n_slots = 1 << max(4, (2 * most - 1).bit_length())
    return Found(
        np.full(n_slots, -1, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most),
        np.empty(most),
        np.zeros(1, dtype=np.int64),
    )


def kept(found: Found) -> Found:
    """Return the table without weights and without room for more: enough to find the states again."""
    none = np.zeros(0)
    return Found(found.slots, found.keys[: found.n[0]].copy(), none, none, found.n)


@inlined_kernel
def _key(state: IntArray, addition: IntArray, frame: Frame) -> int:
    """Return the key of the state to which an addition leads; -1 where that is out of bounds."""
    key = 0
    for j in range(len(addition)):
        value = state[j] + addition[j]
        if value < frame.least[j] or value > frame.most[j]:
            return -1
        key += (value - frame.least[j]) * frame.stride[j]
    return key


@inlined_kernel
def _slot(slots: IntArray, keys: IntArray, key: int) -> int:
    """Return the slot of a key in the hash table, or the free slot for it."""
    mask = len(slots) - 1
    slot = (key ^ (key >> 20)) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@lean_kernel
def extend(
    states: IntArray, weights: FloatArray, additions: IntArray, addition_weights: FloatArray, frame: Frame, found: Found
) -> bool:
    """Apply every addition to every state; return whether there was room for all new states."""
    slots, keys, peak, total, n = found
    for i in range(len(states)):
        for k in range(len(additions)):
            key = _key(states[i], additions[k], frame)
            if key < 0:
                continue
            weight = weights[i] + addition_weights[k]
            slot = _slot(slots, keys, key)
            place = slots[slot]
            if place < 0:
                place = n[0]
                if place == len(keys):
                    return False
                n[0] += 1
                slots[slot] = place
                keys[place] = key
                peak[place] = weight
                total[place] = 1.0
            elif weight <= peak[place]:
                total[place] += math.exp(weight - peak[place])
            else:
                total[place] = total[place] * math.exp(peak[place] - weight) + 1.0
                peak[place] = weight
    return True


@lean_kernel
def retreat(
    states: IntArray,
    weights: FloatArray,
    additions: IntArray,
    addition_weights: FloatArray,
    frame: Frame,
    found: Found,
    after: FloatArray,
    before: FloatArray,
    joint: FloatArray,
    joint_total: FloatArray,
) -> None:
    """Sum the weights of what comes after each state into ``before``, and of all ways by an addition into ``joint``."""
    for i in range(len(states)):
        peak, total = -np.inf, 0.0
        for k in range(len(additions)):
            key = _key(states[i], additions[k], frame)
            if key < 0:
                continue
            slot = _slot(found.slots, found.keys, key)
            if found.slots[slot] < 0:
                continue
            weight = addition_weights[k] + after[found.slots[slot]]
            if weight == -np.inf:
                continue
            if weight <= peak:
                total += math.exp(weight - peak)
            else:
                total = total * math.exp(peak - weight) + 1.0
                peak = weight
            weight += weights[i]
            if weight <= joint[k]:
                joint_total[k] += math.exp(weight - joint[k])
            else:
                joint_total[k] = joint_total[k] * math.exp(joint[k] - weight) + 1.0
                joint[k] = weight
        before[i] = peak + math.log(total) if total > 0.0 else -np.inf
