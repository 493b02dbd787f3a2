"""Exact line search: a very good theta in little time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.learning.lines.kernels import CLEARLY, count_clear_links, search_lines
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Clock

STARTS, FINALISTS = 12, 3
"""Points to start from, and how many of the best are followed further; each stage gets half of the directions."""

LEAST_START = 1e-3
"""Parameters to start from are drawn between this and 1, on a logarithmic scale."""


@dataclass(frozen=True)
class LinePoint:
    """Where a line search ended: theta, largest entry 1, and the weight of the records it links beyond rounding."""

    theta: FloatArray
    links: float


def search_along_lines(
    rows: Rows,
    *,
    theta: FloatArray | None = None,
    seed: int = 0,
    n_directions: int = 600,
    clock: Clock | None = None,
) -> LinePoint:
    """Find a theta >= 0 that links many records, along seeded random lines, each followed to its deepest point.

    Along a line every record is linked on one interval, so the best point of the line is found by sorting the ends of
    the intervals: no step size, no local optimum on a line. Starts at ``theta`` (by default at equal parameters), at
    parameters that are equal except for one that is 0, and at points drawn at random, and goes on from the best.

    *Guarantee* (docs/mathematics.md#clear-links): ``links`` are made by ``theta`` in exact arithmetic, by the rows
    given (see `count_clear_links`).
    """
    clock = clock or Clock()
    search = _LineSearch(rows, seed)
    best = search.count(np.ones(rows.n_parameters) if theta is None else theta)
    points = []
    for start in search.starts(best):
        if clock.must_stop() or best.links >= search.total:
            return best
        points.append(search.improve(start, n_directions // (2 * STARTS)))
        best = max(best, points[-1], key=lambda point: point.links)
    for point in sorted(points, key=lambda point: -point.links)[:FINALISTS]:
        if clock.must_stop() or best.links >= search.total:
            break
        best = max(best, search.improve(point, n_directions // (2 * FINALISTS)), key=lambda point: point.links)
    return best


class _LineSearch:
    """The rows by their columns, and where random directions come from."""

    def __init__(self, rows: Rows, seed: int) -> None:
        self.generator = np.random.default_rng(seed)
        self.values = np.ascontiguousarray(rows.values)
        self.columns = np.ascontiguousarray(rows.values.T)
        self.start = rows.start
        self.weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
        self.total = float(self.weight.sum())

    def count(self, theta: FloatArray) -> LinePoint:
        """Return theta, scaled, with what it links."""
        scaled = np.asarray(theta / theta.max(), dtype=np.float64)
        return LinePoint(scaled, count_clear_links(self.values, self.start, self.weight, scaled))

    def starts(self, first: LinePoint) -> Iterator[LinePoint]:
        """Yield points to start from."""
        yield first
        n = self.values.shape[1]
        without = [self.count(1.0 - np.eye(n)[k]) for k in range(n) if n > 1]
        yield max([first, *without], key=lambda point: point.links)
        for _ in range(STARTS - 2):
            yield self.count(LEAST_START ** self.generator.random(self.values.shape[1]))

    def improve(self, point: LinePoint, n_directions: int) -> LinePoint:
        """Follow random directions from a point."""
        directions = draw_directions(self.generator, n_directions, self.values.shape[1])
        return LinePoint(*search_lines(self.columns, self.start, self.weight, point.theta, point.links, directions))


def count_clearly(rows: Rows, theta: FloatArray) -> BoolArray:
    """Tell which records have all their rows hold clearly: those that `count_clear_links` counts."""
    holds = rows.values @ theta > CLEARLY * (np.abs(rows.values) @ np.abs(theta))
    result = np.ones(rows.n_records, dtype=bool)
    np.logical_and.at(result, np.repeat(np.arange(rows.n_records), np.diff(rows.start)), holds)
    return result


def draw_directions(generator: np.random.Generator, number: int, n_parameters: int) -> FloatArray:
    """Draw directions with their kinds (see `search_lines`)."""
    kinds = generator.choice(4, size=number, p=[0.1, 0.35, 0.25, 0.3])
    directions = generator.normal(size=(number, n_parameters))
    corners = np.eye(n_parameters)[generator.integers(n_parameters, size=number)]
    directions[kinds == 3] = corners[kinds == 3]
    return np.column_stack([kinds, directions])
