"""Rivals of people: protected records that are near them by some parameters, found when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.linkage.candidates import Candidates

LISTED = 3
"""Nearest protected records that are rivals, by each of the parameters."""

NOBODY = -1
"""In place of rivals that were not looked for yet."""

HEAVY, LIGHT = 1.0, 0.05
"""Parameters by which rivals are looked for: one of them heavy, the others light."""


class Rivals:
    """The nearest protected records of each person by several parameters.

    Any rivals will do for a bound; those that are near by many parameters rule people out in large boxes. What is kept
    grows with the protected records and the number of parameters, not with the people.
    """

    def __init__(
        self, family: Family, comparison: Comparison, thetas: Sequence[FloatArray], threads: int | None
    ) -> None:
        self._family = family
        self._comparison = comparison
        self._threads = threads
        self._thetas = list(thetas)
        self._searches: list[Candidates] = []
        self._kept: NDArray[np.int32] | None = None

    def look_along(self, theta: FloatArray) -> None:
        """Look for rivals by further parameters, too."""
        self._thetas.append(theta)

    def of(self, people: IntArray) -> IntArray:
        """Return the rivals of some people, a sorted row each, in which some may come twice; kept for the next time."""
        for theta in self._thetas[len(self._searches) :]:  # trees are made when they are first needed
            self._searches.append(Candidates(self._family.distance(theta, self._comparison), self._threads))
        width = min(LISTED, len(self._comparison.coordinates.protected)) * len(self._searches)
        if self._kept is None or self._kept.shape[1] != width:
            self._kept = np.full((len(self._comparison.coordinates.original), width), NOBODY, dtype=np.int32)
        missing = people[self._kept[people, 0] == NOBODY]
        if len(missing):
            self._kept[missing] = self._found(missing)
        return self._kept[people].astype(np.int64)

    def _found(self, people: IntArray) -> IntArray:
        length = min(LISTED, len(self._comparison.coordinates.protected))
        found = [search.find(people, length)[1] for search in self._searches]
        rows = np.concatenate(found, axis=1)
        rows.sort(axis=1)
        return np.ascontiguousarray(rows)


def directions(n_parameters: int) -> list[FloatArray]:
    """Return parameters to look along first: all alike, and each heavy in its turn.

    >>> [theta.tolist() for theta in directions(2)]
    [[1.0, 1.0], [1.0, 0.05], [0.05, 1.0]]
    """
    heavy = [np.where(np.arange(n_parameters) == k, HEAVY, LIGHT) for k in range(n_parameters)]
    return [np.ones(n_parameters), *(heavy if n_parameters > 1 else [])]
