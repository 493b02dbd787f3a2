"""Atoms: sets of base cells that no sample and no table tells apart, and what is known about sums of atoms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, gammaln

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import Mechanism, Sampling
from linkrisk.tables.evidence.published_table import PublishedTable

MOST_ROWS = 4_000_000
"""Most rows of the list of atoms while it is made; a problem with more is too large for an exact posterior."""

CONTRADICTION = "samples and tables contradict each other: no population agrees with all; check how they were made"


@dataclass(frozen=True, eq=False, repr=False)
class Statement:
    """What one cell of a sample or table says: the sum of its atoms is from ``low`` to ``high``.

    ``drawn`` is the number of people drawn from the cell, for a sample; -1 for other tables. ``weights`` are, for other
    tables, the logarithms of the likelihoods of the counts from ``low`` on; None where all are equal.
    """

    name: str
    atoms: IntArray
    low: int
    high: int
    drawn: int = -1
    weights: FloatArray | None = None

    def __repr__(self) -> str:
        return f"<Statement of {self.name}: {self.low} to {self.high} people in {len(self.atoms)} atoms>"

    @property
    def is_drawn(self) -> bool:
        """Whether it comes from a sample."""
        return self.drawn >= 0

    @property
    def is_exact(self) -> bool:
        """Whether it fixes the sum."""
        return self.low == self.high

    def log_likelihood(self, counts: IntArray) -> FloatArray:
        """Return the logarithm of the likelihood of each sum, up to a constant; for a sample that of C(F, f)."""
        is_possible = (counts >= self.low) & (counts <= self.high)
        inside = np.where(is_possible, counts, self.low)
        if self.is_drawn:
            values = np.asarray(gammaln(inside + 1.0) - gammaln(inside - self.drawn + 1.0) - gammaln(self.drawn + 1.0))
        else:
            values = np.zeros(len(counts)) if self.weights is None else self.weights[inside - self.low]
        return np.where(is_possible, values, -np.inf)


@dataclass(frozen=True, eq=False, repr=False)
class Atoms:
    """The atoms of a problem; a population gives each of them a number of people.

    Parameters
    ----------
    sizes
        Number of base cells in each atom. F people can be spread over K base cells in C(F + K - 1, K - 1) ways.
    population
        Number of people.
    statements
        What is known about sums of atoms.
    overlap
        The number of the overlap cell of each atom; -1 for an overlap cell that nobody asked for.
    margins
        One column per table that fixes the counts of some cells: the number of the cell in which each atom lies, -1
        where the count is not fixed.
    margin_attributes
        The attributes of these tables; none for a table that does not fix all its cells.
    """

    sizes: FloatArray
    population: int
    statements: tuple[Statement, ...]
    overlap: IntArray
    margins: IntArray
    margin_attributes: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return f"<Atoms: {len(self.sizes)} of {self.sizes.sum():.6g} base cells, {len(self.statements)} statements>"

    def __len__(self) -> int:
        return len(self.sizes)


def log_ways(size: float, counts: IntArray) -> FloatArray:
    """Return the logarithms of C(F + K - 1, F), the number of ways to spread F people over K cells.

    They are computed by the beta function, whose logarithm is accurate even for billions of cells.

    >>> np.exp(log_ways(3, np.arange(5))).round(6).tolist()
    [1.0, 3.0, 6.0, 10.0, 15.0]
    """
    return np.asarray(-np.log(counts + size) - betaln(size, counts + 1.0))


def make_atoms(evidence: Evidence, cells: IntArray, most: int = MOST_ROWS) -> Atoms | None:
    """Return the atoms of a problem, or None where listing them takes more than ``most`` rows.

    The base table has one cell for every combination of the categories of all attributes that occur in samples and
    tables together, and the prior is uniform over all base tables of ``population`` people. Base cells that lie in the
    same cells of every sample and table, and in the same overlap cell among those asked for, form one atom. Cells of a
    sample in which nobody was drawn are ignored, because their likelihood given the population is C(F, 0) = 1. Base
    cells that are empty according to some table are left out.

    *Guarantee* (docs/mathematics.md#atoms): with the weights C(F + K - 1, K - 1) of atoms, times the likelihoods of the
    statements, sums of atoms have the same posterior as under the uniform prior over base tables. For likelihoods
    depend only on sums of atoms, and a count F of an atom stands for all C(F + K - 1, K - 1) ways to spread it over its
    K base cells. No attribute is summed out.

    Cost: combinations of categories are listed only where no table says that nobody is there; attributes that only one
    sample has are never listed in full.

    Raises
    ------
    SettingsError
        If a table says that somebody is in a cell that is empty according to another table.
    """
    kept = np.unique(np.concatenate([cells, *(evidence.overlap_counts(sample)[0] for sample in evidence.samples)]))
    sources = [_overlap_source(evidence, kept)]
    for number, table in enumerate((*evidence.sample_tables(), *evidence.tables), start=1):
        source = _source(number, table, most)
        if source is None:
            return None
        sources.append(source)
    order = sorted(sources, key=lambda source: (source.is_open, source.is_drawn, len(source.attributes)))
    listed = _List((), np.zeros((1, 0), dtype=np.int64), np.ones(1), {})
    for place, source in enumerate(order):
        interrupt.check()
        later = {name for other in order[place + 1 :] for name in other.attributes}
        extended = _extended(evidence.domain, listed, source, later, most)
        if extended is None:
            return None
        listed = extended
    if not len(listed.sizes):
        raise SettingsError(CONTRADICTION)
    return _atoms(evidence, sources, listed)


@dataclass(frozen=True, eq=False)
class _Source:
    """Cells of a sample, a table or the overlap. Outside them is nobody, or, if ``is_open``, nothing is known."""

    number: int
    name: str
    attributes: tuple[str, ...]
    codes: IntArray
    low: IntArray
    high: IntArray
    drawn: IntArray
    mechanism: Mechanism | None
    is_open: bool

    @property
    def is_drawn(self) -> bool:
        return isinstance(self.mechanism, Sampling)

    @property
    def is_exact(self) -> bool:
        return self.mechanism is not None and self.mechanism.name == "exact"


def _overlap_source(evidence: Evidence, cells: IntArray) -> _Source:
    codes = evidence.domain.codes(evidence.overlap, cells)
    none = np.zeros(len(cells), dtype=np.int64)
    return _Source(0, "overlap", evidence.overlap, codes, none, none + evidence.population, none, None, is_open=True)


def _source(number: int, table: PublishedTable, most: int) -> _Source | None:
    """Return the cells of a table that matter: all of them if a cell published as 0 may hold somebody."""
    mechanism = table.mechanism
    if table.is_sample:
        is_told = table.counts > 0
        low, high = mechanism.bounds(table.counts)
        parts = (table.codes[is_told], low[is_told], high[is_told], table.counts[is_told])
        return _Source(number, table.name, table.attributes, *parts, mechanism, is_open=True)
    if table.zero_high == 0:
        parts = (table.codes, table.low, table.high, table.counts)
        return _Source(number, table.name, table.attributes, *parts, mechanism, is_open=False)
    n_cells = table.domain.n_cells(table.attributes)
    if n_cells > most:
        return None
    keys = table.domain.keys(table.codes, table.attributes, table.attributes)
    counts = np.zeros(n_cells, dtype=np.int64)
    counts[keys] = table.counts
    low, high = mechanism.bounds(counts)
    codes = table.domain.codes(table.attributes, np.arange(n_cells))
    return _Source(number, table.name, table.attributes, codes, low, high, counts, mechanism, is_open=False)


@dataclass(frozen=True, eq=False)
class _List:
    """Sets of base cells over the attributes so far: their categories, their sizes, and their cell in each source."""

    names: tuple[str, ...]
    codes: IntArray
    sizes: FloatArray
    cells: dict[int, IntArray]

    def taken(self, rows: IntArray, sizes: FloatArray) -> _List:
        return _List(self.names, self.codes[rows], sizes, {number: cell[rows] for number, cell in self.cells.items()})


def _extended(domain: Domain, listed: _List, source: _Source, later: set[str], most: int) -> _List | None:
    """Split the sets by the cells of a source; attributes that no later source has are not listed in full."""
    new = [name for name in source.attributes if name not in listed.names]
    own = [name for name in new if name not in later]
    crossed = _crossed(domain, listed, [name for name in new if name in later], most)
    if crossed is None:
        return None
    shared = [name for name in source.attributes if name not in own]
    wanted = domain.keys(crossed.codes, crossed.names, shared)
    offered = domain.keys(source.codes, source.attributes, shared)
    by_key = np.argsort(offered, kind="stable")
    begin, end = (np.searchsorted(offered[by_key], wanted, side=side) for side in ("left", "right"))
    n_found = end - begin
    if n_found.sum() + len(wanted) > most:
        return None
    rows = np.repeat(np.arange(len(wanted)), n_found)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(n_found) - n_found, n_found)
    found = by_key[np.repeat(begin, n_found) + within]
    is_possible = source.high[found] > 0
    rows, found = rows[is_possible], found[is_possible]
    sizes = crossed.sizes[rows]
    if source.is_open:  # combinations that the source does not list stay together in one set
        rest = domain.n_cells(own) - n_found
        left = np.flatnonzero(rest > 0)
        rows, found = np.concatenate([rows, left]), np.concatenate([found, np.full(len(left), -1)])
        sizes = np.concatenate([sizes, crossed.sizes[left] * rest[left]])
    result = crossed.taken(rows, sizes)
    result.cells[source.number] = found
    return _grouped(result, [name for name in crossed.names if name in later])


def _crossed(domain: Domain, listed: _List, names: Sequence[str], most: int) -> _List | None:
    """Combine every row with all combinations of categories of some attributes."""
    n = domain.n_cells(names)
    if n * len(listed.sizes) > most:
        return None
    rows = np.repeat(np.arange(len(listed.sizes)), n)
    added = np.tile(domain.codes(names, np.arange(n)), (len(listed.sizes), 1))
    wide = listed.taken(rows, listed.sizes[rows])
    return _List((*listed.names, *names), np.hstack([wide.codes, added]), wide.sizes, wide.cells)


def _grouped(listed: _List, names: Sequence[str]) -> _List:
    """Join rows that agree in all sources and in the attributes that are still needed."""
    kept = listed.codes[:, [listed.names.index(name) for name in names]]
    columns = np.column_stack([kept, *listed.cells.values()])
    _, first, place = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    sizes = np.zeros(len(first))
    np.add.at(sizes, place.ravel(), listed.sizes)
    cells = {number: cell[first] for number, cell in listed.cells.items()}
    return _List(tuple(names), kept[first], sizes, cells)


def _atoms(evidence: Evidence, sources: Sequence[_Source], listed: _List) -> Atoms:
    statements = [Statement("population", np.arange(len(listed.sizes)), evidence.population, evidence.population)]
    for source in sources[1:]:
        statements += _statements(source, listed.cells[source.number], evidence.population)
    fixed = [source for source in sources[1:] if (source.low == source.high).any()]
    margins = [_fixed_cells(source, listed.cells[source.number]) for source in fixed]
    return Atoms(
        sizes=listed.sizes,
        population=evidence.population,
        statements=tuple(statements),
        overlap=_numbers(sources[0], listed.cells[0], evidence),
        margins=np.column_stack(margins) if margins else np.zeros((len(listed.sizes), 0), dtype=np.int64),
        margin_attributes=tuple(source.attributes if source.is_exact else () for source in fixed),
    )


def _fixed_cells(source: _Source, cells: IntArray) -> IntArray:
    is_fixed = (cells >= 0) & (source.low == source.high)[cells]
    return np.where(is_fixed, cells, -1)


def _numbers(source: _Source, places: IntArray, evidence: Evidence) -> IntArray:
    """Return the number of the overlap cell of each atom; -1 for an overlap cell that nobody asked for."""
    keys = evidence.domain.keys(source.codes, source.attributes, evidence.overlap)
    return np.where(places >= 0, keys[places], -1)


def _statements(source: _Source, cells: IntArray, population: int) -> list[Statement]:
    order = np.argsort(cells, kind="stable")
    begin, end = (np.searchsorted(cells[order], np.arange(len(source.low)), side=side) for side in ("left", "right"))
    if (source.low[begin == end] > 0).any():
        raise SettingsError(CONTRADICTION)
    weights: dict[int, FloatArray | None] = {}
    result = []
    for cell in np.flatnonzero(end > begin).tolist():
        members = np.sort(order[begin[cell] : end[cell]])
        low, high = int(source.low[cell]), min(int(source.high[cell]), population)
        drawn = int(source.drawn[cell])
        if source.is_drawn:
            result.append(Statement(source.name, members, low, high, drawn))
            continue
        if drawn not in weights:
            weights[drawn] = _window(source.mechanism, drawn, low, int(source.high[cell]))
        result.append(Statement(source.name, members, low, high, weights=weights[drawn]))
    return result


def _window(mechanism: Mechanism | None, published: int, low: int, high: int) -> FloatArray | None:
    if mechanism is None or published < 0 or mechanism.name != "random_rounding":
        return None
    return mechanism.log_likelihood(published, np.arange(low, high + 1))
