"""What each attribute gives away, by definition: the double loop over the differences of some attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracle.distances import mean
from tests.oracle.linking import have_same_differences, link_files


def links_with(
    differences: Callable[[int, int], list[Any]],
    kept: Sequence[int],
    own: Sequence[int],
    n_protected: int,
    ties: str,
    people: Sequence[int] | None = None,
) -> Fraction:
    """Links of the mean of the attributes ``kept``, of all original records or some; ``differences`` are of all."""

    def d(i: int, j: int) -> list[Any]:
        every = differences(i, j)
        return [every[k] for k in kept]

    links = link_files(
        lambda i, j: mean(d(i, j)), lambda i, j: have_same_differences(d(i, own[i]), d(i, j)), own, n_protected
    )
    chosen = range(len(own)) if people is None else people
    return sum((links[i].gain(ties) for i in chosen), Fraction(0))
