"""Who is found by some of the attributes, compiled: one person at a time, all sets of attributes together.

The differences between a person and all protected records are computed once, and also kept as whole *units* of 16
bits, rounded down. A record whose units sum to more than the own distance is out of reach; only what is left is looked
at. Most people are not found: a record that was nearer than the own one by another set of attributes mostly is so
again, so these are asked first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.engine.jit import inlined_kernel, kernel

OPEN = -1
"""What is written where only exact arithmetic can tell."""

CLOSE, DOUBT = 2.0**-44, 2.0**-30
"""Relative differences up to which numbers count as the same (tolerance 2^-40), and beyond which they do not, whatever
rounding has made of them; what lies between is left open."""

OWN_UNITS, MOST_UNITS = 4000, 65_535
"""Units of the own distance by all attributes, and the largest sum of units."""

TILE = 1024
"""Protected records whose units are summed before any is looked at."""

N_RIVALS = 12
"""Records kept for each person that were nearer than the own one, the last that was so first."""

FARTHER, NEARER, TWIN, UNCLEAR = range(4)


@inlined_kernel
def judge(d: FloatArray, own: FloatArray, members: IntArray, begin: int, end: int, j: int) -> int:
    """Tell whether record j is farther than the own one, nearer or as near, a twin, or whether that is unclear.

    *Guarantee* (docs/mathematics.md#by-sets): who is said to be nearer is no twin, and at least as near as the own
    record within the tolerance; a twin differs as the own record does in every attribute.
    """
    there, here = 0.0, 0.0
    for place in range(begin, end):
        k = members[place]
        there += d[k, j]
        here += own[k]
    if there < here * (1.0 - DOUBT):
        return NEARER
    if there > here * (1.0 + DOUBT):
        return FARTHER
    is_same, is_apart = True, False
    for place in range(begin, end):
        k = members[place]
        gap, larger = abs(d[k, j] - own[k]), max(d[k, j], own[k])
        is_same = is_same and gap <= CLOSE * larger
        is_apart = is_apart or gap > DOUBT * larger
    if is_same:
        return TWIN
    return NEARER if is_apart and there <= here * (1.0 + CLOSE) else UNCLEAR


@inlined_kernel
def keep_rival(j: int, rivals: IntArray, n_rivals: int) -> int:
    """Put a record first among those that were nearer; return how many are kept."""
    last = min(n_rivals, rivals.size - 1)
    for place in range(last):
        if rivals[place] == j:
            last = place
            break
    for place in range(last, 0, -1):
        rivals[place] = rivals[place - 1]
    rivals[0] = j
    return max(n_rivals, last + 1)


@inlined_kernel
def fill_units(d: FloatArray, own: FloatArray, units: NDArray[np.uint16]) -> float:
    """Write differences as whole units, rounded down and limited so that sums fit; return how many make a 1."""
    total = 0.0
    for k in range(own.size):
        total += own[k]
    factor = OWN_UNITS / total if total > 0.0 else float(OWN_UNITS)
    most = float(MOST_UNITS // own.size)
    for k in range(np.uint64(own.size)):
        for j in range(np.uint64(d.shape[1])):
            scaled = factor * d[k, j]
            units[k, j] = np.uint16(scaled if scaled < most else most)
    return factor


@inlined_kernel
def sum_units(
    units: NDArray[np.uint16],
    members: IntArray,
    begin: int,
    end: int,
    start: int,
    stop: int,
    within: int,
    sums: NDArray[np.uint16],
) -> int:
    """Write the sums of units of the records start:stop; return how many are within reach."""
    first, size = np.uint64(start), np.uint64(stop - start)
    for j in range(size):
        sums[j] = 0
    for place in range(begin, end):
        k = np.uint64(members[place])
        for j in range(size):
            sums[j] += units[k, first + j]
    n_near = 0
    for j in range(size):
        n_near += 1 if sums[j] <= within else 0
    return n_near


@kernel
def count_by_sets(
    queries: FloatArray,
    own_rows: IntArray,
    columns: FloatArray,
    rules: AttributeRules,
    members: IntArray,
    starts: IntArray,
    shared: IntArray,
) -> None:
    """Write for each person i and set s of attributes among how many records a link to the own one is shared.

    Set s holds the attributes ``members[starts[s]:starts[s + 1]]``. ``shared[i, s]`` is 0 where the person is not
    found, 1 + the number of twins where he is, and `OPEN` where only exact arithmetic can tell.
    """
    n_attributes, n_records = columns.shape
    d, own = np.empty((n_attributes, n_records)), np.empty(n_attributes)
    units = np.empty((n_attributes, n_records), np.uint16)
    sums = np.empty(TILE, np.uint16)
    rivals = np.empty(N_RIVALS, np.int64)
    for i in range(queries.shape[0]):
        for k in range(n_attributes):
            fill_differences(queries[i, k], columns, k, 0, n_records, rules, d)
            own[k] = d[k, own_rows[i]]
        factor = fill_units(d, own, units)
        n_rivals = 0
        for s in range(starts.size - 1):
            begin, end = starts[s], starts[s + 1]
            found, n_twins, is_open = 1, 0, False
            for place in range(n_rivals):
                if judge(d, own, members, begin, end, rivals[place]) == NEARER:
                    n_rivals = keep_rival(rivals[place], rivals, n_rivals)
                    found = 0
                    break
            here = 0.0
            for place in range(begin, end):
                here += own[members[place]]
            within = int(min(here * factor * (1.0 + 2.0 * DOUBT), float(MOST_UNITS))) + 1
            for start in range(0, n_records, TILE):
                if found == 0:
                    break
                stop = min(start + TILE, n_records)
                if sum_units(units, members, begin, end, start, stop, within, sums) == 0:
                    continue
                for j in range(start, stop):
                    if sums[j - start] > within or j == own_rows[i]:
                        continue
                    verdict = judge(d, own, members, begin, end, j)
                    if verdict == NEARER:
                        n_rivals = keep_rival(j, rivals, n_rivals)
                        found = 0
                        break
                    n_twins += 1 if verdict == TWIN else 0
                    is_open = is_open or verdict == UNCLEAR
            shared[i, s] = 0 if found == 0 else (OPEN if is_open else 1 + n_twins)
