"""What is chosen in forms: read, said to the verbs, and said on the command line, all the same."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkrisk
from linkrisk.advice.options import CompareOptions, TuneOptions
from linkrisk.assessment.options import AssessmentFile, AssessOptions
from linkrisk.data.attributes import Kind, Role
from linkrisk.data.reading import Meaning, Reading
from linkrisk.protection.options import ProtectOptions
from linkrisk.web.cases.asking import ask_assess, ask_compare, ask_release
from linkrisk.web.cases.attacking import AttackChoice, AttackForm, option_named
from linkrisk.web.cases.case import Case, Release
from linkrisk.web.cases.columns import ColumnChoice, Said
from linkrisk.web.cases.command_lines import SCHEMA, command_of, schema_text
from linkrisk.web.cases.treatments import ProtectChoice, Treatment, read_choice, usual_treatment
from linkrisk.web.storage.forms import Form
from linkrisk.web.storage.names import NamedFile
from linkrisk.web.work.job import Job
from linkrisk.web.work.queue import Queue
from tests.cli.command import linkrisk_command

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
SPELLED = {Kind.ORDINAL: "low,middle", Kind.DATE: "%d/%m/%Y"}


@st.composite
def saids(draw: st.DrawFn) -> Said:
    """Return what may be said about a column."""
    kind = draw(st.sampled_from(["", *Kind]))
    spelling = draw(st.sampled_from(["", SPELLED[Kind(kind)]])) if kind in SPELLED else ""
    return Said(str(kind), str(draw(st.sampled_from(list(Role)))), spelling)


choices = st.builds(
    ColumnChoice,
    st.dictionaries(NAMES, saids(), max_size=5),
    missing=st.sampled_from(["", "99,-9"]),
    delimiter=st.sampled_from(["", ";"]),
)


def form_of(**fields: Any) -> Form:
    """Return a form as it is sent; fields may have several values, and a dash for an underscore before a number."""
    return Form({name: [value] if isinstance(value, str) else value for name, value in fields.items()})


@given(choices)
def test_what_is_said_about_columns_reaches_the_schema(choice: ColumnChoice) -> None:
    """By options where there are some, by a schema otherwise: kinds, roles, orders, formats."""
    schema = Meaning.of(choice.meaning()).full_schema()
    for name, said in choice.said.items():
        found = schema.attribute(name)
        assert str(found.role) == said.role
        assert found.kind == (said.kind or None)
        assert found.order == (("low", "middle") if said.kind == Kind.ORDINAL and said.spelling else ())
        assert found.date_format == (said.spelling or None if said.kind == Kind.DATE else None)
    assert schema.missing == (("99", "-9") if choice.missing else ())


@given(choices)
def test_the_schema_file_says_the_same(choice: ColumnChoice) -> None:
    """Whatever the columns are called."""
    options = choice.meaning()
    read = tomllib.loads(schema_text(options))
    assert read == options.get("schema", {})


def test_the_form_of_the_columns() -> None:
    """Fields go by the place of a column; words that no kind or role has are nothing."""
    columns = [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    form = Form({"kind-0": ["nominal"], "role-1": ["confidential"], "kind-1": ["<b>"], "called-2": ["z"], "id": ["a"]})
    choice = ColumnChoice.of(form, columns)
    assert choice.reading() == {"nominal": ["a"], "confidential": ["b"], "id": "a", "renamed": {"c": "z"}}
    assert ColumnChoice.of(Form({}), columns).reading() == {}


def test_the_usual_attack_is_that_of_assess() -> None:
    """A form that nobody has touched asks for what linkrisk does by itself, and a limit."""
    usual = AttackChoice.usual()
    fields = {
        "attackers": list(usual.attackers),
        "scales": list(usual.scales),
        "ties": usual.ties,
        "time_limit": "10",
        "max_rate": "5",
        "holdout": "0",
        "seed": "0",
    }
    read = AttackForm.read(form_of(**fields), [*usual.attackers, "owa"])
    assert read == AttackForm(usual, {})
    assert read.choice.options(("attackers", "scales", "ties", "time_limit", "holdout", "seed")) == {}
    assert AttackForm.read(form_of(**fields | {"max_rate": ""}), usual.attackers).choice.max_rate is None


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("time_limit", "soon", "must be a number"),
        ("time_limit", "-1", "must be a number"),
        ("max_rate", "101", "from 0 to 100"),
        ("max_rate", "x", "from 0 to 100"),
        ("holdout", "95", "from 0 to 90"),
        ("seed", "0.5", "must be a whole number"),
        ("ties", "all", "must be one of"),
        ("scales", "none", "choose at least one scale"),
        ("attackers", "nobody", "choose at least one attacker"),
    ],
)
def test_mistakes_are_told_at_their_field(field: str, text: str, said: str) -> None:
    """All others are read."""
    fields = {
        "attackers": "mean",
        "scales": "ranks",
        "ties": "unique",
        "time_limit": "2,5",
        "max_rate": "0,5",
        "holdout": "",
        "seed": "",
    }
    if field != "time_limit":
        fields["time_limit"] = "2.5"
    read = AttackForm.read(form_of(**fields | {field: text}), ["mean"])
    assert list(read.mistakes) == [field]
    assert said in read.mistakes[field]
    assert field == "max_rate" or read.choice.max_rate == pytest.approx(0.005)


def test_columns_treated_alike_are_treated_together() -> None:
    """So that mdav clusters records by all of them."""
    columns = [{"name": n, "kind": "numeric", "role": "quasi-identifier"} for n in ("a", "b", "c")]
    form = Form(
        {
            "method-0": ["mdav"],
            "strength-0": ["5"],
            "method-1": ["mdav"],
            "strength-1": ["5"],
            "method-2": ["drop"],
            "target": ["5"],
        }
    )
    choice, mistakes = read_choice(form, columns, ["mdav"])
    assert not mistakes
    assert choice.steps() == [
        {"columns": ["a", "b"], "method": "mdav", "strength": "5"},
        {"columns": ["c"], "method": "drop", "strength": ""},
    ]
    opened = choice.opened(["mdav"]).steps()
    assert opened[0] == {"columns": ["a", "b"], "method": "mdav", "strength": ""}


def test_mistakes_of_a_protection() -> None:
    """A method that is none, a target that is no share."""
    columns = [{"name": "a", "kind": "numeric", "role": "quasi-identifier"}]
    _, mistakes = read_choice(Form({"method-0": ["magic"], "target": ["much"]}), columns, ["mdav"])
    assert set(mistakes) == {"method-0", "target"}


def test_what_is_proposed() -> None:
    """Names are not released, what intruders are after stays, and what they know is protected."""
    told = {role: usual_treatment({"kind": "numeric", "role": role}).method for role in Role}
    assert told == {"quasi-identifier": "mdav", "identifier": "drop", "confidential": "leave", "ignored": "leave"}
    assert usual_treatment({"kind": "text", "role": "quasi-identifier"}).method == "drop"


def case_in(folder: Path, columns: ColumnChoice, attack: AttackChoice) -> tuple[Queue, Case]:
    """Return a case with odd names, and a queue that does nothing."""
    original = NamedFile(folder / "original-1.csv", "my people's.csv")
    protected = NamedFile(folder / "protected-1.csv", "-p;$(x).csv")
    record = NamedFile(folder / "record-1.json", "how.json")
    release = Release(1, protected, (record,))
    return Queue(folder), Case(1, folder, original, {1: release}, columns, attack)


def asked_by(command: str) -> Any:
    """Return the options that the command line makes of a command; the files need not be there."""
    asked: list[Any] = []
    words = shlex.split(command)
    targets = {
        "assess": ("linkrisk.cli.assess.carry_out", "linkrisk.assessment.file.check_results_of"),
        "compare": ("linkrisk.advice.compare.compare", "linkrisk.data.writing.check_results"),
    }
    verb, check = targets[words[1]]

    def keep(*arguments: Any, **keywords: Any) -> Any:
        asked.append((arguments, keywords))
        raise SystemExit

    with patch(verb, keep), patch(check):
        outcome = linkrisk_command(*words[1:])
    assert asked, outcome.errors
    return asked[0]


RECORD = linkrisk.protection.add_noise(linkrisk.datasets.census_like(20, seed=1)[["AGI"]], 5.0, secret_seed=1).to_dict()
"""What is published about a release."""

ATTACKS = [
    AttackChoice.usual(),
    AttackChoice(("mean", "owa"), ("ranks",), "unique", 2.5, None, 0.5, 7),
]
COLUMNS = [
    ColumnChoice(),
    ColumnChoice(
        {"a,b": Said("nominal"), 'c"': Said("", "confidential"), "d": Said("ordinal")}, "no", {"x": "y"}, "99,-9", "\t"
    ),
]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("columns", COLUMNS)
def test_the_command_of_an_attack_asks_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: AttackChoice, columns: ColumnChoice
) -> None:
    """Options read from the words of the command are those that the job was given; names of files are the user's."""
    monkeypatch.chdir(tmp_path)
    Path("how.json").write_text(json.dumps(RECORD))
    queue, case = case_in(tmp_path, columns, attack)
    job = ask_assess(queue, case, case.given)
    (settings,), _ = asked_by(command_of(job))
    assert isinstance(settings, AssessmentFile)
    assert (settings.original, settings.protected) == (Path("my people's.csv"), Path("-p;$(x).csv"))
    told = settings.part(AssessOptions).plain()
    published = told.pop("published")
    given_options = AssessOptions.of(job.request["options"]).plain()
    given_options.pop("published")
    assert told == given_options
    assert published is not None


@pytest.mark.parametrize("columns", COLUMNS)
def test_the_command_of_a_comparison_asks_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: ColumnChoice
) -> None:
    """The version given first, then the one made here, each with how it was made."""
    monkeypatch.chdir(tmp_path)
    for name in ("how.json", "my people's-protected-1.json"):
        Path(name).write_text(json.dumps(RECORD))
    queue, case = case_in(tmp_path, columns, ATTACKS[1])
    release = ask_release(queue, case, ProtectChoice({"a": Treatment("noise", "5")}), is_tuned=False)
    (_, releases), keywords = asked_by(command_of(ask_compare(queue, case, release)))
    assert [str(path) for path in releases] == ["-p;$(x).csv", "my people's-protected-1.csv"]
    assert set(keywords["published"]) == {path.name for path in releases}
    keywords.pop("reporter")
    keywords.pop("published")
    wanted = CompareOptions.of(compare_options_of(case)).keywords()
    wanted.pop("published")
    told = CompareOptions(**keywords).plain()
    assert told == CompareOptions(**wanted).plain()


def compare_options_of(case: Case) -> dict[str, Any]:
    """Return the options that the job was given."""
    return dict(next(job for job in reversed(case.jobs) if job.kind == "compare").request["options"])


def test_options_of_each_verb_are_its_own(tmp_path: Path) -> None:
    """What a job is asked for is what its verb takes."""
    queue, case = case_in(tmp_path, COLUMNS[1], ATTACKS[1])
    release = ask_release(queue, case, ProtectChoice({"a": Treatment("mdav")}), is_tuned=True)
    assert release.made_by is not None
    TuneOptions.of(release.made_by.request["options"])
    other = ask_release(queue, case, ProtectChoice({"a": Treatment("mdav", "5")}), is_tuned=False)
    assert other.made_by is not None
    ProtectOptions.of(other.made_by.request["options"])
    Reading.of(case.columns.reading())
    assert release.name != other.name


def test_a_schema_goes_with_the_command(tmp_path: Path) -> None:
    """Where no option says what was said."""
    queue, case = case_in(tmp_path, ColumnChoice({"a": Said("date", spelling="%Y")}), ATTACKS[0])
    job = ask_assess(queue, case, case.given)
    assert f"--schema {SCHEMA}" in command_of(job)
    assert tomllib.loads(schema_text(job.request["options"])) == {
        "attributes": {"a": {"kind": "date", "date_format": "%Y"}}
    }


def test_commands_of_protections_are_quoted(tmp_path: Path) -> None:
    """Whatever the names hold, a shell reads them as names."""
    queue, case = case_in(tmp_path, ColumnChoice(), ATTACKS[0])
    release = ask_release(queue, case, ProtectChoice({"a": Treatment("mdav", "5")}), is_tuned=True)
    assert isinstance(release.made_by, Job)
    words = shlex.split(command_of(release.made_by, "a: mdav k=5; rest: leave"))
    assert words[:5] == ["linkrisk", "tune", "my people's.csv", "--plan", "a: mdav k=5; rest: leave"]
    assert words[words.index("--target-rate") + 1] == "0.05"
    assert option_named("time_limit").help
