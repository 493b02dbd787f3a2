"""The worked example of smith-elliot-bayesian.txt: 18 people, samples of 6 and 5, one unique match."""

from __future__ import annotations

import pandas as pd

from linkrisk.tables.evidence.publication import TableDescription, make_table_description

POPULATION = pd.DataFrame(
    [
        ("Level1", "Level1", "Level1", 2),
        ("Level1", "Level1", "Level2", 1),
        ("Level1", "Level2", "Level1", 4),
        ("Level1", "Level2", "Level2", 1),
        ("Level2", "Level1", "Level1", 5),
        ("Level2", "Level1", "Level2", 2),
        ("Level2", "Level2", "Level1", 1),
        ("Level2", "Level2", "Level2", 2),
    ],
    columns=["Var1", "Var2", "Var3", "count"],
)

FIRST = pd.DataFrame(
    [("Level1", "Level1")] * 2 + [("Level1", "Level2")] + [("Level2", "Level1")] * 3, columns=["Var1", "Var2"]
)

SECOND = pd.DataFrame(
    [("Level1", "Level1")] * 3 + [("Level1", "Level2")] + [("Level2", "Level1")], columns=["Var2", "Var3"]
)

ROUNDED = POPULATION.assign(count=[0, 3, 3, 3, 6, 3, 3, 3])


def rounded() -> TableDescription:
    """Return the table rounded at random to base 3."""
    return make_table_description(ROUNDED, mechanism="random_rounding", base=3, name="rounded")
