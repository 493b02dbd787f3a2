"""Unique matches: combinations of overlap categories that occur in exactly one record of every sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.evidence.evidence import Evidence, Sample


@dataclass(frozen=True, eq=False, repr=False)
class UniqueMatches:
    """The overlap cells with a unique match, and for each its record in every sample (a column per sample, from 0)."""

    cells: IntArray
    records: IntArray

    def __repr__(self) -> str:
        return f"<UniqueMatches: {len(self.cells)}>"

    def __len__(self) -> int:
        return len(self.cells)


def unique_matches(evidence: Evidence) -> UniqueMatches:
    """Return the overlap cells in which every sample has exactly one record.

    Cost: a sort of each sample.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.tables.evidence.reading import make_evidence
    >>> first = pd.DataFrame({"sex": ["f", "f", "m"], "age": ["20", "30", "20"]})
    >>> second = pd.DataFrame({"sex": ["m", "f", "f"], "job": ["baker", "nurse", "baker"]})
    >>> found = unique_matches(make_evidence([first, second], population=10))
    >>> found.records.tolist()  # the men: row 2 of the first, row 0 of the second
    [[2, 0]]
    """
    found = [_single(evidence, sample) for sample in evidence.samples]
    cells = reduce(np.intersect1d, (cells for cells, _ in found))
    records = [rows[np.searchsorted(own, cells)] for own, rows in found]
    return UniqueMatches(cells.astype(np.int64), np.column_stack(records).astype(np.int64))


def _single(evidence: Evidence, sample: Sample) -> tuple[IntArray, IntArray]:
    """Return the cells in which a sample has exactly one record, in increasing order, and these records."""
    keys = evidence.domain.keys(sample.codes, sample.attributes, evidence.overlap)
    cells, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return cells[counts == 1], first[counts == 1]
