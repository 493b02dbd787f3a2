"""PRAM, coding, generalisation: what they promise, by hand and as laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import code_extremes, generalise, pram
from linkrisk.protection.methods.coding import CodedAttribute
from linkrisk.protection.methods.pram import RandomisedAttribute

ORDER = ["none", "primary", "secondary", "college", "doctor"]
SCHEMA = {"attributes": {"school": {"order": ORDER}}}


def people(n_records: int = 2000) -> pd.DataFrame:
    """Make a nominal and an ordinal attribute with uneven frequencies and gaps."""
    generator = np.random.default_rng(11)
    sex = generator.choice(np.array(["f", "m", None], dtype=object), n_records, p=[0.6, 0.3, 0.1])
    school = generator.choice(ORDER, n_records, p=[0.05, 0.2, 0.4, 0.3, 0.05])
    return pd.DataFrame({"sex": sex, "school": school})


@given(st.floats(0, 1), st.lists(st.integers(1, 50), min_size=2, max_size=6))
@settings(max_examples=50, deadline=None)
def test_pram_keeps_frequencies_in_expectation(keep: float, counts: list[int]) -> None:
    """The matrix of the definition, keep I + (1 - keep) 1 f', has f as its fixed point, and says so."""
    labels = np.repeat([f"c{i}" for i in range(len(counts))], counts)
    frequencies = np.array(counts) / sum(counts)
    matrix = keep * np.eye(len(counts)) + (1 - keep) * np.tile(frequencies, (len(counts), 1))
    np.testing.assert_allclose(frequencies @ matrix, frequencies)
    given_matrix = {f"c{i}": {f"c{j}": float(p) for j, p in enumerate(row)} for i, row in enumerate(matrix)}
    for protection in (
        pram(pd.DataFrame({"x": labels}), keep, secret_seed=1),
        pram(pd.DataFrame({"x": labels}), matrices={"x": given_matrix}, secret_seed=1),
    ):
        (detail,) = protection.details
        assert isinstance(detail, RandomisedAttribute)
        assert detail.is_invariant
        assert detail.expected_changes == pytest.approx(1 - frequencies @ np.diag(matrix), abs=1e-9)


@pytest.mark.slow
def test_pram_frequencies_over_many_seeds() -> None:
    """Frequencies and changes average to what is expected, within four standard errors or so."""
    frame = people()
    files = [pram(frame, {"sex": 0.7, "school": 0.5}, secret_seed=seed, schema=SCHEMA).data for seed in range(60)]
    for name, keep in (("sex", 0.7), ("school", 0.5)):
        before = frame[name].value_counts(normalize=True)
        after = pd.concat([file[name] for file in files]).value_counts(normalize=True)
        np.testing.assert_allclose(after[before.index], before, atol=0.005)
        changed = np.mean([(file[name] != frame[name])[frame[name].notna()].mean() for file in files])
        assert changed == pytest.approx((1 - keep) * (1 - (before**2).sum()), abs=0.006)
        assert all((file[name].isna() == frame[name].isna()).all() for file in files)


def test_pram_by_a_matrix() -> None:
    """A matrix that only lets f become m, and keeps the rest."""
    frame = people()
    matrix = {"f": {"f": 0.75, "m": 0.25}, "m": {"m": 1.0}}
    protection = pram(frame, 1.0, matrices={"sex": matrix}, secret_seed=5, schema=SCHEMA)
    changed = protection.data["sex"] != frame["sex"]
    assert (protection.data["sex"][frame["sex"] == "m"] == "m").all()
    assert changed[frame["sex"] == "f"].mean() == pytest.approx(0.25, abs=0.04)
    assert protection.data["school"].equals(frame["school"])
    assert "not kept" in str(protection)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"keep": 1.1}, "keep of column 'sex' must be a probability"),
        ({"keep": {"sex": 0.5}}, "nothing is said about school"),
        ({}, "lacks its probabilities; give keep"),
        ({"keep": {"sex": 1, "school": 1}, "matrices": {"sex": {}}}, "both name sex"),
        ({"keep": 1, "matrices": {"sex": {"f": {"f": 1}}}}, "no row for some category"),
        ({"keep": 1, "matrices": {"sex": {"f": {"f": 1}, "m": {"x": 1}}}}, "not in the file"),
        ({"keep": 1, "matrices": {"sex": {"f": {"f": 0.5}, "m": {"m": 1}}}}, "add up to 1"),
        ({"keep": 1, "matrices": {"sex": {"f": {"f": 2, "m": -1}, "m": {"m": 1}}}}, "probabilities"),
        ({"keep": 1, "matrices": {"sex": [[1, 0], [0, 1]]}}, "must be a mapping"),
    ],
)
def test_pram_bad_input(parameters: dict[str, Any], sentence: str) -> None:
    """One sentence, no category of the file quoted."""
    with pytest.raises(ParameterError, match=sentence):
        pram(people(50), schema=SCHEMA, **parameters)


def test_pram_needs_categories() -> None:
    """Numbers are refused unless the schema calls them nominal."""
    numbers = pd.DataFrame({"code": [1, 2, 2, 3]})
    with pytest.raises(ColumnError, match="'code' is not ordinal or nominal but numeric"):
        pram(numbers, 0.5)
    protected = pram(numbers, 0.5, secret_seed=1, schema={"attributes": {"code": {"kind": "nominal"}}}).data
    assert protected["code"].isin([1, 2, 3]).all()
    assert protected["code"].dtype == numbers["code"].dtype


def test_coding_by_hand() -> None:
    """Values, percents, categories; five records with ties."""
    values = np.array([[1.0], [2.0], [2.0], [9.0], [9.0]])
    assert code_extremes(values, top=5).data[:, 0].tolist() == [1, 2, 2, 5, 5]
    assert code_extremes(values, bottom=1.5, top=100).data[:, 0].tolist() == [1.5, 2, 2, 9, 9]
    assert code_extremes(values, top_percent=40).data[:, 0].tolist() == [1, 2, 2, 2, 2]
    assert code_extremes(values, top_percent=20).data[:, 0].tolist() == [1, 2, 2, 9, 9]
    assert code_extremes(values, bottom_percent=39).data[:, 0].tolist() == [2, 2, 2, 9, 9]
    school = pd.DataFrame({"school": ["none", "doctor", "college", "none", None]})
    protection = code_extremes(school, top="college", bottom_percent=50, schema=SCHEMA)
    assert protection.data["school"].tolist()[:4] == ["college", "college", "college", "college"]
    (detail,) = protection.details
    assert isinstance(detail, CodedAttribute)
    assert (detail.bottom, detail.top, detail.n_bottom, detail.n_top) == ("college", "college", 2, 1)


@given(st.integers(0, 2**32), st.floats(0, 60), st.floats(0, 39))
@settings(max_examples=50, deadline=None)
def test_coding_changes_at_most_so_many(seed: int, top: float, bottom: float) -> None:
    """At most the percents asked for, and values between the thresholds stay."""
    values = np.random.default_rng(seed).normal(size=200)
    protected = code_extremes(values[:, None], top_percent=top, bottom_percent=bottom).data[:, 0]
    assert 100 * (protected < values).mean() <= top + 1e-6
    assert 100 * (protected > values).mean() <= bottom + 1e-6
    assert (100 * (protected < values).mean() > top - 0.51) or top < 0.5
    inside = (values > protected.min()) & (values < protected.max())
    assert (protected[inside] == values[inside]).all()


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "lacks its limits; give some of"),
        ({"top": 1, "bottom": 2}, "below its bottom"),
        ({"top": "x"}, "top of column 0 must be a number"),
        ({"top": 1, "top_percent": 1}, "both given for 0"),
        ({"top_percent": 100}, "below 100"),
        ({"top": {1: 5}}, "nothing is said about 0"),
    ],
)
def test_coding_bad_input(parameters: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(ParameterError, match=sentence):
        code_extremes(np.arange(8.0).reshape(4, 2), leave=[1] if "nothing" not in sentence else [], **parameters)


def test_coding_by_an_unknown_category() -> None:
    """Nothing in the file says what a category is that no record holds."""
    with pytest.raises(ParameterError, match="one of the categories in the file"):
        code_extremes(pd.DataFrame({"school": ["none", "college"] * 3}), top="doctor", schema=SCHEMA)


def test_generalise_by_hand() -> None:
    """Intervals, edges, runs of categories written as their middle, new names."""
    values = np.array([[-1.0], [0.0], [9.9], [10.0], [30.0]])
    assert generalise(values, 10).data[:, 0].tolist() == [-5, 5, 5, 15, 35]
    assert generalise(values, {0: [-2, 0, 10, 30]}).data[:, 0].tolist() == [-1, 5, 5, 20, 20]
    frame = pd.DataFrame({"school": ["none", "primary", "secondary", "college", "doctor", None]})
    assert generalise(frame, {"school": 3}, schema=SCHEMA).data["school"].tolist()[:5] == [
        "primary", "primary", "primary", "college", "college",
    ]  # fmt: skip
    merged = generalise(frame, {"school": {"none": "little", "primary": "little"}}, schema=SCHEMA).data["school"]
    assert merged.tolist()[:5] == ["little", "little", "secondary", "college", "doctor"]
    assert merged.isna().tolist() == [False] * 5 + [True]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50), st.floats(0.01, 1e5))
@settings(max_examples=100, deadline=None)
def test_generalised_numbers_stay_in_order_and_near(values: list[float], width: float) -> None:
    """Half an interval at most, and never past each other."""
    column = np.array(values)
    protected = generalise(column[:, None], width).data[:, 0]
    assert (np.abs(protected - column) <= width / 2 * (1 + 1e-6) + 1e-9).all()
    order = np.argsort(column)
    assert (np.diff(protected[order]) >= 0).all()


@pytest.mark.parametrize(
    ("into", "sentence"),
    [
        ({"school": 1, "wage": 5}, "'school', which is ordinal, must be a whole number of 2"),
        ({"school": {"none": "x", "college": "x"}, "wage": 5}, "must merge categories that follow each other"),
        ({"school": {"nothing": "x"}, "wage": 5}, "not in the file"),
        ({"school": 2, "wage": 0}, "above 0"),
        ({"school": 2, "wage": [3, 2]}, "rising list"),
        ({"school": 2, "wage": [3, 4]}, "outside its first and last edge"),
        ({"school": 2, "wage": "x"}, "must be a number"),
        ({"school": 2}, "nothing is said about wage"),
    ],
)
def test_generalise_bad_input(into: Any, sentence: str) -> None:
    """One sentence each."""
    frame = pd.DataFrame({"school": ["none", "primary", "college"], "wage": [1.0, 2.0, 3.0]})
    with pytest.raises(ParameterError, match=sentence):
        generalise(frame, into, schema=SCHEMA)


def test_nominal_categories_are_generalised_by_name_only() -> None:
    """They have no runs."""
    with pytest.raises(ParameterError, match="nominal, must be a mapping"):
        generalise(pd.DataFrame({"sex": ["f", "m"]}), 2)


def test_pram_changes_confidential_columns_only_by_name() -> None:
    """One keep for all leaves what is to be studied; the function asks, protect leaves it and says so."""
    people = pd.DataFrame({"sex": ["f", "m"] * 30, "illness": ["none", "flu", "cold"] * 20})
    schema = {"attributes": {"illness": {"role": "confidential"}}}
    protection = linkrisk.protect(people, "pram", keep=0.1, schema=schema, secret_seed=1)
    assert protection.data["illness"].tolist() == people["illness"].tolist()
    assert "nothing is said about 'illness' (nominal): not protected here." in protection.notes
    with pytest.raises(ParameterError, match="nothing is said about illness"):
        pram(people, 0.1, schema=schema)
    named = linkrisk.protect(people, "pram", keep={"sex": 0.5, "illness": 0.5}, schema=schema, secret_seed=1)
    assert named.changed["illness"] > 0
