"""Checks that each table fits the samples; `linkrisk.tables.bounds.contradiction` takes all tables together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkrisk.data.raw_file import RawFile
from linkrisk.errors import ColumnError, FileError, SettingsError
from linkrisk.tables.evidence.evidence import Evidence


def check_totals(evidence: Evidence) -> None:
    """Raise where the cells of a table cannot add up to the population."""
    for table in evidence.tables:
        sums = table.sums((), np.zeros(1, dtype=np.int64))
        if not sums.low[0] <= evidence.population <= sums.high[0]:
            hides = table.zero_high > 0 and evidence.population > sums.high[0] and not table.is_sample
            remedy = (
                "list its cells published as 0 too, because a category may be hidden there"
                if hides
                else "check how the table was made, and the stated size"
            )
            raise FileError(
                f"{table.name} counts from {sums.low[0]} to {sums.high[0]} people, but the population has "
                f"{evidence.population}: their totals differ; {remedy}"
            )


def check_categories(evidence: Evidence, opened: Mapping[str, RawFile]) -> None:
    """Raise where a record of a sample has a category that nobody has according to some table."""
    for table in evidence.tables:
        for name in table.attributes:
            sizes = table.sums([name], np.arange(len(evidence.domain.categories[name]), dtype=np.int64))
            for sample in evidence.samples:
                if name not in sample.attributes:
                    continue
                excluded = sizes.high[sample.codes[:, sample.attributes.index(name)]] < 1
                if excluded.any():
                    row = opened[sample.name].row(int(np.argmax(excluded)))
                    raise ColumnError(
                        f"{sample.name}: column {name!r} has in row {row} a category that nobody has according to "
                        f"{table.name}; spell categories alike, or correct one of them"
                    )


def check_samples_fit(evidence: Evidence) -> None:
    """Raise where a sample has more people in a cell than a table allows in the population."""
    for table in evidence.tables:
        for sample in evidence.samples:
            shared = tuple(name for name in sample.attributes if name in table.attributes)
            keys = evidence.domain.keys(sample.codes, sample.attributes, shared)
            cells, counts = np.unique(keys, return_counts=True)
            if (counts > table.sums(shared, cells).high).any():
                raise SettingsError(
                    f"{sample.name} and {table.name} contradict each other: the sample has more people with one "
                    f"combination of {', '.join(shared)} than the table allows in the population; check how they were "
                    "made"
                )
