"""Strengths that a search tries: those that missing values allow, written so that they are read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.advice.space import space_of_plan, spaces_of_method
from linkrisk.data.attributes import Kind
from linkrisk.errors import TooFewRecordsError
from linkrisk.protection import microaggregate, read_plan
from linkrisk.protection.ladders import Material, cluster_sizes
from linkrisk.protection.planning.tasks import Task, Tasks, settle_plan
from linkrisk.protection.registry import METHODS
from linkrisk.protection.values.columns import Column
from linkrisk.protection.values.frame import Frame
from tests.cli.command import linkrisk_command

QUICK: dict[str, Any] = {"attackers": ["mean"], "scales": ["separate"], "confirm": False, "trials": 6}


def with_holes(n_records: int, n_complete: int) -> pd.DataFrame:
    """Make numbers of which each record lacks one, except the first ``n_complete``."""
    generator = np.random.default_rng(3)
    frame = pd.DataFrame(generator.normal(size=(n_records, 2)).round(3), columns=["a", "b"])
    rows = np.arange(n_complete, n_records)
    frame.loc[rows[::2], "a"] = np.nan
    frame.loc[rows[1::2], "b"] = np.nan
    return frame


@given(lacks=st.lists(st.tuples(*[st.booleans()] * 3), min_size=4, max_size=12), k=st.integers(2, 5))
def test_the_largest_k_that_missing_values_allow(lacks: list[tuple[bool, ...]], k: int) -> None:
    """Exactly up to it records can be clustered."""
    values = np.where(np.array(lacks), np.nan, np.arange(3.0 * len(lacks)).reshape(-1, 3))
    columns = tuple(Column(name, Kind.NUMERIC, values[:, place]) for place, name in enumerate("abc"))
    material = Material(len(lacks), columns)
    frame = pd.DataFrame(values, columns=list("abc"))
    if frame.isna().all().any() or 2 * k > len(lacks):
        return
    if k <= material.n_alike:
        microaggregate(frame, [["a", "b", "c"]], k)
    elif k <= min(frame.notna().sum()):
        with pytest.raises(TooFewRecordsError):
            microaggregate(frame, [["a", "b", "c"]], k)


def test_the_ladder_ends_where_records_can_no_longer_be_joined() -> None:
    """At the complete records, not at the known values of each column; never empty."""
    ladders = {}
    for n_complete in (5, 1):
        frame = Frame.of(with_holes(40, n_complete))
        columns = tuple(frame.columns(["a", "b"], [Kind.NUMERIC], "mdav"))
        ladders[n_complete] = cluster_sizes(Material(20, columns))
    assert ladders == {5: (2, 3, 4, 5), 1: (2,)}


def test_a_search_outlives_strengths_that_cannot_be_had() -> None:
    """They are noted, and do not count as reached; where nothing else is asked for, it is the mistake it is."""
    frame = with_holes(40, 1)
    tuning = linkrisk.tune(frame, "mdav", 0.99, **QUICK)
    assert any("left out" in note and "records with the same values missing" in note for note in tuning.notes)
    assert {trial.space for trial in tuning.trials} == {1}
    with pytest.raises(TooFewRecordsError, match="no 2 records with the same values missing"):
        linkrisk.tune(frame, "mdav", 0.99, groups="a,b", **QUICK)
    tuned = linkrisk.tune(with_holes(40, 5), "mdav", 0.0, groups="a,b", **QUICK)
    assert tuned.trials


def test_columns_that_did_not_change_are_told_of_the_release() -> None:
    """The note of protect: such a column is released as it is."""
    frame = pd.DataFrame({"a": np.arange(30.0) + 0.5, "b": np.arange(30.0)[::-1] * 1000})
    tuning = linkrisk.tune(frame, plan="a: noise; b: rounding 500", target_rate=1.0, secret_seed=1, **QUICK)
    assert tuning.release is not None
    assert "no value of b changed; it is released as it is." in tuning.release.notes


def test_strengths_are_written_with_all_their_digits() -> None:
    """The command that is printed makes the file that was attacked."""
    frame = Frame.of(pd.DataFrame({"a": [0.0, 1234567.875]}))
    task = Task(METHODS["generalise"], {}, ("a",))
    (space,) = spaces_of_method(Tasks(frame, (task,), {"a": Kind.NUMERIC}, ()))
    (unit,) = space.units
    assert [space.text([level]) for level in range(unit.top + 1)] == [f"a:{value:.15g}" for value in unit.ladder]
    planned = space_of_plan(settle_plan(frame, read_plan("a: generalise")))
    for level, value in enumerate(planned.units[0].ladder):
        assert read_plan(planned.text([level])).steps[0].parameters == {"into": value}


def test_a_plan_that_has_no_line_is_not_printed_as_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be typed could not be read back; one that has a line is printed as ever."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"a": np.arange(30.0) + 0.5, "sex": ["f", "m", "x"] * 10})
    frame.to_csv("people.csv", index=False)
    noise = '[[step]]\ncolumns = ["a"]\nmethod = "noise"\n[[step]]\ncolumns = ["sex"]\n'
    Path("nested.toml").write_text(f'{noise}method = "generalise"\ninto = {{sex = {{f = "any", m = "any"}}}}\n')
    Path("flat.toml").write_text(f'{noise}method = "pram"\nkeep = 0.5\n')
    search = ("tune", "people.csv", "--target-rate", 1, "--attackers", "mean", "--scales", "separate", "--no-confirm")
    found = {name: linkrisk_command(*search, "--plan", f"{name}.toml") for name in ("nested", "flat")}
    assert "To make it: write the strengths of the release into a TOML file" in found["nested"].output
    assert "To make it: linkrisk protect people.csv --plan 'a: noise p=" in found["flat"].output
