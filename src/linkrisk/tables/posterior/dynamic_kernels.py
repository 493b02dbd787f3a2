"""One step of the dynamic programme in machine code: states times options, weights added up by state.

A state is a row of partial sums; an option adds a row to it. Weights are logarithms: each new state keeps the largest
logarithm seen and the sum relative to it, so that nothing is lost however far weights lie apart.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.engine.jit import inlined_kernel, kernel

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Frame(NamedTuple):
    """Which partial sums a new state may have, and how they are made into one number."""

    least: IntArray
    most: IntArray
    stride: IntArray


class Found(NamedTuple):
    """New states: a hash table of places (-1: free), and for each place its number and weight."""

    slots: IntArray
    keys: IntArray
    peak: FloatArray
    total: FloatArray
    n: IntArray
    """How many there are."""


def make_found(most: int) -> Found:
    """Return room for so many states."""
    n_slots = 1 << max(4, (2 * most - 1).bit_length())
    return Found(
        np.full(n_slots, -1, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.empty(most),
        np.empty(most),
        np.zeros(1, dtype=np.int64),
    )


def kept(found: Found) -> Found:
    """Return what is needed to find the states again, without their weights and room for more."""
    none = np.zeros(0)
    return Found(found.slots, found.keys[: found.n[0]].copy(), none, none, found.n)


@inlined_kernel
def _key(state: IntArray, option: IntArray, frame: Frame) -> int:
    """Return the number of the state an option leads to, -1 for none."""
    key = 0
    for j in range(len(option)):
        value = state[j] + option[j]
        if value < frame.least[j] or value > frame.most[j]:
            return -1
        key += (value - frame.least[j]) * frame.stride[j]
    return key


@inlined_kernel
def _slot(slots: IntArray, keys: IntArray, key: int) -> int:
    """Return where a number stands in the hash table, or the free place for it."""
    mask = len(slots) - 1
    slot = (key ^ (key >> 20)) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def extend(
    states: IntArray, weights: FloatArray, options: IntArray, option_weights: FloatArray, frame: Frame, found: Found
) -> bool:
    """Add every option to every state; return whether there was room for all that is new."""
    slots, keys, peak, total, n = found
    for i in range(len(states)):
        for k in range(len(options)):
            key = _key(states[i], options[k], frame)
            if key < 0:
                continue
            weight = weights[i] + option_weights[k]
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


@kernel
def retreat(
    states: IntArray,
    weights: FloatArray,
    options: IntArray,
    option_weights: FloatArray,
    frame: Frame,
    found: Found,
    after: FloatArray,
    before: FloatArray,
    joint: FloatArray,
    joint_total: FloatArray,
) -> None:
    """Sum what comes after each state into ``before``, and the weight of all ways by each option into ``joint``."""
    for i in range(len(states)):
        peak, total = -np.inf, 0.0
        for k in range(len(options)):
            key = _key(states[i], options[k], frame)
            if key < 0:
                continue
            slot = _slot(found.slots, found.keys, key)
            if found.slots[slot] < 0:
                continue
            weight = option_weights[k] + after[found.slots[slot]]
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
