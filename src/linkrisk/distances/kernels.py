"""From the differences of all attributes to one distance, compiled; one function per rule.

A block of candidates is treated at once: ``d[k, j]`` is the difference of attribute k to candidate j, and
``values[j]`` receives the distance. For every candidate the operations are the same in the same order, so two
candidates with the same differences get the same distance to the last bit, wherever they stand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules
from linkrisk.engine.jit import inlined_kernel

WEIGHTED, ORDERED, CHOQUET, MOBIUS, KERNEL, QUADRATIC = range(6)
"""Rules: `linkrisk.distances.distance.Rule` gives them their names."""


FEW = 8
"""Attributes up to which a candidate's differences are sorted in registers."""

USUAL = 2
"""Degree of the kernel distance that is computed without loops over powers."""


class Metric(NamedTuple):
    """A distance as the kernels read it.

    ``is_plain``: all attributes are numbers without holes. ``theta`` and ``subsets`` are the parameters of the rule
    (``subsets``: the sorting network of OWA, the subsets of the Möbius transform); no distance is below ``floor`` times
    the sum of its differences. ``tolerance`` says how near two distances must be to be tied.
    """

    rule: int
    is_plain: bool
    theta: FloatArray
    subsets: IntArray
    floor: float
    attributes: AttributeRules
    tolerance: float


class Buffers(NamedTuple):
    """Working memory of one thread.

    Differences of a block (``padded`` is the same memory with rows of zeros after them, `FEW` at least), intermediate
    results and distances, which candidates of the block are kept, and the differences of one candidate sorted.
    """

    d: FloatArray
    padded: FloatArray
    work: FloatArray
    values: FloatArray
    kept: IntArray
    ordered: FloatArray
    order: IntArray


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
def larger(a: float, b: float) -> float:
    """Return the larger of two numbers: one instruction, while ``max`` takes three because of NaN."""
    return a if a > b else b


@inlined_kernel
def smaller(a: float, b: float) -> float:
    """Return the smaller of two numbers."""
    return b if a > b else a


@inlined_kernel
def ordered_sum(d: FloatArray, theta: FloatArray, network: IntArray, size: int, values: FloatArray) -> None:
    """OWA: sum of theta_r d_(r), d sorted from large to small.

    A sorting network (rows of ``network``: exchange these two unless the first is larger) does the same steps
    for every candidate, so that a whole block is sorted side by side.
    """
    block = np.uint64(size)
    for step in range(network.shape[0]):
        first = np.uint64(network[step, 0])
        second = np.uint64(network[step, 1])
        for j in range(block):
            a = d[first, j]
            b = d[second, j]
            d[first, j] = larger(a, b)
            d[second, j] = smaller(a, b)
    weighted_sum(d, theta, size, values)


@inlined_kernel
def weight_or_zero(theta: FloatArray, r: int) -> float:
    """Return weight r, or 0 beyond the last."""
    return theta[r] if r < theta.size else 0.0


@inlined_kernel
def ordered_sum_of_few(padded: FloatArray, theta: FloatArray, size: int, values: FloatArray) -> None:
    """OWA of at most eight differences: as `ordered_sum`, but each candidate stays in registers.

    ``padded`` has eight rows, those without an attribute zero: they come last and weigh nothing. The network of 19
    exchanges is the shortest for eight values (Knuth, The Art of Computer Programming 3, 5.3.4).
    """
    w0, w1 = weight_or_zero(theta, 0), weight_or_zero(theta, 1)
    w2, w3 = weight_or_zero(theta, 2), weight_or_zero(theta, 3)
    w4, w5 = weight_or_zero(theta, 4), weight_or_zero(theta, 5)
    w6, w7 = weight_or_zero(theta, 6), weight_or_zero(theta, 7)
    for j in range(np.uint64(size)):
        a, b = padded[np.uint64(0), j], padded[np.uint64(1), j]
        c, d = padded[np.uint64(2), j], padded[np.uint64(3), j]
        e, f = padded[np.uint64(4), j], padded[np.uint64(5), j]
        g, h = padded[np.uint64(6), j], padded[np.uint64(7), j]
        a, c = larger(a, c), smaller(a, c)
        b, d = larger(b, d), smaller(b, d)
        e, g = larger(e, g), smaller(e, g)
        f, h = larger(f, h), smaller(f, h)
        a, e = larger(a, e), smaller(a, e)
        b, f = larger(b, f), smaller(b, f)
        c, g = larger(c, g), smaller(c, g)
        d, h = larger(d, h), smaller(d, h)
        a, b = larger(a, b), smaller(a, b)
        c, d = larger(c, d), smaller(c, d)
        e, f = larger(e, f), smaller(e, f)
        g, h = larger(g, h), smaller(g, h)
        c, e = larger(c, e), smaller(c, e)
        d, f = larger(d, f), smaller(d, f)
        b, e = larger(b, e), smaller(b, e)
        d, g = larger(d, g), smaller(d, g)
        b, c = larger(b, c), smaller(b, c)
        d, e = larger(d, e), smaller(d, e)
        f, g = larger(f, g), smaller(f, g)
        values[j] = w0 * a + w1 * b + w2 * c + w3 * d + w4 * e + w5 * f + w6 * g + w7 * h


@inlined_kernel
def choquet_sum(
    d: FloatArray, theta: FloatArray, size: int, values: FloatArray, scratch: FloatArray, order: IntArray
) -> None:
    """Choquet integral: the increments of d sorted from small to large, each times mu of the attributes that reach it.

    ``theta[mask]`` is mu of the subset whose bits are set in mask.
    """
    n = np.uint64(d.shape[0])
    one = np.uint64(1)
    for j in range(np.uint64(size)):
        for k in range(n):
            value = d[k, j]
            place = np.uint64(k)
            while place > np.uint64(0) and scratch[place - one] > value:
                scratch[place] = scratch[place - one]
                order[place] = order[place - one]
                place -= one
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
    vectors: FloatArray, i: int, d: FloatArray, theta: FloatArray, size: int, values: FloatArray, work: FloatArray
) -> None:
    """K(a,a) - 2 K(a,b) + K(b,b) for K = (1 + a.b)^degree, without the cancellation of the three terms.

    a is row i of ``vectors``, b = a - delta, delta stands in d. With q = 1 + a.b, u = a.delta, v = delta.delta,
    the outer terms are (q + u)^D and (q + v - u)^D; expanding both, q^D cancels and what is left are sums of
    like sign wherever a and b are near each other: the sum over m of C(D, m) q^(D - m) (u^m + (v - u)^m).
    """
    block = np.uint64(size)
    q, u, v = np.uint64(0), np.uint64(1), np.uint64(2)
    for j in range(block):
        work[q, j] = 1.0
        work[u, j] = 0.0
        work[v, j] = 0.0
    for k in range(np.uint64(d.shape[0])):
        x = vectors[i, k]
        for j in range(block):
            delta = d[k, j]
            work[q, j] += x * (x - delta)
            work[u, j] += x * delta
            work[v, j] += delta * delta
    degree = int(theta[0])
    if degree == USUAL:  # the same sum in the same order, without loops that would keep it from vector instructions
        for j in range(block):
            rest = work[v, j] - work[u, j]
            values[j] = (work[u, j] * work[u, j] + rest * rest) + 2.0 * work[q, j] * work[v, j]
        return
    for j in range(block):
        values[j] = polynomial_distance(work[q, j], work[u, j], work[v, j], degree)


@inlined_kernel
def polynomial_distance(q: float, u: float, v: float, degree: int) -> float:
    """Sum over m of C(degree, m) q^(degree - m) (u^m + (v - u)^m); see `kernel_distances`.

    For odd m the sum of powers is v times the sum of u^(m - 1 - e) (u - v)^e, all of one sign once u outweighs v.
    """
    total = 0.0
    power_q = 1.0
    for m in range(degree, 0, -1):  # from q^0 upwards
        powers = 0.0
        if m % 2 == 0:
            first = 1.0
            second = 1.0
            for _ in range(m):
                first *= u
                second *= v - u
            powers = first + second
        else:
            # Horner in (u - v): ((u - v) + u ...) accumulates u^(m-1-e) (u - v)^e.
            power_u = 1.0
            powers = 1.0
            for _ in range(m - 1):
                power_u *= u
                powers = powers * (u - v) + power_u
            powers *= v
        total += binomial(degree, m) * power_q * powers
        power_q *= q
    return total


@inlined_kernel
def binomial(n: int, k: int) -> float:
    """Count the ways to choose k of n."""
    result = 1.0
    for step in range(k):
        result = result * (n - step) / (step + 1)
    return result


@inlined_kernel
def least_kernel_distance(
    vectors: FloatArray, i: int, low: FloatArray, high: FloatArray, node: int, degree: float
) -> float:
    """Return a lower bound of the kernel distance between row i and any vector in a box.

    *Guarantee* (docs/mathematics.md#kernel-bound): the distance is the sum over m of C(degree, m) times the squared
    distance among all products of m attributes. The terms for m = 1 and 2 are bounded by interval arithmetic, rounding
    allowed for; the others are not negative.
    """
    n = low.shape[1]
    linear = 0.0
    products = 0.0
    for k in range(n):
        a = vectors[i, k]
        gap = max(low[node, k] - a, a - high[node, k], 0.0)
        linear += gap * gap
        for m in range(k + 1):
            corner1 = low[node, k] * low[node, m]
            corner2 = low[node, k] * high[node, m]
            corner3 = high[node, k] * low[node, m]
            corner4 = high[node, k] * high[node, m]
            least = min(corner1, corner2, corner3, corner4)
            greatest = max(corner1, corner2, corner3, corner4)
            product = a * vectors[i, m]
            rounding = 2.0**-50 * (abs(product) + max(abs(least), abs(greatest)))
            gap = max(least - product, product - greatest) - rounding
            if gap > 0.0:
                products += gap * gap if m == k else 2.0 * gap * gap
    return degree * linear + degree * (degree - 1.0) / 2.0 * products


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
def aggregate_differences(
    rule: int,
    theta: FloatArray,
    network: IntArray,
    size: int,
    d: FloatArray,
    padded: FloatArray,
    values: FloatArray,
    ordered: FloatArray,
    order: IntArray,
) -> None:
    """Turn the differences of a block into distances by one of the first three rules; arrays come one by one."""
    if rule == WEIGHTED:
        weighted_sum(d, theta, size, values)
    elif rule == CHOQUET:
        choquet_sum(d, theta, size, values, ordered, order)
    elif d.shape[0] <= FEW:
        ordered_sum_of_few(padded, theta, size, values)
    else:
        ordered_sum(d, theta, network, size, values)


@inlined_kernel
def aggregate(metric: Metric, vectors: FloatArray, i: int, size: int, buffers: Buffers) -> None:
    """Turn the differences of a block of candidates from row i of ``vectors`` into distances, by any rule.

    Reads ``buffers.d``, which may be overwritten: differences d_k, or signed differences for the last two rules.
    """
    d, padded, work, values, _, ordered, order = buffers
    if metric.rule <= CHOQUET:
        aggregate_differences(metric.rule, metric.theta, metric.subsets, size, d, padded, values, ordered, order)
    elif metric.rule == MOBIUS:
        mobius_sum(d, metric.theta, metric.subsets, size, values)
    elif metric.rule == KERNEL:
        kernel_distances(vectors, i, d, metric.theta, size, values, work)
    else:
        quadratic_forms(d, metric.theta, size, values)
