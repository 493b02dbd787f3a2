"""Strengths of protections from weak to strong, as `linkrisk.tune` tries them."""

from __future__ import annotations

from linkrisk.errors import ParameterError

CLUSTER_SIZES = (*range(2, 20), *range(20, 50, 3), *range(50, 100, 8), *range(100, 1001, 50))
PERCENTAGES = (
    *(0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 20.0),
    *(22.0, 25.0, 28.0, 32.0, 36.0, 40.0, 45.0, 50.0, 56.0, 64.0, 72.0, 80.0, 90.0, 100.0),
)
NOISE = (*PERCENTAGES, 112.0, 125.0, 140.0, 160.0, 180.0, 200.0, 225.0, 250.0, 280.0, 320.0, 360.0, 400.0)


def cluster_sizes(n_records: int) -> tuple[float, ...]:
    """Return every k of the ladder with which there are at least two clusters.

    >>> cluster_sizes(9)
    (2, 3, 4)
    """
    sizes = tuple(size for size in CLUSTER_SIZES if 2 * size <= n_records)
    if not sizes:
        raise ParameterError(f"{n_records} records are too few to microaggregate; at least 4 are needed")
    return sizes


def rank_percentages(n_records: int) -> tuple[float, ...]:
    """Return every percentage of the ladder that is at least one rank: less is no swap.

    >>> rank_percentages(50)[0]
    2.0
    """
    return tuple(p for p in PERCENTAGES if p * n_records >= 100.0)


def noise_percentages(n_records: int) -> tuple[float, ...]:  # noqa: ARG001  (a ladder is asked with it)
    """Return every percentage of the standard deviation of the ladder, from no noise to four times the data."""
    return NOISE
