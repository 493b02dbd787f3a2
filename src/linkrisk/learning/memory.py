"""What learning needs of memory, before it begins: rows of pairs of records, which grow with the square of these.

Measured: with weights of 7 attributes nine tenths of the memory are rows, 12 bytes for each entry in the list, and some
60 more for each parameter where boxes are searched. So a few records tell how many rows there will be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.engine.memory import available_memory
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.learning.problem.row_kernels import LOST, minimal_rows
from linkrisk.linkage.ties import Ties

USABLE = 0.5
"""Share of the memory available that rows may take; the rest is for what is made of them, and for others."""

ENTRY_BYTES, ROW_BYTES = 12, 48
"""Bytes of an entry of a row in the list, and of a row besides (its point and length, twice while they are joined)."""

BOX_ENTRY_BYTES, BOX_ROW_BYTES = 64, 48
"""Bytes for each parameter of a row, and for the row, that a search of boxes takes besides: copies by rows and columns,
errors, and the lists of its lanes."""

ENTRIES_PER_ATTRIBUTE = 2
"""A row has at most so many entries for each attribute, however many parameters there are: rows of a measure have an
entry for each subset that one of its two records reaches."""

PILOT = 64
"""Records whose rows are counted to know how many there are."""

SAFETY = 1.25
"""What others may need more than those tried."""

LEAST_PEOPLE = 100
"""People to learn from, at least."""


@dataclass(frozen=True, eq=False, repr=False)
class PeopleSample:
    """Original records to learn from where memory does not suffice for all, and why: bytes needed and available."""

    rows: IntArray
    n_people: int
    needed: int
    available: int

    def __str__(self) -> str:
        return (
            f"learned on a sample of {len(self.rows):,} of {self.n_people:,} people, counted on all: all would need "
            f"{_gigabytes(self.needed)} of memory, and {_gigabytes(self.available)} are free"
        )


def sample_that_fits(
    family: Family, comparison: Comparison, ties: Ties, tolerance: float, seed: int
) -> PeopleSample | None:
    """Return people to learn from if the rows of all would take more memory than there is; None if all fit.

    Forms make their rows when they are needed, and fit. Cost: nothing where all pairs would fit; otherwise the pairs of
    some records are compared.
    """
    free = available_memory()
    people = np.flatnonzero(comparison.coordinates.own >= 0)
    if family.is_signed or free is None or len(people) <= LEAST_PEOPLE:
        return None
    bytes_per_row = row_bytes(family, comparison.n_attributes)
    budget = int(USABLE * free)
    if len(people) * len(comparison.coordinates.protected) * bytes_per_row <= budget:
        return None
    random = np.random.default_rng(seed)
    drawn = random.permutation(people)
    n_rows = rows_per_record(family, comparison, drawn[:PILOT], ties, tolerance)
    needed = int(SAFETY * n_rows * bytes_per_row * len(people))
    if needed <= budget:
        return None
    n_kept = max(LEAST_PEOPLE, int(len(people) * budget / needed))
    return PeopleSample(np.sort(drawn[:n_kept]), len(people), needed, free)


def row_bytes(family: Family, n_attributes: int) -> int:
    """Return the bytes of a row in the list."""
    n_parameters = family.parameter_set(n_attributes).n_parameters
    return ENTRY_BYTES * min(n_parameters, ENTRIES_PER_ATTRIBUTE * n_attributes) + ROW_BYTES


def boxes_fit(n_rows: int, n_parameters: int) -> bool:
    """Whether there is memory for a search of boxes on rows that are listed already."""
    free = available_memory()
    return free is None or n_rows * (BOX_ENTRY_BYTES * n_parameters + BOX_ROW_BYTES) <= USABLE * free


def rows_per_record(family: Family, comparison: Comparison, people: IntArray, ties: Ties, tolerance: float) -> float:
    """Return how many rows presolve leaves of a record, on average over some people."""
    pairs = Pairs(comparison)
    kept = np.empty(len(pairs.row_of), dtype=np.int64)
    total = 0
    for i in people.tolist():
        d = pairs.differences(i)
        is_dropped, profile = pairs.dropped(i, d, ties), family.profile(d)
        if profile is None:
            total += int((~is_dropped).sum())
            continue
        found = minimal_rows(profile, profile[pairs.own[i]], is_dropped, tolerance, kept)
        total += 0 if found == LOST else found
    return total / max(1, len(people))


def _gigabytes(amount: int) -> str:
    """Write a number of bytes.

    >>> _gigabytes(7_340_000_000)
    '7.3 GB'
    """
    return f"{amount / 1e9:.1f} GB" if amount >= 1e8 else f"{amount / 1e6:.0f} MB"
