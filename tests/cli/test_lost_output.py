"""Real processes with outputs that are closed, full or gone, and signals: nothing is lost, no traceback is shown."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest

from linkrisk.cli import output
from linkrisk.cli.progress import TerminalReporter
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and devices of Unix")

START = "from linkrisk.cli.main import start; start()"


@pytest.fixture
def typed(tmp_path: Path) -> list[str]:
    """Return an assessment that is quick once it has begun."""
    for frame, name in zip(numeric_frames(), ("o.csv", "p.csv"), strict=True):
        frame.to_csv(tmp_path / name, index=False)
    files = [str(tmp_path / name) for name in ("o.csv", "p.csv")]
    return ["assess", *files, "--attackers", "mean", "--scales", "separate", "--json", str(tmp_path / "r.json")]


SURROUNDINGS = {
    "closed": ('"$@" >&-; echo $? >"$CODE"', 2),
    "full": ('"$@" >/dev/full; echo $? >"$CODE"', 2),
    "no reader": ('{ "$@"; echo $? >"$CODE"; } | true', 0),
    "errors closed": ('"$@" 2>&-; echo $? >"$CODE"', 0),
    "errors full": ('"$@" 2>/dev/full; echo $? >"$CODE"', 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", SURROUNDINGS)
def test_results_are_written_whatever_becomes_of_the_screen(typed: list[str], tmp_path: Path, case: str) -> None:
    """The file is there, and standard error has one sentence or nothing."""
    script, code = SURROUNDINGS[case]
    if case != "full":  # the others measure losses, which need less time
        typed = ["loss", *typed[1:3], *typed[-2:]]
    command = ["/bin/sh", "-c", script, "sh", sys.executable, "-c", START, *typed]
    told = {**os.environ, "CODE": str(tmp_path / "code")}
    found = subprocess.run(command, capture_output=True, text=True, check=False, env=told)  # noqa: S603  (our own)
    assert int((tmp_path / "code").read_text()) == code, found.stderr
    assert (tmp_path / "r.json").exists()
    assert "Traceback" not in found.stderr
    assert found.stderr.count("linkrisk: standard output cannot be written") == (1 if code else 0)


@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_leave_what_was_found(typed: list[str], tmp_path: Path, number: int, code: int) -> None:
    """Told to end at the second attack: the first is shown and written; the exit code is that of the signal."""

    def step(_: TerminalReporter, label: str) -> None:
        if "kernel" in label:
            signal.raise_signal(number)

    two = ["mean,kernel" if word == "mean" else word for word in typed]
    with patch.object(TerminalReporter, "step", step):
        outcome = linkrisk_command(*two)
    assert outcome.code == code, outcome.errors
    assert "Interrupted: only what was found before is shown." in outcome.output
    contents = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert [entry["name"] for entry in contents["attackers"]] == ["mean"]


def test_a_fault_of_ours_is_none_of_standard_output() -> None:
    """A result that cannot be rendered is a mistake of the program, and is not told as one of the output."""

    class Broken:
        def to_text(self, *, details: bool) -> str:
            raise ValueError(f"a mistake in a renderer, with {details=}")

    output.prepare()
    with pytest.raises(ValueError, match="renderer"):
        output.show(cast("Any", Broken()))
    assert output.finish() is None


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.EMFILE, "the system refuses what is needed (Too many open"), (errno.ENOSPC, "standard out")],
)
def test_faults_without_a_file(number: int, said: str) -> None:
    """Only what can become of a standard output is told as such."""
    with patch("linkrisk.cli.main._run_command", side_effect=OSError(number, os.strerror(number))):
        outcome = linkrisk_command("--version")
    outcome.check_mistake(said)
