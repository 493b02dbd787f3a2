"""The same data in any form give the same answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linkrisk
from tests.assessment.samples import answers, mixed_frames, numeric_frames, without_seconds


def as_csv(frame: pd.DataFrame, path: Path) -> Path:
    """Write with commas."""
    frame.to_csv(path.with_suffix(".csv"), index=False)
    return path.with_suffix(".csv")


def as_semicolons(frame: pd.DataFrame, path: Path) -> Path:
    """Write with semicolons and decimal commas, as spreadsheets do in much of Europe."""
    frame.to_csv(path.with_suffix(".csv"), index=False, sep=";", decimal=",")
    return path.with_suffix(".csv")


def as_parquet(frame: pd.DataFrame, path: Path) -> Path:
    """Write as Parquet."""
    frame.to_parquet(path.with_suffix(".parquet"), index=False)
    return path.with_suffix(".parquet")


FORMS: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "polars": lambda frame, _: pl.from_pandas(frame),
    "pyarrow": lambda frame, _: pa.Table.from_pandas(frame, preserve_index=False),
    "csv": as_csv,
    "semicolons": as_semicolons,
    "parquet": as_parquet,
}


@cache
def assessed_frames() -> linkrisk.Assessment:
    """Return the assessment of two frames of pandas."""
    return linkrisk.assess(*numeric_frames(30))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_same_answers_in_every_form(form: str, tmp_path: Path) -> None:
    """Frames and files of one content are assessed alike, to the last digit."""
    original, protected = numeric_frames(30)
    expected = answers(assessed_frames())
    given = FORMS[form](original, tmp_path / "original"), FORMS[form](protected, tmp_path / "protected")
    assert answers(linkrisk.assess(*given)) == expected


@pytest.mark.slow
def test_numpy_arrays_give_the_same_links() -> None:
    """Arrays have no column names, but the same links."""
    original, protected = numeric_frames(30)
    expected = assessed_frames()
    found = linkrisk.assess(original.to_numpy(), protected.to_numpy())
    assert [(a.name, a.scale, a.links, a.claims) for a in found.attacks] == [
        (a.name, a.scale, a.links, a.claims) for a in expected.attacks
    ]
    assert found.attribute_names == ("V1", "V2", "V3", "V4")


@pytest.mark.parametrize("form", ["polars", "csv", "parquet"])
def test_mixed_data_give_the_same_answers_in_every_form(form: str, tmp_path: Path) -> None:
    """Missing values, labels and dates mean the same wherever they come from."""
    original, protected = mixed_frames()
    settings: dict[str, Any] = {"attackers": ["mean", "distance_standardised"], "scales": ["ranks"]}
    expected = answers(linkrisk.assess(original, protected, **settings))
    given = FORMS[form](original, tmp_path / "original"), FORMS[form](protected, tmp_path / "protected")
    assert answers(linkrisk.assess(*given, **settings)) == expected


@pytest.mark.slow
def test_same_seed_same_answer_on_any_number_of_threads() -> None:
    """Apart from the seconds, everything is repeated bit for bit."""
    original, protected = numeric_frames(40, noise=1.0)
    scenario = linkrisk.Scenario("some", people=0.5)
    first, *others = (
        without_seconds(linkrisk.assess(original, protected, scenarios=[scenario], seed=5, threads=threads))
        for threads in (1, 2, 3)
    )
    assert all(other == first for other in others)


def test_results_print_well() -> None:
    """The text of a result names the strongest attack and holds one line per attack; no array is printed."""
    original, protected = numeric_frames()
    assessment = linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks", "separate"])
    text = str(assessment)
    assert re.search(r"The strongest intruder finds \d+ of 60 people \(\d.*%\) by mean on scale", text)
    assert sum(line.startswith("mean ") for line in text.splitlines()) == 1
    assert sum(line.startswith("mean ") for line in assessment.to_text().splitlines()) == 3
    assert max(map(len, assessment.to_text(width=80).splitlines())) <= 80
    assert np.array2string(np.asarray(original["AGI"]))[:20] not in repr(assessment)


def test_assess_stays_callable_after_use() -> None:
    """Importing the package's parts does not replace the function by a module of its name."""
    original, protected = numeric_frames(10)
    for _ in range(2):
        assert linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"]).n_pairs == 10
    assert callable(linkrisk.assess)
