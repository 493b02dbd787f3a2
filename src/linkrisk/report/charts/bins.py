"""Numbers of people in bins: all of them, or so that none is told where there are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.assessment.survey.breakdown import hidden_cells
from linkrisk.report.few import SMALLEST
from linkrisk.report.tables import Table, make_columns


@dataclass(frozen=True)
class Bin:
    """People whose figure is from ``low`` to below ``high``; None where it is not told how many they are."""

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
        """Count figures between edges; the last bin holds its upper end, too. NaN does not count.

        Bins of fewer than ``smallest`` people are hidden with others by which they could be told from the total, as
        rows of a table are. Empty bins tell of nobody, and are shown, unless a single bin would be left among them.
        Where it is known besides how many figures reach the edge ``parted_at``, either side has a total of its own,
        and is hidden by itself. Cost: that of sorting the figures into bins.

        *Guarantee* (docs/mathematics.md#suppressed-bins): no bin that is shown holds from 1 to ``smallest`` - 1 people,
        and neither do the bins hidden on one side together, which is all that is told of them, unless the side itself
        does; then all its bins are hidden.

        >>> found = Bins.of(np.repeat([0.1, 0.5, 0.9], [20, 3, 15]), [0.0, 0.4, 0.8, 1.0], smallest=10)
        >>> [each.people for each in found.bins], found.hidden
        ([20, None, None], 18)
        """
        ends = np.asarray(edges, dtype=np.float64)
        places = np.searchsorted(ends[1:-1], figures[~np.isnan(figures)], side="right")
        counts = np.bincount(places, minlength=len(ends) - 1)
        is_hidden = _hidden(counts, ends, smallest, parted_at)
        bins = tuple(
            Bin(float(low), float(high), None if hides else int(count))
            for low, high, count, hides in zip(ends[:-1], ends[1:], counts, is_hidden, strict=True)
        )
        return cls(bins, int(counts[is_hidden].sum()))

    @classmethod
    def telling(
        cls, figures: FloatArray, choices: Sequence[Sequence[float]], *, parted_at: float | None = None
    ) -> Bins:
        """Return bins that others may see, by the first edges for which most people are in bins that tell of them.

        >>> found = Bins.telling(np.repeat([0.1, 0.4], [40, 3]), [[0.0, 0.2, 1.0], [0.0, 0.5, 1.0]])
        >>> [each.people for each in found.bins]
        [43, 0]
        """
        found = [cls.of(figures, edges, smallest=SMALLEST, parted_at=parted_at) for edges in choices]
        return next((bins for bins in found if 2 * bins.hidden <= np.isfinite(figures).sum()), found[-1])

    @property
    def n_hidden(self) -> int:
        """Number of bins that are not told apart."""
        return sum(each.people is None for each in self.bins)

    def note_of(self, what: str = "people") -> str:
        """Return a sentence on what is hidden, after a space; nothing where nothing is."""
        if not self.n_hidden:
            return ""
        return (
            f" Bins with fewer than {SMALLEST} {what} are hidden, and others by which they could be told: "
            f"{self.n_hidden} bins with {self.hidden:,} {what} together."
        )

    def table(self, head: str, title: str, *, counted: str = "people", is_percent: bool = False) -> Table:
        """Return one row per bin."""
        rows = (
            (_range(each, is_percent=is_percent), "hidden" if each.people is None else f"{each.people:,}")
            for each in self.bins
        )
        return Table(make_columns((head,), (counted,)), tuple(rows), title)


def _hidden(counts: IntArray, ends: FloatArray, smallest: int, parted_at: float | None) -> BoolArray:
    is_upper = np.zeros(len(counts), dtype=bool) if parted_at is None else ends[:-1] >= parted_at
    hidden = np.zeros(len(counts), dtype=bool)
    for side in (is_upper, ~is_upper):
        hidden[side] = _hidden_side(counts[side], smallest)
    return hidden


def _hidden_side(counts: IntArray, smallest: int) -> BoolArray:
    """Tell which bins of known total are hidden: as cells are, empty ones only where too few would be hidden else."""
    hidden = np.zeros(len(counts), dtype=bool)
    people = counts > 0
    hidden[people] = hidden_cells(counts[people], smallest)
    if hidden.any() and (hidden.sum() < 2 or counts[hidden].sum() < smallest):
        hidden[:] = True
    return hidden


def _range(each: Bin, *, is_percent: bool) -> str:
    """Write the range of a bin."""
    return f"{each.low:.0%} to {each.high:.0%}" if is_percent else f"{each.low:g} to {each.high:g}"


def even_edges(low: float, number: int) -> list[float]:
    """Return the edges of so many bins of one width, up to 1.

    >>> even_edges(-1.0, 4)
    [-1.0, -0.5, 0.0, 0.5, 1.0]
    """
    return [float(edge) for edge in np.linspace(low, 1.0, number + 1).round(6)]
