"""Plain faults, attributes left as they are, and notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linkrisk
from linkrisk.assessment.restored import restored_attributes
from linkrisk.data import pair_files
from tests.assessment.samples import mixed_frames, numeric_frames

MEAN: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"]}


def faults(original: pd.DataFrame, protected: pd.DataFrame, **settings: Any) -> list[tuple[str, str | None, int]]:
    """Return kind, attribute and number of records of each fault."""
    found = linkrisk.assess(original, protected, **MEAN, **settings).faults
    return [(fault.kind, fault.attribute, fault.records) for fault in found]


def test_a_protected_file_without_faults() -> None:
    """Noise on everything leaves nothing to complain about."""
    assert faults(*numeric_frames()) == []


def test_an_identifier_in_the_protected_file_comes_first() -> None:
    """By its role in the schema, under its name in the protected file, or because it is the id column."""
    original, protected = numeric_frames()
    original["name"] = [f"n{i}" for i in range(60)]
    protected["nombre"] = original["name"]
    schema = {"attributes": {"name": {"role": "identifier", "protected": "nombre"}}}
    assert faults(original, protected, schema=schema) == [("identifier", "nombre", 60)]
    assert faults(original, protected, id="name", renamed={"name": "nombre"}) == [("identifier", "nombre", 60)]
    assert faults(original, protected.drop(columns="nombre")) == []


def test_an_identifier_that_only_the_protected_file_has() -> None:
    """A new identifier in the protected file is found although the original lacks it."""
    original, protected = numeric_frames()
    protected["passport"] = np.arange(60)
    schema = {"attributes": {"passport": {"role": "identifier"}}}
    assert faults(original, protected, schema=schema) == [("identifier", "passport", 60)]


def test_an_attribute_left_unprotected_and_nearly_unique() -> None:
    """Nine tenths unchanged and nine tenths distinct are enough; fewer of either are not."""
    original, protected = numeric_frames()
    original["AGI"] = np.arange(60) * 7.0
    protected["AGI"] = original["AGI"] + 0.5 * (np.arange(60) < 6)
    assert faults(original, protected) == [("unprotected attribute", "AGI", 54)]
    protected["AGI"] = original["AGI"] + 0.5 * (np.arange(60) < 7)
    assert faults(original, protected) == []
    original["AGI"] = protected["AGI"] = np.arange(60) // 2
    assert faults(original, protected) == []


def test_records_left_untouched_are_counted_over_true_pairs() -> None:
    """A record counts if every attribute kept its value, missing values included."""
    original, protected = numeric_frames()
    original.loc[4, "AGI"] = np.nan
    protected.iloc[3:5] = original.iloc[3:5]
    assert faults(original, protected) == [("unprotected records", None, 2)]
    for frame in (original, protected):
        frame.insert(0, "who", np.arange(60))
    assert faults(original, protected.iloc[::-1], id="who")[1:] == [("unprotected records", None, 2)]


def test_attributes_left_as_they_are_are_named_first() -> None:
    """A few classes in the clear are no fault by themselves, but the reader is told before all else."""
    original, protected = numeric_frames()
    original["sex"] = protected["sex"] = ["f", "m"] * 30
    assessment = linkrisk.assess(original, protected, **MEAN)
    assert assessment.faults == ()
    assert assessment.untouched == ("sex",)
    lines = str(assessment).splitlines()
    assert lines[1] == "1 of 5 attributes is released as it was: sex."
    assert lines[2].startswith("No other plain faults: no identifier")
    assert assessment.to_dict()["untouched_attributes"] == ["sex"]
    assert str(linkrisk.assess(*numeric_frames(), **MEAN)).splitlines()[1].startswith("No plain faults")


def restored(original: Any, protected: Any) -> list[tuple[str, str | None, int]]:
    """Return the faults of two columns that rounding restores."""
    found = faults(pd.DataFrame({"x": original}), pd.DataFrame({"x": protected}))
    return [fault for fault in found if fault[0] == "restored by rounding"]


def test_codes_that_rounding_restores_are_a_fault() -> None:
    """Sex 1 and 2 released as 0.97: rounding gives everybody's back; the records are counted."""
    random = np.random.default_rng(1)
    sex = random.choice([1.0, 2.0], 200)
    noisy = sex + random.normal(0, 0.1, 200)
    assert restored(sex, noisy) == [("restored by rounding", "x", 200)]
    changed = np.where(np.arange(200) < 30, noisy, sex)
    assert restored(sex, changed) == [("restored by rounding", "x", 30)]
    wages = 100.0 * random.permutation(2000)[:200]  # many values, but whole numbers
    assert restored(wages, wages + random.normal(0, 0.1, 200)) == [("restored by rounding", "x", 200)]


def test_multiples_are_restored_by_one_rule() -> None:
    """Noise of tens on hundreds, which whole numbers would not take off: a note of protect and a fault of assess."""
    wages = pd.DataFrame({"wage": 100 * np.random.default_rng(1).permutation(2000)[:200]})
    released = linkrisk.protect(wages, "noise", p=0.05, secret_seed=1)
    (note,) = [note for note in released.notes if "come back" in note]
    assert "come back by rounding to multiples of 100;" in note
    (found,) = restored_attributes(pair_files(wages, released.data))
    assert found.by.to == "multiples of 100"
    assert f"{found.by.share:.0%} of the changed values of wage" in note


def test_what_rounding_does_not_give_back_is_no_such_fault() -> None:
    """Ordinary noise, codes changed for good, a rare code that anybody can guess, values that were not changed."""
    random = np.random.default_rng(2)
    income = np.exp(random.normal(10, 1, 200))
    assert restored(income.round(2), income.round(2) + random.normal(0, 0.1 * income.std(), 200)) == []
    sex = random.choice([1.0, 2.0], 200)
    assert restored(sex, sex + random.normal(0, 5.0, 200)) == []
    rare = np.where(np.arange(200) < 6, 2.0, 1.0)
    assert restored(rare, 1.0 + random.normal(0, 0.1, 200)) == []
    assert restored(sex, sex) == []
    assert restored(income.round(0), (income / 1000).round(0) * 1000) == []


MOVES = st.sampled_from([0.25, -0.25, 0.5, -0.5, 0.0, 0.75, 3.0, -3.0])


@given(st.lists(st.tuples(st.sampled_from([1.0, 2.0, 5.0, None]), MOVES), min_size=30, max_size=60))
def test_restored_values_are_counted_one_by_one(rows: list[tuple[float | None, float]]) -> None:
    """Each changed value rounded by hand to the nearest the original has, the lower of two as near."""
    pairs = [(x, (2.0 if x is None else x) + move) for x, move in rows]
    values = sorted({x for x, _ in pairs if x is not None})
    assume(10 * len(values) <= sum(x is not None for x, _ in pairs))
    changed = [(x, y) for x, y in pairs if x is not None and x != y]
    n_right = 0
    for x, y in changed:
        apart = [abs(value - y) for value in values]
        n_right += x == values[apart.index(min(apart))]
    for found in restored_attributes(pair_files(*(np.array([[row[k]] for row in pairs], dtype=float) for k in (0, 1)))):
        if found.by.to.endswith("values the original has"):
            assert (found.by.restored, found.by.changed) == (n_right, len(changed))
            assert n_right >= len(changed) / 2


def test_constant_columns_are_used_and_warned_of() -> None:
    """A constant column stays among the attributes; a note says that it tells nothing."""
    original, protected = numeric_frames()
    protected["AGI"] = 5.0
    assessment = linkrisk.assess(original, protected)
    assert "AGI" in assessment.attribute_names
    assert any("AGI has the same value in every record" in note for note in assessment.notes)


@pytest.mark.parametrize("scale", ["separate", "original", "ranks"])
def test_an_untouched_attribute_is_a_key_for_the_fitted_attackers(scale: str) -> None:
    """One near-unique attribute in the clear among noisy ones gives everybody away."""
    original, protected = numeric_frames(noise=5.0)
    protected["AGI"] = original["AGI"] = np.random.default_rng(1).permutation(60) * 3.0
    for attack in linkrisk.assess(original, protected, attackers=["mahalanobis"], scales=[scale]).attacks:
        assert set(attack.links.values()) == {60}


def test_shuffled_rows_are_doubted() -> None:
    """Rows in another order make an unprotected file look safe; that is the first fault named, unless ids pair them."""
    original, _ = numeric_frames(200)
    original.insert(0, "who", range(200))
    shuffled = original.sample(frac=1.0, random_state=5)
    by_order = linkrisk.assess(original.drop(columns="who"), shuffled.drop(columns="who"), attackers=["mean"])
    assert by_order.faults[0].kind == "pairing"
    assert "id (--id) or by pairs (--pairs)" in by_order.faults[0].message
    assert "paired by row order" in str(by_order)
    by_id = linkrisk.assess(original, shuffled, id="who", attackers=["mean"])
    assert "pairing" not in {fault.kind for fault in by_id.faults}
    assert by_id.attacks[0].rate() > 0.9


def test_protected_rows_in_order_are_not_doubted() -> None:
    """Strong noise alone does not raise the doubt, on numbers or on labels and text."""
    original, _ = numeric_frames(300)
    noisy = linkrisk.protection.add_noise(original, 60.0, secret_seed=1).data
    assert not linkrisk.assess(original, noisy, attackers=["mean"]).faults
    original, protected = mixed_frames()
    assert "pairing" not in {fault.kind for fault in linkrisk.assess(original, protected, attackers=["mean"]).faults}


@pytest.mark.parametrize("kept", ["the mean", "the first record", "nothing"])
def test_equal_records_are_no_fault(kept: str) -> None:
    """Where all protected records are equal, the order is not doubted and no record counts as unprotected."""
    original, protected = numeric_frames()
    protected[:] = original.mean().to_numpy() if kept == "the mean" else original.iloc[0].to_numpy()
    if kept == "nothing":
        protected = protected.assign(AGI=0.0)
    assert faults(original, protected) == []


def test_constant_attributes_do_not_hide_the_order() -> None:
    """One attribute with noise says that the order is right, however many constants stand beside it."""
    original, protected = numeric_frames()
    names = list(original.columns)
    protected[names[1:]] = 1.0
    for k in range(5):
        original[f"c{k}"], protected[f"c{k}"] = np.arange(60.0), 0.0
    assert faults(original, protected) == []


def test_headline_names_a_subset_that_does_better() -> None:
    """Where an attribute is drowned in noise, leaving it out links more, and the headline says so."""
    rng = np.random.default_rng(2)
    original = np.column_stack([rng.normal(size=200), rng.normal(size=200), rng.normal(size=200)])
    protected = original + rng.normal(size=(200, 3)) * [0.01, 0.01, 5.0]
    text = str(linkrisk.assess(original, protected, attackers=["mean"], scales=["original"]))
    assert "He does better with fewer attributes: mean without V3 links" in text


def test_the_largest_numbers_there_are_make_no_warning() -> None:
    """Confidential values of 1e308: rounded, and compared within a width, without overflow."""
    random = np.random.default_rng(0)
    original = pd.DataFrame({"age": np.arange(40.0), "income": np.repeat([1e308, -1e308, 3.5, 0.25], 10)})
    protected = pd.DataFrame({"age": np.arange(40.0) // 4 * 4, "income": random.permutation(original["income"])})
    schema = {"attributes": {"income": {"role": "confidential"}}}
    assert restored_attributes(pair_files(original, protected, schema=schema)) == ()
    found = linkrisk.assess(original, protected, schema=schema, one_to_one=False, **MEAN)
    assert found.attacks[0].disclosures[0].people == 40
