"""What need not be done twice: scales on which two files look the same, and distances that differ by a factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attack.result import Attack, OneToOne
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import Coordinates
from linkrisk.differences.scale import Scale
from linkrisk.distances.distance import Distance, Rule

ROUNDING = 2.0**-40
"""Relative difference of weights that rounding alone may have made."""

Linked = tuple[OneToOne | None, FloatArray | None]
"""Links one to one, and how likely each record is found by them."""


@dataclass
class LinkedBefore:
    """Links one to one by the distances of one run, found again for a distance that is a multiple of an earlier one.

    A factor changes neither the assignment of least total nor, because the temperature grows with it, the posterior;
    of assignments that are equally good another might have been taken. An attacker who learns mostly meets this: he
    ends where he started where others were there already.
    """

    _known: list[tuple[Distance, Linked]] = field(default_factory=list)

    def find(self, distance: Distance) -> Linked | None:
        """Return what was found by a multiple of a distance."""
        return next((linked for other, linked in self._known if is_multiple(distance, other)), None)

    def keep(self, distance: Distance, linked: Linked) -> None:
        """Keep what was found by a distance."""
        if distance.rule is Rule.WEIGHTED:
            self._known.append((distance, linked))


def is_multiple(distance: Distance, other: Distance) -> bool:
    """Whether two distances are sums of the same differences, with weights that differ by a factor alone.

    >>> from linkrisk.differences.coordinates import numeric_coordinates
    >>> files = numeric_coordinates(np.zeros((2, 2)), np.zeros((2, 2)), np.arange(2))
    >>> light = Distance(Rule.WEIGHTED, np.array([0.1, 0.3]), files, np.ones(2))
    >>> [is_multiple(light, replace(light, theta=np.array(theta))) for theta in ([1.0, 3.0], [3.0, 1.0])]
    [True, False]
    """
    if not (distance.rule is other.rule is Rule.WEIGHTED and distance.coordinates is other.coordinates):
        return False
    if distance.tolerance != other.tolerance or distance.compared is not other.compared:
        return False
    totals = distance.theta.sum(), other.theta.sum()
    if min(totals) <= 0.0:
        return False
    here, there = (each.theta / total for each, total in zip((distance, other), totals, strict=True))
    return bool(np.allclose(here, there, rtol=ROUNDING, atol=0.0))


def scales_alike(comparisons: Mapping[Scale, Comparison]) -> dict[Scale, Scale]:
    """Return for each scale the first on which the files have the same numbers: maybe itself.

    Scales differ in how numbers are put beside each other. Categories are the same on all of them, and numbers of which
    protection has kept the margins, as swapping does, are the same whether both files or each are standardised.
    """
    first: dict[Scale, Scale] = {}
    for scale, comparison in comparisons.items():
        alike = (other for other in first.values() if _is_same(comparison.coordinates, comparisons[other].coordinates))
        first[scale] = next(alike, scale)
    return first


def _is_same(here: Coordinates, there: Coordinates) -> bool:
    """Whether two pairs of files are the same, number by number; texts never change."""
    arrays = [each.name for each in fields(Coordinates) if each.name != "texts"]
    return all(np.array_equal(getattr(here, name), getattr(there, name), equal_nan=True) for name in arrays)


def on_scale(made: Attack, scale: Scale) -> Attack:
    """Return an attack as one on another scale, on which the files are the same."""
    result, record = replace(made.result, scale=str(scale)), replace(made.record, scale=str(scale))
    return replace(made, result=result, record=record)
