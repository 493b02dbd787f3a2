"""How well an intruder ranks his matches of two samples, while tables are published (smith-elliot-bayesian.txt)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from linkrisk import datasets
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Workload, seed_of
from linkrisk.study.specification.cells import Cell
from linkrisk.study.specification.options import MatchingOptions
from linkrisk.tables import categorical_population, draw_sample, publish_table
from linkrisk.tables.evidence.publication import TableDescription
from linkrisk.tables.match import match
from linkrisk.tables.truth import rank_correlation


def measure(workload: Workload, cell: Cell) -> Measured:
    """Return the rank correlation (Spearman) of probabilities said and true, over the matches of all draws.

    Before any table all matches look alike, and it is 0.
    """
    matching, seed = workload.specification.matchings_by_name[cell.data], workload.specification.seed
    n_tables = int(dict(cell.parameters)["tables"])
    posterior, bounds = str(cell.variant.attacker).split()
    people = workload.once(("people", cell.data), lambda: _people(matching, seed))
    said: list[float] = []
    true: list[float] = []
    for draw in range(matching.draws):
        samples = [
            draw_sample(people, matching.drawn, list(names), seed=seed_of(seed, "sample", matching.name, place, draw))
            for place, names in enumerate(matching.samples)
        ]
        found = match(
            samples,
            list(_tables(people, matching, seed, draw))[:n_tables],
            population=len(people),
            truth=people,
            posterior=posterior,
            bounds=bounds,
            contributions=False,
            time_limit=matching.time_limit,
        )
        said += found.matches.probability.tolist()
        true += (1.0 / np.asarray(found.matches.true_count)).tolist()
    correlation = rank_correlation(np.array(said), np.array(true)).spearman
    figures = {
        "correlation": 0.0 if math.isnan(correlation) else correlation,
        "matches": float(len(said)),
        "mean_said": float(np.mean(said)) if said else None,
        "mean_true": float(np.mean(true)) if true else None,
    }
    return Measured(figures)


def _people(matching: MatchingOptions, seed: int | None) -> pd.DataFrame:
    drawn = seed_of(seed, "people", matching.name) % 2**32
    if matching.generated is None:
        return categorical_population(matching.records, matching.categories, dependence=matching.dependence, seed=drawn)
    people: pd.DataFrame = getattr(datasets, matching.generated)(matching.records, seed=drawn)
    named = {each for names in matching.samples for each in names} | {n for t in matching.tables for n in t.names}
    return people[[name for name in people.columns if name in named]].dropna().reset_index(drop=True)


def _tables(people: pd.DataFrame, matching: MatchingOptions, seed: int | None, draw: int) -> Iterator[TableDescription]:
    """Publish the tables, drawn anew for each draw where they are random."""
    for place, table in enumerate(matching.tables):
        drawn = seed_of(seed, "table", matching.name, place, draw)
        yield publish_table(people, list(table.names), table.mechanism, base=table.base, n=matching.drawn, seed=drawn)
