"""The verb protect: the same from Python as on the command line, text or values, and what it writes."""

from __future__ import annotations

import inspect
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linkrisk
from linkrisk.cli.protect import protect as command
from linkrisk.data import read_file
from linkrisk.errors import ColumnError, FileError, InputError, ParameterError
from linkrisk.protection import METHODS, add_noise, microaggregate
from tests.cli.command import linkrisk_command

SEED = 987654321987654321
N_RECORDS = 60
SCHEMA = {"attributes": {"school": {"order": ["low", "middle", "high"]}, "region": {"kind": "nominal"}}}
TOML = '[attributes.school]\norder = ["low", "middle", "high"]\n[attributes.region]\nkind = "nominal"\n'


def people() -> pd.DataFrame:
    """Make a file of all kinds."""
    generator = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "a": generator.lognormal(5, 1, N_RECORDS).round(2),
            "b": generator.lognormal(5, 1, N_RECORDS).round(2),
            "age": generator.integers(16, 90, N_RECORDS),
            "region": generator.choice(["01", "02", "12"], N_RECORDS),
            "school": generator.choice(["low", "middle", "high"], N_RECORDS),
        }
    )


@pytest.fixture
def original(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of all kinds and its schema."""
    monkeypatch.chdir(tmp_path)
    people().to_csv("people.csv", index=False)
    Path("schema.toml").write_text(TOML)
    return Path("people.csv")


SAME: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("mdav", {"groups": "a,b:3;age,school:5"}, {"groups": [["a", "b"], ["age", "school"]], "k": [3, 5]}),
    ("mdav", {"groups": "a,b;age", "k": "4", "raw": True}, {"groups": [["a", "b"], ["age"]], "k": 4, "raw": True}),
    ("mdav", {"k": "4", "centroid": "a:median,b:mode"}, {"k": 4, "centroid": {"a": "median", "b": "mode"}}),
    ("mdav", {"groups": "Mic2-4"}, {"groups": [["a", "b"], ["age"]], "k": 4}),
    ("individual_ranking", {"k": "a:3,b:4,age:5"}, {"k": {"a": 3, "b": 4, "age": 5}}),
    ("z_scores", {"groups": "a,b,age:3"}, {"groups": [["a", "b", "age"]], "k": [3]}),
    ("principal_components", {"k": "3"}, {"k": 3}),
    ("rank_swap", {"p": "a:10,b:20,age:10"}, {"p": {"a": 10, "b": 20, "age": 10}}),
    ("noise", {"p": "10", "attributes": "a,b", "leave": "age"}, {"p": 10, "attributes": ["a", "b"], "leave": ["age"]}),
    ("correlated_noise", {"p": "10"}, {"p": 10.0}),
    ("pram", {"keep": "0.5", "leave": "a,b,age"}, {"keep": 0.5, "leave": ("a", "b", "age")}),
    ("rounding", {"base": "a:10,b:10,age:5", "random": True}, {"base": {"a": 10, "b": 10, "age": 5}, "random": True}),
    ("coding", {"top_percent": "20", "bottom": "a:50"}, {"top_percent": 20, "bottom": {"a": 50}}),
    ("coding", {"top": "school:middle", "leave": "a,b,age"}, {"top": {"school": "middle"}, "leave": ["a", "b", "age"]}),
    ("generalise", {"into": "a:100,b:100,age:10,school:2"}, {"into": {"a": 100, "b": 100, "age": 10, "school": 2}}),
]


@pytest.mark.parametrize(("method", "texts", "values"), SAME, ids=lambda value: str(value) if value else "")
def test_text_values_and_the_command_line_give_one_file(
    original: Path, method: str, texts: dict[str, Any], values: dict[str, Any]
) -> None:
    """Read from the file or from a frame, given as text or as values: the same protected values, and the same notes."""
    draws = METHODS[method].draws(random="random" in texts)
    seed: dict[str, Any] = {"secret_seed": SEED} if draws else {}
    from_text = linkrisk.protect(original, method, **texts, **seed, schema="schema.toml")
    from_values = linkrisk.protect(people(), method, **values, **seed, schema=SCHEMA)
    from_text.write("python.csv")
    from_values.write("values.csv")
    options = [f"--{name.replace('_', '-')}" if value is True else f"--{name.replace('_', '-')}={value}"
               for name, value in {**texts, **seed}.items()]  # fmt: skip
    outcome = linkrisk_command(
        "protect", original, "--method", method, *options, "--schema", "schema.toml", "--out", "command.csv"
    )
    outcome.check_success()
    assert Path("python.csv").read_bytes() == Path("values.csv").read_bytes() == Path("command.csv").read_bytes()
    assert from_text.notes == from_values.notes
    assert [line for line in outcome.output.splitlines() if line.startswith("note")] == [
        f"note: {note}" for note in from_text.notes
    ]
    assert Path("python.csv.secret").exists() == Path("command.csv.secret").exists() == draws


def test_every_method_is_tried_here() -> None:
    """One without a line above would escape the comparison."""
    assert {method for method, _, _ in SAME} == set(METHODS)


def test_the_words_are_those_of_the_command_line() -> None:
    """Same names and same defaults, except what only files or only Python have."""
    words = inspect.signature(linkrisk.protect).parameters
    options = inspect.signature(command).parameters
    assert set(words) - set(options) == {"progress"}
    assert set(options) - set(words) == {"out", "secret", "record", "overwrite"}
    shared = set(words) & set(options) - {"original", "method"}
    assert all(options[name].default is None for name in shared)  # defaults are declared once, in `ProtectOptions`


def test_mdav_is_standardised_unless_raw() -> None:
    """The default of the verb, of the function and of the command line are one."""
    frame = people()[["a", "b", "age"]]
    for raw in (False, True):
        assert linkrisk.protect(frame, "mdav", k=4, raw=raw).data.equals(
            microaggregate(frame, [["a", "b", "age"]], 4, raw=raw).data
        )
    assert not linkrisk.protect(frame, "mdav", k=4).data.equals(linkrisk.protect(frame, "mdav", k=4, raw=True).data)
    assert linkrisk.protect(frame, "mdav", k=4).data.equals(microaggregate(frame, [["a", "b", "age"]], 4).data)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_the_callers_kind_of_frame_comes_back(make: Callable[[Any], Any]) -> None:
    """With the columns left as they were, and a note about those that nobody named."""
    columns = {name: people()[name].to_list() for name in ("a", "age", "school")}
    protection = linkrisk.protect(make(columns), "noise", p=10, leave="age", secret_seed=1)
    assert type(protection.data) is type(make(columns))
    assert list(protection.data["age"]) == list(make(columns)["age"])
    assert list(protection.data["a"]) != list(make(columns)["a"])
    assert protection.notes == ("nothing is said about 'school' (nominal): not protected here.",)
    assert "note: nothing is said about 'school'" in str(protection)


def test_columns_of_arrays_go_by_position_or_by_the_name_in_a_schema() -> None:
    """And numbered columns of a frame by their numbers or by text."""
    array = people()[["a", "b", "age"]].to_numpy()
    expected = add_noise(array, {0: 5, 2: 9}, leave=[1], secret_seed=1).data
    for p, leave in (({0: 5, 2: 9}, [1]), ("V1:5,V3:9", "V2"), ({"V1": 5, "V3": 9}, ["V2"])):
        found = linkrisk.protect(array, "noise", p=p, leave=leave, secret_seed=1).data
        assert found.tolist() == expected.tolist()
    frame = pd.DataFrame(array, columns=[7, 8, 9])
    numbered = linkrisk.protect(frame, "noise", p={7: 5, 9: 9}, leave=[8], secret_seed=1).data
    assert linkrisk.protect(frame, "noise", p="7:5,9:9", leave="8", secret_seed=1).data.equals(numbered)
    named = np.array([tuple(row) for row in array], dtype=[("a", float), ("b", float), ("age", float)])
    assert linkrisk.protect(named, "mdav", k=4).data.column_names == ("a", "b", "age")


def test_a_file_that_was_read_is_protected_as_the_file(original: Path) -> None:
    """The record names it too."""
    options: dict[str, Any] = {"p": 5, "leave": ["region"], "secret_seed": SEED}
    linkrisk.protect(read_file(original), "noise", **options).write("read.csv", record="read.json")
    linkrisk.protect(original, "noise", **options).write("path.csv", record="path.json")
    assert Path("read.csv").read_bytes() == Path("path.csv").read_bytes()
    read, path = (json.loads(Path(name).read_text()) for name in ("read.json", "path.json"))
    assert read == {**path, "protected": "read.csv"}
    assert path["original"] == "people.csv"


def test_write_keeps_the_secret_apart(original: Path) -> None:
    """Beside the protected file by default, for its owner alone, and in no other file."""
    protection = linkrisk.protect(original, "noise", p=5, leave=["region"], secret_seed=SEED)
    protection.write("out.csv", record="record.json")
    assert stat.S_IMODE(Path("out.csv.secret").stat().st_mode) == 0o600
    assert [path.name for path in Path().iterdir() if str(SEED) in path.read_text()] == ["out.csv.secret"]
    record = json.loads(Path("record.json").read_text())
    assert record["left_as_they_are"] == ["region", "school"]
    assert record["notes"] == list(protection.notes)
    protection.write("again.csv", secret=Path("elsewhere"))
    assert Path("elsewhere").read_text() == Path("out.csv.secret").read_text()
    assert not Path("again.csv.secret").exists()


def test_write_replaces_nothing_unasked(original: Path) -> None:
    """Neither the protected file nor the secret, and the original never."""
    protection = linkrisk.protect(original, "noise", p=5, leave=["region"])
    protection.write("out.csv")
    first = Path("out.csv").read_bytes()
    again = linkrisk.protect(original, "noise", p=5, leave=["region"])
    with pytest.raises(FileError, match=r"out\.csv exists already"):
        again.write("out.csv")
    Path("new.csv.secret").write_text("precious")
    with pytest.raises(FileError, match=r"new\.csv\.secret exists already"):
        again.write("new.csv")
    assert not Path("new.csv").exists()
    assert Path("out.csv").read_bytes() == first
    again.write("out.csv", overwrite=True)
    assert Path("out.csv").read_bytes() != first
    with pytest.raises(FileError, match="different files"):
        again.write("people.csv", overwrite=True)
    with pytest.raises(FileError, match=r"\.csv or \.parquet"):
        again.write("out.sav")
    with pytest.raises(ParameterError, match="draws nothing and has no secret"):
        linkrisk.protect(original, "mdav", k=3, leave=["region"]).write("m.csv", secret=Path("s"))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_columns_left_in_a_frame_keep_their_types_in_parquet(make: Callable[[Any], Any], tmp_path: Path) -> None:
    """Whole numbers, truth values, days and lists; what is protected are numbers."""
    days = [f"2020-01-{day + 1:02}" for day in range(20)]
    columns = {
        "wage": [float(wage) for wage in range(20)],
        "age": list(range(20, 40)),
        "day": pd.to_datetime(days).to_list(),
        "smoker": [True, False] * 10,
        "many": [[1, 2]] * 20,
    }
    protection = linkrisk.protect(make(columns), "noise", p=50, leave=["age", "day", "many"])
    protection.write(tmp_path / "out.parquet")
    types = {field.name: str(field.type) for field in pa.parquet.read_schema(tmp_path / "out.parquet")}
    assert (types["wage"], types["age"], types["smoker"]) == ("double", "int64", "bool")
    assert types["day"].startswith("timestamp")
    assert "list" in types["many"]
    with pytest.raises(ColumnError, match="'many'"):
        protection.write(tmp_path / "out.csv")


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown method": ({"method": "blur"}, "no protection method 'blur'"),
    "no column": ({"p": 1, "leave": "z"}, "original has no column 'z'"),
    "no list": ({"p": 1, "leave": 5}, r"leave must be names of columns"),
    "lacking": ({}, r"noise needs p \(--p\)"),
    "unknown parameter": ({"p": 1, "k": 3}, r"noise takes no parameter k \(--k\)"),
    "raw": ({"p": 1, "raw": True}, r"noise takes no parameter raw \(--raw\)"),
    "text": ({"p": "x"}, r"p \(--p\) must be a number"),
    "groups of words": ({"method": "mdav", "k": 3, "groups": ["a", "b"]}, "list of lists"),
    "k twice": ({"method": "mdav", "k": 3, "groups": "a,b:3"}, "keep one"),
    "quantity": ({"p": {"a": 1, "b": 1}, "attributes": ["a", "b"]}, "nothing is said about age"),
    "digits": ({"p": 1, "schema": None}, r"leaves 'region' \(text with digits\) unprotected"),
    "kind": ({"p": {"a": 1, "b": 1, "age": 1, "school": 1}}, r"noise cannot protect 'school' \(ordinal\)"),
    "identifier": ({"p": 1, "schema": {"attributes": {"age": {"role": "identifier"}}}}, "no method protects an ident"),
    "no change": ({"p": 0}, "no value would change"),
    "secret": ({"method": "mdav", "k": 3, "secret_seed": 1}, r"takes no parameter secret_seed \(--secret-seed\)"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_a_sentence(name: str) -> None:
    """The checks of the command line, without a full stop, which it adds."""
    options, message = MISTAKES[name]
    given = {"method": "noise", "schema": SCHEMA, **options}
    with pytest.raises(InputError, match=message) as caught:
        linkrisk.protect(people(), given.pop("method"), **given)
    assert not str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("columns", "more", "message"),
    [
        (["a", "b", "age"], {}, "leaves 'region' (text with digits) unprotected"),
        (["a", "b", "age", "school"], {"leave": ["region"]}, "noise cannot protect 'school' (nominal)"),
        (["a", "b"], {"schema": {"attributes": {"age": {"role": "identifier"}}}}, "identifier (column 'age')"),
        (["a", "b", "age"], {"leave": ["regions"]}, "original has no column 'regions'"),
    ],
)
def test_tune_refuses_what_protect_refuses(columns: list[str], more: dict[str, Any], message: str) -> None:
    """One rule, in the same words."""
    with pytest.raises(InputError) as by_protect:
        linkrisk.protect(people(), "noise", p=dict.fromkeys(columns, 1), **more)
    with pytest.raises(InputError) as by_tune:
        linkrisk.tune(people(), "noise", 0.1, attributes=columns, **more)
    assert str(by_protect.value) == str(by_tune.value)
    assert message in str(by_tune.value)
