"""Samples and tables that contradict each other: the smallest set is named, and nothing that does not contradict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.errors import SettingsError
from linkrisk.tables.bounds.contradiction import check_consistent, find_contradiction
from linkrisk.tables.bounds.exact import exact_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.mechanisms import Exact
from linkrisk.tables.evidence.publication import TableDescription, make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from tests.oracle.populations import Told, contradictions
from tests.tables.problems import Problem, problems

FIRST = pd.DataFrame({"a": ["0", "0", "1"], "x": ["0", "1", "0"]})
SECOND = pd.DataFrame({"a": ["0", "1", "1"], "y": ["0", "1", "0"]})


def _table(attributes: str, counts: list[int], name: str, **options: object) -> TableDescription:
    """Return a table over attributes of two categories, all cells in order."""
    codes = [f"{number:0{len(attributes)}b}" for number in range(2 ** len(attributes))]
    frame = pd.DataFrame([(*code, n) for code, n in zip(codes, counts, strict=True)], columns=[*attributes, "count"])
    return make_table_description(frame, name=name, **{"mechanism": "exact", **options})


def _evidence(*tables: TableDescription) -> Evidence:
    return make_evidence({"first.csv": FIRST, "second.csv": SECOND}, list(tables), population=10)


def test_two_tables() -> None:
    """Margins that differ: both are named, and no other."""
    evidence = _evidence(
        _table("ab", [3, 2, 2, 3], "exact.csv"),
        _table("bc", [3, 0, 3, 3], "rounded.csv", mechanism="rounded", base=3),
        _table("ac", [6, 2, 1, 1], "other.csv"),
    )
    assert find_contradiction(evidence) == ("exact.csv", "other.csv")
    with pytest.raises(
        SettingsError,
        match=r"^exact\.csv and other\.csv contradict each other: no population of 10 people agrees with both; check",
    ):
        exact_bounds(evidence, np.arange(2))


def test_three_tables_of_which_any_two_agree() -> None:
    """Three margins in a ring: a = b, b = c, and a different from c for everybody."""
    equal, different = [5, 0, 0, 5], [0, 5, 5, 0]
    evidence = _evidence(_table("ab", equal, "ab"), _table("bc", equal, "bc"), _table("ac", different, "ac"))
    assert find_contradiction(evidence) == ("ab", "bc", "ac")
    with pytest.raises(SettingsError, match=r"^ab, bc and ac contradict each other: .* agrees with all of them"):
        check_consistent(evidence)


@pytest.mark.slow
def test_whole_numbers_are_needed() -> None:
    """Half a person in each of four cells would have all margins; two people with an odd number of ones have not."""
    odd = pd.DataFrame([(*cell, 0, 2) for cell in ("001", "010", "100", "111")], columns=["u", "v", "w", "low", "high"])
    margins = [_table(name, [1, 1], name) for name in "uvw"]
    samples = {"first": FIRST.head(1), "second": SECOND.tail(1)}
    tables = [*margins, make_table_description(odd, mechanism="suppressed", name="odd")]
    assert find_contradiction(make_evidence(samples, tables)) == ("u", "v", "w", "odd")
    assert find_contradiction(make_evidence(samples, tables[1:])) == ()


def test_a_sample_and_a_table() -> None:
    """More people drawn from a cell than are in it."""
    evidence = _evidence(_table("ax", [1, 5, 2, 2], "counts.csv"), _table("ay", [3, 3, 2, 2], "more.csv"))
    drawn = replace(evidence.samples[0], codes=np.zeros_like(evidence.samples[0].codes))
    assert find_contradiction(replace(evidence, samples=(drawn, *evidence.samples[1:]))) == ("first.csv", "counts.csv")


def test_consistent_evidence_has_no_contradiction() -> None:
    """Nothing is named, nothing raised."""
    evidence = _evidence(_table("ax", [1, 5, 2, 2], "counts.csv"))
    assert find_contradiction(evidence) == ()
    check_consistent(evidence)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(problems(mechanisms=("exact", "suppressed"), most_people=4), st.data())
def test_the_smallest_set_is_named(problem: Problem, data: st.DataObject) -> None:
    """Counts moved from one cell to another: what is named is one of the smallest sets of a list of all populations."""
    told, tables = list(problem.told), list(problem.evidence.tables)
    for place, table in enumerate(tables):
        order = data.draw(st.permutations(range(len(table.counts))))
        low, high = table.low[order], table.high[order]
        cells = [
            table.domain.labels(table.attributes, int(key))
            for key in table.domain.keys(table.codes, table.attributes, table.attributes)
        ]
        intervals = dict(zip(cells, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        tables[place] = replace(table, low=low, high=high, counts=low, mechanism=Exact("suppressed"))
        told[place + 2] = Told(table.name, table.attributes, "suppressed", {}, 1, intervals)
    evidence = replace(problem.evidence, tables=tuple(tables))
    smallest = contradictions(problem.categories, len(problem.people), told)
    found = find_contradiction(evidence)
    assert found in smallest if smallest else found == ()
    if smallest:
        with pytest.raises(SettingsError, match="contradict"):
            exact_bounds(evidence, np.arange(evidence.domain.n_cells(evidence.overlap)))
