"""The bound of a tree node against the distances of everybody in it."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.aggregate import Choquet, Distance
from linkrisk.compare import compare
from linkrisk.data.columns import FilePair, FloatArray
from linkrisk.link.nearest import distances, kernel_settings, with_tables
from linkrisk.link.points import Points, make_points
from linkrisk.link.search_kernels import BLOCK, SLACK, least_distance
from tests.link.attackers import MONOTONE, random_attacker
from tests.link.files import ORDER, WORDS, Kind, label_column, numeric_files, paired


def many_records(seed: int, *, is_mixed: bool) -> FilePair:
    """Enough records for a tree of some depth; mixed ones with holes."""
    rng = np.random.default_rng(seed)
    numbers = numeric_files(rng.normal(size=(20, 2)), rng.standard_t(2, size=(600, 2)), np.arange(20))
    if not is_mixed:
        return numbers
    for column in numbers.columns:
        column.protected[rng.integers(0, 600, 150)] = np.nan
        column.original[:4] = np.nan

    def labels(words: tuple[str | None, ...], n: int) -> list[str | None]:
        return [words[k] for k in rng.integers(0, len(words), n)]

    more = [
        label_column("c", Kind.NOMINAL, labels(("a", "b", None), 20), labels(("a", "b", "c", None), 600)),
        label_column("o", Kind.ORDINAL, labels((*ORDER, None), 20), labels((*ORDER, None), 600), inclusive=True),
        label_column("t", Kind.TEXT, labels((*WORDS, None), 20), labels((*WORDS, None), 600), missing_one=0.1),
    ]
    return paired([*numbers.columns, *more], np.arange(20))


def node_bounds(distance: Distance, points: Points, i: int, child: int) -> FloatArray:
    """Bounds of record i for a node and its sibling, as the search computes them."""
    coordinates = distance.coordinates
    n = coordinates.n_attributes
    queries, _, _ = with_tables(coordinates, np.arange(len(coordinates.original)))
    values = np.empty(BLOCK)
    least_distance(
        int(distance.rule), coordinates.is_plain, queries, i, points.low, points.high, points.holes, child,
        distance.theta, distance.subsets, coordinates.measures, kernel_settings(coordinates),
        np.empty((n, BLOCK)), values, np.empty(n), np.empty(n, dtype=np.int64),
    )  # fmt: skip
    return values[:2] * SLACK


def check_bounds(distance: Distance) -> None:
    """No bound is above the distance to a point of its node."""
    points = make_points(distance)
    assert len(points.ranges) > 10
    everybody = distances(distance)
    by_point = np.full((len(everybody), points.n_points), np.inf)
    np.minimum.at(by_point, (slice(None), points.point_of), everybody)
    for i in range(len(everybody)):
        for child in points.children[points.children >= 0].tolist():
            for node, bound in enumerate(node_bounds(distance, points, i, child).tolist(), start=child):
                start, stop = points.ranges[node]
                assert bound <= by_point[i, start:stop].min()


@pytest.mark.parametrize("kind", [*MONOTONE, "kernel"])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_least_distance_keeps_its_guarantee(kind: str, is_mixed: bool) -> None:
    """For the monotone rules and the kernel, heavy tails, holes and labels included."""
    comparison = compare(many_records(1, is_mixed=is_mixed))
    for seed in range(2):
        check_bounds(random_attacker(kind, np.random.default_rng(seed), comparison.names).distance(comparison))


def test_least_distance_keeps_its_guarantee_for_the_sparse_choquet() -> None:
    """The rule for more than 16 attributes, with positive and negative Möbius values."""
    rng = np.random.default_rng(0)
    comparison = compare(numeric_files(rng.normal(size=(8, 17)), rng.normal(size=(400, 17)), np.arange(8)))
    values: dict[str | tuple[str, ...] | frozenset[str], float] = {name: 1.8 / 17 for name in comparison.names}
    values |= {(f"V{k}", f"V{k + 1}"): -0.05 for k in range(1, 17)}
    check_bounds(Choquet(mobius=values, additivity=2).distance(comparison))
