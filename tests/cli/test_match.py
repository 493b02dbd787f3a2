"""The command match on the paper's worked example, its files, and mistakes in one sentence."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.command import linkrisk_command
from tests.tables.worked_example import FIRST, POPULATION, ROUNDED, SECOND


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the samples, the rounded table and the population of the worked example."""
    FIRST.to_csv(tmp_path / "first.csv", index=False)
    SECOND.to_csv(tmp_path / "second.csv", index=False)
    ROUNDED.to_csv(tmp_path / "rounded.csv", index=False)
    people = POPULATION.loc[POPULATION.index.repeat(POPULATION["count"])].drop(columns="count")
    people.to_csv(tmp_path / "people.csv", index=False)
    POPULATION.groupby("Var2", as_index=False)["count"].sum().to_csv(tmp_path / "exact.csv", index=False)
    (tmp_path / "tables.toml").write_text(
        'population = 18\n[[table]]\nfile = "rounded.csv"\nmechanism = "random_rounding"\nbase = 3\n'
    )
    return tmp_path


@pytest.mark.slow
def test_the_worked_example(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Probability 0.20 within bounds 4 to 11, naively 4 to 13; with the exact table 1/8."""
    monkeypatch.chdir(folder)
    outcome = linkrisk_command(
        "match", "first.csv", "second.csv", "--tables", "tables.toml", "--truth", "people.csv",
        "--candidate", "exact.csv", "--json", "report.json", "--matches", "matches.csv", "--posterior", "paper",
    )  # fmt: skip
    outcome.check_success()
    assert "4 to 13" in outcome.output
    assert "4 to 11" in outcome.output
    contents = json.loads((folder / "report.json").read_text())
    assert contents["effect"]["expected_correct"] == pytest.approx(0.20, abs=0.005)
    assert contents["candidate"]["with_it"]["expected_correct"] == pytest.approx(1 / 8)
    matches = folder / "matches.csv"
    assert stat.S_IMODE(matches.stat().st_mode) == 0o600
    assert matches.read_text().startswith("# CONFIDENTIAL")
    assert pd.read_csv(matches, comment="#").shape[0] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("first.csv",), ("two samples",)),
        (("first.csv", "nothing.csv"), ("nothing.csv does not exist",)),
        (("first.csv", "second.csv"), ("size of the population", "--population")),
        (("first.csv", "first.csv", "--population", "18"), ("all their attributes in common",)),
        (("first.csv", "second.csv", "--population", "4"), ("more than the population of 4",)),
        (("first.csv", "second.csv", "--tables", "tables.toml", "--posterior", "best"), ("posterior", "paper")),
        (("first.csv", "second.csv", "--tables", "tables.toml", "--confident", "high"), ("--confident",)),
        (("first.csv", "second.csv", "--tables", "tables.toml", "--json", "people.csv"), ("people.csv exists",)),
        (("first.csv", "second.csv", "--json", "second.csv", "--overwrite"), ("second.csv is an input file",)),
        (
            (
                "first.csv",
                "second.csv",
                "--tables",
                "tables.toml",
                "--candidate",
                "exact.csv",
                "--mechanism",
                "rounded",
            ),
            ("needs its base",),
        ),
    ],
)
def test_mistakes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """One sentence, exit code 2, nothing replaced."""
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    linkrisk_command("match", *arguments).check_mistake(*words)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
