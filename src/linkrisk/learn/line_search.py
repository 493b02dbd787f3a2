"""Exact line search: a very good theta in little time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.data.columns import FloatArray
from linkrisk.learn.line_kernels import count_clear_links, search_lines
from linkrisk.learn.rows import Rows
from linkrisk.learn.search import Clock

BATCH = 50
"""Directions between two looks at the clock."""


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
    """Improve theta >= 0 along seeded random lines, each followed to its deepest point.

    Along a line every record is linked on one interval, so the best point of the line is found by sorting the ends of
    the intervals: no step size, no local optimum on a line. Starts at equal parameters unless told where.

    Guarantee: ``links`` are made by ``theta`` in exact arithmetic (see `count_clear_links`).
    """
    clock = clock or Clock()
    generator = np.random.default_rng(seed)
    start_point = np.ones(rows.n_parameters) if theta is None else theta / theta.max()
    weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
    arrays = (np.ascontiguousarray(rows.values), rows.start, weight)
    point = LinePoint(start_point, count_clear_links(*arrays, start_point))
    for _ in range(0, n_directions, BATCH):
        if clock.must_stop() or point.links >= weight.sum():
            break
        directions = draw_directions(generator, min(BATCH, n_directions), rows.n_parameters)
        found, links, _ = search_lines(*arrays, point.theta, point.links, directions)
        point = LinePoint(found, float(links))
    return point


def draw_directions(generator: np.random.Generator, number: int, n_parameters: int) -> FloatArray:
    """Draw directions with their kinds (see `search_lines`)."""
    kinds = generator.choice(4, size=number, p=[0.1, 0.35, 0.25, 0.3])
    directions = generator.normal(size=(number, n_parameters))
    corners = np.eye(n_parameters)[generator.integers(n_parameters, size=number)]
    directions[kinds == 3] = corners[kinds == 3]
    return np.column_stack([kinds, directions])
