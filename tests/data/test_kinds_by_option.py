"""Kinds given by options instead of a schema: the same in every command."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.data import pair_files
from linkrisk.data.reading import Meaning
from linkrisk.data.schema import make_schema, with_settings
from linkrisk.errors import InputError, SettingsError
from tests.cli.command import linkrisk_command


def people() -> pd.DataFrame:
    """Make a file with codes for categories."""
    generator = np.random.default_rng(3)
    return pd.DataFrame({"sex": generator.integers(1, 3, 30), "school": generator.integers(1, 6, 30), "age": range(30)})


def test_an_option_says_what_a_schema_says() -> None:
    """The files are read alike, codes for missing included."""
    schema = {
        "missing": [5],
        "attributes": {"sex": {"kind": "nominal"}, "school": {"kind": "ordinal"}, "age": {"role": "confidential"}},
    }
    by_schema = pair_files(people(), people(), schema=schema)
    roles = {"attributes": {"age": {"role": "confidential"}}}
    by_option = pair_files(people(), people(), schema=roles, nominal="sex", ordinal=["school"], missing=[5])
    assert by_option.attributes == by_schema.attributes
    assert [str(attribute.kind) for attribute in by_option.attributes] == ["nominal", "ordinal"]
    assert by_option.columns[1].original.tolist() == by_schema.columns[1].original.tolist()
    no_schema = pair_files(people(), people(), confidential="age", nominal="sex", ordinal=["school"], missing=[5])
    assert no_schema.attributes == by_schema.attributes
    assert [column.attribute.name for column in no_schema.confidential] == ["age"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nominal": "sex", "ordinal": "sex"}, r"'sex' is ordinal by ordinal \(--ordinal\), and nominal by"),
        ({"numeric": "age", "schema": {"attributes": {"age": {"order": [1, 2]}}}}, "'age' is numeric by numeric"),
        ({"nominal": "sexx"}, r"names 'sexx' \(or nominal, ordinal, numeric, confidential do\)"),
        ({"confidential": "agee"}, "names 'agee'"),
        (
            {"confidential": "age", "schema": {"attributes": {"age": {"role": "identifier"}}}},
            r"'age' is confidential by confidential \(--confidential\), and identifier by",
        ),
        ({"nominal": "sex,sex"}, "twice"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    """Told in a sentence."""
    with pytest.raises(InputError, match=message):
        pair_files(people(), people(), **options)


def test_a_kind_that_is_said_twice_alike_is_said_once() -> None:
    """In the schema and in the option."""
    schema = Meaning(ordinal="school", schema={"attributes": {"school": {"order": [1, 2, 3, 4, 5]}}}).full_schema()
    assert schema.attribute("school").order == ("1", "2", "3", "4", "5")


def test_codes_are_protected_as_categories(tmp_path: Any) -> None:
    """On the command line too: without a schema, PRAM takes sex 1, 2 where it is said to be nominal."""
    people().to_csv(tmp_path / "people.csv", index=False)
    linkrisk_command(
        *("protect", tmp_path / "people.csv", "--method", "pram", "--keep", 0.5, "--nominal", "sex,school"),
        *("--leave", "age", "--out", tmp_path / "out.csv"),
    ).check_success()
    assert set(pd.read_csv(tmp_path / "out.csv")["sex"]) == {1, 2}
    for command in ("assess", "loss", "compare", "tune", "protect"):
        assert "--nominal" in linkrisk_command(command, "--help").output, command
    found = linkrisk.loss(people(), pd.read_csv(tmp_path / "out.csv"), nominal="sex,school")
    assert found.categorical == ("sex", "school")


def test_what_the_schema_says_must_fit_the_kind_of_the_option() -> None:
    """Told as mistakes in a schema are, and no traceback."""
    schema = make_schema({"attributes": {"x": {"inclusive": True}}})
    with pytest.raises(
        SettingsError, match=r"^column 'x', by nominal \(--nominal\): inclusive is for ordinal"
    ) as caught:
        with_settings(schema, "kind", {"nominal": ["x"]})
    assert "\n" not in str(caught.value)
