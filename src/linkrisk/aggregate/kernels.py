"""From the differences of all attributes to one distance, compiled; one function per rule.

A block of candidates is treated at once: ``d[k, j]`` is the difference of attribute k to candidate j, and
``values[j]`` receives the distance. For every candidate the operations are the same in the same order, so two
candidates with the same differences get the same distance to the last bit, wherever they stand.
"""

from __future__ import annotations

import numpy as np

from linkrisk.data.columns import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel

WEIGHTED, ORDERED, CHOQUET, MOBIUS, KERNEL, QUADRATIC = range(6)
"""Rules: `linkrisk.aggregate.distance.Rule` gives them their names."""


@inlined_kernel
def weighted_sum(d: FloatArray, theta: FloatArray, size: int, values: FloatArray) -> None:
    """Sum of theta_k d_k."""
    block = np.uint64(size)
    for j in range(block):
        values[j] = 0.0
    for k in range(np.uint64(d.shape[0])):
        weight = theta[k]
        for j in range(block):
            values[j] += weight * d[k, j]


@inlined_kernel
def ordered_sum(d: FloatArray, theta: FloatArray, size: int, values: FloatArray) -> None:
    """OWA: sum of theta_r d_(r), d sorted from large to small.

    Sorts by exchanging neighbours in a fixed pattern, so that a whole block is sorted side by side.
    """
    block = np.uint64(size)
    n = d.shape[0]
    for last in range(n - 1, 0, -1):
        for k in range(np.uint64(last)):
            below = k + np.uint64(1)
            for j in range(block):
                a = d[k, j]
                b = d[below, j]
                d[k, j] = max(a, b)
                d[below, j] = min(a, b)
    weighted_sum(d, theta, size, values)


@inlined_kernel
def choquet_sum(
    d: FloatArray, theta: FloatArray, size: int, values: FloatArray, scratch: FloatArray, order: IntArray
) -> None:
    """Choquet integral: the increments of d sorted from small to large, each times mu of who reaches it.

    ``theta[mask]`` is mu of the subset whose bits are set in mask.
    """
    n = np.uint64(d.shape[0])
    one = np.uint64(1)
    for j in range(np.uint64(size)):
        for k in range(n):
            value = d[k, j]
            place = k
            while place > np.uint64(0) and scratch[place - one] > value:
                scratch[place] = scratch[place - one]
                order[place] = order[place - one]
                place = place - one
            scratch[place] = value
            order[place] = np.int64(one << k)
        mask = (one << n) - one
        total = 0.0
        previous = 0.0
        for k in range(n):
            total += (scratch[k] - previous) * theta[mask]
            previous = scratch[k]
            mask = mask ^ np.uint64(order[k])
        values[j] = total


@inlined_kernel
def mobius_sum(d: FloatArray, theta: FloatArray, subsets: IntArray, size: int, values: FloatArray) -> None:
    """Choquet integral by the Möbius transform: sum of m(A) times the least d_k in A.

    Row s of ``subsets`` lists the attributes of the s-th subset, padded with -1.
    """
    for j in range(np.uint64(size)):
        total = 0.0
        for s in range(subsets.shape[0]):
            least = np.inf
            for place in range(subsets.shape[1]):
                k = subsets[s, place]
                if k >= 0:
                    least = min(least, d[np.uint64(k), j])
            total += theta[s] * least
        values[j] = total


@inlined_kernel
def kernel_distances(
    vectors: FloatArray, i: int, d: FloatArray, theta: FloatArray, size: int, values: FloatArray
) -> None:
    """K(a,a) - 2 K(a,b) + K(b,b) for K = (1 + a.b)^degree, without the cancellation of the three terms.

    a is row i of ``vectors``, b = a - delta, delta stands in d. With q = 1 + a.b, u = a.delta, v = delta.delta,
    the outer terms are (q + u)^D and (q + v - u)^D; expanding both, q^D cancels and what is left are sums of
    like sign wherever a and b are near each other.
    """
    degree = int(theta[0])
    for j in range(np.uint64(size)):
        q = 1.0
        u = 0.0
        v = 0.0
        for k in range(np.uint64(d.shape[0])):
            q += vectors[i, k] * (vectors[i, k] - d[k, j])
            u += vectors[i, k] * d[k, j]
            v += d[k, j] * d[k, j]
        total = 0.0
        binomial = 1.0
        for m in range(1, degree + 1):
            binomial = binomial * (degree - m + 1) / m
            powers = 0.0
            if m % 2 == 0:
                powers = u**m + (v - u) ** m
            else:
                # u^m + (v - u)^m divided by u + (v - u) = v, all terms positive once u outweighs v.
                for exponent in range(m):
                    powers += u ** (m - 1 - exponent) * (u - v) ** exponent
                powers *= v
            total += binomial * q ** (degree - m) * powers
        values[j] = total


@inlined_kernel
def quadratic_forms(d: FloatArray, theta: FloatArray, size: int, values: FloatArray) -> None:
    """Forms delta' S delta, delta standing in d and S stored row by row in theta."""
    n = np.uint64(d.shape[0])
    for j in range(np.uint64(size)):
        total = 0.0
        for k in range(n):
            row = 0.0
            for m in range(n):
                row += theta[k * n + m] * d[m, j]
            total += d[k, j] * row
        values[j] = total


@inlined_kernel
def aggregate(
    rule: int,
    vectors: FloatArray,
    i: int,
    d: FloatArray,
    size: int,
    theta: FloatArray,
    subsets: IntArray,
    values: FloatArray,
    scratch: FloatArray,
    order: IntArray,
) -> None:
    """Distances of row i of ``vectors`` to a block of candidates by any rule; ``d`` may be overwritten.

    ``d`` holds differences d_k, or signed differences for the last two rules.
    """
    if rule == WEIGHTED:
        weighted_sum(d, theta, size, values)
    elif rule == ORDERED:
        ordered_sum(d, theta, size, values)
    elif rule == CHOQUET:
        choquet_sum(d, theta, size, values, scratch, order)
    elif rule == MOBIUS:
        mobius_sum(d, theta, subsets, size, values)
    elif rule == KERNEL:
        kernel_distances(vectors, i, d, theta, size, values)
    else:
        quadratic_forms(d, theta, size, values)
