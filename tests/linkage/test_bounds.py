"""The bound of a tree node against the distances of everybody in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkrisk.attackers import Choquet
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.distances import Distance
from linkrisk.linkage.distance_kernels import SLACK, least_distances, make_buffers
from linkrisk.linkage.points import make_points
from linkrisk.linkage.search import distances, nearest, with_metric
from tests.linkage.attackers import MONOTONE, random_attacker
from tests.linkage.files import ORDER, WORDS, label_column, numeric_files, paired


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


def check_bounds(distance: Distance) -> None:
    """No bound is above the distance to a point of its node."""
    points = make_points(distance)
    cloud = points.cloud
    assert len(cloud.ranges) > 10
    everybody = distances(distance)
    by_point = np.empty((len(everybody), points.n_points))
    by_point[:, points.point_of] = everybody
    queries, metric = with_metric(distance, np.arange(len(everybody)))
    buffers = make_buffers(queries.shape[1])
    for i in range(len(everybody)):
        for child in cloud.children[cloud.children >= 0].tolist():
            least_distances(metric, queries, i, cloud.low, cloud.high, cloud.holes, child, buffers)
            for node, bound in enumerate(buffers.values[:2].tolist(), start=child):
                start, stop = cloud.ranges[node]
                nearest = by_point[i, start:stop].min()
                assert SLACK * bound <= nearest


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*MONOTONE, "kernel"])
@pytest.mark.parametrize("is_mixed", [False, True])
def test_least_distances_keep_their_guarantee(kind: str, is_mixed: bool) -> None:
    """For the monotone rules and the kernel, heavy tails, holes and labels included."""
    comparison = make_comparison(many_records(1, is_mixed=is_mixed))
    for seed in range(2):
        check_bounds(random_attacker(kind, np.random.default_rng(seed), comparison.names).distance(comparison))


def test_least_distances_keep_their_guarantee_for_the_sparse_choquet() -> None:
    """The rule for more than 16 attributes, with positive and negative Möbius values."""
    rng = np.random.default_rng(0)
    comparison = make_comparison(numeric_files(rng.normal(size=(8, 17)), rng.normal(size=(800, 17)), np.arange(8)))
    values: dict[str | tuple[str, ...] | frozenset[str], float] = dict.fromkeys(comparison.names, 1.8 / 17)
    values |= {(f"V{k}", f"V{k + 1}"): -0.05 for k in range(1, 17)}
    check_bounds(Choquet(mobius=values, additivity=2).distance(comparison))


@pytest.mark.parametrize("seed", range(5))
def test_mobius_values_short_of_monotone_are_linked_alike(seed: int) -> None:
    """Printed values may be off by 1e-9; they are made monotone, so that a tree passes over nobody who is nearer."""
    rng = np.random.default_rng(seed)
    protected = np.zeros((600, 17))
    protected[:, 0] = rng.choice([0.0, 1.0, -1.0], size=600) * rng.uniform(0.5, 1.0, size=600) + 5.0 * rng.integers(
        0, 2, 600
    )
    protected[:, 1] = 1.0 + rng.uniform(0.0, 1e-10, size=600) + 3.0 * rng.integers(0, 2, 600)
    protected[:3, 0], protected[:3, 1] = [0.0, 1.0, 0.0], np.sqrt([1.0 - 5e-10, 1.0, 1.0 - 2e-10])
    comparison = make_comparison(numeric_files(rng.normal(size=(1, 17)), rng.normal(size=(600, 17)), [0]))
    coordinates = replace(comparison.coordinates, original=np.zeros((1, 17)), protected=protected)
    attacker = Choquet(mobius={"V1": 0.5, "V2": 1.0, ("V1", "V2"): -0.5 - 9e-10}, additivity=2)
    distance = attacker.distance(replace(comparison, coordinates=coordinates))
    tree, everybody = (nearest(distance, method=method, is_ranking=True) for method in ("tree", "all"))
    for name in ("own", "nearest_other", "is_beaten", "tied", "twins", "strangers", "rank"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(everybody, name), err_msg=name)
