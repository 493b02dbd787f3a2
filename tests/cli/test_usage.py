"""How commands are typed: mistakes in one sentence, help with examples that run, completion, and progress."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from linkrisk.attack.options import AttackersKind
from linkrisk.cli.derive import completing
from linkrisk.cli.examples import EXAMPLES
from linkrisk.differences.scale import Scale
from linkrisk.engine.schedule import Schedule, duration
from linkrisk.options import Choices
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["asses"], ["no such command 'asses'", "did you mean 'assess'", "see linkrisk --help"]),
        (["assess", "o.csv", "p.csv", "--max-rat", "1"], ["--max-rat", "--max-rate", "see linkrisk assess --help"]),
        (["assess", "o.csv"], ["missing argument", "see linkrisk assess --help"]),
        (["loss", "o", "p", "q"], ["unexpected extra argument", "see linkrisk loss --help"]),
        (["demo", "--records", "3"], ["--records", "50", "see linkrisk demo --help"]),
        (["demo", "--records", "x\x1b[2J\n"], ["--records", "see linkrisk demo --help"]),
        (["protect", "o.csv"], ["missing option", "see linkrisk protect --help"]),
        (["assess", "o.csv", "p.csv", "--json"], ["--json", "requires an argument", "see linkrisk"]),
    ],
)
def test_usage_errors_are_one_sentence(typed: list[str], words: list[str]) -> None:
    """As all others: one line, exit code 2, with the remedy."""
    outcome = linkrisk_command(*typed)
    outcome.check_mistake()
    assert not [word for word in words if word.lower() not in outcome.errors.lower()], outcome.errors


@pytest.mark.parametrize("command", EXAMPLES)
def test_help_shows_the_example(command: str) -> None:
    """With -h as with --help."""
    typed = [] if command == "linkrisk" else command.split()
    shown = linkrisk_command(*typed, "-h")
    shown.check_success()
    assert shown.output == linkrisk_command(*typed, "--help").output
    words = re.sub(r"\s+", " ", shown.output)
    assert all(line in words for line in EXAMPLES[command])


@pytest.mark.slow
def test_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, in a folder with the files they name; what one writes another reads.

    Not `serve`, which ends when it is stopped: tests/web/test_serve.py.
    """
    monkeypatch.chdir(tmp_path)
    original, stronger = numeric_frames(20, noise=0.8)
    original.to_csv("original.csv", index=False)
    stronger.to_csv("stronger.csv", index=False)
    for name, place in (("survey.csv", 0), ("register.csv", -1)):  # each has an attribute of its own
        original.round(0).head(20).drop(columns=original.columns[place]).to_csv(name, index=False)
    Path("assessment.toml").write_text(
        'original = "original.csv"\nprotected = "protected.csv"\nattackers = ["mean"]\n', encoding="utf-8"
    )
    Path("study.toml").write_text(
        'name = "noise"\nrepeats = 2\n[[data]]\nname = "people"\ngenerated = "census_like"\nrecords = 40\n'
        'columns = ["AGI", "FEDTAX"]\n[[protection]]\nname = "noise"\nmethod = "noise"\ngrid = { p = [5, 20] }\n',
        encoding="utf-8",
    )
    ending = [lines for name, lines in EXAMPLES.items() if name not in {"linkrisk", "serve"}]
    for lines in ending:
        for line in lines:
            typed = shlex.split(line.partition("||")[0].replace("--records 200", "--records 50"))
            outcome = linkrisk_command(*typed[1:])
            assert outcome.code in ((0, 1) if "||" in line or "--target-rate" in line else (0,)), outcome.errors


def test_shells_are_told_the_words() -> None:
    """Of a list with commas the last one grows; attackers by their names."""
    scales = completing(Choices(Scale))
    assert scales("separate,ra") == ["separate,ranks"]
    assert completing(AttackersKind())("weighted_mean_") == ["weighted_mean_metric"]


def test_shells_complete_commands() -> None:
    """As the script asks that --show-completion prints."""
    environment = {"_LINKRISK_COMPLETE": "complete_bash", "COMP_WORDS": "linkrisk as", "COMP_CWORD": "1"}
    typed, shell = [sys.executable, "-m", "linkrisk"], {**os.environ, **environment}
    found = subprocess.run(typed, capture_output=True, text=True, check=False, env=shell)  # noqa: S603  (our own)
    assert found.stdout.split() == ["assess"]


def test_steps_are_counted_and_the_rest_is_estimated() -> None:
    """Quick steps as long as those before; learned attackers as long as their limit; nothing where nobody can tell."""
    schedule = Schedule()
    assert (schedule.number(), schedule.left(0.0)) == ("", None)
    schedule.expect([0.0, 0.0, 0.0, 60.0])
    schedule.begin(0.0)
    assert (schedule.number(), schedule.left(1.0)) == ("step 1 of 4: ", None)
    schedule.begin(2.0)
    assert (schedule.number(), schedule.left(2.0)) == ("step 2 of 4: ", 2.0 + 2.0 + 60.0)
    schedule.begin(4.0)
    schedule.begin(6.0)
    assert schedule.left(16.0) == 50.0
    schedule.expect([float("inf")])
    assert schedule.left(16.0) is None
    assert duration(45.0 * 60.0) == "about 45 min"
