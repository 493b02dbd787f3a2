"""The public way in: files and frames of every kind, who is who, what is measured, and what can be shared."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import linkrisk
from linkrisk.data import pair_files
from linkrisk.errors import InputError, ParameterError
from linkrisk.losses import Loss, loss_of_pair


def people(n_records: int = 60) -> pd.DataFrame:
    """Make people of every kind of attribute."""
    random = np.random.default_rng(1)
    days = pd.to_datetime("1960-01-01") + pd.to_timedelta(random.integers(0, 15_000, n_records), unit="D")
    return pd.DataFrame(
        {
            "id": np.arange(n_records),
            "age": random.integers(18, 90, n_records),
            "income": random.gamma(2.0, 10_000, n_records).round(),
            "sex": random.choice(["f", "m"], n_records),
            "born": days.strftime("%Y-%m-%d"),
            "name": [f"name{k}" for k in random.permutation(n_records)],
        }
    )


def released(original: pd.DataFrame) -> pd.DataFrame:
    """Round incomes and exchange some of the sexes."""
    return original.assign(income=original["income"].round(-4), sex=np.roll(original["sex"].to_numpy(), 1))


def test_every_kind_of_input_gives_the_same(tmp_path: Path) -> None:
    """A CSV file, pandas and polars."""
    original, protected = people(), released(people())
    original.to_csv(tmp_path / "a.csv", index=False)
    protected.to_csv(tmp_path / "b.csv", index=False)
    results = [
        linkrisk.loss(original, protected, id="id"),
        linkrisk.loss(pl.from_pandas(original), pl.from_pandas(protected), id="id"),
        linkrisk.loss(tmp_path / "a.csv", tmp_path / "b.csv", id="id"),
    ]
    assert [r.pil for r in results] == [results[0].pil] * 3
    assert results[0].numeric == ("age", "income", "born")
    assert results[0].categorical == ("sex", "name")


def test_pairs_follow_the_id() -> None:
    """Shuffled rows with an id lose what the same rows in order lose; by row order they lose more."""
    original, protected = people(), released(people())
    shuffled = protected.sample(frac=1, random_state=3)
    in_order, by_id = linkrisk.loss(original, protected, id="id"), linkrisk.loss(original, shuffled, id="id")
    assert by_id.il1s == pytest.approx(in_order.il1s)
    assert by_id.pil == pytest.approx(in_order.pil, abs=1e-6)
    strangers = linkrisk.loss(original, shuffled)
    assert strangers.il1s > 10 * in_order.il1s


def test_records_without_counterpart() -> None:
    """Statistics use the whole files, IL1s the pairs: those who are left out change PIL and not IL1s."""
    original = people()
    protected = original[original["income"] < 20_000]
    loss = linkrisk.loss(original, protected, id="id", attributes=["income", "age"])
    assert loss.n_pairs == len(protected)
    assert loss.il1s == 0
    assert loss.pil > 20
    assert any("no counterpart" in note for note in loss.notes)


def test_confidential_attributes_are_measured_unless_attributes_are_named() -> None:
    """They are released like others; one that only the protected file holds is not."""
    original, protected = people(), released(people())
    schema = {"attributes": {"income": {"role": "confidential"}}}
    assert "income" in linkrisk.loss(original, protected, id="id", schema=schema).numeric
    assert linkrisk.loss(original, protected, id="id", schema=schema, attributes=["age"]).numeric == ("age",)
    assert "income" not in linkrisk.loss(original.drop(columns="income"), protected, id="id", schema=schema).numeric


def test_categories_only_and_numbers_only() -> None:
    """What does not apply is None, and is not printed."""
    original, protected = people(), released(people())
    labels = linkrisk.loss(original[["sex"]], protected[["sex"]])
    assert labels.probabilistic is None
    assert np.isnan(labels.pil)
    assert "PIL" not in str(labels)
    numbers = linkrisk.loss(original[["age"]], protected[["age"]])
    assert "correlations  " not in str(numbers)  # of one attribute
    assert numbers.categories is None
    assert "entropy" not in str(numbers)


def test_missing_codes_are_counted() -> None:
    """One value in four becomes missing."""
    original = np.array([[1.0], [2.0], [3.0], [5.0]])
    protected = np.array([[1.0], [99.0], [3.0], [5.0]])
    loss = linkrisk.loss(original, protected, missing=["99"])
    assert (loss.missing.original, loss.missing.protected) == (0, 0.25)
    assert loss.il1s == 0


def test_the_result_can_be_shared() -> None:
    """No arrays, no cell, no record: only figures and names, as JSON."""
    original, protected = people(), released(people())
    loss = linkrisk.loss(original, protected, id="id")

    def check(value: Any) -> None:
        assert not isinstance(value, np.ndarray)
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                check(getattr(value, field.name))

    check(loss)
    text = json.dumps(loss.to_dict(), allow_nan=False) + str(loss)
    assert "name17" not in text
    assert isinstance(loss, Loss)
    assert loss.to_dict()["probabilistic"]["pil"] == loss.pil


def test_the_table() -> None:
    """One line per figure, under the heads of the columns."""
    loss = linkrisk.loss(people(), released(people()), id="id")
    first_words = [line.split("  ")[0] for line in str(loss).splitlines()[3:]]
    figures = ["PIL", "IL1s", "SSE/SST", "means", "covariances", "correlations", "eigenvalues", "regression", "pMSE"]
    more = ["one-way tables", "two-way tables", "entropy", "missing values"]
    assert first_words[: len(figures + more)] == figures + more
    assert repr(loss) == str(loss)


def test_bad_input() -> None:
    """The errors of `pair_files` come through; a target must be numeric."""
    original = people()
    with pytest.raises(InputError, match="nothing"):
        linkrisk.loss(original, original, attributes=["nothing"])
    with pytest.raises(ParameterError, match="sex"):
        linkrisk.loss(original, original, id="id", target="sex")


def test_ready_pairs() -> None:
    """`loss_of_pair` gives what `linkrisk.loss` gives."""
    original, protected = people(), released(people())
    files = pair_files(original, protected, id="id")
    assert loss_of_pair(files).to_dict() == linkrisk.loss(original, protected, id="id").to_dict()
