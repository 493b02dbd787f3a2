"""The worked example of smith-elliot-bayesian.txt: 18 people, samples of 6 and 5, one unique match; judged anew."""

from __future__ import annotations

import numpy as np
import pandas as pd

from linkrisk.study.papers.claims import COMPUTED, Claim, PublishedTable, Where
from linkrisk.tables import make_evidence, make_table_description, naive_posteriors
from linkrisk.tables.bounds.exact import exact_bounds

N_PEOPLE = 18

_FIRST = (("1", "1"), ("1", "1"), ("1", "2"), ("2", "1"), ("2", "1"), ("2", "1"))
_SECOND = (("1", "1"), ("1", "1"), ("1", "1"), ("1", "2"), ("2", "1"))
_ROUNDED = (
    ("1", "1", "1", 0),
    ("1", "1", "2", 3),
    ("1", "2", "1", 3),
    ("1", "2", "2", 3),
    ("2", "1", "1", 6),
    ("2", "1", "2", 3),
    ("2", "2", "1", 3),
    ("2", "2", "2", 3),
)
"""Levels of Var1 and Var2, of Var2 and Var3, and of all three with a count rounded at random to base 3."""

_BEFORE = (0.09, 0.19, 0.22, 0.19, 0.14, 0.09, 0.05, 0.02, 0.01, 0.0, 0.0, 0.0, 0.0)
_AFTER = (0.0, 0.0, 0.0, 0.39, 0.28, 0.17, 0.09, 0.04, 0.02, 0.0, 0.0, 0.0, 0.0)
"""Probabilities of the counts 1 to 13, as printed."""

_SAID = 0.20


def computed() -> dict[str, float]:
    """Return bounds, posteriors and the probability that the match is right, by name.

    >>> found = computed()
    >>> found["high, with the table"], round(found["right, with the table"], 2)
    (11.0, 0.2)
    """
    samples = {
        "first": pd.DataFrame(_FIRST, columns=["Var1", "Var2"]),
        "second": pd.DataFrame(_SECOND, columns=["Var2", "Var3"]),
    }
    counts = pd.DataFrame(_ROUNDED, columns=["Var1", "Var2", "Var3", "count"])
    rounded = make_table_description(counts, mechanism="random_rounding", base=3, name="rounded")
    figures: dict[str, float] = {}
    for when, tables in (("samples", []), ("with the table", [rounded])):
        evidence = make_evidence(samples, tables, population=N_PEOPLE)
        cell = np.array([1])
        bounds = exact_bounds(evidence, cell)
        (posterior,) = naive_posteriors(evidence, cell, bounds.low, bounds.high)
        figures |= {f"low, {when}": float(bounds.low[0]), f"high, {when}": float(bounds.high[0])}
        figures |= {f"{count}, {when}": posterior.probability(count) for count in range(1, len(_BEFORE) + 1)}
        figures[f"right, {when}"] = posterior.match_probability()
    return figures


def _claims() -> tuple[Claim, ...]:
    columns = {"samples": (1, 13, _BEFORE, None), "with the table": (4, 11, _AFTER, _SAID)}
    rows = ("low", "high", *(str(count) for count in range(1, len(_BEFORE) + 1)), "right")
    labels = {"low": "lowest count", "high": "highest count", "right": "match is right"}
    return tuple(
        Claim(labels.get(row, f"count {row}"), when, printed, Where(COMPUTED, {}, figure=f"{row}, {when}"))
        for place, row in enumerate(rows)
        for when, (low, high, posterior, said) in columns.items()
        for printed in [(low, high, *posterior, said)[place]]
    )


TABLE = PublishedTable(
    "smith-elliot-bayesian.txt, Example of analysis",
    "Bounds and posterior of the one unique match, before and after a rounded table",
    _claims(),
    unit="probability",
    note="Worked out when this page is written. The paper's upper bound of 11 takes the tables together; table by "
    "table it is 13.",
)
