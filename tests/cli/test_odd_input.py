"""Odd files that can be used, and are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import linkrisk_command

ODD = {
    "two records": "a,b\n1,2\n3,5\n",
    "one attribute": "a\n1\n3\n7\n",
    "all records alike": "a,b\n1,2\n1,2\n1,2\n",
    "constant column": "a,b\n1,2\n1,3\n1,5\n",
    "negative zero": "a,b\n-0.0,0\n0.0,-0\n1,2\n3,4\n",
    "huge numbers": "a,b\n1e308,-1e308\n-1e308,1e308\n1.7e308,5\n7,8\n",
    "tiny numbers": "a,b\n1e-308,5e-324\n2e-308,1e-320\n3e-308,0\n",
    "odd names": 'größe,日本,"a,b",x=y,sp ace,[red],[/],"it\'s"\n1,2,3,4,5,6,7,8\n2,3,4,6,7,9,9,9\n5,1,9,3,1,2,8,1\n',
    "labels": "a,b\nx,1\ny,2\nz,3\n",
    "dates": "a\n2020-01-01\n2021-05-05\n1999-12-31\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def write(contents: str) -> None:
    """Write one file to be used as both."""
    Path("odd.csv").write_text(contents, encoding="utf-8")


@pytest.mark.parametrize("case", ODD)
def test_odd_file_is_assessed(case: str) -> None:
    """With everything there is: all attackers and scales, one to one, ranks, both outputs."""
    write(ODD[case])
    options = ("--one-to-one", "--ranks", "--json", "r.json", "--records", "r.parquet")
    outcome = linkrisk_command("assess", "odd.csv", "odd.csv", *options)
    outcome.check_success()
    contents = json.loads(Path("r.json").read_text(encoding="utf-8"))
    mean = next(entry for entry in contents["attackers"] if entry["name"] == "mean")
    distinct = len(set(ODD[case].replace("-0.0", "0").replace("0.0", "0").replace("-0", "0").splitlines()[1:]))
    if case not in {"huge numbers", "tiny numbers"}:  # where scaled values of different numbers can agree
        assert mean["links_by_ties"]["expected"] == pytest.approx(distinct)
    assert mean["links_by_ties"]["class"] == contents["n_pairs"]


def test_names_are_printed_as_they_are() -> None:
    """Brackets are no markup, and nothing of a name is lost."""
    write(ODD["odd names"])
    outcome = linkrisk_command("assess", "odd.csv", "odd.csv", "--attackers", "mean", "--scenario", "[bold]s[/]=[red]")
    outcome.check_success()
    assert "[bold]s[/]" in outcome.output
    for name in ("größe", "日本", "a,b", "x=y", "sp ace", "[red]", "[/]", "it's"):
        assert sum(name in line for line in outcome.output.splitlines()) >= 2


def test_constant_column_is_used_and_warned_of() -> None:
    """It is listed among the attributes, and a note says that it tells nothing."""
    write(ODD["constant column"])
    outcome = linkrisk_command("assess", "odd.csv", "odd.csv", "--attackers", "mean")
    outcome.check_success()
    assert "Attributes: a, b." in outcome.output
    assert "a has the same value in every record" in outcome.output


def test_codes_with_leading_zeros_stay_labels() -> None:
    """A code such as 0123 is no number."""
    write("code,b\n0123,1\n0456,2\n0789,3\n")
    linkrisk_command("assess", "odd.csv", "odd.csv", "--attackers", "mean", "--json", "r.json").check_success()
    settings = json.loads(Path("r.json").read_text(encoding="utf-8"))["settings"]
    assert settings["attributes"]["code"]["kind"] == "nominal"


def test_missing_codes() -> None:
    """Codes given by option are holes, not numbers."""
    write("a,b\n1,-9\n2,5\n99,7\n4,1\n")
    linkrisk_command(
        "assess", "odd.csv", "odd.csv", "--missing", "99,-9", "--attackers", "mean", "--json", "r.json"
    ).check_success()
    table = json.loads(Path("r.json").read_text(encoding="utf-8"))["attribute_table"]
    assert [row["distinct_original"] for row in table] == [3, 3]


def test_usage_mistakes_have_no_traceback() -> None:
    """Unknown options and commands, and arguments that are missing, end with 2 too."""
    for arguments in (["assess"], ["assess", "a", "b", "--foo"], ["frob"], ["assess", "a", "b", "--seed", "x"]):
        outcome = linkrisk_command(*arguments)
        assert outcome.code == 2
        assert "Traceback" not in outcome.errors
