"""The categories of every attribute, from all samples and tables together, and the numbers of cells made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.errors import ColumnError

MOST_CELLS = 2**62
"""Number of cells up to which 64-bit integers can number them, with room to spare."""


@dataclass(frozen=True)
class Domain:
    """The categories of each attribute, from all files together, in alphabetical order.

    A cell of a table over some attributes is one category of each. Its number follows from the places of the categories
    among those of their attribute, the last attribute running fastest. Only cells that occur are held in memory.

    >>> domain = Domain({"sex": ("f", "m"), "age": ("old", "young")})
    >>> domain.n_cells(["sex", "age"]), domain.labels(["sex", "age"], 2)
    (4, ('m', 'old'))
    """

    categories: Mapping[str, tuple[str, ...]]

    def sizes(self, names: Sequence[str]) -> list[int]:
        """Return the number of categories of each attribute."""
        return [len(self.categories[name]) for name in names]

    def n_cells(self, names: Sequence[str]) -> int:
        """Return the number of cells of a table over some attributes."""
        return math.prod(self.sizes(names))

    def keys(self, codes: IntArray, have: Sequence[str], want: Sequence[str]) -> IntArray:
        """Return the numbers of cells over the attributes ``want``, from the places of categories of ``have``."""
        if self.n_cells(want) > MOST_CELLS:
            raise ColumnError(
                f"the {len(want)} attributes {', '.join(want)} have more combinations than can be numbered; use fewer "
                "attributes or coarser categories"
            )
        keys = np.zeros(len(codes), dtype=np.int64)
        for name in want:
            keys = keys * len(self.categories[name]) + codes[:, list(have).index(name)]
        return keys

    def codes(self, names: Sequence[str], keys: IntArray) -> IntArray:
        """Return the places of the categories of numbered cells, one column per attribute."""
        codes = np.empty((len(keys), len(names)), dtype=np.int64)
        rest = keys.copy()
        for place in reversed(range(len(names))):
            rest, codes[:, place] = np.divmod(rest, len(self.categories[names[place]]))
        return codes

    def labels(self, names: Sequence[str], key: int) -> tuple[str, ...]:
        """Return the categories of a numbered cell."""
        codes = self.codes(names, np.array([key]))[0]
        return tuple(self.categories[name][code] for name, code in zip(names, codes, strict=True))
