"""Linking by double loop, with the rule for ties: closer than a relative t is equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

TOLERANCE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Link:
    """What there is to know about one original record; ``own`` is None for one without counterpart."""

    own: Any
    nearest_other: Any
    second_other: Any
    others: tuple[int, ...]
    nearer: int
    tied: int
    twins: int
    strangers: int

    @property
    def is_beaten(self) -> bool:
        """Whether another record is nearer than its own."""
        return self.nearer > 0

    def gain(self, ties: str) -> Fraction:
        """Return what the record adds to the links: 0, 1, or a share of 1."""
        if self.own is None:
            return Fraction(0)
        against = self.nearer + self.tied if ties == "unique" else self.strangers
        if against:
            return Fraction(0)
        return Fraction(1, self.twins + 1) if ties == "expected" else Fraction(1)


def is_nearer(x: Any, y: Any, t: Any = TOLERANCE) -> bool:
    """Whether distance x is less than distance y by more than a relative t."""
    return bool(x < (1 - t) * y)


def link_record(distances: Sequence[Any], own: int, is_twin: Callable[[int], bool], t: Any = TOLERANCE) -> Link:
    """Look at all protected records one by one."""
    others = [j for j in range(len(distances)) if j != own]
    ordered = sorted(distances[j] for j in others)
    nearest = ordered[0] if ordered else None
    second = ordered[1] if len(ordered) > 1 else None
    best = tuple(j for j in others if distances[j] == nearest)
    if own < 0:
        return Link(None, nearest, second, best, 0, 0, 0, 0)
    mine = distances[own]
    nearer = [j for j in others if is_nearer(distances[j], mine, t)]
    tied = [j for j in others if j not in nearer and not is_nearer(mine, distances[j], t)]
    twins = [j for j in (*nearer, *tied) if is_twin(j)]
    strangers = len(nearer) + len(tied) - len(twins)
    if any(j not in twins for j in nearer):  # beaten for good: ties and twins no longer matter
        tied, twins = [], []
    return Link(mine, nearest, second, best, len(nearer), len(tied), len(twins), strangers)


def link_files(
    distance: Callable[[int, int], Any],
    is_twin: Callable[[int, int], bool],
    own: Sequence[int],
    n_protected: int,
    t: Any = TOLERANCE,
) -> list[Link]:
    """Link every original record."""
    return [
        link_record([distance(i, j) for j in range(n_protected)], own[i], partial(is_twin, i), t)
        for i in range(len(own))
    ]


def have_same_differences(mine: Sequence[Any], others: Sequence[Any], t: Any = TOLERANCE) -> bool:
    """Whether another record has the differences of the own record on every attribute: then it is its twin."""
    return not any(is_nearer(x, y, t) or is_nearer(y, x, t) for x, y in zip(mine, others, strict=True))
