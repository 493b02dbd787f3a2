"""The experiment of smith-elliot-bayesian.txt: with more tables an intruder ranks his matches better.

python -m benchmarks experiment    a generated population and a categorical file: table, and a chart each

Samples of a population are matched; tables are published one after the other. The rank correlation (Spearman) of the
probabilities said with the true ones is over the matches of several draws of samples and tables. The charts are written
to benchmarks/output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.chart import write_chart
from benchmarks.table import OUTPUT, Row
from linkrisk import match
from linkrisk.datasets import census_like_mixed
from linkrisk.tables import categorical_population, draw_sample, publish_table
from linkrisk.tables.evidence.publication import TableDescription
from linkrisk.tables.truth import rank_correlation

REPEATS = 5
PATIENCE = 60.0
SECONDS = 4.0
"""For the exact bounds of one set of tables: the paper's intruder is in a hurry, and what is not exact still holds."""

WAYS = {
    "paper, naive bounds": ("paper", "naive"),
    "paper, exact bounds": ("paper", "exact"),
    "sums, exact bounds": ("sums", "exact"),
    "exact": ("exact", "exact"),
}


@dataclass(frozen=True)
class Setting:
    """A population, what each sample knows, how many are drawn, and the tables in the order of their publication."""

    name: str
    people: pd.DataFrame
    parts: tuple[list[str], list[str]]
    n_drawn: int
    tables: tuple[tuple[list[str], str, int | None], ...]
    ways: tuple[str, ...]

    def publish(self, seed: int) -> list[TableDescription]:
        """Return the tables, drawn anew for each seed where they are random."""
        return [
            publish_table(self.people, names, mechanism, base=base, n=self.n_drawn, seed=100 * seed + place)
            for place, (names, mechanism, base) in enumerate(self.tables)
        ]


def experiment_rows() -> list[Row]:
    """Run both populations, and a small one on which the exact posterior is worked out, too."""
    return [row for setting in (_small(), _generated(), _categorical()) for row in _rows(setting)]


def _rows(setting: Setting) -> list[Row]:
    labels = ["samples only", *(f"+ {_label(names, mechanism, base)}" for names, mechanism, base in setting.tables)]
    lines = {way: [_correlation(setting, n, way) for n in range(len(labels))] for way in setting.ways}
    OUTPUT.mkdir(exist_ok=True)
    title = f"Rank correlation of probabilities said and true: {setting.name}"
    write_chart(OUTPUT / f"experiment-{setting.name.split()[0]}.svg", title, labels, lines)
    return [
        Row(f"{setting.name}: {label}, {way}", lines[way][place], "rho")
        for place, label in enumerate(labels)
        for way in setting.ways
    ]


def _correlation(setting: Setting, n_tables: int, way: str) -> float:
    """Return the rank correlation over the matches of all draws; before any table they look alike, and it is 0."""
    posterior, bounds = WAYS[way]
    said: list[float] = []
    true: list[float] = []
    for seed in range(REPEATS):
        samples = [
            draw_sample(setting.people, setting.n_drawn, part, seed=1000 * seed + k)
            for k, part in enumerate(setting.parts)
        ]
        report = match(
            samples,
            setting.publish(seed)[:n_tables],
            population=len(setting.people),
            truth=setting.people,
            posterior=posterior,
            bounds=bounds,
            contributions=False,
            time_limit=PATIENCE if posterior == "exact" else SECONDS,
        )
        said += report.matches.probability.tolist()
        true += (1.0 / np.asarray(report.matches.true_count)).tolist()
    found = rank_correlation(np.array(said), np.array(true)).spearman
    return 0.0 if math.isnan(found) else found


def _label(names: Sequence[str], mechanism: str, base: int | None) -> str:
    return f"{' x '.join(names)} {mechanism}{'' if base is None else f' {base}'}"


def _small() -> Setting:
    people = categorical_population(150, {"a": 2, "b": 12, "c": 6, "d": 2}, seed=3)
    tables = ((["b"], "random_rounding", 3), (["c"], "exact", None), (["b", "c"], "random_rounding", 5))
    ways = ("paper, naive bounds", "paper, exact bounds", "sums, exact bounds", "exact")
    return Setting("small generated population", people, (["a", "b", "c"], ["b", "c", "d"]), 40, tables, ways)


def _generated() -> Setting:
    categories = {"region": 6, "trade": 12, "age": 8, "home": 5, "family": 4}
    people = categorical_population(5000, categories, dependence=0.5, seed=1)
    tables = (
        (["region", "trade"], "random_rounding", 5),
        (["age", "home"], "exact", None),
        (["trade", "age"], "random_rounding", 3),
        (["trade", "age", "home", "family"], "rounded", 3),
        (["trade", "age", "home"], "sample", None),
        (["trade", "age", "home"], "random_rounding", 5),
    )
    parts = (["region", "trade", "age", "home"], ["trade", "age", "home", "family"])
    ways = ("paper, naive bounds", "paper, exact bounds", "sums, exact bounds")
    return Setting("generated population", people, parts, 500, tables, ways)


def _categorical() -> Setting:
    people = census_like_mixed(4000, seed=1)[["sex", "region", "education", "marital_status", "age_group"]].dropna()
    tables = (
        (["region", "marital_status"], "random_rounding", 5),
        (["education", "age_group"], "exact", None),
        (["region", "age_group"], "random_rounding", 3),
        (["region", "education", "age_group", "sex"], "rounded", 3),
        (["region", "education", "age_group"], "sample", None),
        (["region", "education", "age_group"], "random_rounding", 5),
    )
    parts = (["marital_status", "region", "education", "age_group"], ["region", "education", "age_group", "sex"])
    ways = ("paper, naive bounds", "paper, exact bounds", "sums, exact bounds")
    return Setting("categorical file like Census", people.reset_index(drop=True), parts, 400, tables, ways)
