"""The attribute schema: every mistake is named, all of them at once."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from linkrisk.data import Kind, Role, load_schema, make_schema
from linkrisk.errors import FileError, SettingsError


def load(folder: Path, text: str) -> Any:
    """Load a schema from text."""
    path = folder / "schema.toml"
    path.write_text(text)
    return load_schema(path)


def test_a_full_schema(tmp_path: Path) -> None:
    """Everything a schema can say is read."""
    schema = load(
        tmp_path,
        """
        missing = ["99", -9, 8.0]
        [attributes.EDUCATION]
        kind = "ordinal"
        order = ["low", 2, 3.0]
        inclusive = true
        missing = ["x"]
        missing_one = 1
        missing_both = 0.5
        [attributes.INCOME]
        role = "confidential"
        protected = "INC"
        [attributes.BORN]
        date_format = "%d/%m/%Y"
        """,
    )
    education = schema.attribute("EDUCATION")
    assert schema.missing == ("99", "-9", "8")
    assert (education.kind, education.order) == (Kind.ORDINAL, ("low", "2", "3"))
    assert (education.missing, education.missing_one, education.missing_both) == (("x",), 1.0, 0.5)
    assert (schema.attribute("INCOME").role, schema.attribute("INCOME").protected) == (Role.CONFIDENTIAL, "INC")
    assert schema.attribute("BORN").kind is Kind.DATE
    assert schema.attribute("OTHER").role is Role.QUASI_IDENTIFIER


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """Every mistake has a line of its own, with its place."""
    with pytest.raises(SettingsError) as raised:
        load(
            tmp_path,
            """
            colour = 1
            [attributes.A]
            kind = "colour"
            [attributes.B]
            kind = "numeric"
            order = [1, 2]
            [attributes.C]
            missing_one = -1
            missing_both = inf
            [attributes.D]
            missing_one = nan
            size = 3
            """,
        )
    lines = str(raised.value).splitlines()
    places = [line.split(": ")[1] for line in lines]
    assert sorted(places) == [
        "attributes.A.kind",
        "attributes.B",
        "attributes.C.missing_both",
        "attributes.C.missing_one",
        "attributes.D.missing_one",
        "attributes.D.size",
        "colour",
    ]
    assert all(line.startswith("schema.toml: ") for line in lines)
    assert "schema.toml: attributes.B: order is for ordinal attributes, and this one is numeric; leave it out" in lines
    assert "schema.toml: colour: there is no such setting" in lines
    assert "schema.toml: attributes.C.missing_one: must be 0, or a number from 1e-100 to 1e+100" in lines


@pytest.mark.parametrize("cost", [1e160, 1e-160, -0.5, math.inf, math.nan])
def test_costs_of_missing_values_have_limits(cost: float) -> None:
    """What would overflow or vanish when it is squared twice is refused where it is written."""
    with pytest.raises(SettingsError, match="missing_one: must be 0, or a number from 1e-100"):
        make_schema({"attributes": {"A": {"missing_one": cost}}})
    assert make_schema({"attributes": {"A": {"missing_one": 1e100, "missing_both": 0}}})


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ({"order": ["a", "a"]}, "order names a category twice"),
        ({"kind": "nominal", "inclusive": True}, "inclusive is for ordinal attributes"),
        ({"kind": "numeric", "date_format": "%Y"}, "date_format is for dates"),
        ({"date_format": "day first"}, "date_format"),
        ({"role": "target"}, "role"),
        ({"protected": ""}, "protected"),
        ({"order": [[1]]}, "order"),
    ],
)
def test_mistakes_in_an_attribute(attribute: dict[str, Any], message: str) -> None:
    """What does not belong to a kind is a mistake."""
    with pytest.raises(SettingsError, match=re.escape(message)):
        make_schema({"attributes": {"A": attribute}})


def test_toml_mistake_names_the_line(tmp_path: Path) -> None:
    """A slip in the TOML itself is named with its line."""
    with pytest.raises(SettingsError, match=r"schema\.toml is not TOML: .*line 2"):
        load(tmp_path, "missing = []\n[attributes.A\n")


def test_missing_and_unreadable_schema(tmp_path: Path) -> None:
    """A schema that is not there, or not text, is named by its base name."""
    with pytest.raises(FileError, match=r"^gone\.toml does not exist"):
        load_schema(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match=r"^bad\.toml is not UTF-8 text"):
        load_schema(tmp_path / "bad.toml")
    with pytest.raises(FileError, match="is a folder; give a file"):
        load_schema(tmp_path)


def test_truth_values_as_categories() -> None:
    """TOML's true is the label "true"."""
    schema = make_schema({"attributes": {"A": {"order": [False, True]}}})
    assert schema.attribute("A").order == ("false", "true")


def test_a_schema_is_passed_through() -> None:
    """A schema stays the same object; nothing gives an empty one."""
    schema = make_schema(None)
    assert make_schema(schema) is schema
