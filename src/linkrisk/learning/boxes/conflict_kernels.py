"""Records that cannot all be linked inside one box, compiled.

If some combination of rows with multipliers >= 0 is positive nowhere in a box, then not all of them hold there, and the
records they belong to are not all linked: they are in conflict. Of records each two of which are in conflict, one at
most is linked; such groups stay when the box is divided.
"""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.exact_kernels import is_never_positive
from linkrisk.learning.boxes.log_kernels import Log, log_member, log_set
from linkrisk.learning.boxes.state_kernels import SINGLE, Centred, Lists, Memory, Problem

NEAR = 1e-12
"""A combination of centred rows at most this far above zero is worth the exact test."""

OPPOSITE = 1e-6
"""Centred rows whose sum is below this in every entry are opposite, as the rows of equal records are."""

STEPS = 6
"""Multipliers tried for a pair of rows before it is given up."""


@lean_kernel
def centre_row(
    values: FloatArray, s: int, low: FloatArray, high: FloatArray, middle: FloatArray, slope: FloatArray, i: int
) -> float:
    """Write row s as the i-th centred row; return its scale."""
    centre = scale = 0.0
    for k in range(len(low)):
        centre += values[s, k] * (low[k] + high[k])
        scale += abs(values[s, k]) * (high[k] - low[k])
    scale = max(scale, 1e-300)
    middle[i] = centre / scale
    for k in range(len(low)):
        slope[i, k] = values[s, k] * (high[k] - low[k]) / scale
    return scale


@lean_kernel
def top_and_rise(middle: FloatArray, slope: FloatArray, i: int, j: int, m: float) -> tuple[float, float]:
    """Return the maximum over the box of m row i + (1 - m) row j, and how fast it rises with m."""
    top = m * middle[i] + (1.0 - m) * middle[j]
    rise = middle[i] - middle[j]
    for k in range(slope.shape[1]):
        difference = slope[i, k] - slope[j, k]
        entry = slope[j, k] + m * difference
        top += abs(entry)
        rise += difference if entry > 0.0 else -difference
    return top, rise


@lean_kernel
def value_at_other(middle: FloatArray, slope: FloatArray, i: int, j: int) -> float:
    """Return the value of row j in the corner of the box where row i is greatest."""
    total = middle[j]
    for k in range(slope.shape[1]):
        total += slope[j, k] if slope[i, k] > 0.0 else -slope[j, k]
    return float(total)


@lean_kernel
def pair_multiplier(middle: FloatArray, slope: FloatArray, i: int, j: int) -> float:
    """Return a share m for which the maximum over the box of m row i + (1 - m) row j is about 0 or less, or -1.

    The maximum is convex and piecewise linear in m: its tangents left and right of the minimum meet below it.
    """
    if middle[i] + middle[j] > 0.0:
        return -1.0  # the slopes' sizes being 1, the maximum is at least half of this at any multipliers
    j_at_i = value_at_other(middle, slope, i, j)
    if j_at_i >= 0.0:
        return -1.0
    i_at_j = value_at_other(middle, slope, j, i)
    if i_at_j >= 0.0 or (1.0 + middle[i]) * (1.0 + middle[j]) > j_at_i * i_at_j + NEAR:
        return -1.0  # the tangents at shares 1 and 0 meet above zero
    left, left_top, left_rise = 0.0, 1.0 + middle[j], i_at_j - 1.0 - middle[j]
    right, right_top, right_rise = 1.0, 1.0 + middle[i], 1.0 + middle[i] - j_at_i
    for _ in range(STEPS):
        m = (left_top - right_top + right_rise * right - left_rise * left) / (right_rise - left_rise)
        if left_top + left_rise * (m - left) > NEAR:
            return -1.0
        top, rise = top_and_rise(middle, slope, i, j, m)
        if top <= NEAR:
            return float(m)
        if rise > 0.0:
            right, right_top, right_rise = m, top, rise
        else:
            left, left_top, left_rise = m, top, rise
    return -1.0


@kernel
def find_conflict(
    values: FloatArray, low: FloatArray, high: FloatArray, centred: Centred, i: int, j: int, pair: FloatArray
) -> bool:
    """Whether two centred rows are in conflict; fills their multipliers.

    *Guarantee* (docs/mathematics.md#conflicts): if True, the combination of the rows with these multipliers is positive
    nowhere in the box.
    """
    m = pair_multiplier(centred.middle, centred.slope, i, j)
    if m < 0.0:
        return False
    rows = np.array([centred.row[i], centred.row[j]])
    pair[0], pair[1] = m / centred.scale[i], (1.0 - m) / centred.scale[j]
    if is_never_positive(values, rows, pair, 2, low, high):
        return True
    for k in range(len(low)):  # rows that are exactly opposite: multipliers that cancel an entry exactly
        x, y = values[rows[0], k], values[rows[1], k]
        if x * y < 0.0:
            pair[0], pair[1] = abs(y), abs(x)
            if is_never_positive(values, rows, pair, 2, low, high):
                return True
    return False


@kernel
def are_in_conflict(
    values: FloatArray,
    low: FloatArray,
    high: FloatArray,
    centred: Centred,
    i: int,
    first: int,
    next_member: IntArray,
    log: Log,
    group: int,
) -> bool:
    """Whether record i is in conflict with all members of a unit; told to the log if so."""
    pair = np.empty(2)
    j = first
    while j >= 0:
        if not find_conflict(values, low, high, centred, i, j, pair):
            return False
        j = next_member[j]
    j = first
    while j >= 0 and len(log.parent) > 0:
        find_conflict(values, low, high, centred, i, j, pair)
        log_set(log, group)
        log_member(log, centred.row[i], pair[0])
        log_member(log, centred.row[j], pair[1])
        j = next_member[j]
    return True


@lean_kernel
def are_opposite(middle: FloatArray, slope: FloatArray, i: int, j: int) -> bool:
    """Whether two rows are about the same, except for their sign."""
    greatest = abs(middle[i] + middle[j])
    for k in range(slope.shape[1]):
        greatest = max(greatest, abs(slope[i, k] + slope[j, k]))
    return bool(greatest < OPPOSITE)


@lean_kernel
def find_unit(
    middle: FloatArray,
    slope: FloatArray,
    i: int,
    rank: IntArray,
    is_single: IntArray,
    first_member: IntArray,
    next_member: IntArray,
    begin: int,
    max_pairs: int,
    only_opposite: bool,
) -> tuple[int, int]:
    """Return the next unit that record i seems to be in conflict with, from ``begin`` on, and the pairs tried.

    A single record looks for those before it in rank only: those behind look for it.
    """
    tried = 0
    for u in range(begin, len(first_member)):
        j = first_member[u]
        if j < 0 or (is_single[j] > 0 and rank[j] >= rank[i]):
            continue
        if only_opposite and not are_opposite(middle, slope, i, j):
            continue
        while j >= 0 and pair_multiplier(middle, slope, i, j) >= 0.0:
            tried += 1
            j = next_member[j]
        if j < 0:
            return u, tried
        tried += 1
        if tried > max_pairs:
            break
    return -1, tried


@kernel
def join_groups(
    problem: Problem,
    lists: Lists,
    memory: Memory,
    log: Log,
    begin: int,
    end: int,
    n_units: int,
    linkable: float,
    need: float,
    max_pairs: int,
    is_first: bool,
) -> float:
    """Let single records join groups, or other single records; return the weight still linkable.

    In a first box those opposite to each other are joined before all others: they have no other partner. Stops when
    less than ``need`` is linkable, or enough pairs were tried.

    *Guarantee* (docs/mathematics.md#conflicts): no theta of the box links two records of a group (see `find_conflict`).
    """
    values, low, high, units, centred = problem.values, memory.low, memory.high, memory.units, memory.centred
    n_records = end - begin
    tightest, unit, group_of = memory.tightest, units.of, lists.group
    middle, slope, scale, row = centred
    first_member, next_member = np.full(n_units, -1), np.full(n_records, -1)
    is_single, rank = np.zeros(n_records, np.int64), np.empty(n_records, np.int64)
    for i in range(n_records):
        middle[i] = np.inf
        if tightest[i] >= 0:
            scale[i], row[i] = centre_row(values, tightest[i], low, high, middle, slope, i), tightest[i]
        u = unit[i]
        next_member[i], first_member[u] = first_member[u], i
        is_single[i] = 1 if group_of[begin + i] == SINGLE else 0
    order = np.argsort(middle[:n_records])
    rank[order] = np.arange(n_records)
    for turn in range(0 if is_first else 1, 2):
        for i in order:
            u = -1
            while is_single[i] > 0 and max_pairs > 0:
                u, tried = find_unit(
                    middle, slope, i, rank, is_single, first_member, next_member, u + 1, max_pairs, turn == 0
                )
                max_pairs -= tried
                if u < 0:
                    break
                j, own = first_member[u], unit[i]
                group = lists.record[begin + j] if is_single[j] > 0 else group_of[begin + j]
                if not are_in_conflict(values, low, high, centred, i, j, next_member, log, group):
                    continue
                group_of[begin + i] = group_of[begin + j] = group
                is_single[i] = is_single[j] = 0
                linkable -= min(units.weight[u], units.weight[own])
                units.weight[u], units.weight[own] = max(units.weight[u], units.weight[own]), 0.0
                next_member[i], first_member[u], first_member[own] = first_member[u], i, -1
                unit[i] = u
            if linkable < need or max_pairs <= 0 or (turn > 0 and middle[i] > -middle[order[0]]):
                break
    return linkable
