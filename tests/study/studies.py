"""Small studies for the tests, and their rows without what differs from run to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkrisk.study import show

TIMES = ("learning_seconds",)
"""Figures that are times."""


def small_study(**others: Any) -> dict[str, Any]:
    """Return a study of two protections in two strengths, two samples of each: 16 cells with two attackers."""
    return {
        "name": "small",
        "seed": 7,
        "repeats": 2,
        "attackers": ["mean", "weighted_mean"],
        "data": [
            {
                "name": "people",
                "generated": "census_like",
                "records": 60,
                "sample": 25,
                "columns": ["AGI", "FEDTAX", "PTOTVAL"],
            }
        ],
        "protection": [
            {"name": "noise", "method": "noise", "grid": {"p": [5, 60]}},
            {"name": "clusters", "method": "mdav", "grid": {"k": [3, 6]}},
        ],
        **others,
    }


SMALL_TOML = """
name = "small"
seed = 7
repeats = 2
attackers = ["mean", "weighted_mean"]

[[data]]
name = "people"
generated = "census_like"
records = 60
sample = 25
columns = ["AGI", "FEDTAX", "PTOTVAL"]

[[protection]]
name = "noise"
method = "noise"
grid = { p = [5, 60] }

[[protection]]
name = "clusters"
method = "mdav"
grid = { k = [3, 6] }
"""
"""The same study as a file."""

N_CELLS = 16


def rows_of(store: Path) -> list[tuple[Any, ...]]:
    """Return all rows of a store in order, without times: what must be the same whoever did the work."""
    return [
        (
            row.key,
            row.data,
            row.protection,
            row.parameters,
            row.measure,
            row.attacker,
            row.scale,
            row.ties,
            row.repeat,
            row.problem,
            {name: value for name, value in row.figures.items() if name not in TIMES},
            row.details,
        )
        for row in show(store).rows
    ]
