"""The command ``loss``: its table, its JSON, and one sentence for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import linkrisk_command

ORIGINAL = "key,a,b,c\n1,1,2,x\n2,2,3,y\n3,3,5,x\n4,4,1,z\n"
PROTECTED = "key,a,bb,c\n4,3.5,1,z\n3,3.5,5,x\n2,1.5,3,x\n1,1.5,2,x\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with an original and its protected version."""
    monkeypatch.chdir(tmp_path)
    Path("original.csv").write_text(ORIGINAL, encoding="utf-8")
    Path("protected.csv").write_text(PROTECTED, encoding="utf-8")
    return tmp_path


def test_table_and_json() -> None:
    """The table names the measures; the JSON holds the same figures."""
    options = ("--id", "key", "--renamed", "b=bb", "--json", "loss.json")
    outcome = linkrisk_command("loss", "original.csv", "protected.csv", *options)
    outcome.check_success()
    for word in ("PIL", "IL1s", "SSE/SST", "pMSE", "entropy", "4 pairs", "written: loss.json"):
        assert word in outcome.output
    contents = json.loads(Path("loss.json").read_text(encoding="utf-8"))
    assert contents["n_pairs"] == 4
    assert contents["variation"]["by_attribute"]["b"] == 0
    assert f"{contents['probabilistic']['pil']:.2f}" in outcome.output


def test_overwrite() -> None:
    """A file that is there is kept, unless it may be replaced."""
    arguments = ("loss", "original.csv", "protected.csv", "--id", "key", "--json", "loss.json")
    linkrisk_command(*arguments).check_success()
    linkrisk_command(*arguments).check_mistake("loss.json exists already", "--overwrite")
    linkrisk_command(*arguments, "--overwrite").check_success()


@pytest.mark.parametrize("name", ["original.csv", "protected.csv", "./original.csv", "schema.toml", "pairs.csv"])
def test_no_input_is_ever_overwritten(name: str) -> None:
    """What is read is refused as a result, even with --overwrite."""
    Path("schema.toml").write_text("", encoding="utf-8")
    Path("pairs.csv").write_text("original,protected\n1,4\n2,3\n", encoding="utf-8")
    before = Path(name).read_bytes()
    linkrisk_command(
        *("loss", "original.csv", "protected.csv", "--schema", "schema.toml", "--pairs", "pairs.csv"),
        *("--json", name, "--overwrite"),
    ).check_mistake(f"{Path(name).name} is an input file")
    assert Path(name).read_bytes() == before


def test_attributes_schema_pairs_missing_delimiter() -> None:
    """The other options reach the files."""
    Path("schema.toml").write_text('[attributes.a]\nkind = "nominal"\n', encoding="utf-8")
    Path("pairs.csv").write_text("original,protected\n1,4\n2,3\n3,2\n", encoding="utf-8")
    Path("semicolons.csv").write_text(PROTECTED.replace(",", ";"), encoding="utf-8")
    linkrisk_command(
        *("loss", "original.csv", "protected.csv", "--attributes", "a, c", "--schema", "schema.toml"),
        *("--pairs", "pairs.csv", "--missing", "z", "--json", "loss.json"),
    ).check_success()
    contents = json.loads(Path("loss.json").read_text(encoding="utf-8"))
    assert (contents["numeric"], contents["categorical"], contents["n_pairs"]) == ([], ["a", "c"], 3)
    assert contents["missing"]["by_attribute"] == {"c": [0.25, 0.25]}
    files = ("loss", "original.csv", "semicolons.csv", "--id", "key")
    linkrisk_command(*files, "--delimiter", ";").check_mistake("original.csv")  # which has commas


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.csv"], ["nowhere.csv does not exist"]),
        (["protected.csv", "--attributes", "a,zz"], ["zz"]),
        (["protected.csv", "--id", "zz"], ["zz"]),
        (["protected.csv", "--renamed", "b"], ["--renamed"]),
        (["protected.csv", "--renamed", "b=bb", "--renamed", "b=c"], ["--renamed", "twice"]),
        (["protected.csv", "--id", "key", "--target", "c"], ["target", "numeric"]),
        (["protected.csv", "--json", "no/such/loss.json"], ["folder for loss.json"]),
    ],
)
def test_mistakes(arguments: list[str], words: list[str]) -> None:
    """One sentence, exit code 2."""
    linkrisk_command("loss", "original.csv", *arguments).check_mistake(*words)
