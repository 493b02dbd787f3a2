"""Making the rows of the records, leaving out those that cannot matter, and finding the one that is violated most."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.engine.jit import kernel, lean_kernel

PlaceArray = NDArray[np.int32]
"""Places of entries that are not zero; 32 bits take half the memory of the usual whole numbers."""

LOST = -1
"""Returned in place of a number of rows for a record that no parameters link; the first point is the witness."""

MAX_COMPARED = 64
"""How many kept rows each row is compared with, to see whether one of them implies it."""


@lean_kernel
def fill_pairwise(queries: FloatArray, i: int, columns: FloatArray, rules: AttributeRules, d: FloatArray) -> None:
    """Write d_k between query i and every point: d[k, j]."""
    for k in range(columns.shape[0]):
        fill_differences(queries[i, k], columns, k, 0, columns.shape[1], rules, d)


@lean_kernel
def subtract_own(phi: FloatArray, start: IntArray, near: float, values: FloatArray, lengths: FloatArray) -> None:
    """Write near . phi(i, j) - phi(i, i) for the rivals of each record i, and its length.

    Features of record r stand in ``phi`` from ``start[r]`` on, the own ones last; its rows in ``values`` from
    ``start[r] - r`` on.
    """
    for r in range(len(start) - 1):
        own = start[r + 1] - 1
        for s in range(start[r], own):
            total = 0.0
            for k in range(phi.shape[1]):
                value = near * phi[s, k] - phi[own, k]
                values[s - r, k] = value
                total += value * value
            lengths[s - r] = math.sqrt(total)


@lean_kernel
def count_entries(values: FloatArray) -> int:
    """Return the largest number of entries of a row that are not zero."""
    most = 0
    for s in range(values.shape[0]):
        found = 0
        for k in range(values.shape[1]):
            if values[s, k] != 0.0:
                found += 1
        most = max(most, found)
    return most


@lean_kernel
def fill_entries(values: FloatArray, places: PlaceArray, entries: FloatArray) -> None:
    """Write where the entries of each row are that are not zero, and what they are; the rest stays as it is."""
    for s in range(values.shape[0]):
        found = 0
        for k in range(values.shape[1]):
            if values[s, k] != 0.0:
                places[s, found], entries[s, found] = k, values[s, k]
                found += 1


@lean_kernel
def mark_used(places: PlaceArray, entries: FloatArray, is_used: NDArray[np.bool_]) -> None:
    """Mark the places at which some row has an entry that is not zero."""
    for s in range(places.shape[0]):
        for e in range(places.shape[1]):
            if entries[s, e] != 0.0:
                is_used[places[s, e]] = True


@kernel
def minimal_rows(
    profile: FloatArray, own: FloatArray, is_dropped: NDArray[np.bool_], tolerance: float, kept: IntArray
) -> int:
    """Write the points whose rows matter to ``kept`` and return their number, or `LOST`.

    *Guarantee* (docs/mathematics.md#lost): distances only grow with the profile. A point no farther than the own record
    on every entry of the profile is no farther for any parameters: the record is lost, and the point is written first.

    *Guarantee* (docs/mathematics.md#minimal-rows): a point that is farther or equal on every entry, or no nearer on any
    entry than a point kept, need not be looked at: where the rows kept hold, theta can be moved inside, where the
    others hold too.
    """
    near = 1.0 - tolerance
    n_points, n = profile.shape
    sums = np.empty(n_points)
    count = 0
    for j in range(n_points):
        if is_dropped[j]:
            continue
        is_nearer = True
        is_farther = True
        total = 0.0
        for k in range(n):
            value = near * profile[j, k]
            slack = 2.0**-49 * own[k]
            is_nearer = is_nearer and value <= own[k] - (slack if value > 0.0 else 0.0)
            is_farther = is_farther and value >= own[k] + slack
            total += profile[j, k]
        if is_nearer:
            kept[0] = j
            return LOST
        if not is_farther:
            kept[count] = j
            sums[count] = total
            count += 1
    order = np.argsort(sums[:count])
    candidates = kept[:count].copy()
    compared = np.full((n, MAX_COMPARED), np.inf)  # the first rows kept, entry by entry
    is_above = np.empty(MAX_COMPARED, dtype=np.int64)
    n_kept = 0
    for place in range(count):
        j = candidates[order[place]]
        if is_implied(profile, j, compared, is_above):
            continue
        if n_kept < MAX_COMPARED:
            for k in range(n):
                compared[k, n_kept] = profile[j, k]
        kept[n_kept] = j
        n_kept += 1
    return n_kept


@lean_kernel
def is_implied(profile: FloatArray, j: int, compared: FloatArray, is_above: IntArray) -> bool:
    """Tell whether a row is nowhere below one of some others, with all of which it is compared at once.

    Places without a row are infinite; no row is infinite everywhere, for such points are farther than the own record.
    """
    is_above[:] = 1
    for k in range(compared.shape[0]):
        value = profile[j, k]
        n_above = 0
        for other in range(MAX_COMPARED):
            is_above[other] = is_above[other] if value >= compared[k, other] else 0
            n_above += is_above[other]
        if n_above == 0:
            return False
    return True


@lean_kernel
def scan_rows(
    places: PlaceArray,
    entries: FloatArray,
    start: IntArray,
    theta: FloatArray,
    chosen: NDArray[np.bool_],
    first: int,
    last: int,
    worst: FloatArray,
    row: IntArray,
) -> None:
    """Write for each chosen record of first:last its least theta . v, and the row where it is."""
    width = places.shape[1]
    for i in range(first, last):
        if not chosen[i]:
            continue
        least = np.inf
        where = -1
        for s in range(start[i], start[i + 1]):
            total = 0.0
            for place in range(width):
                total += entries[s, place] * theta[places[s, place]]
            if total < least:
                least = total
                where = s
        worst[i] = least
        row[i] = where


@kernel
def scan_forms(
    x: FloatArray,
    columns: FloatArray,
    matrix: FloatArray,
    dropped_start: IntArray,
    dropped: IntArray,
    records: IntArray,
    nearest: IntArray,
) -> None:
    """Write for each of the records the point that is nearest by the form, except for points dropped for it.

    With p = S x the form is x.p - 2 p.y + y.S y, computed with fewer correct digits than from differences: the caller
    computes the form of the point found again. With no ``dropped_start`` no point is dropped.
    """
    n, n_points = columns.shape
    squares = np.zeros(n_points)
    for k in range(n):
        for m in range(n):
            share = matrix[k, m]
            for j in range(n_points):
                squares[j] += share * (columns[k, j] * columns[m, j])
    values = np.empty(n_points)
    for place in range(records.size):
        i = records[place]
        for j in range(n_points):
            values[j] = squares[j]
        for k in range(n):
            p = 0.0
            for m in range(n):
                p -= 2.0 * matrix[k, m] * x[i, m]
            for j in range(n_points):
                values[j] += p * columns[k, j]
        if dropped_start.size:
            for s in range(dropped_start[i], dropped_start[i + 1]):
                values[dropped[s]] = np.inf
        least = np.inf
        where = -1
        for j in range(n_points):
            if values[j] < least:
                least = values[j]
                where = j
        nearest[place] = where
