"""Plans: every column of a file gets a method, in one run, and what is told and published is what was done."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.errors import InputError
from linkrisk.informed.describing import as_descriptions
from linkrisk.informed.description import Description
from linkrisk.protection import generalise, microaggregate, pram, read_plan
from linkrisk.protection.drawing import draws as drawing
from linkrisk.protection.planning.plan import Plan, Step
from tests.cli.command import linkrisk_command

PLAN = "age,income: mdav k=5; sex,region: pram 0.8; school: generalise 2; id: drop; zip: leave"
TOML = """
[[step]]
columns = ["age", "income"]
method = "mdav"
k = 5
[[step]]
columns = "sex,region"
method = "pram"
keep = 0.8
[[step]]
columns = ["school"]
method = "generalise"
into = 2
[[step]]
columns = ["id"]
method = "drop"
[[step]]
columns = ["zip"]
method = "leave"
"""


def people(n_records: int = 60) -> pd.DataFrame:
    """Make a file of all kinds, with a number for each person."""
    generator = np.random.default_rng(8)
    return pd.DataFrame(
        {
            "id": range(n_records),
            "age": generator.integers(18, 90, n_records),
            "income": generator.lognormal(8, 1, n_records).round(),
            "sex": generator.choice(["f", "m"], n_records),
            "region": generator.choice(list("nsew"), n_records),
            "school": generator.integers(1, 6, n_records),
            "zip": generator.choice(["a1", "b2"], n_records),
        }
    )


names = st.text(alphabet="ab ,;:\"=|'é", min_size=1, max_size=4).map(str.strip).filter(bool)
values = st.one_of(
    st.integers(-5, 500),
    st.floats(0, 1e6, allow_nan=False).filter(lambda value: value != int(value)),
    st.sampled_from(
        ["year", "two words", "a=b", "a|b", "01", "true", "false", "1_2", "1e3", " 5", "inf", "+7", "", "٣"]
    ),
    st.text(alphabet='01eE+-._ "tru', max_size=4),
    st.sampled_from(["9" * 500, 10**40]),
    st.lists(st.integers(0, 90), min_size=2, max_size=4),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Draw a plan of generalising with any columns and values, one for all or one for each."""
    columns = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    cut = draw(st.integers(1, len(columns)))
    first, rest = tuple(columns[:cut]), tuple(columns[cut:])
    into = draw(values) if draw(st.booleans()) else {name: draw(values) for name in first}
    steps = [Step(first, "generalise", {"into": into})]
    return Plan((*steps, *([Step(rest, draw(st.sampled_from(["drop", "leave", "mdav"])))] if rest else [])))


@given(plans())
def test_a_plan_is_read_as_it_is_written(plan: Plan) -> None:
    """Whatever signs names and values hold."""
    assert read_plan(str(plan)) == plan


def test_texts_that_look_like_numbers_stay_texts() -> None:
    """A category 01 is not the number 1: what is quoted is text."""
    into = {"a": "01", "b": "true"}
    plan = Plan((Step(("x",), "generalise", {"into": into}),))
    assert str(plan) == 'x: generalise into=a:"01",b:"true"'
    assert read_plan(str(plan)).steps[0].parameters == {"into": into}
    assert plan.told == str(plan)
    assert read_plan('x: generalise into="5"; y: generalise 5').steps[0].parameters == {"into": "5"}


@pytest.mark.parametrize(
    "parameters",
    [
        {"method": "pram", "matrices": {"sex": {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.1, "m": 0.9}}}},
        {"method": "pram", "matrices": {"sex": [[0.9, 0.1], [0.1, 0.9]]}},
        {"method": "generalise", "into": {"sex": {"f": "all", "m": "all"}}},
        {"method": "generalise", "into": [5]},
        {"method": "generalise", "into": "a.toml"},
    ],
)
def test_a_plan_that_has_no_line_is_told_by_its_steps(parameters: dict[str, Any]) -> None:
    """In the record, from which it can be read once more."""
    plan = read_plan([{"columns": ["sex"], **parameters}])
    assert not isinstance(plan.told, str)
    assert read_plan(json.loads(json.dumps(plan.told))) == plan


def test_the_record_keeps_such_a_plan() -> None:
    """And the intruder who reads it knows what was done."""
    frame = people()[["sex", "age"]]
    steps = [
        {"columns": ["sex"], "method": "generalise", "into": {"sex": {"f": "any", "m": "any"}}},
        {"columns": ["age"], "method": "leave"},
    ]
    release = linkrisk.protect(frame, plan=steps)
    assert release.to_dict()["parameters"]["plan"] == steps
    assert Description.of_record(release.to_dict()).treatments[0].method == "generalise"


@pytest.mark.parametrize("number", [10**400, -(10**400), [10**400, 1], {"age": 10**400}])
def test_numbers_that_are_no_float_are_refused(number: Any) -> None:
    """In one sentence, whatever the method would do with them."""
    with pytest.raises(InputError, match="has too many digits"):
        read_plan([{"columns": ["age"], "method": "noise", "p": number}])


def test_a_code_among_the_values_is_told() -> None:
    """As in an assessment: it makes values missing."""
    frame = pd.DataFrame({"age": np.arange(20, 60) + 0.0, "wage": np.arange(40) * 1.5 + 7})
    release = linkrisk.protect(frame, "rounding", base=10, missing=["33"], numeric="age")
    assert any("33, a code for missing, lies among the values of column 'age'" in note for note in release.notes)


def test_a_column_called_name(tmp_path: Path) -> None:
    """It is no name of a file."""
    frame = people()[["age", "sex"]].rename(columns={"sex": "name"})
    linkrisk.protect(frame, "noise", p=5, leave="name").write(tmp_path / "out.csv", record=tmp_path / "record.json")
    assert json.loads((tmp_path / "record.json").read_text())["original"] is None


def test_text_file_and_list_are_one_plan(tmp_path: Path) -> None:
    """With bare values for the main parameter, and flags as bare words."""
    path = tmp_path / "plan.toml"
    path.write_text(TOML)
    steps = [
        {"columns": ["age", "income"], "method": "mdav", "k": 5},
        {"columns": ["sex", "region"], "method": "pram", "keep": 0.8},
        {"columns": ["school"], "method": "generalise", "into": 2},
        {"columns": ["id"], "method": "drop"},
        {"columns": ["zip"], "method": "leave"},
    ]
    assert read_plan(PLAN) == read_plan(path) == read_plan(str(path)) == read_plan(steps)
    assert read_plan("a,b: mdav 5 raw; c: rounding 10 random=true") == read_plan(
        [
            {"columns": "a,b", "method": "mdav", "k": 5, "raw": True},
            Step(("c",), "rounding", {"base": 10, "random": True}),
        ]
    )
    assert [step.is_open for step in read_plan("a: mdav; b: pram; c: noise 3; d: rounding 5; e: drop").steps] == [
        *(True, True, False, False, False)
    ]


@pytest.mark.parametrize("kind", ["pandas", "polars", "file"])
def test_each_column_is_protected_as_its_method_alone_does(kind: str, tmp_path: Path) -> None:
    """The twin: each method on its own columns of the original."""
    frame = people()
    frame.to_csv(tmp_path / "people.csv", index=False)
    original: Any = {"pandas": frame, "polars": pl.from_pandas(frame), "file": tmp_path / "people.csv"}[kind]
    release = linkrisk.protect(original, plan=PLAN, ordinal="school", secret_seed=3)
    release.write(tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv")
    schema = {"attributes": {"school": {"kind": "ordinal"}}}
    expected = {
        **microaggregate(frame[["age", "income"]], [["age", "income"]], 5).data.to_dict("list"),
        **pram(frame[["sex", "region"]], 0.8, secret_seed=3).data.to_dict("list"),
        **generalise(frame[["school"]], 2, schema=schema).data.to_dict("list"),
        "zip": frame["zip"].to_list(),
    }
    assert list(found.columns) == [name for name in frame.columns if name != "id"]
    for name, cells in expected.items():
        assert found[name].to_list() == cells, name


@pytest.mark.parametrize(
    ("method", "options", "text"),
    [
        ("noise", {"p": 10}, "age: noise 10; income: noise 10"),
        ("noise", {"p": {"age": 5, "income": 9}}, "income,age: noise p=age:5,income:9"),
        ("correlated_noise", {"p": 10}, "age,income: correlated_noise 10"),
        ("rank_swap", {"p": 20, "variant": "pairs"}, "age,income: rank_swap 20 variant=pairs"),
        ("mdav", {"k": 4, "raw": True}, "age,income: mdav 4 raw"),
        ("rounding", {"base": 7, "random": True}, "age: rounding 7 random; income: rounding 7 random"),
        ("coding", {"top_percent": 10}, "age,income: coding top_percent=10"),
    ],
)
def test_a_plan_of_one_method_is_the_method(method: str, options: dict[str, Any], text: str) -> None:
    """The same values from the same seed, however its columns are put into steps."""
    frame = people()[["age", "income"]]
    seed: dict[str, Any] = {} if method in ("mdav", "coding") else {"secret_seed": 5}
    by_method = linkrisk.protect(frame, method, **options, **seed)
    by_plan = linkrisk.protect(frame, plan=text, **seed)
    assert by_plan.data.equals(by_method.data)
    assert {each.column: each.share_changed for each in by_plan.columns} == {
        each.column: each.share_changed for each in by_method.columns
    }


def test_no_two_steps_share_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who knows some people's values knows their draws: these must tell nothing about other columns."""
    seen: list[tuple[int, str]] = []
    draw = drawing.draw_uniforms

    def listen(secret: Any, purpose: str, n: int) -> Any:
        seen.append((secret.reveal(), purpose))
        return draw(secret, purpose, n)

    for module in ("drawing.draws", "drawing.permutation", "methods.pram", "methods.rounding", "methods.rank_swap"):
        monkeypatch.setattr(f"linkrisk.protection.{module}.draw_uniforms", listen)
    frame = people()[["age", "income", "school", "sex", "region"]].assign(b=people()["age"], c=people()["income"])
    plan = (
        "age: noise 5; income,b: correlated_noise 5; school: rank_swap 10; c: rounding 7 random; "
        "sex: pram 0.5; region: pram 0.5"
    )
    linkrisk.protect(frame, plan=plan)
    assert len(seen) == len(set(seen)) >= 7
    assert len({seed for seed, _ in seen}) == 1


def test_a_step_that_draws_nothing_gets_no_seed() -> None:
    """Rounding to the nearest multiple refuses one; beside noise, only the noise is drawn."""
    release = linkrisk.protect(people()[["age", "income"]], plan="age: noise 5; income: rounding 100", secret_seed=2)
    assert release.secret is not None
    assert release.secret.reveal() == 2
    assert set(release.data["income"] % 100) == {0.0}


def test_one_report_and_one_record(tmp_path: Path) -> None:
    """Each column with its method, its parameters and the share of its values that changed; the promise of each."""
    frame = people()
    release = linkrisk.protect(frame, plan=PLAN, ordinal="school", secret_seed=3)
    for each in release.columns:
        if each.column != "id":
            changed = (release.data[each.column] != frame[each.column]).mean()
            assert each.share_changed == pytest.approx(changed), each.column
    assert [(each.column, each.done) for each in release.columns] == [
        *(("id", "drop"), ("age", "mdav k=5"), ("income", "mdav k=5"), ("sex", "pram keep=0.8")),
        *(("region", "pram keep=0.8"), ("school", "generalise into=2"), ("zip", "leave")),
    ]
    text = str(release)
    assert "age, income: k = 5, 12 clusters of 5 to 5 records" in text
    assert "id      not released" in text
    assert release.left == ("zip",)
    release.write(tmp_path / "out.csv", record=tmp_path / "record.json")
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["parameters"]["plan"] == str(read_plan(PLAN))
    assert record["dropped"] == ["id"]
    assert [step["method"] for step in record["steps"]] == ["mdav", "pram", "generalise"]
    told = Description.read(tmp_path / "record.json")
    assert str(told) == str(Description.of_protection(release)) == str(as_descriptions([release]))
    assert [part.method for part in told.treatments] == ["mdav", "pram", "generalise"]
    assert (told.left, told.dropped) == (("zip",), ("id",))
    assert told.treatments[1].value("keep", "region") == 0.8
    assert list(release.to_frame()["column"]) == list(frame.columns)


def test_the_columns_of_an_array_have_one_name() -> None:
    """V1, V2, ... in the report and in the record, as in an assessment."""
    array = people()[["age", "income", "school"]].to_numpy()
    for release in (
        linkrisk.protect(array, plan="V1,V2: mdav 5; V3: leave"),
        linkrisk.protect(array, "mdav", k=5, leave=[2]),
    ):
        assert "V1, V2: k = 5" in str(release)
        assert release.left == ("V3",)
        assert str(Description.of_record(release.to_dict())) == str(Description.of_protection(release))
        assert [each.column for each in release.columns] == ["V1", "V2", "V3"]
    with pytest.raises(InputError, match="dropped from a numpy array"):
        linkrisk.protect(array, "mdav", k=5, drop=[2])


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "columns not named": (
        {"plan": "age,income: mdav 5; id: drop"},
        "says nothing about sex, region, school, zip; give",
    ),
    "open": ({"plan": "age,income: mdav; rest: drop"}, "'age,income: mdav' does not say k"),
    "open pram": ({"plan": "sex: pram; rest: drop"}, "'sex: pram' does not say keep"),
    "open base": ({"plan": "age: rounding; rest: drop"}, "'age: rounding' does not say base"),
    "nothing protected": ({"plan": "rest: leave"}, "protects no column"),
    "rest with a method": ({"plan": "rest: mdav 5"}, "'rest' stands alone"),
    "unknown column": ({"plan": "agge: noise 5; rest: leave"}, "no column 'agge'"),
    "unknown method": ({"plan": "age: nois 5; rest: leave"}, "no protection method 'nois'"),
    "unknown parameter": ({"plan": "age: noise k=5; rest: leave"}, "noise takes no parameter 'k'; it takes p"),
    "twice": ({"plan": "age: noise 5; age: mdav 3; rest: leave"}, "'age' is named in two steps"),
    "kind": ({"plan": "sex: noise 5; rest: leave"}, r"noise cannot protect 'sex' \(nominal\)"),
    "no text": ({"plan": "noise"}, "cannot be read; write each step as"),
    "no plan": ({"plan": 5}, "plan must be a text"),
    "no columns": ({"plan": [{"method": "noise"}]}, "a step lacks something; give it columns"),
    "both": ({"plan": "age: noise 5", "method": "noise"}, "keep one"),
    "neither": ({}, r"give method \(--method\) or plan \(--plan\)"),
    "beside": ({"plan": "age: noise 5; rest: leave", "leave": "sex"}, r"leave \(--leave\) is given beside plan"),
    "seed": ({"plan": "age: mdav 5; rest: drop", "secret_seed": 1}, "draws nothing"),
    "no change": ({"plan": "age: noise 0; rest: drop"}, "no value would change"),
    "leave and drop": ({"method": "noise", "p": 5, "leave": "id", "drop": "id"}, "both name 'id'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_a_sentence(name: str) -> None:
    """Before any work, all columns at once."""
    options, message = MISTAKES[name]
    with pytest.raises(InputError, match=message) as caught:
        linkrisk.protect(people(), **options)
    assert not str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "plan.toml is no plan"),
        ("[[step]\n", "plan.toml is not TOML"),
        ('[[step]]\ncolumns = ["a"]\nmethod = "blur"', "plan.toml: there is no protection method 'blur'"),
        (None, "plan.toml does not exist"),
        (f'[[step]]\ncolumns = ["age"]\nmethod = "mdav"\nk = {"9" * 5000}', "plan.toml .*thousands of digits"),
    ],
)
def test_a_plan_that_cannot_be_read(text: str | None, message: str, tmp_path: Path) -> None:
    """The message names the file."""
    if text is not None:
        (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        linkrisk.protect(people(), plan=tmp_path / "plan.toml")


def test_a_plan_that_is_a_pipe(tmp_path: Path) -> None:
    """It is not waited for."""
    os.mkfifo(tmp_path / "plan.toml")
    with pytest.raises(InputError, match=r"plan\.toml is a pipe"):
        linkrisk.protect(people(), plan=tmp_path / "plan.toml")


def test_dropped_by_a_single_method() -> None:
    """Identifiers too, which no method protects."""
    schema = {"attributes": {"id": {"role": "identifier"}}}
    release = linkrisk.protect(people(), "noise", p=5, drop="id,zip", leave="school", schema=schema)
    assert list(release.data.columns) == ["age", "income", "sex", "region", "school"]
    assert release.to_dict()["dropped"] == ["id", "zip"]
    assert "not released: id, zip" in str(release)
    assert release.left == ("school", "sex", "region")


def test_a_protection_can_be_protected_once_more() -> None:
    """As its data are; the record of each run tells what that run did."""
    frame = people()[["age", "income", "sex"]]
    first = linkrisk.protect(frame, plan="age: coding top=70; income: leave; rest: leave")
    second = linkrisk.protect(first, plan="age,income: noise 10; sex: leave", secret_seed=1)
    assert second.data.equals(linkrisk.protect(first.data, plan="age,income: noise 10; sex: leave", secret_seed=1).data)
    assert first.to_dict()["left_as_they_are"] == ["income", "sex"]


def test_what_rest_leaves_is_told() -> None:
    """Words that nobody named are released unprotected, and a note says which."""
    plan = "age: noise 5; id: drop; income,zip: leave; rest: leave"
    release = linkrisk.protect(people(), plan=plan, nominal="school")
    assert release.notes[0] == "'rest' stands for sex, region, school: not protected here."


def test_rest_leaves_no_quantity() -> None:
    """Numbers, dates, text with digits and identifiers are left by name; the remedy in the message works."""
    frame = people().assign(born=pd.Timestamp("1970-01-01"))
    schema = {"attributes": {"id": {"role": "identifier"}}}
    message = (
        r"'rest: leave' would release 'id' \(identifier\), 'income' \(numeric\), 'school' \(numeric\), 'zip' \(text "
        r"with digits\), 'born' \(date\), which the plan does not name; write 'id,income,school,zip,born: leave' to"
    )
    with pytest.raises(InputError, match=message):
        linkrisk.protect(frame, plan="age: noise 5; rest: leave", schema=schema)
    remedy = "age: noise 5; id,income,school,zip,born: leave; rest: leave"
    assert set(linkrisk.protect(frame, plan=remedy, schema=schema).left) == {*frame.columns} - {"age"}
    with pytest.raises(InputError, match=r"write 'V2,V3: leave'"):
        linkrisk.protect(np.arange(30.0).reshape(10, 3) ** 2, plan="V1: noise 5; rest: leave")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command; a plan as text and as a file; nothing is written where a column is passed over."""
    monkeypatch.chdir(tmp_path)
    people().to_csv("people.csv", index=False)
    Path("plan.toml").write_text(TOML)
    common = ("protect", "people.csv", "--ordinal", "school", "--secret-seed", 4)
    outcome = linkrisk_command(*common, "--plan", PLAN, "--out", "text.csv", "--record", "record.json")
    outcome.check_success()
    assert "Protection by a plan of 5 steps of 60 records" in outcome.output
    linkrisk_command(*common, "--plan", "plan.toml", "--out", "file.csv").check_success()
    assert Path("text.csv").read_bytes() == Path("file.csv").read_bytes()
    assert Path("text.csv.secret").exists()
    expected = linkrisk.protect("people.csv", plan=PLAN, ordinal="school", secret_seed=4)
    assert json.loads(Path("record.json").read_text())["columns"] == expected.to_dict()["columns"]
    linkrisk_command(*common, "--plan", "age: noise 5", "--out", "no.csv").check_mistake("nothing about id, income")
    linkrisk_command(*common, "--out", "no.csv").check_mistake("give method (--method) or plan (--plan)")
    linkrisk_command(*common, "--plan", "plan.toml", "--out", "plan.toml", "--overwrite").check_mistake("plan.toml")
    assert not list(tmp_path.glob("no.csv*"))
