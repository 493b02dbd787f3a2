"""Reading everything the intruder holds: samples, published tables, and the size of the population."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from linkrisk.data.labels import labels_of
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.errors import ColumnError, FileError, SettingsError
from linkrisk.tables.evidence.checks import check_categories, check_samples_fit, check_totals
from linkrisk.tables.evidence.columns import Counts, Labels, make_domain, places_of, read_labels
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.evidence import Evidence, Sample
from linkrisk.tables.evidence.mechanisms import Exact, Mechanism, NearestRounding, RandomRounding, Sampling
from linkrisk.tables.evidence.publication import Publication, TableDescription, make_publication
from linkrisk.tables.evidence.published_table import PublishedTable

FEW_RECORDS = 10
"""Records of a sample up to which all may differ in a category by chance."""


def make_evidence(
    samples: Mapping[str, Any] | Sequence[Any],
    tables: Sequence[TableDescription] | Publication | str | os.PathLike[str] | None = None,
    *,
    population: int | None = None,
    overlap: Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002  (the word of the command line)
    delimiter: str | None = None,
) -> Evidence:
    """Read samples and published tables, and determine the overlap and the size of the population.

    Parameters
    ----------
    samples
        Two or more files or frames, one row per record: a list, or a mapping from names.
    tables
        Published tables: their descriptions, a `Publication`, or the path of a TOML file; see `load_publication`.
    population
        Number of people. By default what the TOML file says, or what follows from an exact table, or from the fraction
        of a sample table.
    overlap
        Attributes by which records are matched; by default all attributes that every sample has.
    id
        A column of the samples that tells who is who, with which matches are compared; it is not an attribute.
    delimiter
        CSV only; see `linkrisk.data.read_file`.

    Raises
    ------
    InputError
        Where a value is missing, a count is fractional or negative, a cell is listed twice, a sample is larger than the
        population, totals differ, or a sample has a category that a table rules out. One sentence names file, column,
        row and remedy.

    Examples
    --------
    >>> import pandas as pd
    >>> survey = pd.DataFrame({"sex": ["f", "m"], "job": ["cook", "nurse"]})
    >>> register = pd.DataFrame({"sex": ["f", "m", "m"], "car": ["yes", "no", "no"]})
    >>> evidence = make_evidence({"survey": survey, "register": register}, population=10)
    >>> evidence.overlap, evidence.population
    (('sex',), 10)
    """
    publication = make_publication(tables)
    opened = {name: open_file(source, name, delimiter=delimiter) for name, source in _named(samples).items()}
    sources = {name: open_file(t.source, name, delimiter=delimiter) for name, t in _by_name(publication.tables).items()}
    columns = {name: read_labels(name, table, [id] if id else []) for name, table in opened.items()}
    overlap_names = _settle_overlap(columns, overlap)
    described = _by_name(publication.tables)
    cells = {name: read_labels(name, table, _count_columns(described[name])) for name, table in sources.items()}
    domain = make_domain([*columns.values(), *cells.values()])
    counts = {name: Counts.read(name, sources[name], described[name]) for name in sources}
    size = _settle_population(
        population if population is not None else publication.population, described, counts, opened
    )
    made = tuple(_table(name, described[name], cells[name], counts[name], domain, size) for name in sources)
    read = tuple(_sample(name, opened[name], columns[name], domain, id) for name in opened)
    kind = next(iter(opened.values())).frame_kind
    notes = (*_all_different(columns, () if overlap is None else overlap_names), *_unused(overlap_names, made))
    evidence = Evidence(domain, size, overlap_names, read, made, notes, kind)
    check_totals(evidence)
    check_categories(evidence, opened)
    check_samples_fit(evidence)
    return evidence


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
        raise SettingsError("records are matched between samples; give at least two samples")
    return named


def _by_name(tables: Sequence[TableDescription]) -> dict[str, TableDescription]:
    """Return the tables by their names; tables with the same name are numbered."""
    names = Counter(table.name for table in tables)
    seen: Counter[str] = Counter()
    result = {}
    for table in tables:
        seen[table.name] += 1
        result[table.name if names[table.name] == 1 else f"{table.name} ({seen[table.name]})"] = table
    return result


def _count_columns(described: TableDescription) -> list[str]:
    return [described.count, *((described.low, described.high) if described.mechanism == "suppressed" else ())]


def _settle_overlap(columns: Mapping[str, Labels], overlap: Sequence[str] | None) -> tuple[str, ...]:
    first, *others = columns.values()
    common = [name for name in first if all(name in other for other in others)]
    if overlap is not None:
        unknown = [name for name in overlap if name not in common]
        if unknown:
            raise ColumnError(f"overlap: not every sample has a column {unknown[0]!r}; name attributes that all have")
        common = list(dict.fromkeys(overlap))
    if not common:
        raise ColumnError(
            "the samples have no attribute in common, so that records cannot be matched; name common columns alike"
        )
    if all(len(labels) == len(common) for labels in columns.values()):
        raise ColumnError(
            "the samples have all their attributes in common, so that a match would tell nothing new; name fewer "
            "attributes in overlap (--overlap), or give samples with attributes of their own"
        )
    return tuple(common)


def _settle_population(
    stated: int | None,
    described: Mapping[str, TableDescription],
    counts: Mapping[str, Counts],
    samples: Mapping[str, RawFile],
) -> int:
    """Return the number of people: as stated, or else by an exact table, or else by the fraction of a sample table."""
    if stated is not None and (isinstance(stated, bool) or not isinstance(stated, int | np.integer) or stated < 1):
        raise SettingsError("population must be a whole number of 1 or more")
    totals = {name: int(counts[name].counts.sum()) for name in described if described[name].mechanism == "exact"}
    for name, total in totals.items():
        first = next(iter(totals))
        if total != totals[first]:
            raise FileError(
                f"{first} counts {totals[first]} people and {name} {total}: their totals differ; correct one of them"
            )
        if stated is not None and total != stated:
            raise FileError(
                f"{name} counts {total} people, but the population is said to have {stated}; correct one of them"
            )
    size = stated
    if size is None:
        size = next(iter(totals.values()), None)
    if size is None:
        sampled = [(name, t.fraction) for name, t in described.items() if t.fraction is not None]
        if sampled:
            name, fraction = sampled[0]
            size = round(int(counts[name].counts.sum()) / fraction)
    if size is None:
        raise SettingsError("the size of the population is not known; state it as population (--population)")
    for name, table in samples.items():
        if table.n_records > size:
            raise FileError(
                f"{name} has {table.n_records:,} records, more than the population of {size:,}; correct one of them"
            )
    return int(size)


def _mechanism(name: str, described: TableDescription, counts: Counts, population: int) -> Mechanism:
    if described.mechanism == "rounded":
        return NearestRounding(described.base or 0)
    if described.mechanism == "random_rounding":
        return RandomRounding(described.base or 0)
    if described.mechanism == "suppressed":
        return Exact("suppressed")
    if described.mechanism == "sample":
        size = int(counts.counts.sum())
        if not 0 < size <= population:
            raise FileError(
                f"{name} counts {size} people drawn from a population of {population}, which is impossible; correct "
                "one of them"
            )
        return Sampling(size, population)
    return Exact()


def _table(
    name: str, described: TableDescription, labels: Labels, counts: Counts, domain: Domain, population: int
) -> PublishedTable:
    codes = places_of(labels, domain)
    names = tuple(labels)
    keys = domain.keys(codes, names, names)
    if len(np.unique(keys)) < len(keys):
        order = np.argsort(keys, kind="stable")
        twice = order[1:][keys[order][1:] == keys[order][:-1]].min()
        raise FileError(f"{name}: a cell is listed twice, the second time as cell {int(twice) + 1}; list each once")
    mechanism = _mechanism(name, described, counts, population)
    low, high = counts.low, counts.high
    if described.mechanism != "suppressed":
        if (counts.counts % mechanism.unit).any():
            raise FileError(
                f"{name}: a count is not a multiple of the base {mechanism.unit}; check how the table was rounded"
            )
        low, high = mechanism.bounds(counts.counts)
    return PublishedTable(name, names, domain, codes, counts.counts, low, high, mechanism)


def _sample(name: str, table: RawFile, labels: Labels, domain: Domain, id_name: str | None) -> Sample:
    ids = None
    if id_name is not None:
        if id_name not in table.column_names:
            raise ColumnError(f"{name} has no column {id_name!r}; the id must be a column of every sample")
        labelled = labels_of(table.column(id_name)).tolist()
        if None in labelled:
            raise ColumnError(
                f"{name}: column {id_name!r} has a missing value in row {table.row(labelled.index(None))}; fill it in, "
                "or take the record out"
            )
        ids = tuple(str(label) for label in labelled)
    return Sample(name, tuple(labels), places_of(labels, domain), ids)


def _all_different(columns: Mapping[str, Labels], asked: Sequence[str]) -> tuple[str, ...]:
    """Return a note for each column, unless it was asked for, that tells every record of a sample from all others."""
    found: dict[str, str] = {}
    for sample, labels in columns.items():
        for name, values in labels.items():
            n_records = len(values.places)
            if n_records > FEW_RECORDS and len(values.labels) == n_records and name not in asked:
                found.setdefault(name, sample)
    return tuple(
        f"{sample}: column {name!r} is different in every record, as an identifier is, and counts as an attribute; "
        "name it as id (--id) if it says who is who, or leave it out of the file"
        for name, sample in found.items()
    )


def _unused(overlap: Sequence[str], tables: Sequence[PublishedTable]) -> tuple[str, ...]:
    return tuple(
        f"{table.name} has no attribute of the overlap, so it only tells the size of the population"
        for table in tables
        if not set(table.attributes) & set(overlap)
    )
