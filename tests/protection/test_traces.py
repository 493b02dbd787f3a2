"""What no method takes away: the order of the records, where values are missing, and names that are one as text."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.errors import ColumnError
from linkrisk.protection import add_noise, rank_swap
from linkrisk.protection.planning.traces import is_in_groups, is_in_order, missing_notes


def people(n_records: int = 60) -> pd.DataFrame:
    """Make a file in random order."""
    generator = np.random.default_rng(7)
    return pd.DataFrame({"wage": generator.lognormal(8, 1, n_records), "sex": generator.choice(["f", "m"], n_records)})


def test_a_file_in_the_order_of_what_is_protected_is_told() -> None:
    """The order gives ranks away, whatever the noise; that of a column which is left tells nothing new."""
    for frame in (people().sort_values("wage"), people().sort_values("wage", ascending=False)):
        notes = linkrisk.protect(frame, "noise", p=10).notes
        assert any("in the order of wage" in note for note in notes)
    assert not any("in the order of" in note for note in linkrisk.protect(people(), "noise", p=10).notes)
    by_sex = people().sort_values("sex")
    assert not any("in the order of" in note for note in linkrisk.protect(by_sex, "noise", p=10).notes)
    told = linkrisk.protect(by_sex, "pram", keep=0.5, leave="wage").notes
    assert any("in the order of sex" in note for note in told)


def test_tune_tells_the_same() -> None:
    """Its release has the same order."""
    original = people().sort_values("wage")[["wage"]].assign(tax=people()["wage"].to_numpy())
    tuning = linkrisk.tune(original, "noise", 1.0, attackers=["mean"], scales=["ranks"], trials=1, confirm=False)
    assert any("in the order of wage" in note for note in tuning.notes)


def test_order_by_chance_and_with_holes() -> None:
    """Few records are in order now and then; missing values interrupt no order."""
    assert not is_in_order(np.array([]))
    assert not is_in_order(np.arange(8.0))
    assert is_in_order(np.arange(12.0))
    assert is_in_order(np.array([1, np.nan, 2, *range(3, 15)]))
    assert not is_in_order(np.full(50, 3.0))
    cells = np.array(["b"] * 15 + ["a"] * 15, dtype=object)
    assert is_in_groups(cells)
    assert not is_in_groups(np.array(["a"] * 29 + ["b"], dtype=object))
    assert not is_in_groups(np.array([], dtype=object))
    assert not is_in_groups(np.array([f"name {i}" for i in range(40)], dtype=object))


def test_a_pattern_of_missing_values_of_its_own_is_told() -> None:
    """By value, by code, and in columns that are left; two alike hide each other."""
    frame = people()
    assert not any("missing" in note for note in linkrisk.protect(frame, "noise", p=10).notes)
    frame.loc[3, "wage"] = np.nan
    assert any(note.startswith("1 record has a pattern") for note in linkrisk.protect(frame, "noise", p=10).notes)
    frame.loc[4, "wage"] = np.nan
    assert not any("missing" in note for note in linkrisk.protect(frame, "noise", p=10).notes)
    frame.loc[4, "sex"] = None
    notes = linkrisk.protect(frame, "noise", p=10).notes
    assert any(note.startswith("2 records have each a pattern") for note in notes)
    coded = people().round()
    coded.loc[5, "wage"] = -9
    notes = linkrisk.protect(coded, "noise", p=10, missing=["-9"]).notes
    assert any(note.startswith("1 record has a pattern") for note in notes)


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 150))
@settings(max_examples=50, deadline=None)
def test_patterns_of_their_own_are_counted(seed: int, n_records: int, n_columns: int) -> None:
    """As a table of whole rows counts them, however many columns there are."""
    generator = np.random.default_rng(seed)
    is_missing = generator.random((3, n_columns))[generator.integers(0, 3, n_records)] < 0.3
    patterns = Counter(map(tuple, is_missing.tolist()))
    alone = sum(count == 1 for count in patterns.values()) if is_missing.any() else 0
    notes = missing_notes(is_missing)
    assert [int(note.split()[0]) for note in notes] == ([alone] if alone else [])


def test_two_names_that_are_one_as_text_are_refused() -> None:
    """Draws go by the name as text: columns 0 and "0" would get the same noise, and the same swaps."""
    values = np.random.default_rng(1).random(50)
    frame = pd.DataFrame({0: values, "0": values})
    for protect in (add_noise, rank_swap):
        with pytest.raises(ColumnError, match="same name when written as text"):
            protect(frame, 10)


@pytest.mark.parametrize("method", ["noise", "correlated_noise", "rank_swap", "rounding", "pram"])
def test_columns_share_no_draws(method: str) -> None:
    """Two copies of a column are protected unlike each other, whatever their names have in common."""
    given: dict[str, Any] = {"rounding": {"base": 0.4, "random": True}, "pram": {"keep": 0.5}}
    options: dict[str, Any] = given.get(method, {"p": 20})
    generator = np.random.default_rng(2)
    values = generator.random(4_000) if method != "pram" else generator.choice(["x", "y"], 4_000)
    other = generator.permutation(values)  # correlated noise of a copy is a copy, as it should be
    copies = {"a": values, "a 1": values, "1 a": values, "a ": values}
    if method == "correlated_noise":
        copies = {"a": values, "a 1": other}
    protected = linkrisk.protect(pd.DataFrame(copies), method, **options, secret_seed=1).data
    moves = np.column_stack(
        [protected[name] != before if method == "pram" else protected[name] - before for name, before in copies.items()]
    )
    related = np.corrcoef(moves.astype(float), rowvar=False) - np.eye(len(copies))
    assert np.abs(related).max() < (0.4 if method == "rank_swap" else 0.08)  # ends of the range move alike


def test_numbers_that_are_codes_are_told_by_groups() -> None:
    """A file sorted by region, which holds numbers and is nominal, with a hole: its order gives the region away."""
    frame = people().assign(region=np.repeat([30.0, 10.0, 20.0], 20))
    frame.loc[7, "region"] = np.nan
    schema = {"attributes": {"region": {"kind": "nominal"}}}
    notes = linkrisk.protect(frame, "pram", keep=0.5, leave="wage", schema=schema).notes
    assert any("in the order of region" in note for note in notes)
