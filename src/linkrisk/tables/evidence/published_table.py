"""One published table: its cells, their published counts, and what these say about sums of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.mechanisms import Mechanism, Sampling

MOST_PEOPLE = 2**61
"""Limit for the sum of cells that are not listed: more people than any population has."""


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTable:
    """A published table over some attributes, one row per cell.

    Parameters
    ----------
    name
        Name in messages and results.
    attributes
        Its attributes.
    domain
        The categories of all attributes.
    codes
        The places of the categories of each listed cell, one column per attribute; no cell is listed twice.
    counts
        The published count of each listed cell; -1 for a suppressed count.
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
        """The largest population count of a cell that is published as 0."""
        return int(self.mechanism.bounds(np.zeros(1, dtype=np.int64))[1][0])

    @property
    def is_sample(self) -> bool:
        """Whether the counts are those of a sample."""
        return isinstance(self.mechanism, Sampling)

    def sums(self, names: Sequence[str], cells: IntArray) -> Sums:
        """Return what the table says about population counts of cells over some of its attributes.

        Parameters
        ----------
        names
            Some of its attributes.
        cells
            Numbers of cells over ``names``; see `Domain`.

        *Guarantee* (docs/mathematics.md#mechanism-bounds): the population count of each cell is between ``low`` and
        ``high``: the sums of the least and of the largest counts of the table's cells of which it consists, including
        cells that are not listed.
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
        if self.is_sample:  # what was drawn of several cells together bounds their sum more tightly than added bounds
            low, high = self.mechanism.bounds(published)
        else:
            unlisted = np.minimum(n_cells - known, MOST_PEOPLE // max(self.zero_high, 1))  # so that it cannot overflow
            high = high + unlisted * self.zero_high
        return Sums(published, low, high, positive, n_cells)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of cells: the sum of their published counts, the bounds of the population count, the number of cells.

    Each sum has ``n_cells`` cells; ``n_positive`` of them were published as something other than 0.
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
