"""Dividing records into blocks of similar ones, compiled: half by half, each time by the attribute that tells most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel

BUCKETS = 256
"""Values of an attribute that are told apart at most."""

EVEN = 0.125
"""Least share of the records on either side of a division."""


@inlined_kernel
def count_buckets(buckets: NDArray[np.uint8], order: IntArray, start: int, stop: int, k: int, counts: IntArray) -> None:
    """Count the records order[start:stop] by their bucket of attribute k."""
    counts[:] = 0
    for place in range(start, stop):
        counts[buckets[order[place], k]] += 1


@inlined_kernel
def most_even(counts: IntArray, size: int) -> tuple[int, int]:
    """Return the bucket from which the upper side begins, and how many are below: as near to half as can be."""
    best = 0
    n_best = 0
    below = 0
    for bucket in range(BUCKETS):
        if abs(2 * below - size) < abs(2 * n_best - size):
            best = bucket
            n_best = below
        below += counts[bucket]
    return best, n_best


@inlined_kernel
def gain_of(counts: IntArray, size: int, bound: int, below: int, positions: FloatArray, k: int, power: int) -> float:
    """Return the cost, up to 1, by which a record and the other side differ on average.

    ``power`` is 0 for categories, whose ``positions[k, 0]`` is the cost of a difference, 1 where costs grow with the
    distance of positions, and 2 where they grow with its square.
    """
    share = below / size
    if power == 0:
        return float(2.0 * share * (1.0 - share) * positions[k, 0])
    middle = 0.5 * (positions[k, bound - 1] + positions[k, bound])
    total = 0.0
    for bucket in range(BUCKETS):
        if counts[bucket] > 0:
            gap = abs(positions[k, bucket] - middle)
            total += counts[bucket] * min(gap * gap if power == 2 else gap, 1.0)
    return float(2.0 * min(share, 1.0 - share) * 0.5 * total / size)


@inlined_kernel
def divide_at(buckets: NDArray[np.uint8], order: IntArray, start: int, stop: int, k: int, bound: int) -> None:
    """Bring the records below a bucket to the front."""
    left = start
    right = stop - 1
    while left <= right:
        if buckets[order[left], k] < bound:
            left += 1
        else:
            order[left], order[right] = order[right], order[left]
            right -= 1


@kernel
def divide(
    buckets: NDArray[np.uint8], positions: FloatArray, powers: IntArray, leaf: int, order: IntArray, starts: IntArray
) -> int:
    """Order records so that blocks of at most ``leaf`` are alike; write where each starts, return how many there are.

    Where no attribute divides a set evenly enough it is cut anywhere. Cost: records times attributes times the
    logarithm of the blocks.
    """
    stack = np.empty((order.size + 2, 2), np.int64)
    stack[0, 0] = 0
    stack[0, 1] = order.size
    top = 0
    n_blocks = 0
    counts = np.empty(BUCKETS, np.int64)
    while top >= 0:
        start, stop = stack[top, 0], stack[top, 1]
        top -= 1
        size = stop - start
        if size <= leaf:
            starts[n_blocks] = start
            n_blocks += 1
            continue
        best, best_bound, best_gain, middle = -1, 0, 0.0, start + size // 2
        for k in range(powers.size):
            count_buckets(buckets, order, start, stop, k, counts)
            bound, below = most_even(counts, size)
            if min(below, size - below) < EVEN * size:
                continue
            gain = gain_of(counts, size, bound, below, positions, k, powers[k])
            if gain > best_gain:
                best, best_bound, best_gain, middle = k, bound, gain, start + below
        if best >= 0:
            divide_at(buckets, order, start, stop, best, best_bound)
        stack[top + 1, 0], stack[top + 1, 1] = middle, stop
        stack[top + 2, 0], stack[top + 2, 1] = start, middle
        top += 2
    return n_blocks
