"""Everything the intruder holds, with its cells numbered: samples, published tables, the size of the population."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.result import DEFAULT_FRAME
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.mechanisms import Sampling
from linkrisk.tables.evidence.published_table import PublishedTable


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """The records of a simple random sample: places of categories, one row per record, one column per attribute.

    ``ids`` tell who is who, where the samples have a column for it.
    """

    name: str
    attributes: tuple[str, ...]
    codes: IntArray
    ids: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"<Sample {self.name}: {len(self.codes)} records, {', '.join(self.attributes)}>"

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.codes)


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """What the intruder holds.

    ``overlap`` are the attributes by which records are matched: every sample has them. ``population`` is the number of
    people. ``tables`` are the published tables; the samples are not among them.
    """

    domain: Domain
    population: int
    overlap: tuple[str, ...]
    samples: tuple[Sample, ...]
    tables: tuple[PublishedTable, ...]
    notes: tuple[str, ...] = ()
    frame_kind: str = DEFAULT_FRAME

    def __repr__(self) -> str:
        names = ", ".join(table.name for table in self.tables) or "no tables"
        return f"<Evidence on {self.population} people: {len(self.samples)} samples, {names}>"

    def overlap_counts(self, sample: Sample) -> tuple[IntArray, IntArray]:
        """Return the overlap cells that occur in a sample, by increasing number, and their numbers of records."""
        keys = self.domain.keys(sample.codes, sample.attributes, self.overlap)
        cells, counts = np.unique(keys, return_counts=True)
        return cells, counts.astype(np.int64)

    def sample_tables(self) -> tuple[PublishedTable, ...]:
        """Return the samples as tables over all their attributes."""
        return tuple(self._as_table(sample) for sample in self.samples)

    def without(self, name: str) -> Evidence:
        """Return the evidence without the table of this name."""
        kept = tuple(table for table in self.tables if table.name != name)
        return replace(self, tables=kept)

    def _as_table(self, sample: Sample) -> PublishedTable:
        codes, counts = np.unique(sample.codes, axis=0, return_counts=True)
        mechanism = Sampling(sample.size, self.population)
        low, high = mechanism.bounds(counts.astype(np.int64))
        return PublishedTable(
            sample.name, sample.attributes, self.domain, codes, counts.astype(np.int64), low, high, mechanism
        )
