"""On which steps along a line each record is linked, compiled."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel
from linkrisk.learning.problem.row_kernels import PlaceArray


@inlined_kernel
def cut_interval(at: float, along: float, begin: float, end: float) -> tuple[float, float]:
    """Return the part of an interval of steps s on which at + s . along > 0; it may be empty."""
    if along > 0.0:
        return max(begin, -at / along), end
    if along < 0.0:
        return begin, min(end, -at / along)
    return (begin, end) if at > 0.0 else (np.inf, -np.inf)


@inlined_kernel
def fill_forms(
    x: FloatArray,
    columns: FloatArray,
    matrix: FloatArray,
    direction: FloatArray,
    at: FloatArray,
    along: FloatArray,
) -> None:
    """Fill the distances of x to all points by two forms."""
    at[:] = 0.0
    along[:] = 0.0
    for k in range(x.size):
        for m in range(k + 1):
            times = 1.0 if k == m else 2.0
            first, second = times * matrix[k, m], times * direction[k, m]
            for j in range(at.size):
                product = (x[k] - columns[k, j]) * (x[m] - columns[m, j])
                at[j] += first * product
                along[j] += second * product


@lean_kernel
def intervals_of_rows(
    places: PlaceArray,
    entries: FloatArray,
    start: IntArray,
    theta: FloatArray,
    direction: FloatArray,
    first: FloatArray,
    last: FloatArray,
) -> None:
    """Write the open interval of steps s for which all rows of a record are positive at theta + s . direction."""
    width = places.shape[1]
    for i in range(start.size - 1):
        begin, end = -np.inf, np.inf
        for s in range(start[i], start[i + 1]):
            at = along = 0.0
            for place in range(width):
                entry, k = entries[s, place], places[s, place]
                at += entry * theta[k]
                along += entry * direction[k]
            begin, end = cut_interval(at, along, begin, end)
        first[i], last[i] = begin, end


@kernel
def intervals_of_forms(
    x: FloatArray,
    columns: FloatArray,
    matrix: FloatArray,
    direction: FloatArray,
    factor: float,
    dropped_start: IntArray,
    dropped: IntArray,
    first: FloatArray,
    last: FloatArray,
) -> None:
    """Write the interval of steps for which ``factor`` times each distance exceeds that of a record's own point.

    Matrices move along ``direction``. The first point dropped for a record is its own.
    """
    n_points = columns.shape[1]
    at, along = np.empty(n_points), np.empty(n_points)
    for i in range(x.shape[0]):
        fill_forms(x[i], columns, matrix, direction, at, along)
        own = dropped[dropped_start[i]]
        own_at, own_along = at[own], along[own]
        for s in range(dropped_start[i], dropped_start[i + 1]):
            at[dropped[s]], along[dropped[s]] = np.inf, 0.0
        begin, end = -np.inf, np.inf
        for j in range(n_points):
            begin, end = cut_interval(factor * at[j] - own_at, factor * along[j] - own_along, begin, end)
        first[i], last[i] = begin, end


@kernel
def reach_of_forms(
    x: FloatArray, columns: FloatArray, matrix: FloatArray, direction: FloatArray
) -> tuple[float, float]:
    """Return the interval of steps along which no distance of x and the points becomes negative."""
    n_points = columns.shape[1]
    at, along = np.empty(n_points), np.empty(n_points)
    begin, end = -np.inf, np.inf
    for i in range(x.shape[0]):
        fill_forms(x[i], columns, matrix, direction, at, along)
        for j in range(n_points):
            if along[j] != 0.0:
                begin, end = cut_interval(max(at[j], 0.0), along[j], begin, end)
    return begin, end
