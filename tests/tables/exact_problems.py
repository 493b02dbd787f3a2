"""Small problems made from a random population: samples, tables of every mechanism, and the twin's view of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.publication import TableDescription, make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from tests.oracle.table_posterior import Published

MECHANISMS = ("exact", "rounded", "random_rounding", "suppressed", "sample")


@dataclass(frozen=True)
class Plan:
    """Which samples to draw and which tables to publish, by their attributes."""

    samples: Sequence[tuple[tuple[str, ...], int]]
    tables: Sequence[tuple[tuple[str, ...], str]] = ()


def publish(people: pd.DataFrame, names: Sequence[str], mechanism: str, rng: np.random.Generator) -> TableDescription:
    """Return a table of a population; cells of count 0 are not listed."""
    if mechanism == "sample":
        people = people.sample(max(1, len(people) // 2), random_state=int(rng.integers(2**31)))
    cells = people.groupby(list(names), as_index=False).size().rename(columns={"size": "count"})
    counts = cells["count"].to_numpy()
    if mechanism == "suppressed":
        low = np.maximum(counts - rng.integers(0, 2, len(counts)), 0)
        frame = cells.assign(low=low, high=counts + rng.integers(0, 3, len(counts)))
        return make_table_description(frame, mechanism=mechanism)
    if mechanism not in ("rounded", "random_rounding"):
        return make_table_description(cells, mechanism=mechanism)
    base = 3
    rest = counts % base
    is_up = 2 * rest >= base if mechanism == "rounded" else rng.random(len(counts)) < rest / base
    return make_table_description(cells.assign(count=counts - rest + base * is_up), mechanism=mechanism, base=base)


def make_problem(plan: Plan, sizes: dict[str, int], population: int, seed: int) -> tuple[Evidence, pd.DataFrame]:
    """Draw a population from the uniform prior over base tables, and publish what the plan says."""
    rng = np.random.default_rng(seed)
    n_cells = int(np.prod(list(sizes.values())))
    bars = np.sort(rng.choice(population + n_cells - 1, n_cells - 1, replace=False))
    counts = np.diff(np.concatenate([[-1], bars, [population + n_cells - 1]])) - 1
    codes = np.array(np.unravel_index(np.repeat(np.arange(n_cells), counts), list(sizes.values()))).T
    people = pd.DataFrame({name: codes[:, place].astype(str) for place, name in enumerate(sizes)})
    drawn = {}
    for number, (names, size) in enumerate(plan.samples):
        drawn[f"s{number}"] = people.iloc[rng.choice(population, size, replace=False)][list(names)]
    tables = [publish(people, names, mechanism, rng) for names, mechanism in plan.tables]
    return make_evidence(drawn, tables, population=population, overlap=_common(plan)), people


def _common(plan: Plan) -> list[str]:
    first = plan.samples[0][0]
    return [name for name in first if all(name in names for names, _ in plan.samples)]


def unique_matches(evidence: Evidence) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the overlap cells with one record in every sample."""
    found: set[int] | None = None
    for sample in evidence.samples:
        cells, counts = evidence.overlap_counts(sample)
        single = set(cells[counts == 1].tolist())
        found = single if found is None else found & single
    return np.array(sorted(found or ()), dtype=np.int64)


def twin_view(evidence: Evidence) -> tuple[list[str], list[int], list[int], list[Published]]:
    """Return all attributes, their sizes, the places of the overlap, and what was published, for the slow twin."""
    names = list(evidence.domain.categories)
    tables = []
    for table in (*evidence.sample_tables(), *evidence.tables):
        is_interval = table.mechanism.name in ("exact", "suppressed")
        bounds = zip(
            (table.low if is_interval else table.counts).tolist(),
            (table.high if is_interval else table.counts).tolist(),
            strict=True,
        )
        cells = (tuple(row) for row in table.codes.tolist())
        places = tuple(names.index(name) for name in table.attributes)
        tables.append(
            Published(places, table.mechanism.name, dict(zip(cells, bounds, strict=True)), table.mechanism.unit)
        )
    return names, evidence.domain.sizes(names), [names.index(name) for name in evidence.overlap], tables
