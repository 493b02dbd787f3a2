"""Laws of all methods: repeatable by the seed, the seed nowhere else, missing values kept, the original untouched."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import METHODS, Protection
from linkrisk.protection.registry import find_method

SEED = 987654321987654321
PARAMETERS: dict[str, dict[str, Any]] = {
    "mdav": {"groups": [["wage", "age"], ["sex", "school"]], "k": [3, 5]},
    "individual_ranking": {"k": 4, "leave": ["sex"]},
    "z_scores": {"groups": [["wage", "age", "school"]], "k": 3, "leave": ["sex"]},
    "principal_components": {"groups": [["wage", "age", "school"]], "k": 3, "leave": ["sex"]},
    "rank_swap": {"p": {"wage": 5, "age": 10, "school": 20}, "leave": ["sex"]},
    "noise": {"p": 10, "leave": ["sex", "school"]},
    "correlated_noise": {"p": 10, "leave": ["sex", "school"]},
    "pram": {"keep": 0.7, "leave": ["wage", "age"]},
    "rounding": {"base": {"wage": 100, "age": 5}, "random": True, "leave": ["sex", "school"]},
    "coding": {"top_percent": 10, "leave": ["sex"]},
    "generalise": {"into": {"wage": 1000, "age": [0, 30, 60, 120], "school": 2}, "leave": ["sex"]},
}
SCHEMA = {"attributes": {"school": {"order": ["low", "middle", "high"]}}}


def people(n_records: int = 120) -> pd.DataFrame:
    """Make a file of all kinds."""
    generator = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "wage": generator.lognormal(8, 1, n_records),
            "sex": generator.choice(["f", "m"], n_records),
            "age": generator.integers(16, 90, n_records),
            "school": generator.choice(["low", "middle", "high"], n_records),
        }
    )


def protect(frame: pd.DataFrame, method: str, seed: int | None = SEED) -> Protection:
    """Protect by a method with its parameters above."""
    given = dict(PARAMETERS[method], schema=SCHEMA)
    return METHODS[method].apply(frame, **given, secret_seed=seed if METHODS[method].is_random else None)


def test_every_method_is_tried_here() -> None:
    """A method without parameters above would escape the laws."""
    assert set(PARAMETERS) == set(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_protecting_twice_with_one_seed_gives_the_same_file(method: str) -> None:
    """And with another seed, or none, another file; deterministic methods take no seed."""
    frame = people()
    kept = frame.copy()
    one = protect(frame, method)
    pd.testing.assert_frame_equal(one.data, protect(frame, method).data)
    pd.testing.assert_frame_equal(frame, kept)
    assert list(one.data.columns) == list(frame.columns)
    assert not one.data.equals(frame)
    if METHODS[method].is_random:
        assert not one.data.equals(protect(frame, method, SEED + 1).data)
        assert not protect(frame, method, None).data.equals(protect(frame, method, None).data)
    else:
        assert one.secret is None
        with pytest.raises(ParameterError, match="takes no parameter secret_seed"):
            METHODS[method].apply(frame, **PARAMETERS[method], secret_seed=1)


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_is_in_no_record(method: str) -> None:
    """Neither in what is printed nor in the record, which is plain JSON."""
    protection = protect(people(), method)
    record = json.dumps(protection.to_dict())
    for text in (str(protection), repr(protection), record, repr(protection.parameters), repr(protection.details)):
        assert str(SEED) not in text
    assert json.loads(record)["method"] == protection.method == method
    assert str(protection).startswith(f"Protection by {json.loads(record)['title']} of ")
    assert len(json.loads(record)["details"]) == len(protection.details)


@pytest.mark.parametrize("method", METHODS)
def test_missing_values(method: str) -> None:
    """All methods leave them missing."""
    frame = people().astype({"age": float})
    frame.loc[4, "age"] = np.nan
    frame.loc[7, "wage"] = np.nan
    protected = protect(frame, method).data
    assert (protected.isna() == frame.isna()).all(axis=None)


@pytest.mark.parametrize("method", METHODS)
def test_columns_left_out_are_named(method: str) -> None:
    """Every method refuses to pass a column over in silence, or to protect what it is to leave."""
    given = {**PARAMETERS[method], "schema": SCHEMA}
    one_for_all = method in ("correlated_noise", "individual_ranking", "coding", "noise", "pram")
    with pytest.raises((ParameterError, ColumnError), match=r"nothing is said about other|'other'"):
        METHODS[method].apply(people().assign(other="x" if method != "pram" else 1.0), **given)
    if not one_for_all:
        with pytest.raises(ParameterError, match="also named in leave"):
            METHODS[method].apply(people(), **{**given, "leave": ["sex", "wage", "school"]})


def test_unknown_methods_and_parameters() -> None:
    """Named with those there are."""
    with pytest.raises(ParameterError, match="no protection method 'blur'; choose mdav"):
        find_method("blur")
    with pytest.raises(
        ParameterError, match=r"noise takes no parameter k \(--k\); it takes p, continuous, secret_seed"
    ):
        METHODS["noise"].apply(people(), k=3)
    with pytest.raises(ParameterError, match=r"mdav needs groups \(--groups\), k \(--k\)"):
        METHODS["mdav"].apply(people())
    with pytest.raises(ColumnError, match="there is no column 'wages'"):
        METHODS["noise"].apply(people(), p={"wages": 3}, leave=["sex", "school"])
