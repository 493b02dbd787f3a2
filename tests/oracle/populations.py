"""All populations of a few people, and which of them samples and tables allow: a list, filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

Cell = tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """What a table tells: published count, or interval, of cells over some attributes; cells not listed are 0."""

    name: str
    attributes: tuple[str, ...]
    mechanism: str
    counts: Mapping[Cell, int]
    base: int = 1
    intervals: Mapping[Cell, tuple[int, int]] | None = None


def all_populations(categories: Mapping[str, Sequence[str]], n_people: int) -> tuple[list[Cell], NDArray[np.int64]]:
    """Return all cells, and the counts of every population, one row per population."""
    cells = list(product(*categories.values()))
    choices = np.array(list(combinations_with_replacement(range(len(cells)), n_people)))
    counts = np.zeros((len(choices), len(cells)), dtype=np.int64)
    for person in range(n_people):
        np.add.at(counts, (np.arange(len(choices)), choices[:, person]), 1)
    return cells, counts


def margin(
    categories: Mapping[str, Sequence[str]], cells: Sequence[Cell], counts: NDArray[np.int64], names: Sequence[str]
) -> dict[Cell, NDArray[np.int64]]:
    """Return the count of each cell over some attributes, in every population."""
    places = [list(categories).index(name) for name in names]
    result = {cell: np.zeros(len(counts), dtype=np.int64) for cell in product(*(categories[name] for name in names))}
    for column, cell in enumerate(cells):
        result[tuple(cell[place] for place in places)] += counts[:, column]
    return result


def allowed(told: Told, margins: Mapping[Cell, NDArray[np.int64]], n_people: int) -> NDArray[np.bool_]:
    """Return which populations could have given this table."""
    n_drawn = sum(told.counts.values())
    result = np.ones(len(next(iter(margins.values()))), dtype=bool)
    for cell, true in margins.items():
        published = told.counts.get(cell, 0)
        if told.mechanism == "exact":
            result &= true == published
        elif told.mechanism == "rounded":
            result &= (true + told.base // 2) // told.base * told.base == published
        elif told.mechanism == "random_rounding":
            result &= np.abs(true - published) < told.base
        elif told.mechanism == "suppressed":
            low, high = (told.intervals or {}).get(cell, (0, 0))
            result &= (true >= low) & (true <= high)
        else:
            result &= (true >= published) & (n_people - true >= n_drawn - published)
    return result


def bounds_of(
    categories: Mapping[str, Sequence[str]], n_people: int, overlap: Sequence[str], told: Sequence[Told]
) -> dict[Cell, tuple[int, int]]:
    """Return the least and largest count of each overlap cell over the populations that everything allows."""
    cells, counts = all_populations(categories, n_people)
    for table in told:
        counts = counts[allowed(table, margin(categories, cells, counts, table.attributes), n_people)]
    result = margin(categories, cells, counts, overlap)
    return {cell: (int(values.min()), int(values.max())) for cell, values in result.items()}


def contradictions(
    categories: Mapping[str, Sequence[str]], n_people: int, told: Sequence[Told]
) -> list[tuple[str, ...]]:
    """Return the names of all smallest sets of tables that no population has."""
    cells, counts = all_populations(categories, n_people)
    possible = {
        table.name: allowed(table, margin(categories, cells, counts, table.attributes), n_people) for table in told
    }
    for size in range(1, len(told) + 1):
        names = [
            some for some in combinations(possible, size) if not np.all([possible[name] for name in some], axis=0).any()
        ]
        if names:
            return names
    return []
