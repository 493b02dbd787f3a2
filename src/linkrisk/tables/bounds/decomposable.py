"""Bounds in closed form, for tables that are exact margins and whose attributes form a decomposable graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.tables.bounds.cells import Cells, Rows


@dataclass(frozen=True)
class Ear:
    """A set of attributes all of whose attributes in later sets lie in one of these, its ``parent``: the separator."""

    place: int
    separator: tuple[str, ...]
    parent: int | None


def ears(sets: Sequence[Sequence[str]]) -> list[Ear] | None:
    """Return an order in which what each set shares with later sets lies in one of them; None if there is none.

    Such an order exists if and only if the sets are cliques of a decomposable graph, or parts of cliques (Graham's
    reduction; Beeri, Fagin, Maier and Yannakakis 1983).

    >>> [(ear.place, ear.separator) for ear in ears(["ab", "bc", "cd"])]
    [(0, ('b',)), (1, ('c',)), (2, ())]
    >>> ears(["ab", "bc", "ac"]) is None
    True
    """
    left = list(range(len(sets)))
    result: list[Ear] = []
    while left:
        found = next((ear for place in left if (ear := _ear(sets, left, place)) is not None), None)
        if found is None:
            return None
        result.append(found)
        left.remove(found.place)
    return result


def _ear(sets: Sequence[Sequence[str]], left: Sequence[int], place: int) -> Ear | None:
    others = [other for other in left if other != place]
    shared = tuple(name for name in sets[place] if any(name in sets[other] for other in others))
    if not others:
        return Ear(place, (), None)
    parent = next((other for other in others if set(shared) <= set(sets[other])), None)
    return None if parent is None else Ear(place, shared, parent)


def decomposable_bounds(cells: Cells, overlap: Sequence[str]) -> tuple[IntArray, IntArray] | None:
    """Return the exact bounds of every overlap cell that has base cells, or None where the closed form does not apply.

    It applies if the published tables are exact margins of the overlap table, over sets of attributes C_1, C_2, ...
    that are cliques of a decomposable graph with separators S_2, S_3, ..., if these sets contain all overlap
    attributes, and if samples count cells of the overlap table. Let d be the largest number drawn from a cell by any
    sample, and n the margins less those of d. Then::

        high = d + min n(C_j),   low = d + max(0, sum n(C_j) - sum n(S_j))

    *Guarantee* (docs/mathematics.md#decomposable): these are the least and the largest count over all consistent
    populations. Without samples this is Theorem 3 of Dobra and Fienberg (2000). With samples, x is consistent if and
    only if x - d is 0 or more and has the margins n; the upper bounds that samples imply follow from the lower bounds
    of the other cells and the population. Margins that agree on shared attributes belong to a common population
    (Vorob'ev 1962). If they do not agree, or are negative, the result is None, and the integer programme finds the
    contradiction. Cost: a few sums over the cells for each table.
    """
    samples = [rows for rows in cells.rows if rows.mechanism.name == "sample"]
    margins = [rows for rows in cells.rows if rows.mechanism.name != "sample"]
    if not _applies(cells, samples, margins, overlap):
        return None
    order = ears([rows.attributes for rows in margins])
    if order is None:
        return None
    drawn = _largest_drawn(cells, samples)
    tables = [_margin(cells, rows, drawn) for rows in margins]
    if any(table.min(initial=0) < 0 for table in tables):
        return None
    total = np.zeros(cells.n_cells, dtype=np.int64)
    for ear in order:
        total += tables[ear.place]
        if ear.parent is None:
            continue
        inside = _margin_of(cells, margins[ear.place], tables[ear.place], ear.separator)
        if not np.array_equal(inside, _margin_of(cells, margins[ear.parent], tables[ear.parent], ear.separator)):
            return None
        total -= inside
    low, high = drawn + np.maximum(total, 0), drawn + np.min(tables, axis=0)
    order_of_cells = cells.overlap_groups.members  # one base cell per overlap cell
    return low[order_of_cells], high[order_of_cells]


def _applies(cells: Cells, samples: Sequence[Rows], margins: Sequence[Rows], overlap: Sequence[str]) -> bool:
    if not margins or set(cells.attributes) != set(overlap):
        return False
    if {name for rows in margins for name in rows.attributes} != set(overlap):
        return False
    if any(set(rows.attributes) != set(overlap) for rows in samples):
        return False
    is_exact = all((rows.low == rows.high).all() and rows.low.sum() == cells.population for rows in margins)
    has_cells = all((np.diff(rows.groups.starts) > 0).all() for rows in cells.rows)
    return is_exact and has_cells and all(len(rows.groups.members) == cells.n_cells for rows in margins)


def _largest_drawn(cells: Cells, samples: Sequence[Rows]) -> IntArray:
    drawn = np.zeros(cells.n_cells, dtype=np.int64)
    for rows in samples:
        np.maximum.at(drawn, rows.groups.members, np.repeat(rows.published, np.diff(rows.groups.starts)))
    return drawn


def _margin(cells: Cells, rows: Rows, drawn: IntArray) -> IntArray:
    """Return for each base cell the count of its cell in the table, less the people drawn there."""
    values = np.empty(cells.n_cells, dtype=np.int64)
    values[rows.groups.members] = np.repeat(rows.low - rows.groups.sums(drawn), np.diff(rows.groups.starts))
    return values


def _margin_of(cells: Cells, rows: Rows, margin: IntArray, separator: Sequence[str]) -> IntArray:
    """Return for each base cell the margin of a table over the attributes of a separator."""
    places = [cells.attributes.index(name) for name in separator]
    number = np.zeros(cells.n_cells, dtype=np.int64)
    if places:
        number = np.unique(cells.codes[:, places], axis=0, return_inverse=True)[1].ravel().astype(np.int64)
    first = rows.groups.members[rows.groups.starts[:-1]]
    sums = np.zeros(int(number.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(sums, number[first], margin[first])
    return sums[number]
