"""The exact posterior the obvious way: every base table of so many people, in fractions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Published:
    """A sample or table: places of its attributes among all, its mechanism, and what it says of each listed cell.

    ``counts`` holds the published count, or for ``suppressed`` the interval, of listed cells; others count 0.
    """

    attributes: tuple[int, ...]
    mechanism: str
    counts: Mapping[Cell, tuple[int, int]]
    base: int = 1


def compositions(total: int, n_cells: int) -> Iterator[tuple[int, ...]]:
    """Return every way to spread ``total`` people over cells."""
    for bars in itertools.combinations(range(total + n_cells - 1), n_cells - 1):
        places = (-1, *bars, total + n_cells - 1)
        yield tuple(right - left - 1 for left, right in itertools.pairwise(places))


def likelihood(published: Published, cell: Cell, count: int) -> Fraction:
    """Return the probability of what was published of one cell; for a sample the ways to draw its people."""
    low, high = published.counts.get(cell, (0, 0))
    if published.mechanism == "sample":
        return Fraction(comb(count, low))
    if published.mechanism in ("exact", "suppressed"):
        return Fraction(int(low <= count <= high))
    rest = count % published.base
    below, above = count - rest, count - rest + published.base
    if published.mechanism == "rounded":
        return Fraction(int(low == (above if 2 * rest >= published.base else below)))
    up = Fraction(rest, published.base)
    return up * (low == above) + (1 - up) * (low == below)


def table_weight(base_cells: Sequence[Cell], table: Sequence[int], tables: Sequence[Published]) -> Fraction:
    """Return the product of the likelihoods of all samples and tables, up to a constant."""
    weight = Fraction(1)
    for published in tables:
        sums: dict[Cell, int] = {}
        for cell, count in zip(base_cells, table, strict=True):
            part = tuple(cell[place] for place in published.attributes)
            sums[part] = sums.get(part, 0) + count
        for part, count in sums.items():
            weight *= likelihood(published, part, count)
            if not weight:
                return weight
    return weight


def posterior(
    sizes: Sequence[int], population: int, overlap: Sequence[int], asked: Cell, tables: Sequence[Published]
) -> list[Fraction]:
    """Return the probability of each count, from 0 to the population, of one overlap cell; all 0 if nothing fits."""
    base_cells = list(itertools.product(*(range(size) for size in sizes)))
    is_asked = [tuple(cell[place] for place in overlap) == asked for cell in base_cells]
    weights = [Fraction(0)] * (population + 1)
    for table in compositions(population, len(base_cells)):
        count = sum(itertools.compress(table, is_asked))
        weights[count] += table_weight(base_cells, table, tables)
    total = sum(weights)
    return [weight / total for weight in weights] if total else weights
