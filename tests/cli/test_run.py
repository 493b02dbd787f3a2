"""``linkrisk run``: the same as by options, and all mistakes at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.assessment.samples import mixed_frames, without_seconds
from tests.cli.command import linkrisk_command

ASSESSMENT = """
original = "data/original.csv"
protected = "data/protected.csv"
attributes = ["income", "region", "school", "born"]
schema = "schema.toml"
missing = [99]
attackers = ["mean", { name = "kernel", degree = 3 }, { name = "owa", weights = [0.4, 0.3, 0.2, 0.1] }]
scales = ["original", "ranks"]
ties = "expected"
one_to_one = true
own_ranks = true
seed = 4
json = "by_file.json"
records = "by_file.csv"

[[scenario]]
name = "tax office"
attributes = ["income", "region"]
"""

BOTH = 'original = "data/original.csv"\nprotected = "data/original.csv"\n'

SCHEMA = """
[attributes.school]
order = ["low", "middle", "high"]
[attributes.illness]
role = "confidential"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work outside the folder of the assessment, which has its data in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    original, protected = mixed_frames()
    original.to_csv(home / "data" / "original.csv", index=False)
    protected.to_csv(home / "data" / "protected.csv", index=False)
    (home / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    return home


def load(path: Path) -> Any:
    """Read a result without its seconds."""
    return without_seconds(json.loads(path.read_text(encoding="utf-8")))


def test_run_equals_the_same_options(folder: Path) -> None:
    """The JSON is the same except for the seconds, the records to the last byte; paths are relative to the file."""
    (folder / "assessment.toml").write_text(ASSESSMENT, encoding="utf-8")
    linkrisk_command("run", folder / "assessment.toml").check_success()
    parameters = {"kernel": {"degree": 3}, "owa": {"weights": [0.4, 0.3, 0.2, 0.1]}}
    (folder / "parameters.json").write_text(json.dumps(parameters), encoding="utf-8")
    linkrisk_command(
        "assess", folder / "data" / "original.csv", folder / "data" / "protected.csv",
        "--attributes", "income,region,school,born", "--schema", folder / "schema.toml", "--missing", "99",
        "--attackers", "mean", "--parameters", folder / "parameters.json", "--scales", "original,ranks",
        "--ties", "expected", "--one-to-one", "--own-ranks", "--seed", "4", "--scenario", "tax office=income,region",
        "--json", "by_options.json", "--records", "by_options.csv",
    ).check_success()  # fmt: skip
    assert load(folder / "by_file.json") == load(Path("by_options.json"))
    assert (folder / "by_file.csv").read_bytes() == Path("by_options.csv").read_bytes()


def test_what_is_published_is_found_beside_the_file(folder: Path) -> None:
    """One record or several; what cannot be read is told, and no record is overwritten by a result."""
    original = folder / "data" / "original.csv"
    linkrisk_command(
        *("protect", original, "--method", "noise", "--p", "income:20", "--leave", "region,school,born"),
        *("--secret-seed", 1, "--missing", "99", "--out", folder / "noisy.csv", "--record", folder / "noisy.json"),
    ).check_success()
    text = 'original = "data/original.csv"\nprotected = "noisy.csv"\nattackers = ["informed"]\nmissing = ["99"]\n'
    for given in ('"noisy.json"', '["noisy.json"]'):
        (folder / "told.toml").write_text(f'{text}published = {given}\njson = "told.json"\noverwrite = true\n')
        linkrisk_command("run", folder / "told.toml").check_success()
        (attack,) = load(folder / "told.json")["attackers"]
        assert "noise of income (p = 20" in attack["parameters"]["method"]
    (folder / "told.toml").write_text(f'{text}published = ["noisy.json"]\njson = "noisy.json"\noverwrite = true\n')
    linkrisk_command("run", folder / "told.toml").check_mistake("noisy.json is an input file")
    (folder / "told.toml").write_text(f'{text}published = ["nothing.json"]\n')
    linkrisk_command("run", folder / "told.toml").check_mistake("nothing.json does not exist")


def test_schema_within_the_file(folder: Path) -> None:
    """A schema can stand in the assessment itself."""
    inner = "\n".join(line.replace("[attributes", "[schema.attributes") for line in SCHEMA.splitlines())
    (folder / "assessment.toml").write_text(ASSESSMENT, encoding="utf-8")
    text = ASSESSMENT.replace('schema = "schema.toml"\n', "").replace("by_file", "by_inner") + inner
    (folder / "inner.toml").write_text(text, encoding="utf-8")
    linkrisk_command("run", folder / "assessment.toml").check_success()
    linkrisk_command("run", folder / "inner.toml").check_success()
    assert load(folder / "by_file.json") == load(folder / "by_inner.json")


def test_all_mistakes_at_once(folder: Path) -> None:
    """One line for each mistake, with the place where it is."""
    text = """
original = "data/original.csv"
protected = "gone.csv"
attackers = ["meen", { name = "owa", weight = [1.0] }]
scales = ["ranks", "foo"]
ties = "first"
seed = -1
bogus = 1
[schema.attributes.income]
kind = "zebra77"
[[scenario]]
name = "s"
people = 2.0
"""
    (folder / "wrong.toml").write_text(text, encoding="utf-8")
    outcome = linkrisk_command("run", folder / "wrong.toml")
    assert outcome.code == 2
    lines = outcome.errors.removeprefix("linkrisk: ").splitlines()
    assert all(line.startswith("wrong.toml: ") for line in lines)
    places = [line.split(": ")[1] for line in lines]
    assert sorted(places) == sorted(["protected", "attackers", "scales", "ties", "seed", "bogus", "schema", "scenario"])
    assert "gone.csv" in outcome.errors
    assert "did you mean 'mean'" in outcome.errors
    assert "owa: unknown parameter 'weight'" in outcome.errors
    assert "zebra77" not in outcome.errors
    assert str(folder) not in outcome.errors


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('original = "data/original.csv"\n', "protected"),
        ("= zebra77", "is not TOML"),
        (BOTH + "threads = 0", "threads"),
        (
            BOTH + 'attackers = [{name = "kernel", degree = nan}]',
            "degree",
        ),
        (
            BOTH + 'scenario = [{name = "s", people = [1, 81]}]',
            "entry 2 of people",
        ),
    ],
)
def test_one_mistake_is_one_line(folder: Path, text: str, words: str) -> None:
    """A single mistake is a single sentence."""
    (folder / "wrong.toml").write_text(text, encoding="utf-8")
    linkrisk_command("run", folder / "wrong.toml").check_mistake(words)


def test_file_saved_with_a_byte_order_mark(folder: Path) -> None:
    """Some editors put one in front."""
    (folder / "bom.toml").write_text(ASSESSMENT, encoding="utf-8-sig")
    linkrisk_command("run", folder / "bom.toml").check_success()


def test_two_results_in_one_file(folder: Path) -> None:
    """One would replace the other."""
    (folder / "twice.toml").write_text(BOTH + 'json = "r.csv"\nrecords = "r.csv"\n')
    run = linkrisk_command("run", folder / "twice.toml")
    run.check_mistake("two results would be written to one file; give each its own")
