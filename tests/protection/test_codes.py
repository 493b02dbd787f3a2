"""Codes and ids are no quantities: who refuses them, who points them out, and how they are declared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.errors import ColumnError
from linkrisk.protection.values.codes import looks_like_codes, looks_like_id
from tests.protection.declared import numeric

AVERAGING = ["mdav", "individual_ranking", "z_scores", "principal_components"]
PARAMETERS: dict[str, dict[str, Any]] = {
    "noise": {"p": 20},
    "correlated_noise": {"p": 20},
    **{method: {"k": 3} for method in AVERAGING},
}


def people() -> pd.DataFrame:
    """Make a file with sex 1/2, region 1 to 16 and a wage."""
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "sex": random.integers(1, 3, 60),
            "region": np.arange(60) % 16 + 1,
            "wage": random.integers(500, 9000, 60),
        }
    )


@pytest.mark.parametrize("method", PARAMETERS)
def test_codes_are_refused_with_the_remedy(method: str) -> None:
    """All of them in one sentence, with the number of their values."""
    with pytest.raises(
        ColumnError, match=r"'sex' \(2 different whole numbers\), 'region' \(16 d.*\) look like codes; d"
    ):
        linkrisk.protect(people(), method, **PARAMETERS[method])


@pytest.mark.parametrize("method", PARAMETERS)
def test_declared_numeric_they_are_protected(method: str) -> None:
    """Whoever says that they are quantities gets them protected, whole numbers in their range."""
    file = people()
    told = numeric("sex", "region")
    protected = linkrisk.protect(file, method, schema=told, **PARAMETERS[method]).data
    assert (protected == protected.round()).all(axis=None)
    assert (protected >= file.min()).all(axis=None)
    assert (protected <= file.max()).all(axis=None)


def test_other_centroids_and_methods_point_them_out() -> None:
    """The mode of codes is a code; rank swapping moves codes: both say that they look like some."""
    file = people()[["sex", "wage"]]
    by_mode = linkrisk.protect(file, "mdav", k=3, centroid="sex:mode")
    assert set(by_mode.data["sex"]) <= {1, 2}
    assert any("'sex' (2 different whole numbers) looks like codes" in note for note in by_mode.notes)
    assert any("looks like codes" in note for note in linkrisk.protect(file, "rank_swap", p=20).notes)
    assert linkrisk.protect(file[["wage"]], "rank_swap", p=20).notes == ()


def test_a_household_id_is_not_averaged() -> None:
    """1, 1, 2, 3, 3, 3, ... is found by its values, an id with gaps by its name."""
    households = np.repeat(np.arange(1, 31), 2)
    file = people()[["wage"]].assign(unit=households)
    with pytest.raises(
        ColumnError, match=r"'unit' \(30 different whole numbers\) looks like an id of persons or househ"
    ):
        linkrisk.protect(file, "mdav", k=3)
    file = people()[["wage"]].assign(household_id=households * 17)
    with pytest.raises(ColumnError, match="looks like an id"):
        linkrisk.protect(file, "noise", p=10)
    linkrisk.protect(file, "noise", p=10, schema=numeric("household_id"))


@pytest.mark.parametrize("method", AVERAGING)
def test_the_median_of_codes_is_refused_too(method: str) -> None:
    """The median of 1, 1, 2, 2 would be 1.5."""
    with pytest.raises(ColumnError, match=r"'sex'.* like codes"):
        linkrisk.protect(people(), method, k=3, centroid="median")


def test_codes_and_ids_are_refused_in_one_sentence() -> None:
    """With a remedy for codes, one for ids, and one for quantities."""
    file = people()[["sex", "wage"]].assign(hid=np.repeat(np.arange(1, 31), 2))
    with pytest.raises(
        ColumnError, match=r"'sex' .* looks like codes, and 'hid' .* like an id .*--nominal.*--drop.*--numeric"
    ):
        linkrisk.protect(file, "noise", p=10)


@pytest.mark.parametrize("name", ["income_hh", "rent_household", "incomeHH", "id_score", "idea"])
def test_names_of_quantities_are_not_those_of_ids(name: str) -> None:
    """Household is an id only if it is the whole name, id at the beginning only before a word for number."""
    values = np.random.default_rng(1).integers(500, 9000, 60).astype(float)
    assert not looks_like_id(name, values)
    assert all(looks_like_id(id_name, values) for id_name in ("hh", "household", "id_no", "idNumber", "IDNR", "hh_id"))


def test_a_file_sorted_by_age_has_no_id() -> None:
    """Ages from 18 on without gaps, equal ones together."""
    ages = np.sort(np.repeat(np.arange(18.0, 90.0), 2))
    assert not looks_like_id("age", ages)
    assert looks_like_id("unit", ages - 17.0)


def test_quantities_are_not_suspected() -> None:
    """Ages, wages, counts with many values, few records, and numbers with decimals."""
    random = np.random.default_rng(2)
    ages = random.integers(0, 95, 400).astype(float)
    assert not looks_like_codes(ages)
    assert not looks_like_id("age", ages)
    assert not looks_like_codes(np.array([1.0, 2.0, 1.0]))
    assert not looks_like_codes(np.array([1.5, 2.5] * 20))
    assert not looks_like_id("wage", random.integers(500, 9000, 400).astype(float))
    assert not looks_like_id("household_size", random.integers(500, 9000, 40).astype(float))
