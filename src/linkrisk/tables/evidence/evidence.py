"""Everything the intruder holds, read, checked and numbered: samples, released tables, the size of the population."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from linkrisk.data.labels import labels_of
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.engine import interrupt
from linkrisk.errors import ColumnError, FileError, SettingsError
from linkrisk.result import DEFAULT_FRAME
from linkrisk.tables.evidence.domain import Domain, IntArray
from linkrisk.tables.evidence.mechanisms import (
    Exact,
    Mechanism,
    NearestRounding,
    RandomRounding,
    Sampling,
)
from linkrisk.tables.evidence.publication import Release, Released, released_tables
from linkrisk.tables.evidence.published import PublishedTable


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """Records of a simple random sample: places of categories, one row a record, one column an attribute."""

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

    ``overlap`` are the attributes all samples have; ``population`` is the number of people; ``tables`` are the
    released tables, samples not included.
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
        """Return the numbers of the overlap cells that occur in a sample, in order, and how many records they have."""
        keys = self.domain.keys(sample.codes, sample.attributes, self.overlap)
        cells, counts = np.unique(keys, return_counts=True)
        return cells, counts.astype(np.int64)

    def sample_tables(self) -> tuple[PublishedTable, ...]:
        """Return the samples as tables over all their attributes."""
        return tuple(self._as_table(sample) for sample in self.samples)

    def without(self, name: str) -> Evidence:
        """Return the evidence without one of the tables."""
        kept = tuple(table for table in self.tables if table.name != name)
        return replace(self, tables=kept)

    def _as_table(self, sample: Sample) -> PublishedTable:
        codes, counts = np.unique(sample.codes, axis=0, return_counts=True)
        mechanism = Sampling(sample.size, self.population)
        low, high = mechanism.bounds(counts.astype(np.int64))
        return PublishedTable(
            sample.name, sample.attributes, self.domain, codes, counts.astype(np.int64), low, high, mechanism
        )


def make_evidence(
    samples: Mapping[str, Any] | Sequence[Any],
    tables: Sequence[Released] | Release | str | os.PathLike[str] | None = None,
    *,
    population: int | None = None,
    overlap: Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  (the word of the command line)
    delimiter: str | None = None,
) -> Evidence:
    """Read samples and released tables, and settle what they have in common.

    Parameters
    ----------
    samples
        Two or more files or frames, one row a record, by name or in a list.
    tables
        Released tables: descriptions, or the path of a TOML file; see `Released` and `load_release`.
    population
        Number of people; by default what the TOML file says, or what follows from an exact table or the fraction of a
        sample table.
    overlap
        Attributes by which records are matched; by default all that every sample has.
    id
        A column of the samples that says who is who, for judging matches; it is no attribute.
    delimiter
        CSV only, see `linkrisk.data.read_file`.

    Raises
    ------
    InputError
        One sentence that names file, column, row and remedy: missing values, fractional or negative counts, cells that
        are listed twice, samples larger than the population, totals that differ, categories that a table excludes.
    """
    release = released_tables(tables)
    opened = {name: open_file(source, name, delimiter=delimiter) for name, source in _named(samples).items()}
    sources = {name: open_file(t.source, name, delimiter=delimiter) for name, t in _by_name(release.tables).items()}
    columns = {name: _labels(name, table, [id] if id else []) for name, table in opened.items()}
    overlap_names = _settle_overlap(columns, overlap)
    described = _by_name(release.tables)
    cells = {name: _labels(name, table, _count_columns(described[name])) for name, table in sources.items()}
    domain = _domain([*columns.values(), *cells.values()])
    counts = {name: _Counts.read(name, sources[name], described[name]) for name in sources}
    size = _settle_population(population if population is not None else release.population, described, counts, opened)
    made = tuple(_table(name, described[name], cells[name], counts[name], domain, size) for name in sources)
    read = tuple(_sample(name, opened[name], columns[name], domain, id) for name in opened)
    kind = next(iter(opened.values())).frame_kind
    evidence = Evidence(domain, size, overlap_names, read, made, _unused(overlap_names, made), kind)
    _check_totals(evidence)
    _check_categories(evidence, opened)
    _check_samples_fit(evidence)
    return evidence


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column of categories: the categories that occur, and for each row the place of its own."""

    labels: tuple[str, ...]
    places: IntArray


Labels = dict[str, _Coded]


def _named(samples: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(samples, Mapping):
        named = {str(name): source for name, source in samples.items()}
    else:
        named = {}
        for number, source in enumerate(samples, start=1):
            is_file = isinstance(source, str | os.PathLike)
            name = Path(source).name if is_file else f"sample {number}"
            named[name if name not in named else f"{name} ({number})"] = source
    if len(named) < 2:
        raise SettingsError("two samples at least are needed: records are matched between them")
    return named


def _by_name(tables: Sequence[Released]) -> dict[str, Released]:
    """Return the tables by their names; those of one name are numbered."""
    names = Counter(table.name for table in tables)
    seen: Counter[str] = Counter()
    result = {}
    for table in tables:
        seen[table.name] += 1
        result[table.name if names[table.name] == 1 else f"{table.name} ({seen[table.name]})"] = table
    return result


def _count_columns(described: Released) -> list[str]:
    return [described.count, *((described.low, described.high) if described.mechanism == "suppressed" else ())]


def _labels(name: str, table: RawFile, apart: Sequence[str]) -> Labels:
    """Return the labels of every column but some; a missing one is refused."""
    result: Labels = {}
    for column in table.columns:
        interrupt.check()
        if column.name in apart:
            continue
        if column.fault is not None:
            raise ColumnError(f"{name}: column {column.name!r} {column.fault}; leave it out of the file.")
        places, distinct = pd.factorize(column.cells)
        missing = np.flatnonzero(places < 0)
        if missing.size:
            raise ColumnError(
                f"{name}: column {column.name!r} has a missing value in row {table.row(int(missing[0]))}; give it a "
                "category of its own, or take the record out."
            )
        labels = labels_of(replace(column, cells=distinct))
        result[column.name] = _Coded(tuple(labels.tolist()), places.astype(np.int64))
    if not result:
        raise FileError(f"{name} has no attributes; give a column for each.")
    return result


def _settle_overlap(columns: Mapping[str, Labels], overlap: Sequence[str] | None) -> tuple[str, ...]:
    first, *others = columns.values()
    common = [name for name in first if all(name in other for other in others)]
    if overlap is not None:
        unknown = [name for name in overlap if name not in common]
        if unknown:
            raise ColumnError(f"overlap: not every sample has a column {unknown[0]!r}; name attributes that all have.")
        common = list(dict.fromkeys(overlap))
    if not common:
        raise ColumnError("The samples have no attribute in common: there is nothing to match records by.")
    if all(len(labels) == len(common) for labels in columns.values()):
        raise ColumnError(
            "The samples have all their attributes in common: a match would tell nothing new; leave out of --overlap "
            "what only one of them is to know, or give samples with attributes of their own."
        )
    return tuple(common)


def _domain(columns: Sequence[Labels]) -> Domain:
    categories: dict[str, set[str]] = {}
    for labels in columns:
        for name, values in labels.items():
            categories.setdefault(name, set()).update(values.labels)
    return Domain({name: tuple(sorted(values)) for name, values in categories.items()})


def _codes(labels: Labels, domain: Domain) -> IntArray:
    columns = []
    for name, values in labels.items():
        place = {label: code for code, label in enumerate(domain.categories[name])}
        columns.append(np.array([place[label] for label in values.labels], dtype=np.int64)[values.places])
    return np.column_stack(columns)


@dataclass(frozen=True, eq=False)
class _Counts:
    """The count columns of a table: counts (-1 where suppressed) and intervals."""

    counts: IntArray
    low: IntArray
    high: IntArray

    @classmethod
    def read(cls, name: str, table: RawFile, described: Released) -> _Counts:
        if described.mechanism != "suppressed":
            counts = _whole(name, table, described.count)
            return cls(counts, counts, counts)
        low, high = (_whole(name, table, column) for column in (described.low, described.high))
        wrong = np.flatnonzero(low > high)
        if wrong.size:
            raise ColumnError(
                f"{name}: the interval in row {table.row(int(wrong[0]))} ends before it begins; correct it."
            )
        return cls(np.where(low == high, low, -1), low, high)


def _whole(name: str, table: RawFile, column: str) -> IntArray:
    if column not in table.column_names:
        raise ColumnError(f"{name} has no column {column!r}; name the column with the counts (count = ...).")
    raw = table.column(column)
    if not raw.holds_numbers:
        raise ColumnError(f"{name}: column {column!r} does not hold numbers; counts are whole numbers of 0 or more.")
    values = raw.cells
    wrong = np.flatnonzero(~np.isfinite(values) | (values < 0) | (values != np.round(values)) | (values > 2.0**53))
    if wrong.size:
        raise ColumnError(
            f"{name}: column {column!r} has in row {table.row(int(wrong[0]))} no whole number of 0 or more; counts are."
        )
    return values.astype(np.int64)


def _settle_population(
    stated: int | None, described: Mapping[str, Released], counts: Mapping[str, _Counts], samples: Mapping[str, RawFile]
) -> int:
    """Return the number of people: as stated, or from an exact table, or from the fraction of a sample table."""
    if stated is not None and (isinstance(stated, bool) or not isinstance(stated, int | np.integer) or stated < 1):
        raise SettingsError("population must be a whole number of 1 or more")
    totals = {name: int(counts[name].counts.sum()) for name in described if described[name].mechanism == "exact"}
    for name, total in totals.items():
        first = next(iter(totals))
        if total != totals[first]:
            raise FileError(f"{first} counts {totals[first]} people and {name} {total}: their totals differ.")
        if stated is not None and total != stated:
            raise FileError(f"{name} counts {total} people, and the population is said to have {stated}.")
    size = stated
    if size is None:
        size = next(iter(totals.values()), None)
    if size is None:
        sampled = [(name, t.fraction) for name, t in described.items() if t.fraction is not None]
        if sampled:
            name, fraction = sampled[0]
            size = round(int(counts[name].counts.sum()) / fraction)
    if size is None:
        raise SettingsError("the size of the population is not known; state it (--population)")
    for name, table in samples.items():
        if table.n_records > size:
            raise FileError(
                f"{name} has {table.n_records} records, more than the population of {size}; check which is right."
            )
    return int(size)


def _mechanism(name: str, described: Released, counts: _Counts, population: int) -> Mechanism:
    if described.mechanism == "rounded":
        return NearestRounding(described.base or 0)
    if described.mechanism == "random_rounding":
        return RandomRounding(described.base or 0)
    if described.mechanism == "suppressed":
        return Exact("suppressed")
    if described.mechanism == "sample":
        size = int(counts.counts.sum())
        if not 0 < size <= population:
            raise FileError(f"{name} counts {size} people drawn from a population of {population}; that cannot be.")
        return Sampling(size, population)
    return Exact()


def _table(
    name: str, described: Released, labels: Labels, counts: _Counts, domain: Domain, population: int
) -> PublishedTable:
    codes = _codes(labels, domain)
    names = tuple(labels)
    keys = domain.keys(codes, names, names)
    if len(np.unique(keys)) < len(keys):
        order = np.argsort(keys, kind="stable")
        twice = order[1:][keys[order][1:] == keys[order][:-1]].min()
        raise FileError(f"{name}: a cell is listed twice, the second time as cell {int(twice) + 1}; list each once.")
    mechanism = _mechanism(name, described, counts, population)
    low, high = counts.low, counts.high
    if described.mechanism != "suppressed":
        if (counts.counts % mechanism.unit).any():
            raise FileError(
                f"{name}: a count is no multiple of the base {mechanism.unit}; check how the table was rounded."
            )
        low, high = mechanism.bounds(counts.counts)
    return PublishedTable(name, names, domain, codes, counts.counts, low, high, mechanism)


def _sample(name: str, table: RawFile, labels: Labels, domain: Domain, id_name: str | None) -> Sample:
    ids = None
    if id_name is not None:
        if id_name not in table.column_names:
            raise ColumnError(f"{name} has no column {id_name!r}; the id is a column of every sample.")
        labelled = labels_of(table.column(id_name)).tolist()
        if None in labelled:
            raise ColumnError(
                f"{name}: column {id_name!r} has a missing value in row {table.row(labelled.index(None))}; say who it "
                "is, or take the record out."
            )
        ids = tuple(str(label) for label in labelled)
    return Sample(name, tuple(labels), _codes(labels, domain), ids)


def _unused(overlap: Sequence[str], tables: Sequence[PublishedTable]) -> tuple[str, ...]:
    return tuple(
        f"{table.name} has no attribute of the overlap: it only tells the size of the population"
        for table in tables
        if not set(table.attributes) & set(overlap)
    )


def _check_totals(evidence: Evidence) -> None:
    """Refuse a table whose cells cannot add up to the population."""
    for table in evidence.tables:
        sums = table.sums((), np.zeros(1, dtype=np.int64))
        if not sums.low[0] <= evidence.population <= sums.high[0]:
            hides = table.zero_high > 0 and evidence.population > sums.high[0] and not table.is_sample
            raise FileError(
                f"{table.name} counts from {sums.low[0]} to {sums.high[0]} people, and the population has "
                f"{evidence.population}: their totals differ"
                + ("; list its cells published as 0 too, a category may be hidden there." if hides else ".")
            )


def _check_categories(evidence: Evidence, opened: Mapping[str, RawFile]) -> None:
    """Refuse a record in a sample whose category no cell of some table allows."""
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
                        f"{table.name}; spell categories alike, or correct one of them."
                    )


def _check_samples_fit(evidence: Evidence) -> None:
    """Refuse a sample with more people in a cell than a table allows in the population."""
    for table in evidence.tables:
        for sample in evidence.samples:
            shared = tuple(name for name in sample.attributes if name in table.attributes)
            keys = evidence.domain.keys(sample.codes, sample.attributes, shared)
            cells, counts = np.unique(keys, return_counts=True)
            if (counts > table.sums(shared, cells).high).any():
                raise SettingsError(
                    f"{sample.name} and {table.name} contradict each other: the sample has more people of some "
                    f"{', '.join(shared)} than the table allows in the population; check how they were made"
                )
