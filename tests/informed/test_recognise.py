"""Methods and parameters that nobody published, found again in files made with known ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.datasets import AGE_GROUP_ORDER, EDUCATION_ORDER, census_like, census_like_mixed
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.recognise import completed, recognised, unexplained
from linkrisk.protection import METHODS

N_RECORDS = 600
ORDERS = {"education": EDUCATION_ORDER, "age_group": AGE_GROUP_ORDER}
NOMINAL = ("sex", "region", "marital_status")

Parameters = dict[str, Any]
GROUPS = [["AGI", "FEDTAX", "AFNLWGT"], ["PTOTVAL", "STATETAX"]]
NUMBERS = [name for group in GROUPS for name in group]

EXACT: list[tuple[str, Parameters]] = [
    ("mdav", {"groups": GROUPS, "k": (3, 8)}),
    ("mdav", {"groups": GROUPS, "k": (5, 2), "raw": True}),
    ("mdav", {"groups": GROUPS, "k": (4, 7), "centroid": "median"}),
    ("mdav", {"groups": [["AGI", "AFNLWGT", "sex", "education"], ["PTOTVAL", "STATETAX"]], "k": (3, 4)}),
    ("z_scores", {"groups": GROUPS, "k": (3, 6)}),
    ("principal_components", {"groups": GROUPS[:1], "k": (4,)}),
    ("individual_ranking", {"k": {"AGI": 3, "FEDTAX": 10, "education": 7}}),
    ("individual_ranking", {"k": {"AGI": 4, "PTOTVAL": 5}, "centroid": {"AGI": "median", "PTOTVAL": "median"}}),
    ("rounding", {"base": {"AGI": 1000.0, "FEDTAX": 0.7, "AFNLWGT": 250.0}, "random": False}),
    ("rounding", {"base": {"AGI": 1000.0, "FEDTAX": 70.0}, "random": True}),
    ("coding", {"top": {"AGI": 50000.0, "education": "college"}, "bottom": {"AGI": 9000.0, "FEDTAX": 500.0}}),
    ("generalise", {"into": {"AGI": 5000.0, "FEDTAX": 333.3, "age_group": 2}}),
    ("generalise", {"into": {"AGI": [0.0, 20000.0, 50000.0, 1000000.0], "region": {"01": "north", "02": "north"}}}),
]
"""Methods whose parameters the files show exactly."""


@cache
def people(n_records: int = N_RECORDS) -> pd.DataFrame:
    """Make a file with numbers and labels, none missing."""
    mixed = census_like_mixed(n_records, seed=3)[[*NOMINAL, *ORDERS]]
    filled = mixed.fillna({"marital_status": "single", "education": "college"})
    return pd.concat([census_like(n_records, seed=3)[NUMBERS], filled], axis=1)


def schema(names: list[str]) -> dict[str, Any]:
    """Return kinds and orders of the labels."""
    kinds = {name: {"kind": "nominal"} if name in NOMINAL else {"order": list(ORDERS[name])} for name in names}
    return {"attributes": kinds}


def named_by(parameters: Parameters) -> set[str]:
    """Return the columns that parameters name."""
    named = {name for value in parameters.values() if isinstance(value, dict) for name in value}
    return (
        named | {name for group in parameters.get("groups", []) for name in group} | {*parameters.get("attributes", ())}
    )


def released(frame: pd.DataFrame, method: str, parameters: Parameters, seed: int = 5) -> pd.DataFrame:
    """Protect the columns that the parameters name, and leave the others."""
    given = {name: value for name, value in parameters.items() if name != "attributes"}
    given["leave"] = [name for name in frame.columns if name not in named_by(parameters)]
    given["schema"] = schema([name for name in frame.columns if name not in NUMBERS])
    if METHODS[method].draws(random=parameters.get("random", False)):
        given["secret_seed"] = seed
    data = METHODS[method].apply(frame, **given).data
    assert isinstance(data, pd.DataFrame)
    return data


def paired(original: pd.DataFrame, protected: pd.DataFrame, seed: int = 11) -> FilePair:
    """Pair two files, the released rows in another order."""
    order = np.random.default_rng(seed).permutation(len(original))
    pairs = np.column_stack([order + 1, np.arange(1, len(order) + 1)])
    kinds = schema([name for name in original.columns if name not in NUMBERS])
    return pair_files(original, protected.iloc[order].reset_index(drop=True), pairs=pairs, schema=kinds)


def part_of(files: FilePair, kept: slice) -> FilePair:
    """Return what somebody knows who knows some of the people only."""
    columns = tuple(type(column)(column.attribute, column.original[kept], column.protected) for column in files.columns)
    own = files.own[kept]
    return FilePair(columns=columns, own=own, n_original=len(own), n_protected=files.n_protected)


def plain(value: Any) -> Any:
    """Return lists and tuples alike, so that parameters can be compared."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return tuple(plain(each) for each in value) if isinstance(value, list | tuple) else value


def assert_found(found: Description, method: str, parameters: Parameters) -> None:
    """Hold a description against what was done: one method, its parameters, and everything else left."""
    assert [part.method for part in found.treatments] == [method]
    told = found.treatments[0].parameters
    for name, value in parameters.items():
        if name == "groups":
            assert {frozenset(group) for group in told["groups"]} == {frozenset(group) for group in value}
        elif name == "k" and "groups" in parameters:
            sizes = {frozenset(group): k for group, k in zip(parameters["groups"], value, strict=True)}
            assert {frozenset(group): k for group, k in zip(told["groups"], told["k"], strict=True)} == sizes
        elif name == "centroid" and isinstance(value, str):
            assert set(told["centroid"].values()) == {value}
        else:
            assert plain(told[name]) == plain(value)


@pytest.mark.parametrize(("method", "parameters"), EXACT, ids=[f"{case[0]}-{i}" for i, case in enumerate(EXACT)])
def test_what_the_files_show_is_recognised(method: str, parameters: Parameters) -> None:
    """Nothing is published: the method, its parameters and groups come out, and what was left is left."""
    frame = people()
    files = paired(frame, released(frame, method, parameters))
    found = recognised(files)
    assert len(found) == 1
    assert_found(found[0], method, parameters)
    treated = {name for part in found[0].treatments for name in part.attributes}
    assert set(found[0].left) == set(frame.columns) - treated
    assert unexplained(found[0], files) == ()


@pytest.mark.parametrize(("method", "parameters"), EXACT, ids=[f"{case[0]}-{i}" for i, case in enumerate(EXACT)])
def test_parameters_that_are_not_published_are_found(method: str, parameters: Parameters) -> None:
    """Method and attributes are published: the same parameters come out, each with a sentence."""
    frame = people()
    protected = released(frame, method, parameters)
    treated = tuple(name for name in frame.columns if name in named_by(parameters))
    description = Description((Treatment(method, treated, {}),), tuple(set(frame.columns) - set(treated)))
    found, notes = completed(description, paired(frame, protected))
    assert_found(found, method, parameters)
    for name, value in parameters.items():
        if value is not False:
            assert sum(note.startswith(f"{name} of {method} ") for note in notes) == 1
    assert set(found.left) == set(description.left)


@pytest.mark.parametrize("percent", [1.0, 10.0, 80.0])
@pytest.mark.parametrize("method", ["noise", "correlated_noise"])
def test_noise_and_its_size(method: str, percent: float) -> None:
    """Which of the two it was, and p within the error of so many records: 5 percent of p is more than 3 deviations."""
    frame = people(2000)
    is_drawn_again = method == "correlated_noise" and percent > 50.0  # then ranges change the correlations of noise
    given = {"p": percent, "attributes": NUMBERS, "continuous": is_drawn_again}
    files = paired(frame, released(frame, method, given))
    (found,) = recognised(files)
    (part,) = found.treatments
    assert (part.method, part.attributes) == (method, tuple(NUMBERS))
    for name in NUMBERS:
        assert part.value("p", name) == pytest.approx(percent, rel=0.05)
    told, notes = completed(Description((Treatment(method, part.attributes),)), files)
    assert told.treatments == found.treatments
    assert [note.startswith(f"p of {method} is not published and was estimated as ") for note in notes] == [True]


@pytest.mark.parametrize("percent", [2.0, 20.0, 60.0])
@pytest.mark.parametrize("variant", ["pairs", "permutation"])
def test_rank_swapping_and_its_window(variant: str, percent: float) -> None:
    """The window is the largest move, which random partners come near to but do not exceed."""
    frame = people()
    parameters = {"p": dict.fromkeys([*NUMBERS, "age_group"], percent), "variant": variant}
    protected = released(frame, "rank_swap", parameters)
    files = paired(frame, protected)
    found, *others = recognised(files)
    (part,) = found.treatments
    assert (part.method, part.parameters["variant"]) == ("rank_swap", variant)
    for name in NUMBERS:
        assert 0.9 * percent <= part.value("p", name) <= percent
    assert [{part.method for part in other.treatments} for other in others] == [{"rank_swap", "pram"}]
    told, notes = completed(Description((Treatment("rank_swap", part.attributes),)), files)
    assert told.treatments == found.treatments
    assert len(notes) == 2


def test_values_that_change_places_in_a_circle() -> None:
    """Swapped within windows, but not in pairs: the variant is another."""
    frame = people()
    protected = frame.copy()
    for name in NUMBERS:
        order = np.argsort(frame[name].to_numpy(), kind="stable").reshape(-1, 6)
        protected.loc[order.ravel(), name] = frame[name].to_numpy()[np.roll(order, 1, axis=1).ravel()]
    (found,) = recognised(paired(frame, protected))
    (part,) = found.treatments
    assert part.parameters["variant"] == "permutation"
    assert all(part.value("p", name) <= 100.0 * 5 / N_RECORDS + 0.1 for name in NUMBERS)


@pytest.mark.parametrize("keep", [0.2, 0.7, 0.95])
def test_pram_and_its_keep(keep: float) -> None:
    """Within 4 deviations of the agreement rate of 2,000 records."""
    frame = people(2000)
    names = [*NOMINAL, *ORDERS]
    files = paired(frame, released(frame, "pram", {"keep": dict.fromkeys(names, keep)}))
    (found,) = recognised(files)
    (part,) = found.treatments
    assert (part.method, part.attributes, set(found.left)) == ("pram", tuple(names), set(NUMBERS))
    for name in names:
        by_chance = float((frame[name].value_counts(normalize=True) ** 2).sum())
        assert abs(part.value("keep", name) - keep) <= 4 * 0.5 / np.sqrt(2000) / (1 - by_chance)


def test_every_method_is_tried_here() -> None:
    """A method that nobody recognises would escape."""
    assert {*(method for method, _ in EXACT), "noise", "correlated_noise", "rank_swap", "pram"} == set(METHODS)


def test_a_plan_is_recognised_attribute_by_attribute() -> None:
    """Noise on two columns, rounding on one, another swapped, PRAM on two labels, the others left."""
    frame = people()
    protected = released(frame, "noise", {"p": {"AGI": 10, "FEDTAX": 25}})
    protected["PTOTVAL"] = released(frame, "rounding", {"base": {"PTOTVAL": 500}})["PTOTVAL"]
    protected["AFNLWGT"] = released(frame, "rank_swap", {"p": {"AFNLWGT": 10}})["AFNLWGT"]
    for name in ("sex", "region"):
        protected[name] = released(frame, "pram", {"keep": {name: 0.8}})[name]
    (found,) = recognised(paired(frame, protected))
    methods = {name: part.method for part in found.treatments for name in part.attributes}
    assert methods == {
        "AGI": "noise",
        "FEDTAX": "noise",
        "PTOTVAL": "rounding",
        "AFNLWGT": "rank_swap",
        "sex": "pram",
        "region": "pram",
    }
    assert set(found.left) == {"STATETAX", "marital_status", "education", "age_group"}


def test_part_of_the_people_is_enough_for_most_methods() -> None:
    """A quarter of the people known, and strangers in the release; groups and k show in the release itself."""
    frame = people(2000)
    cases: list[tuple[str, Parameters]] = [
        ("rank_swap", {"p": dict.fromkeys(NUMBERS, 10)}),
        ("noise", {"p": dict.fromkeys(NUMBERS, 20)}),
        ("correlated_noise", {"p": 20, "attributes": NUMBERS}),
        ("rounding", {"base": dict.fromkeys(NUMBERS, 250)}),
        ("mdav", {"groups": GROUPS, "k": (4, 9)}),
    ]
    for method, parameters in cases:
        files = part_of(paired(frame, released(frame, method, parameters)), slice(0, 500))
        found = recognised(files)[0]
        assert {part.method for part in found.treatments} == {method}
        assert {name for part in found.treatments for name in part.attributes} == set(NUMBERS)
        if method == "mdav":
            assert_found(found, method, parameters)
        if method in ("noise", "correlated_noise"):
            assert found.treatments[0].value("p", "AGI") == pytest.approx(20, rel=0.15)


def test_suppressed_values_say_nothing() -> None:
    """A column that is the same but for values taken out is no column that was left: its gaps are new."""
    frame = people().astype(dict.fromkeys(NUMBERS, float))
    protected = frame.copy()
    protected.loc[3:60, "AGI"] = np.nan
    protected.loc[5:90, "sex"] = None
    (found,) = recognised(paired(frame, protected))
    told = {part.attributes: (part.method, dict(part.parameters)) for part in found.treatments}
    assert told == {
        ("AGI",): ("rank_swap", {"p": {"AGI": 0.0}, "variant": "permutation"}),
        ("sex",): ("pram", {"keep": {"sex": 1.0}}),
    }


def test_another_microaggregation_has_no_k_to_be_run_again() -> None:
    """Clusters of neighbours in another order: groups are found, and no algorithm of ours gives the release."""
    frame = people()
    order = np.argsort(frame["AGI"].to_numpy() - 3.0 * frame["FEDTAX"].to_numpy(), kind="stable")
    clusters = np.empty(N_RECORDS, dtype=np.int64)
    clusters[order] = np.arange(N_RECORDS) // 5
    protected = frame.astype(dict.fromkeys(NUMBERS, float))
    for name in ("AGI", "FEDTAX"):
        protected[name] = frame[name].groupby(clusters).transform("mean")
    files = paired(frame, protected)
    (found,) = recognised(files)
    assert found.treatments == (Treatment("mdav", ("AGI", "FEDTAX"), {"groups": (("AGI", "FEDTAX"),)}),)
    told, notes = completed(Description((Treatment("mdav", ("AGI", "FEDTAX")),)), files)
    assert told.treatments == found.treatments
    assert any("have 5, but mdav was not found" in note for note in notes)


def test_published_parameters_stay() -> None:
    """What is given is neither estimated nor spoken of, also where the files say otherwise."""
    frame = people()
    files = paired(frame, released(frame, "noise", {"p": dict.fromkeys(NUMBERS, 10)}))
    given = Description((Treatment("noise", tuple(NUMBERS), {"p": 30}),))
    assert completed(given, files) == (given, ())
    partly = Description((Treatment("noise", tuple(NUMBERS), {"p": {"AGI": 30}}),))
    found, notes = completed(partly, files)
    assert found.treatments[0].value("p", "AGI") == 30
    assert found.treatments[0].value("p", "FEDTAX") == pytest.approx(10, rel=0.15)
    assert len(notes) == 1
    assert "(FEDTAX)" in notes[0]
    assert "(AGI)" not in notes[0]
