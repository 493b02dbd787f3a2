"""Households, risk by region, sampling weights and categorical keys of an assessment."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.assessment.survey.breakdown import Chances, break_down, hidden_cells
from linkrisk.assessment.survey.groups import first_of_open_class, group_chances, group_risk
from linkrisk.assessment.survey.population import population_risk
from linkrisk.errors import ColumnError, SettingsError
from tests.cli.command import linkrisk_command
from tests.oracle.frequencies import chance_of_one, told_counts

QUICK: dict[str, Any] = {"attackers": ["mean"], "scales": ["separate"], "one_to_one": False}


def survey_frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return 40 people of 16 households; those of the north keep their ages, and one lives in the west."""
    original = pd.DataFrame(
        {
            "household": [f"h{row // 3}" for row in range(36)] + ["h90", "h91", "h92", None],
            "age": np.arange(40.0),
            "region": ["north"] * 15 + ["south"] * 24 + ["west"],
            "sex": ["f", "m"] * 20,
            "weight": [1.0] * 15 + [5.0] * 24 + [65.0],
        }
    )
    protected = original.copy()
    south = original["region"] == "south"
    protected.loc[south, "age"] = original.loc[south, "age"].to_numpy()[::-1]
    return original, protected


def test_groups_and_weights_are_no_attributes_unless_named() -> None:
    """They are in both files, and are used for linking only if a user says so; a role that the schema gives stays."""
    original, protected = survey_frames()
    found = linkrisk.assess(original, protected, group="household", weights="weight", **QUICK)
    assert found.attribute_names == ("age", "region", "sex")
    named = linkrisk.assess(
        original, protected, group="household", weights="weight", attributes=["age", "household"], **QUICK
    )
    assert named.attribute_names == ("age", "household")
    schema = {"attributes": {"household": {"role": "identifier"}}}
    stated = linkrisk.assess(original, protected, group="household", schema=schema, **QUICK)
    assert stated.attribute_names == ("age", "region", "sex", "weight")
    assert any("household" in fault.message for fault in stated.faults)
    schema = {"attributes": {"weight": {"role": "quasi-identifier"}, "household": {"kind": "nominal"}}}
    asked = linkrisk.assess(original, protected, group="household", weights="weight", schema=schema, **QUICK)
    assert asked.attribute_names == ("age", "region", "sex", "weight")


def test_a_household_is_found_as_soon_as_one_member_is() -> None:
    """12 households of 3 and 4 people alone, one of them without a label: by hand from the people found."""
    original, protected = survey_frames()
    result = linkrisk.assess(original, protected, group="household", smallest_cell=1, **QUICK)
    groups, attack = result.survey.groups, result.records.attacks[0]
    assert groups is not None
    assert (groups.n_groups, groups.n_people, groups.n_alone) == (16, 40, 1)
    label = original["household"].fillna("nobody")
    households = 1.0 - pd.Series(1.0 - attack.found).groupby(label).prod()
    assert 5 < households.sum() < 16
    assert groups.attacks[0].found == pytest.approx(households.sum())
    assert groups.attacks[0].rate == pytest.approx(households.mean())
    assert groups.attacks[0].people_rate == pytest.approx(label.map(households).mean())
    assert [(cell.value, cell.n) for cell in groups.sizes.cells] == [("1", 4), ("3", 12)]
    assert any("sees who the others are" in note for note in result.notes)
    assert any("records without household: 1;" in note for note in result.notes)
    told = result.records.columns()["mean.separate.household_found"]
    assert told.tolist() == pytest.approx(label.map(households).tolist())


@given(st.lists(st.tuples(st.integers(0, 3), st.fractions(0, 1, max_denominator=8)), min_size=1, max_size=5))
def test_chances_of_groups(members: list[tuple[int, Fraction]]) -> None:
    """One minus the product: against the sum over all outcomes, in fractions."""
    numbers = {label: place for place, label in enumerate(dict.fromkeys(label for label, _ in members))}
    group = np.array([numbers[label] for label, _ in members])
    chances = group_chances(np.array([float(chance) for _, chance in members]), group)
    for label, number in numbers.items():
        slow = chance_of_one([chance for owner, chance in members if owner == label])
        assert chances[number] == pytest.approx(float(slow), abs=1e-12)


def test_members_without_counterpart_live_in_a_household_that_may_be_found() -> None:
    """A household without any member in the protected file cannot be found and does not count."""
    links = Chances("mean", "ranks", np.array([1.0, 0.0, 0.0, 0.0]))
    released = np.array([True, False, True, False])
    found = group_risk("household", np.array([0, 0, 1, 2]), [links], released, weights=np.array([1.0, 3.0, 1.0, 9.0]))
    assert (found.n_groups, found.n_people) == (2, 3)
    assert found.attacks[0].rate == 0.5
    assert found.attacks[0].people_rate == pytest.approx(2 / 3)
    assert found.attacks[0].population_rate == pytest.approx(4 / 5)


@pytest.mark.parametrize("ties", ["unique", "class", "expected"])
@pytest.mark.parametrize("attacker", ["mean", "weighted_mean"])
def test_records_add_up_to_what_is_found(attacker: str, ties: str) -> None:
    """By the better of the two ways, with twins, under every tie rule: the figure of the headline."""
    rng = np.random.default_rng(5)
    original = rng.integers(0, 6, (30, 2)).astype(float)
    protected = np.clip(original + rng.integers(-1, 2, (30, 2)), 0, 5)
    result = linkrisk.assess(original, protected, attackers=[attacker], scales=["original"], ties=ties, one_to_one=True)
    assert result.records.attacks[0].found.sum() == pytest.approx(result.attacks[0].found())


@pytest.mark.parametrize("ties", ["unique", "expected"])
def test_records_of_who_knows_the_method_add_up_too(ties: str) -> None:
    """He links one to one as well; whichever way finds more is that of the records."""
    original = np.random.default_rng(6).normal(size=(40, 2)).round(2)
    protected = linkrisk.protection.add_noise(original, 40.0, secret_seed=1).data
    result = linkrisk.assess(original, protected, attackers=["informed"], ties=ties)
    assert result.records.attacks[0].found.sum() == pytest.approx(result.attacks[0].found())


def test_risk_by_region_without_small_cells() -> None:
    """One person lives in the west: neither they nor the next smallest region are told apart, in text and JSON."""
    original, protected = survey_frames()
    original["region"] = ["north"] * 15 + ["east"] * 11 + ["south"] * 13 + ["west"]
    result = linkrisk.assess(original, protected, by="region", **QUICK)
    (table,) = result.survey.by
    assert [(cell.value, cell.n) for cell in table.cells] == [("north", 15), ("south", 13)]
    assert table.others is not None
    assert (table.n_hidden, table.others.n) == (2, 12)
    shown = [*table.cells, table.others]
    assert sum(cell.attacks[0].found for cell in shown) == pytest.approx(result.attacks[0].found())
    document = result.to_dict()["by"][0]
    assert document["others"]["value"] is None
    for text in (str(result).split("People found by region")[1], json.dumps(document), result._repr_html_()):
        assert "west" not in text


def test_the_column_may_be_in_the_original_only_and_have_holes() -> None:
    """A missing value is a row of its own; people without counterpart do not count."""
    original, protected = survey_frames()
    original["stratum"] = [1.0] * 10 + [2.0] * 10 + [10.0] * 10 + [None] * 10
    protected = protected.drop(columns=["region"])
    result = linkrisk.assess(original, protected, by=["stratum", "region"], **QUICK)
    assert [cell.value for cell in result.survey.by[0].cells] == ["1", "2", "10", "(missing)"]
    assert [cell.value for cell in result.survey.by[1].cells] == ["south"]  # west, and north for its sake, are hidden


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(1, 12))
def test_no_small_count_can_be_told(counts: list[int], smallest: int) -> None:
    """docs/mathematics.md#suppression: neither shown nor left over; and nothing is hidden without need."""
    hidden = hidden_cells(np.array(counts), smallest).tolist()
    if sum(counts) >= smallest:
        assert all(count >= smallest for count in told_counts(counts, hidden))
    assert sum(hidden) != 1 or len(counts) == 1
    if min(counts) >= smallest:
        assert not any(hidden)
    needed = [count for count, is_hidden in zip(counts, hidden, strict=True) if is_hidden]
    if len(needed) > 2 and max(needed) >= smallest:  # the largest was needed: without it too little is hidden
        assert sum(needed) - max(needed) < smallest


def solutions(groups: int, beyond: int, largest: int) -> set[int]:
    """Return how many of some groups may be larger than the smallest of them, all ways to share members tried."""
    return {larger for larger in range(1, groups + 1) if larger <= beyond <= larger * largest}


def test_rare_sizes_of_households_cannot_be_solved_for() -> None:
    """docs/mathematics.md#group-sizes: 13 households of five or more with 66 members would be 12 and one of six."""
    sizes = np.repeat([1, 2, 3, 4, 5, 6], [40, 30, 20, 15, 12, 1])
    group = np.repeat(np.arange(len(sizes)), sizes)
    links = Chances("mean", "ranks", (group == group.max()).astype(float))
    found = group_risk("household", group, [links], np.ones(len(group), dtype=bool), smallest_cell=10, n_alone=3)
    assert [(cell.value, cell.n) for cell in found.sizes.cells] == [("1", 40), ("2", 30), ("3", 20), ("4 or more", 28)]
    assert (found.open_size, found.attacks[0].people_rate, found.n_alone) == (4, None, None)
    assert solutions(28, int((sizes[sizes >= 4] - 4).sum()), 14) >= set(range(1, 11))
    assert first_of_open_class(sizes, 1) is None
    assert first_of_open_class(np.array([1, 1, 2]), 10) == 1


def test_regions_and_their_districts_are_not_both_told() -> None:
    """A small district would follow from its region: the later table is left out, unless nothing is hidden."""
    original, protected = survey_frames()
    original["region"] = ["north"] * 20 + ["south"] * 20
    original["district"] = ["n1"] * 17 + ["n2"] * 3 + ["s1"] * 10 + ["s2"] * 10
    result = linkrisk.assess(original, protected, by=["region", "district", "sex"], **QUICK)
    assert [table.column for table in result.survey.by] == ["region", "sex"]
    assert any(note.startswith("no risk by district") for note in result.notes)
    fine = linkrisk.assess(original, protected, by=["region", "district"], smallest_cell=3, **QUICK)
    assert [table.column for table in fine.survey.by] == ["region", "district"]


def test_kish_counts_those_who_can_be_found() -> None:
    """As the rate does: a heavy record without counterpart says nothing about either."""
    links = Chances("mean", "ranks", np.array([1.0, 0.0, 0.0]))
    found = population_risk("w", np.array([2.0, 2.0, 90.0]), [links], np.array([True, True, False]))
    assert (found.n_kish, found.attacks[0].population_rate) == (2.0, 0.5)


def test_rates_for_the_population() -> None:
    """Weight of those found over weight of all: the one in the west stands for 65 of 200 people."""
    original, protected = survey_frames()
    result = linkrisk.assess(original, protected, weights="weight", by="sex", **QUICK)
    found = result.records.attacks[0].found
    weights = original["weight"].to_numpy()
    population = result.survey.population
    assert population is not None
    assert population.size == 200.0
    assert population.attacks[0].population_rate == pytest.approx((weights * found).sum() / 200.0)
    assert population.n_kish == pytest.approx(200.0**2 / (weights**2).sum())
    men = (original["sex"] == "m").to_numpy()
    rate = result.survey.by[0].cells[1].attacks[0].population_rate
    assert rate == pytest.approx((weights * found)[men].sum() / weights[men].sum())


def test_keys_of_both_files() -> None:
    """With weights the categorical attributes are the key; the protected file's records have the original's weights."""
    original, protected = survey_frames()
    protected = protected.iloc[::-1]
    protected["region"] = "all"
    original["id"] = protected["id"] = original.index
    result = linkrisk.assess(original, protected, weights="weight", group="household", id="id", **QUICK)
    keys = result.survey.keys
    assert keys is not None
    assert keys.names == ("region", "sex")
    assert (keys.original.risk.n_keys, keys.protected.risk.n_keys) == (5, 2)
    assert keys.original.risk.below[0] == 1
    assert keys.original.risk.population_uniques == pytest.approx(1 / 65)
    columns = result.records.columns()
    men = (original["sex"] == "m").to_numpy()
    told = columns["keys.protected.population_frequency"]
    women = original["weight"][~men].sum()
    assert told.tolist() == [200.0 - women if man else women for man in men]
    risks = columns["keys.original.individual_risk"]
    label = original["household"].fillna("nobody").to_numpy()
    households = [1.0 - np.prod(1.0 - risks[label == name]) for name in dict.fromkeys(label)]
    assert keys.original.expected_groups == pytest.approx(sum(households))
    assert keys.original.expected_in_groups == pytest.approx(
        sum(len(label[label == n]) * h for n, h in zip(dict.fromkeys(label), households, strict=True))
    )


def test_missing_values_of_keys_are_told_both_ways() -> None:
    """A job that only adults have: to match everything makes every child look common, so it is not what counts."""
    original, protected = survey_frames()
    original["job"] = protected["job"] = ["baker"] * 30 + [None] * 9 + ["pilot"]
    result = linkrisk.assess(original, protected, keys=["job"], **QUICK)
    keys = result.survey.keys
    assert keys is not None
    assert keys.original_wildcard is not None
    assert (keys.original.risk.below[0], keys.original_wildcard.risk.below[0]) == (1, 0)
    assert keys.original.risk.expected == pytest.approx(3.0)
    assert keys.original_wildcard.risk.expected == pytest.approx(30 / 39 + 9 / 40 + 1 / 10)
    assert "holes match" in str(result)
    columns = result.records.columns()
    assert columns["keys.original.frequency"][-1] == 1
    assert columns["keys.protected_wildcard.frequency"][-1] == 10


def test_keys_that_are_named_without_weights() -> None:
    """The file is then the population: one expected link for each key."""
    original, protected = survey_frames()
    result = linkrisk.assess(original, protected, keys=["sex"], **QUICK)
    assert result.survey.keys is not None
    assert result.survey.keys.original.risk.expected == pytest.approx(2.0)
    assert "whole population" in str(result)
    assert "holes match" not in str(result)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"group": "housold"}, ["'housold'", "group (--group)", "did you mean 'household'?"]),
        ({"by": ["area"]}, ["'area'", "by (--by)"]),
        ({"weights": "region"}, ["'region'", "row 1", "weights (--weights)"]),
        ({"keys": ["weight"], "weights": "weight"}, ["'weight'", "keys (--keys)"]),
    ],
)
def test_mistakes_are_told_in_one_sentence(options: dict[str, Any], words: list[str]) -> None:
    """Which file, column and row, and what to do; never a cell."""
    original, protected = survey_frames()
    with pytest.raises((ColumnError, SettingsError)) as problem:
        linkrisk.assess(original, protected, **options, **QUICK)
    assert not [word for word in words if word not in str(problem.value)], problem.value
    assert "north" not in str(problem.value)


@pytest.mark.parametrize("weight", [0.0, -1.0, np.nan, np.inf, 1e13])
def test_weights_are_numbers_above_zero(weight: float) -> None:
    """The first record without one is named."""
    original, protected = survey_frames()
    original.loc[7, "weight"] = weight
    with pytest.raises(ColumnError, match="row 8"):
        linkrisk.assess(original, protected, weights="weight", **QUICK)


def test_the_command_and_the_assessment_file(tmp_path: Path) -> None:
    """The same words everywhere, and the same figures."""
    original, protected = survey_frames()
    original.to_csv(tmp_path / "original.csv", index=False)
    protected.to_csv(tmp_path / "protected.csv", index=False)
    options = ["--group", "household", "--by", "region,sex", "--weights", "weight", "--smallest-cell", "12"]
    quick = ["--attackers", "mean", "--scales", "separate", "--json", tmp_path / "command.json"]
    linkrisk_command("assess", tmp_path / "original.csv", tmp_path / "protected.csv", *options, *quick).check_success()
    (tmp_path / "assessment.toml").write_text(
        'original = "original.csv"\nprotected = "protected.csv"\nattackers = ["mean"]\nscales = ["separate"]\n'
        'group = "household"\nby = ["region", "sex"]\nweights = "weight"\nsmallest_cell = 12\njson = "file.json"\n'
    )
    outcome = linkrisk_command("run", tmp_path / "assessment.toml")
    outcome.check_success()
    for title in ("Rates for the population", "Groups by household", "People found by region", "Keys: combinations of"):
        assert title in outcome.output
    first, second = (json.loads((tmp_path / name).read_text()) for name in ("command.json", "file.json"))
    for key in ("groups", "by", "population", "keys"):
        assert first[key] == second[key]
        assert first[key]


def test_a_certificate_of_a_file_with_households_is_verified(tmp_path: Path) -> None:
    """The certificate says how the files were read, groups and weights left out: the verifier reads them so."""
    original, protected = survey_frames()
    original.to_csv(tmp_path / "original.csv", index=False)
    protected.to_csv(tmp_path / "protected.csv", index=False)
    files = tmp_path / "original.csv", tmp_path / "protected.csv"
    linkrisk.assess(
        *files,
        group="household",
        weights="weight",
        attackers=["weighted_mean"],
        scales=["separate"],
        certificates=tmp_path / "proofs",
    )
    (certificate,) = (tmp_path / "proofs").iterdir()
    assert linkrisk.verify(certificate, *files)


def test_what_was_not_asked_for_is_not_there() -> None:
    """Neither in the report nor in the records; the document says null."""
    original, protected = survey_frames()
    result = linkrisk.assess(original, protected, **QUICK)
    assert result.survey == linkrisk.assessment.SurveyRisk()
    document = result.to_dict()
    assert [document[key] for key in ("groups", "by", "population", "keys")] == [None, [], None, None]
    assert not [name for name in result.records.columns() if name.startswith("keys.") or "household" in name]


def test_chances_print_none_of_them() -> None:
    """Values by people are confidential."""
    table = break_down(
        "region",
        np.array(["n"] * 3, dtype=object),
        [Chances("mean", "ranks", np.array([0.123, 0.0, 0.0]))],
        np.ones(3, dtype=bool),
        smallest_cell=1,
    )
    assert table.cells[0].attacks[0].found == 0.123
    assert "0.123" not in repr(Chances("mean", "ranks", np.array([0.123])))
