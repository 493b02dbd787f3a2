"""Bad input: exit code 2 and one sentence that names file, column, row and remedy, and never a cell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.command import Outcome, linkrisk_command

GOOD = "a,b\n1,2\n3,4\n4,5\n6,6\n"
PLANTED = "zebra77"
"""Stands in cells that are wrong: it must not be printed."""

Words = Sequence[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with one good file."""
    monkeypatch.chdir(tmp_path)
    write("good.csv", GOOD)
    return tmp_path


def write(name: str, contents: str | bytes) -> None:
    """Write a file as it stands."""
    Path(name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())


def check_mistake(outcome: Outcome, words: Words) -> None:
    """One sentence with these words, without the secret."""
    outcome.check_mistake(*words)
    assert PLANTED not in outcome.errors


FILES: dict[str, tuple[str | bytes, Words]] = {
    "empty file": ("", ["bad.csv is empty", "header"]),
    "header only": ("a,b\n", ["bad.csv", "no records", "at least two"]),
    "one record": ("a,b\n1,2\n", ["bad.csv has only one record", "at least two"]),
    "no common attribute": (
        "u,v\n1,2\n2,3\n3,4\n4,5\n",
        ["good.csv", "bad.csv", "no attribute in common", "--renamed"],
    ),
    "different lengths": ("a,b\n1,2\n3,4\n", ["4 records", "bad.csv has 2", "--id", "--pairs"]),
    "text in a numeric column": (
        f"a,b\n1,2\n3,{PLANTED}\n4,5\n6,6\n",
        ["bad.csv", "column 'b'", "text in a numeric column", "row 3", "correct the cell"],
    ),
    "infinite value": ("a,b\n1,2\n3,4\n-inf,5\n6,6\n", ["bad.csv", "column 'a'", "infinite", "row 4", "correct"]),
    "overflowing value": ("a,b\n1,2\n3,4\n4,1e999\n6,6\n", ["bad.csv", "column 'b'", "infinite", "row 4", "correct"]),
    "all-missing column": ("a,b\n1,\n3,NA\n4,\n6,\n", ["bad.csv", "column 'b'", "no value", "leave it out"]),
    "unreadable encoding": (b"a,b\n1,\x81\n2,\x8d\n3,\xff\n4,5\n", ["bad.csv", "UTF-8", "save it"]),
    "UTF-16": (GOOD.encode("utf-16"), ["bad.csv", "UTF-8", "save it"]),
    "NUL byte": (b"a,b\n1,2\n3,\x00\n4,5\n6,6\n", ["bad.csv", "UTF-8", "save it"]),
    "row too long": (f"a,b\n1,2\n3,4,{PLANTED}\n4,5\n6,6\n", ["bad.csv", "row 3", "3 cells", "header has 2"]),
    "row too short": ("a,b\n1,2\n3\n4,5\n6,6\n", ["bad.csv", "row 3", "1 cell", "header has 2"]),
    "two columns of one name": ("a,a\n1,2\n3,4\n4,5\n6,6\n", ["bad.csv", "columns 1 and 2", "'a'", "rename"]),
    "next to the mean": ("a,b\n1,-1e308\n3,1e308\n4,5\n6,8\n", ["bad.csv", "column 'b'", "row 4", "round"]),
    "far beyond the original": ("a,b\n1,2\n3,4\n1e308,5\n6,6\n", ["bad.csv", "column 'a'", "row 4", "unit"]),
}


@pytest.mark.parametrize("case", FILES)
def test_file_that_cannot_be_used(case: str) -> None:
    """As the protected file, and quickly."""
    contents, words = FILES[case]
    write("bad.csv", contents)
    start = time.perf_counter()
    check_mistake(linkrisk_command("assess", "good.csv", "bad.csv"), words)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("case", ["empty file", "one record", "infinite value", "all-missing column"])
def test_original_that_cannot_be_used(case: str) -> None:
    """The same sentences where the original is at fault."""
    contents, words = FILES[case]
    write("bad.csv", contents)
    check_mistake(linkrisk_command("assess", "bad.csv", "good.csv"), words)


def test_text_in_a_numeric_column_of_the_original() -> None:
    """Where nearly all cells are numbers, the one that is not is a mistake."""
    rows = [f"{number},{number % 7}\n" for number in range(40)]
    write("o.csv", "a,b\n" + "".join([*rows[:12], f"{PLANTED},3\n", *rows[13:]]))
    write("p.csv", "a,b\n" + "".join(rows))
    check_mistake(linkrisk_command("assess", "o.csv", "p.csv"), ["o.csv", "column 'a'", "row 14", "text"])


@pytest.mark.parametrize("name", ["bad.parquet", "bad.sav", "bad.dta", "bad.sas7bdat", "bad.rds", "bad.xlsx", "bad"])
def test_file_that_is_not_what_its_name_says(name: str) -> None:
    """Text under the name of another format, and formats linkrisk does not read."""
    write(name, f"{PLANTED} in no format at all")
    check_mistake(linkrisk_command("assess", "good.csv", name), [name])


def test_folder_in_place_of_a_file(folder: Path) -> None:
    """A folder is not a file, even under the name of one."""
    (folder / "data.csv").mkdir()
    check_mistake(linkrisk_command("assess", "good.csv", "data.csv"), ["data.csv"])
    check_mistake(linkrisk_command("assess", "good.csv", folder), [folder.name])


@pytest.mark.parametrize(
    ("original", "protected", "options", "words"),
    [
        (
            f"id,a\n{PLANTED},1\n{PLANTED},2\nx,3\n",
            "id,a\ny,1\nz,2\nx,3\n",
            ["--id", "id"],
            ["o.csv", "'id'", "row 3", "earlier row", "id of its own"],
        ),
        ("id,a\nx,1\ny,2\n", f"id,a\n{PLANTED},1\nw,2\n", ["--id", "id"], ["no id in common", "--pairs"]),
        ("id,a\nx,1\ny,2\n", "id,a\nx,1\n,2\n", ["--id", "id"], ["p.csv", "'id'", "row 3", "give every record an id"]),
        ("id,a\nx,1\ny,2\n", "a\n1\n2\n", ["--id", "id"], ["p.csv", "'id'", "--renamed id="]),
        ("id,a\nx,1\ny,2\n", "id,a\nx,1\ny,2\n", ["--id", "ident"], ["o.csv", "'ident'", "check the name"]),
        (
            "id,a\nx,1\ny,2\n",
            "id,a\nu,1\nv,2\n",
            ["--id", "id", "--pairs", "pairs.csv"],
            ["pairs.csv", "'original'", "row 3", "o.csv does not have", "correct the list"],
        ),
    ],
)
def test_ids_that_do_not_serve(original: str, protected: str, options: list[str], words: Words) -> None:
    """Repeated, unknown, missing ids and id columns, told by row and never by id."""
    write("o.csv", original)
    write("p.csv", protected)
    write("pairs.csv", f"original,protected\nx,u\n{PLANTED},v\n")
    check_mistake(linkrisk_command("assess", "o.csv", "p.csv", *options), words)


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        ("original,protected\n1,1\n1,2\n", ["pairs.csv", "row 3", "earlier row"]),
        ("original,protected\n1,1\n9,2\n", ["pairs.csv", "row 3", "from 1 to 4"]),
        (f"original,protected\n1,1\n{PLANTED},2\n", ["pairs.csv", "row 3"]),
        ("original\n1\n2\n", ["pairs.csv", "give two"]),
        ("", ["pairs.csv is empty"]),
    ],
)
def test_pairs_that_do_not_serve(contents: str, words: Words) -> None:
    """Lists of pairs are checked row by row."""
    write("pairs.csv", contents)
    check_mistake(linkrisk_command("assess", "good.csv", "good.csv", "--pairs", "pairs.csv"), words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--attackers", "meen"], ["'meen'", "did you mean 'mean'", "mahalanobis0"]),
        (["--attackers", "owa", "--time-limit", "-1"], ["--time-limit must be", "0"]),
        (["--attackers", "owa", "--holdout", "1"], ["--holdout must be", "0.9"]),
        (["--attackers", "owa", "--pool", "some"], ["--pool must be", "all", "test"]),
        (["--attackers", ""], ["--attackers must name at least one"]),
        (["--attributes", "a,zz"], ["good.csv", "'zz'", "check the name"]),
        (["--attributes", ","], ["--attributes must be a list of names"]),
        (["--attributes", "a,a"], ["'a'", "twice"]),
        (["--renamed", "ab"], ["--renamed takes NAME=VALUE"]),
        (["--renamed", "a="], ["--renamed takes NAME=VALUE"]),
        (["--renamed", "a=zz"], ["good.csv", "'zz'"]),
        (["--renamed", "a=a", "--renamed", "a=b"], ["--renamed", "twice"]),
        (["--renamed", "a=b", "--renamed", "b=b"], ["same protected column"]),
        (["--ties", "foo"], ["--ties must be", "unique", "class", "expected"]),
        (["--scales", "foo"], ["--scales must be", "separate", "original", "ranks"]),
        (["--seed", "-1"], ["--seed must be", "0"]),
        (["--margin", "1"], ["--margin must be", "below 1"]),
        (["--repeats", "0"], ["--repeats must be", "1"]),
        (["--threads", "0"], ["--threads must be", "1"]),
        (["--delimiter", "||"], ["delimiter", "one sign"]),
        (["--scenario", "tax"], ["--scenario takes NAME=VALUE"]),
        (["--scenario", "tax=zz"], ["tax", "'zz'", "a, b"]),
        (["--scenario", "tax=a", "--scenario", "tax=b"], ["tax", "name of its own"]),
        (["--schema", "gone.toml"], ["gone.toml does not exist"]),
        (["--pairs", "gone.csv"], ["gone.csv does not exist"]),
        (["--parameters", "gone.json"], ["gone.json does not exist"]),
        (["--json", "nowhere/r.json"], ["folder for r.json does not exist", "make it"]),
        (["--records", "r.txt"], ["--records must end in .csv or .parquet"]),
        (["--json", "r.csv", "--records", "r.csv"], ["two results would be written to one file"]),
    ],
)
def test_options_that_cannot_be_used(options: list[str], words: Words) -> None:
    """Each wrong option is told in one sentence."""
    check_mistake(linkrisk_command("assess", "good.csv", "good.csv", *options), words)


def test_an_attacker_named_twice_is_a_slip() -> None:
    """The message suggests the option that was meant."""
    outcome = linkrisk_command("assess", "good.csv", "good.csv", "--attackers", "mean,kernel,mean,mean")
    check_mistake(outcome, ["--attackers names 'mean' twice"])


def test_missing_file() -> None:
    """Either of them, and both commands."""
    check_mistake(linkrisk_command("assess", "gone.csv", "good.csv"), ["gone.csv does not exist", "check the path"])
    check_mistake(linkrisk_command("assess", "good.csv", "gone.csv"), ["gone.csv does not exist", "check the path"])
    check_mistake(linkrisk_command("run", "gone.toml"), ["gone.toml does not exist", "check the path"])


PARAMETERS: dict[str, tuple[str, str, Words]] = {
    "NaN in JSON": ("p.json", '{"owa": {"weights": [NaN, 1]}}', ["owa", "weight 1", "finite"]),
    "nan in TOML": ("p.toml", "[owa]\nweights = [nan, 1.0]\n", ["owa", "weight 1", "finite"]),
    "infinity": (
        "p.json",
        '{"weighted_mean": {"weights": {"a": Infinity, "b": 0}}}',
        ["weighted_mean", "'a'", "finite"],
    ),
    "nan degree": ("p.toml", "[kernel]\ndegree = nan\n", ["kernel", "degree", "whole number"]),
    "nan in a matrix": ("p.toml", "[bilinear_free]\nmatrix = [[nan, 0.0], [0.0, 1.0]]\n", ["bilinear_free", "(a, a)"]),
    "nan in a measure": ("p.toml", '[choquet.measure]\na = nan\nb = 0.2\n"a,b" = 1.0\n', ["{a}", "finite"]),
    "text": ("p.toml", f'[owa]\nweights = ["{PLANTED}", 1]\n', ["owa", "numbers"]),
    "unknown parameter": ("p.toml", "[mean]\nx = 1\n", ["mean", "'x'", "takes none"]),
    "no table": ("p.json", "[1, 2]", ["p.json", "table for each attacker"]),
    "no JSON": ("p.json", "{zebra77", ["p.json is not JSON", "line 1"]),
    "no TOML": ("p.toml", "= zebra77", ["p.toml is not TOML", "line 1"]),
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters_that_cannot_be_used(case: str) -> None:
    """Told before any attack, also where the attacker at fault comes last: nothing else is printed."""
    name, contents, words = PARAMETERS[case]
    write(name, contents)
    check_mistake(linkrisk_command("assess", "good.csv", "good.csv", "--parameters", name), words)


@pytest.mark.slow
def test_existing_output_is_kept_unless_told_otherwise() -> None:
    """Its contents stay, and with --overwrite it is replaced by the result."""
    for name, option in (("r.json", "--json"), ("r.csv", "--records")):
        write(name, "mine")
        command = ("assess", "good.csv", "good.csv", "--attackers", "mean", option, name)
        check_mistake(linkrisk_command(*command), [f"{name} exists already", "--overwrite"])
        assert Path(name).read_text(encoding="utf-8") == "mine"
        linkrisk_command(*command, "--overwrite").check_success()
        assert "CONFIDENTIAL" in Path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["good.csv", "schema.toml", "pairs.csv", "p.toml", "link.csv", "assessment.toml"])
def test_no_input_is_ever_overwritten(name: str) -> None:
    """Whatever an assessment reads is refused as an output, by any name, even with --overwrite."""
    write("schema.toml", "")
    write("pairs.csv", "original,protected\n1,1\n2,2\n")
    write("p.toml", "[kernel]\ndegree = 2\n")
    write("assessment.toml", f'original = "good.csv"\nprotected = "good.csv"\njson = "{name}"\noverwrite = true\n')
    Path("link.csv").symlink_to("good.csv")
    before = Path(name).read_bytes()
    inputs = ("--schema", "schema.toml", "--pairs", "pairs.csv", "--parameters", "p.toml")
    if name == "assessment.toml":
        outcome = linkrisk_command("run", name)
    else:
        outcome = linkrisk_command("assess", "good.csv", "good.csv", *inputs, "--json", f"./{name}", "--overwrite")
    check_mistake(outcome, [f"{name} is an input file"])
    assert Path(name).read_bytes() == before
    assert Path("good.csv").read_text(encoding="utf-8") == GOOD


def test_mistakes_of_a_schema_are_reported_together() -> None:
    """One line for each, without what stands in the file."""
    write("schema.toml", f'[attributes.a]\nkind = "{PLANTED}"\nfoo = 1\n[attributes.b]\nrole = "x"\n')
    outcome = linkrisk_command("assess", "good.csv", "good.csv", "--schema", "schema.toml")
    assert outcome.code == 2
    assert len(outcome.errors.splitlines()) == 3
    assert all(word in outcome.errors for word in ("attributes.a.kind", "attributes.a.foo", "attributes.b.role"))
    assert PLANTED not in outcome.errors
