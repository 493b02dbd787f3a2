"""One published table: its cells, what was published of them, and what that says about sums of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkrisk.tables.evidence.domain import Domain, IntArray
from linkrisk.tables.evidence.mechanisms import Mechanism, Sampling

MOST_PEOPLE = 2**61
"""More than any population has: the largest count that cells which are not listed add up to."""


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable:
    """A table over some attributes, its cells in long form.

    Parameters
    ----------
    name
        What messages and results call it.
    attributes
        Its attributes.
    domain
        The categories.
    codes
        For each listed cell the places of its categories, one column an attribute; no cell twice.
    counts
        The published count of each listed cell; -1 for a suppressed one.
    low, high
        The least and the largest population count behind each listed cell.
    mechanism
        How the counts were made. A cell that is not listed was published as 0.
    """

    name: str
    attributes: tuple[str, ...]
    domain: Domain
    codes: IntArray
    counts: IntArray
    low: IntArray
    high: IntArray
    mechanism: Mechanism

    def __repr__(self) -> str:
        return f"<PublishedTable {self.name}: {len(self.counts)} cells over {', '.join(self.attributes)}>"

    @cached_property
    def zero_high(self) -> int:
        """The largest population count behind a cell published as 0."""
        return int(self.mechanism.bounds(np.zeros(1, dtype=np.int64))[1][0])

    @property
    def is_sample(self) -> bool:
        """Whether its counts are those of a sample."""
        return isinstance(self.mechanism, Sampling)

    def sums(self, names: Sequence[str], cells: IntArray) -> Sums:
        """Return what the table says about population counts of cells over some of its attributes.

        Parameters
        ----------
        names
            Some of its attributes.
        cells
            Numbers of cells over ``names``, see `Domain`.

        *Guarantee*: the population count of each cell is from ``low`` to ``high``: the sum of the least, or largest,
        counts of the table's cells it consists of, those not listed included.
        """
        keys = self.domain.keys(self.codes, self.attributes, names)
        occurring, place = np.unique(keys, return_inverse=True)
        listed = np.bincount(place, minlength=len(occurring))
        columns = (self.low, self.high, np.maximum(self.counts, 0), (self.counts != 0).astype(np.int64))
        totals = [_sum(place, values, len(occurring)) for values in columns]
        n_cells = self.domain.n_cells(self.attributes) // self.domain.n_cells(names)
        at = np.minimum(np.searchsorted(occurring, cells), max(len(occurring) - 1, 0))
        is_known = occurring[at] == cells if len(occurring) else np.zeros(len(cells), dtype=bool)
        low, high, published, positive, known = (
            np.where(is_known, total[at], 0) if len(occurring) else np.zeros(len(cells), dtype=np.int64)
            for total in (*totals, listed)
        )
        if self.is_sample:  # the sample of a sum of cells is one of the sum: its bounds are not those of cells added up
            low, high = self.mechanism.bounds(published)
        else:
            unlisted = np.minimum(n_cells - known, MOST_PEOPLE // max(self.zero_high, 1))  # or it would overflow
            high = high + unlisted * self.zero_high
        return Sums(published, low, high, positive, n_cells)


@dataclass(frozen=True, eq=False)
class Sums:
    """Published counts of cells added up: their sum, its bounds, and of how many cells each sum consists.

    ``n_positive`` of the ``n_cells`` cells were published as something else than 0.
    """

    published: IntArray
    low: IntArray
    high: IntArray
    n_positive: IntArray
    n_cells: int


def _sum(place: IntArray, values: IntArray, n: int) -> IntArray:
    result = np.zeros(n, dtype=np.int64)
    np.add.at(result, place, values)
    return result
