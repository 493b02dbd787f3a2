"""Base cells: the common refinement of all samples, tables and the overlap, without attributes that change no bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.engine import interrupt
from linkrisk.tables.evidence.domain import Domain
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import Mechanism
from linkrisk.tables.evidence.published_table import PublishedTable

MOST_BASE_CELLS = 2_000_000
"""Number of base cells up to which they are listed; a larger problem is too large for exact bounds."""


@dataclass(frozen=True, eq=False)
class CellGroups:
    """Sets of base cells: those of set ``i`` are ``members[starts[i]:starts[i + 1]]``, in increasing order."""

    starts: IntArray
    members: IntArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, place: int) -> IntArray:
        return self.members[self.starts[place] : self.starts[place + 1]]

    def sums(self, counts: IntArray) -> IntArray:
        """Return the sum of the base counts of each set."""
        before = np.concatenate([[0], np.cumsum(counts[self.members])])
        return np.asarray(before[self.starts[1:]] - before[self.starts[:-1]], dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """What one sample or table says: each sum of base cells is from ``low`` to ``high``.

    Parameters
    ----------
    name
        Name of the sample or table.
    mechanism
        How it was made.
    attributes
        The attributes it still has after some were summed out.
    groups
        The base cells of each of its cells. A cell that must hold somebody but has no base cell is listed too: there
        the table contradicts another one.
    low, high
        Bounds on the population counts of its cells, at most the population.
    published
        The published (or drawn) counts of its cells, summed where attributes were summed out; 0 for a suppressed count.
    is_summed
        Whether attributes were summed out.
    """

    name: str
    mechanism: Mechanism
    attributes: tuple[str, ...]
    groups: CellGroups
    low: IntArray
    high: IntArray
    published: IntArray
    is_summed: bool

    def __repr__(self) -> str:
        return f"<Rows of {self.name}: {len(self.low)} cells over {', '.join(self.attributes)}>"


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """The base cells of a problem, and what is known about sums of them.

    A population gives every base cell a whole number of 0 or more, and these add up to ``population``.

    Parameters
    ----------
    attributes
        The attributes that were not summed out, those of the overlap first.
    codes
        The places of the categories of each base cell; base cells are in lexicographical order.
    population
        Number of people.
    rows
        One entry per sample, then one per published table.
    overlap_keys
        Numbers of the overlap cells that have base cells, in increasing order; all other overlap cells are empty.
    overlap_groups
        The base cells of each of these overlap cells.
    """

    attributes: tuple[str, ...]
    codes: IntArray
    population: int
    rows: tuple[Rows, ...]
    overlap_keys: IntArray
    overlap_groups: CellGroups

    def __repr__(self) -> str:
        return f"<Cells: {self.n_cells} over {', '.join(self.attributes)}>"

    @property
    def n_cells(self) -> int:
        """Number of base cells."""
        return len(self.codes)

    def is_consistent(self, counts: IntArray) -> bool:
        """Tell whether a population agrees with all samples and tables, in exact arithmetic."""
        if len(counts) != self.n_cells or (counts < 0).any() or int(counts.sum()) != self.population:
            return False
        sums = ((rows, rows.groups.sums(counts)) for rows in self.rows)
        return all(bool(((total >= rows.low) & (total <= rows.high)).all()) for rows, total in sums)

    def places(self, keys: IntArray) -> IntArray:
        """Return the place of each overlap cell among ``overlap_keys``; -1 for a cell without base cells."""
        if not len(self.overlap_keys):
            return np.full(len(keys), -1, dtype=np.int64)
        at = np.minimum(np.searchsorted(self.overlap_keys, keys), len(self.overlap_keys) - 1)
        return np.where(self.overlap_keys[at] == keys, at, -1)


def make_cells(evidence: Evidence, *, keep: Collection[str] = (), most: int = MOST_BASE_CELLS) -> Cells | None:
    """Return the base cells of a problem, or None where there are more than ``most`` of them.

    An attribute outside the overlap that only one sample or table has is summed out of it: the interval of a sum of
    cells runs from the sum of the least to the sum of the largest counts, and drawn counts are added. A base cell is a
    combination of categories of the attributes that are left, unless some table says that nobody is there.

    *Guarantee* (docs/mathematics.md#summing-out): an overlap cell has the same possible counts over all populations
    consistent with the samples and tables as over all consistent counts of base cells. Summing shows one direction. For
    the other, let attribute a be in table T only, and y be consistent counts without a. In each cell t of T without a,
    the sum of y is between the sums of least and of largest counts over a, so it is a sum of whole numbers v(a), each
    within its own interval. Split y by a, base cell by base cell in any order, until each category has its v(a). No
    other table has a, so the split changes no other table. Attributes are summed out one after the other. Base cells
    that are left out are 0 in every consistent population.

    This is about *which* counts are possible, not about how many populations have them: for weights that depend on the
    number of populations, name the attributes to ``keep``. The rows of a sample list only the cells with somebody
    drawn: the others say nothing more (their likelihood given the population is C(F, 0) = 1 in the multivariate
    hypergeometric distribution).

    Cost: time and memory grow with base cells times tables and attributes; one sort per table.

    Parameters
    ----------
    evidence
        What the intruder holds.
    keep
        Attributes that are not summed out.
    most
        Largest number of base cells.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.tables.evidence.reading import make_evidence
    >>> first = pd.DataFrame({"sex": ["f", "m"], "job": ["x", "y"]})
    >>> second = pd.DataFrame({"sex": ["f", "m"], "age": ["old", "young"]})
    >>> evidence = make_evidence([first, second], population=9)
    >>> make_cells(evidence), make_cells(evidence, keep=["job"])
    (<Cells: 2 over sex>, <Cells: 4 over sex, job>)
    """
    tables = (*evidence.sample_tables(), *evidence.tables)
    attributes = _attributes_left(evidence, tables, keep)
    codes = _allowed(evidence.domain, attributes, tables, most)
    if codes is None:
        return None
    rows = tuple(_rows(table, attributes, codes, evidence.population) for table in tables)
    keys, overlap_groups = _grouped(evidence.domain.keys(codes, attributes, evidence.overlap))
    return Cells(attributes, codes, evidence.population, rows, keys, overlap_groups)


def _attributes_left(evidence: Evidence, tables: Sequence[PublishedTable], keep: Collection[str]) -> tuple[str, ...]:
    users = Counter(name for table in tables for name in table.attributes)
    others = [name for name in users if name not in evidence.overlap and (users[name] > 1 or name in keep)]
    return (*evidence.overlap, *others)


def _left(table: PublishedTable, attributes: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in table.attributes if name in attributes)


@dataclass(frozen=True, eq=False)
class _List:
    """Cells over some attributes, by the places of their categories."""

    names: tuple[str, ...]
    codes: IntArray


def _allowed(domain: Domain, attributes: Sequence[str], tables: Sequence[PublishedTable], most: int) -> IntArray | None:
    """Return the base cells that no table says are empty, in order; the tables that rule out cells are joined."""
    lists = [_occupied(domain, table, _left(table, attributes)) for table in tables if table.zero_high == 0]
    joined = _List((), np.zeros((1, 0), dtype=np.int64))
    while lists:
        interrupt.check()
        sizes = [_joined_size(domain, joined, other) for other in lists]
        best = int(np.argmin(sizes))
        if sizes[best] > most:
            return None
        joined = _join(domain, joined, lists.pop(best))
    free = [name for name in attributes if name not in joined.names]
    if len(joined.codes) * domain.n_cells(free) > most:
        return None
    for name in free:
        joined = _join(domain, joined, _List((name,), np.arange(len(domain.categories[name]))[:, None]))
    codes = joined.codes[:, [joined.names.index(name) for name in attributes]]
    return codes[np.lexsort(codes.T[::-1])] if len(attributes) else codes


def _occupied(domain: Domain, table: PublishedTable, names: tuple[str, ...]) -> _List:
    """Return the cells that may hold somebody, of a table in which cells that are not listed are empty."""
    listed = np.unique(domain.keys(table.codes, table.attributes, names))
    return _List(names, domain.codes(names, listed[table.sums(names, listed).high > 0]))


def _matches(domain: Domain, first: _List, second: _List) -> tuple[IntArray, IntArray, IntArray]:
    """Find for each cell of the first list its partners in the second: those equal on the shared attributes.

    Returns the order of the second list by the shared attributes, and where in it the partners begin and end.
    """
    shared = [name for name in first.names if name in second.names]
    wanted = domain.keys(first.codes, first.names, shared)
    offered = domain.keys(second.codes, second.names, shared)
    order = np.argsort(offered, kind="stable")
    begin, end = (np.searchsorted(offered[order], wanted, side=side) for side in ("left", "right"))
    return order, begin, end


def _joined_size(domain: Domain, first: _List, second: _List) -> int:
    _, begin, end = _matches(domain, first, second)
    return int((end - begin).sum())


def _join(domain: Domain, first: _List, second: _List) -> _List:
    """Return all combinations of a cell of each list that agree on the shared attributes."""
    order, begin, end = _matches(domain, first, second)
    n_partners = end - begin
    left = np.repeat(np.arange(len(first.codes)), n_partners)
    within = np.arange(len(left)) - np.repeat(np.cumsum(n_partners) - n_partners, n_partners)
    right = order[np.repeat(begin, n_partners) + within]
    new = [name for name in second.names if name not in first.names]
    added = second.codes[right][:, [second.names.index(name) for name in new]]
    return _List((*first.names, *new), np.hstack([first.codes[left], added]))


def _grouped(keys: IntArray) -> tuple[IntArray, CellGroups]:
    """Return the different keys in increasing order, and the places where each of them occurs."""
    order = np.argsort(keys, kind="stable")
    different, starts = np.unique(keys[order], return_index=True)
    return different, CellGroups(np.append(starts, len(keys)).astype(np.int64), order.astype(np.int64))


def _rows(table: PublishedTable, attributes: Sequence[str], codes: IntArray, population: int) -> Rows:
    names = _left(table, attributes)
    keys, groups = _grouped(table.domain.keys(codes, attributes, names))
    listed = np.unique(table.domain.keys(table.codes, table.attributes, names))
    lost = np.setdiff1d(listed, keys)
    lost = lost[table.sums(names, lost).low > 0]
    sums = table.sums(names, np.append(keys, lost))
    starts = np.append(groups.starts, np.full(len(lost), len(codes)))
    is_told = sums.published > 0 if table.is_sample else np.ones(len(sums.low), dtype=bool)
    groups = _chosen(CellGroups(starts, groups.members), is_told)
    low, high, published = (values[is_told] for values in (sums.low, sums.high, sums.published))
    is_summed = len(names) < len(table.attributes)
    return Rows(table.name, table.mechanism, names, groups, low, np.minimum(high, population), published, is_summed)


def _chosen(groups: CellGroups, is_chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> CellGroups:
    sizes = np.diff(groups.starts)
    members = groups.members[np.repeat(is_chosen, sizes)]
    return CellGroups(np.concatenate([[0], np.cumsum(sizes[is_chosen])]).astype(np.int64), members)
