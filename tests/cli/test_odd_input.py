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
    "huge numbers": "a,b\n1e308,-1e308\n-1e308,1e308\n1.7e308,5e307\n7,8e307\n",
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


@pytest.mark.slow
@pytest.mark.parametrize("case", ODD)
def test_odd_file_is_assessed(case: str) -> None:
    """With everything there is: all attackers and scales, one to one, ranks, both outputs."""
    write(ODD[case])
    options = ("--one-to-one", "--own-ranks", "--json", "r.json", "--records", "r.parquet")
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


PLAIN = "a,b\n" + "".join(f"{i * 1.5},{i * 7 % 13}\n" for i in range(1, 13))
USABLE = {
    "byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "lines end in CRLF": PLAIN.replace("\n", "\r\n").encode(),
    "lines end in CR": PLAIN.replace("\n", "\r").encode(),
    "semicolons": PLAIN.replace(",", ";").encode(),
    "commas in a name": PLAIN.replace("a,b", '"a, net",b').encode(),
    "a line break in a name": PLAIN.replace("a,b", '"a\nnet",b').encode(),
    "a very long name": PLAIN.replace("a,b", f"{'a' * 5000},b").encode(),
    "not UTF-8": PLAIN.replace("a,b", "\u00e2ge,b").encode("latin-1"),
    "a constant column": PLAIN.replace("\n", ",5\n").replace("b,5", "b,c").encode(),
}
UNUSABLE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "empty": (b"", ("odd.csv is empty",)),
    "blank lines": (b"\n\n\n", ("odd.csv is empty",)),
    "header only": (b"a,b\n", ("odd.csv has a header but no records",)),
    "one record": (b"a,b\n1,2\n", ("record",)),
    "columns of one name": (b"a,a\n1,2\n3,4\n5,6\n7,8\n", ("odd.csv: columns 1 and 2 are both named 'a'",)),
    "a row too short": (b"a,b\n1,2\n3\n5,6\n7,8\n", ("odd.csv: row 3 has 1 cell",)),
    "an open quotation mark": (b'a,b\n1,2\n"3,4\n5,6\n', ("odd.csv: a quotation mark",)),
    "no value at all": (b"a,b\n" + b",\n" * 8, ("odd.csv", "no ")),
    "an infinite value": (PLAIN.encode() + b"inf,3\n", ("column 'a' has an infinite value in row 14",)),
    "UTF-16": (PLAIN.encode("utf-16"), ("odd.csv is not UTF-8",)),
    "no text": (b"\x1f\x8b\x08\x00\x00", ("odd.csv is not UTF-8",)),
}
QUICK = ("--attackers", "mean", "--scales", "separate")
RELEASING = {
    "noise": ("protect", "odd.csv", "--method", "noise", "--p", 5),
    "mdav": ("protect", "odd.csv", "--method", "mdav", "--k", 2),
    "coding": ("protect", "odd.csv", "--method", "coding", "--top-percent", 20),
    "tune": ("tune", "odd.csv", "--method", "mdav", "--target-rate", 0.5, "--trials", 3, "--no-confirm", *QUICK),
}
JUDGING = {"loss": ("loss", "odd.csv", "odd.csv"), "compare": ("compare", "odd.csv", "odd.csv", *QUICK)}


@pytest.mark.slow
@pytest.mark.parametrize("case", USABLE)
def test_odd_file_is_protected_and_judged(case: str) -> None:
    """What one command writes the others read, and the original is as it was."""
    Path("odd.csv").write_bytes(USABLE[case])
    for name, command in RELEASING.items():
        linkrisk_command(*command, "--out", f"{name}.csv").check_success()
        linkrisk_command("loss", "odd.csv", f"{name}.csv").check_success()
        linkrisk_command("compare", "odd.csv", f"{name}.csv", *QUICK).check_success()
    for name, command in JUDGING.items():
        linkrisk_command(*command, "--json", f"{name}.json").check_success()
    assert Path("odd.csv").read_bytes() == USABLE[case]


@pytest.mark.parametrize("case", UNUSABLE)
def test_unusable_file_costs_nothing(case: str) -> None:
    """One sentence, exit code 2, and neither the file nor an earlier result is touched."""
    contents, words = UNUSABLE[case]
    Path("odd.csv").write_bytes(contents)
    Path("out.csv").write_text("precious")
    Path("out.json").write_text("precious")
    for name, command in RELEASING.items():
        if name != "coding" or case != "one record":
            linkrisk_command(*command, "--out", "out.csv", "--overwrite").check_mistake(*words)
    for command in JUDGING.values():
        linkrisk_command(*command, "--json", "out.json", "--overwrite").check_mistake(*words)
    assert Path("odd.csv").read_bytes() == contents
    assert [path.read_text() for path in (Path("out.csv"), Path("out.json"))] == ["precious"] * 2
    assert sorted(path.name for path in Path().iterdir()) == ["odd.csv", "out.csv", "out.json"]


def test_names_in_an_error_stay_on_one_line() -> None:
    """Whatever signs they hold."""
    Path("odd.csv").write_bytes(USABLE["a line break in a name"])
    linkrisk_command("protect", "odd.csv", "--method", "pram", "--keep", 0.5, "--out", "o.csv").check_mistake("a\\nnet")
