"""Numbers of people in bins: all of them, or so that none is told where there are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.assessment.survey.breakdown import hidden_cells
from linkrisk.report.tables import Table, make_columns

SMALLEST = 10
"""Fewest people in a bin that may be shown to others."""


@dataclass(frozen=True)
class Bin:
    """People whose figure is above ``low`` and at most ``high``; None where it is not told how many they are."""

    low: float
    high: float
    people: int | None


@dataclass(frozen=True)
class Bins:
    """Bins side by side; those that do not tell how many people they have hold ``hidden`` together."""

    bins: tuple[Bin, ...]
    hidden: int = 0

    @classmethod
    def of(
        cls, figures: FloatArray, edges: Sequence[float], *, smallest: int = 0, parted_at: float | None = None
    ) -> Bins:
        """Count figures between edges; the first bin holds its lower end, too. NaN does not count.

        Bins with fewer than ``smallest`` people, empty ones among them, are hidden with others by which they could be
        told from the total, as rows of a table are. Where it is known besides how many figures are above the edge
        ``parted_at``, either side has a total of its own, and is hidden by itself. Cost: a sort of the figures.

        *Guarantee* (docs/mathematics.md#suppressed-bins): no bin shown has fewer people, and neither have the bins
        hidden on one side together, which is all that is told of them, unless the side itself has fewer.

        >>> found = Bins.of(np.repeat([0.1, 0.5, 0.9], [20, 3, 15]), [0.0, 0.4, 0.8, 1.0], smallest=10)
        >>> [each.people for each in found.bins], found.hidden
        ([20, None, None], 18)
        """
        ends = np.asarray(edges, dtype=np.float64)
        places = np.searchsorted(ends[1:-1], figures[~np.isnan(figures)], side="left")
        counts = np.bincount(places, minlength=len(ends) - 1)
        is_hidden = _hidden(counts, ends, smallest, parted_at)
        bins = tuple(
            Bin(float(low), float(high), None if hides else int(count))
            for low, high, count, hides in zip(ends[:-1], ends[1:], counts, is_hidden, strict=True)
        )
        return cls(bins, int(counts[is_hidden].sum()))

    @property
    def n_hidden(self) -> int:
        """Number of bins that are not told apart."""
        return sum(each.people is None for each in self.bins)

    def note_of(self, what: str = "people") -> str:
        """Return a sentence on what is hidden, after a space; nothing where nothing is."""
        if not self.n_hidden:
            return ""
        return (
            f" Bins with fewer than {SMALLEST} {what} are not told, nor others by which they could be told: "
            f"{self.n_hidden} bins with {self.hidden} {what} together."
        )

    def table(self, head: str, title: str, *, counted: str = "people", is_percent: bool = False) -> Table:
        """Return one row per bin."""
        rows = (
            (_range(each, is_percent=is_percent), "not told" if each.people is None else str(each.people))
            for each in self.bins
        )
        return Table(make_columns((head,), (counted,)), tuple(rows), title)


def _hidden(counts: IntArray, ends: FloatArray, smallest: int, parted_at: float | None) -> BoolArray:
    is_upper = np.zeros(len(counts), dtype=bool) if parted_at is None else ends[:-1] >= parted_at
    hidden = np.zeros(len(counts), dtype=bool)
    for side in (is_upper, ~is_upper):
        hidden[side] = hidden_cells(counts[side], smallest)
    return hidden


def _range(each: Bin, *, is_percent: bool) -> str:
    """Write the range of a bin."""
    return f"{each.low:.0%} to {each.high:.0%}" if is_percent else f"{each.low:g} to {each.high:g}"
