"""What no method does, from Python too: take numbers for categories by a slip, or lose a value as a missing code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linkrisk
from linkrisk.errors import ColumnError, MissingCodeError
from linkrisk.protection import add_noise, generalise, individual_ranking, microaggregate, pram, round_values
from linkrisk.protection.protection import Protection

METHODS: dict[str, Callable[..., Protection]] = {
    "noise": lambda data, **more: add_noise(data, {"wage": 5.0, "age": 5.0}, **more),
    "mdav": lambda data, **more: microaggregate(data, [["wage", "age"]], 2, raw=True, **more),
    "pram": lambda data, **more: pram(data, {"age": 0.5}, leave=["wage"], secret_seed=1, **more),
    "generalise": lambda data, **more: generalise(data, {"wage": 100.0, "age": {"4o": "40"}}, **more),
}
CATEGORIES: Any = {"attributes": {"age": {"kind": "nominal"}}}


@pytest.mark.parametrize("method", METHODS)
def test_mixed_columns(method: str) -> None:
    """The first cell that is no number is named by its row; the kind in the schema settles what it is."""
    data = pd.DataFrame({"wage": [100.0, 200, 300, 400, 500], "age": ["31", "52", "4o", "62", "27"]})
    with pytest.raises(ColumnError, match=r"^original: column 'age' has text among numbers in row 3; .* \(--leave\)"):
        METHODS[method](data)
    if method == "noise":
        with pytest.raises(ColumnError, match="not numeric or date but nominal"):
            METHODS[method](data, schema=CATEGORIES)
    else:
        assert not METHODS[method](data, schema=CATEGORIES).data.equals(data)


@pytest.mark.parametrize("method", METHODS)
def test_identifiers_are_not_protected(method: str) -> None:
    """Whatever their kind; in an array too."""
    data = pd.DataFrame({"wage": [100.0, 200, 300, 400, 500], "age": ["a", "b", "c", "d", "e"]})
    schema: Any = {"attributes": {"age": {"role": "identifier"}, "wage": {"role": "identifier"}}}
    with pytest.raises(ColumnError, match=r"^original: no method protects an identifier \(column '(age|wage)'\); take"):
        METHODS[method](data, schema=schema)
    with pytest.raises(ColumnError, match=r"identifier \(column 0\)"):
        round_values(np.array([[1.0], [98.0]]), 100, schema={"attributes": {"V1": {"role": "identifier"}}})


def test_missing_codes_and_declared_kinds_are_no_text() -> None:
    """A word that means missing is none; categories the frame itself declares may mix."""
    data = pd.DataFrame({"age": ["31", "refused", "40", "62"]})
    protected = add_noise(data, 5, schema={"missing": ["refused"]}, secret_seed=1).data
    assert protected["age"].isna().tolist() == [False, True, False, False]
    declared = pd.DataFrame({"rooms": pd.Categorical(["1", "2", "3+", "1"])})
    assert set(pram(declared, 0.5, secret_seed=1).data["rooms"]) <= {"1", "2", "3+"}


FRAMES: dict[str, Callable[[Any], Any]] = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("kind", FRAMES)
def test_no_value_becomes_a_code_for_missing(kind: str) -> None:
    """From Python as on the command line, in every kind of frame; codes that were there stay."""
    data = FRAMES[kind]({"age": [31, 97, 100, 62], "wage": [199, 201, 300, 320]})
    schema = {"missing": [100], "attributes": {"wage": {"missing": [200]}}}
    with pytest.raises(MissingCodeError, match=r"^original: .* column 'age' in row 2 would be a code for missing;"):
        round_values(data, {"age": 10}, leave=["wage"], schema=schema)
    with pytest.raises(MissingCodeError, match=r"column 'wage' in row 1"):
        individual_ranking(data, {"wage": 2}, continuous=True, leave=["age"], schema=schema)
    means = individual_ranking(data, {"wage": 2}, leave=["age"], schema=schema).data
    assert list(means["wage"].to_pylist() if kind == "pyarrow" else means["wage"]) == [201, 201, 310, 310]
    protected = round_values(data, {"age": 4}, leave=["wage"], schema=schema).data
    assert list(protected["age"].to_pylist() if kind == "pyarrow" else protected["age"]) == [32, 96, 100, 64]


def test_arrays_and_new_categories() -> None:
    """Codes of the columns V1, V2, ... of an array; a new name of a category that is a code."""
    with pytest.raises(MissingCodeError, match="column 0 in row 2"):
        round_values(np.array([[1.0], [98.0]]), 100, schema={"attributes": {"V1": {"missing": [100]}}})
    data = pd.DataFrame({"region": ["north", "south", "west"]})
    with pytest.raises(MissingCodeError, match="column 'region' in row 3"):
        generalise(data, {"region": {"west": "other"}}, schema={"missing": ["other"]})


def test_tuning_passes_by_a_strength_that_makes_codes() -> None:
    """The search goes on with the others, and says which it left out."""
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"a": rng.permutation(np.arange(24.0)), "b": rng.permutation(np.arange(24.0))}) / 7.0
    plain = linkrisk.tune(data, "individual_ranking", 0.5, attackers=["mean"], scales=["ranks"], confirm=False)
    taken = float(plain.release.data["a"].iloc[0]) if plain.release is not None else 0.0
    assert plain.best is not None
    assert taken not in data["a"].tolist()
    tuning = linkrisk.tune(
        data, "individual_ranking", 0.5, attackers=["mean"], scales=["ranks"], missing=[taken], confirm=False
    )
    assert any("would be a code for missing" in note for note in tuning.notes)
    assert tuning.release is None or taken not in tuning.release.data["a"].tolist()
    assert plain.best.text not in {entry.text for entry in tuning.trials}
