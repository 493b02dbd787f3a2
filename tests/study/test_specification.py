"""Specifications: what they mean, and every mistake in them told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from linkrisk.errors import InputError, SettingsError
from linkrisk.study import load_specification, make_specification
from linkrisk.study.inputs import open_inputs
from linkrisk.study.specification.cells import cells
from tests.study.studies import SMALL_TOML, small_study


def mistakes_of(contents: dict[str, Any]) -> list[str]:
    """Return what is said of a specification, line by line."""
    with pytest.raises(InputError) as told:
        make_specification(contents)
    return str(told.value).splitlines()


def test_file_and_mapping_mean_the_same(tmp_path: Path) -> None:
    """TOML is the mapping written down: the same cells, by the same keys."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL_TOML, encoding="utf-8")
    assert list(cells(load_specification(path))) == list(cells(make_specification(small_study())))


def test_all_mistakes_are_told_at_once() -> None:
    """One line for each, with the word that was probably meant."""
    contents = {
        "repets": 3,
        "attackers": ["meen"],
        "data": [{"name": "people", "generated": "census_lik", "recods": 5}],
        "protection": [
            {"name": "noise", "method": "nois", "grid": {"p": [1]}},
            {"name": "noise", "method": "noise", "grid": {"pp": [1]}, "data": ["peple"]},
        ],
    }
    told = mistakes_of(contents)
    for word in ("repets", "repeats", "meen", "mean", "census_lik", "recods", "records", "'nois'", "pp", "peple"):
        assert any(word in line for line in told), word
    assert len(told) >= 7


def test_names_are_needed_and_their_own() -> None:
    """Two of one name could not be told apart."""
    contents = small_study()
    contents["protection"] = [{**contents["protection"][0]}, {**contents["protection"][0]}]
    assert any("'noise' is the name of two" in line for line in mistakes_of(contents))
    del contents["data"][0]["name"]
    assert any("data 1: it has no name" in line for line in mistakes_of(contents))


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"protection": []}, "the grid is empty"),
        ({"data": []}, "there are no data"),
        ({"data": "people"}, "must be a list of tables"),
    ],
)
def test_a_study_of_nothing_is_refused(change: dict[str, Any], word: str) -> None:
    """An empty grid is a mistake, not a study that is finished at once."""
    assert any(word in line for line in mistakes_of(small_study(**change)))


@pytest.mark.parametrize(
    ("grid", "word"),
    [
        ({"p": []}, "list of values"),
        ({"p": 5}, "list of values"),
        ({"p": [5, 5]}, "twice"),
        ({"p": [{"a": 1}]}, "numbers or texts"),
    ],
)
def test_values_of_a_grid(grid: dict[str, Any], word: str) -> None:
    """Lists of different numbers or texts."""
    contents = small_study(protection=[{"name": "noise", "method": "noise", "grid": grid}])
    assert any(word in line for line in mistakes_of(contents))


@pytest.mark.parametrize(
    ("protection", "word"),
    [
        ({"plan": "AGI: mdav k={k}", "grid": {"k": [3], "p": [1]}}, "the plan no {p}"),
        ({"plan": "AGI: mdav k={k}", "grid": {}}, "the grid no k"),
        ({"plan": "AGI: mdav k=3", "k": 3}, "put it into the plan"),
        ({"plan": "AGI: mdav k=3", "method": "mdav"}, "one of method and plan"),
        ({"method": "none", "p": 3}, "nothing is done"),
        ({"method": "noise", "p": 3, "grid": {"p": [1]}}, "beside the grid"),
    ],
)
def test_plans_and_methods(protection: dict[str, Any], word: str) -> None:
    """Holes of a plan are filled by the grid, and by nothing else."""
    told = mistakes_of(small_study(protection=[{"name": "one", **protection}]))
    assert any(word in line for line in told), told


def test_files_must_exist(tmp_path: Path) -> None:
    """Told when the specification is read, before any work, without the folder they are looked for in."""
    path = tmp_path / "study.toml"
    path.write_text(
        '[[data]]\nname = "people"\nfile = "nobody.csv"\n[[protection]]\nname = "n"\nmethod = "none"\n',
        encoding="utf-8",
    )
    with pytest.raises(SettingsError, match=r"nobody\.csv"):
        load_specification(path)


def test_columns_are_looked_for_in_the_data() -> None:
    """All that are missing are told, before any cell is begun."""
    contents = small_study()
    contents["data"][0] |= {"columns": ["AGI", "FEDTAXX"], "known": ["NOBODY"], "sample": 900}
    with pytest.raises(SettingsError) as told:
        open_inputs(make_specification(contents))
    lines = str(told.value).splitlines()
    assert len(lines) == 3
    assert "'FEDTAXX'" in lines[0]
    assert "FEDTAX" in lines[0]
    assert "sample is 900" in lines[2]
