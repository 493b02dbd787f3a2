"""Ctrl-C on a real process, at any moment: exit code 130, no traceback, and never ignored."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.assessment.samples import numeric_frames

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")

START = "from linkrisk.cli.main import start; start()"

SWALLOWING = """
import signal, sys
class Swallower:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                pass
sys.meta_path.insert(0, Swallower())
"""
"""An import hook that presses Ctrl-C and loses it, as pyarrow does while it imports pandas."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Two files to assess."""
    paths = tmp_path / "o.parquet", tmp_path / "p.parquet"
    for frame, path in zip(numeric_frames(), paths, strict=True):
        frame.to_parquet(path)
    return str(paths[0]), str(paths[1])


@pytest.mark.slow
@pytest.mark.parametrize("module", ["typer", "linkrisk.cli.commands", "pyarrow", "linkrisk.data.parquet_file"])
def test_swallowed_interrupt_is_not_ignored(files: tuple[str, str], module: str) -> None:
    """Wherever an import loses it, the next check finds it; nothing is shown or written."""
    found = subprocess.run(  # noqa: S603  (our own interpreter and code)
        [sys.executable, "-c", SWALLOWING.format(module=module) + START, "assess", *files],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (130, "")
    assert found.stderr == "linkrisk: interrupted before any result\n"


def test_interrupt_while_commands_are_imported(files: tuple[str, str]) -> None:
    """One line, although not even the command line is loaded yet."""
    code = SWALLOWING.format(module="typer").replace("pass", "raise")
    found = subprocess.run(  # noqa: S603  (our own interpreter and code)
        [sys.executable, "-c", code + START, "assess", *files], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (130, "linkrisk: interrupted before any result\n")


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.15, 0.3, 0.5, 0.7])  # it takes about a second
def test_interrupt_at_some_moment(files: tuple[str, str], tmp_path: Path, delay: float) -> None:
    """A real signal: the run ends with 130 and, if it wrote a result, a readable one, or had finished before."""
    result = tmp_path / "r.json"
    code = f"print('started', flush=True); {START}"
    process = subprocess.Popen(  # noqa: S603  (our own interpreter and code)
        [sys.executable, "-c", code, "assess", *files, "--json", str(result)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2 + delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    status = json.loads(result.read_text(encoding="utf-8"))["status"] if result.exists() else "none"
    if status != "complete":
        assert process.returncode == 130
        assert "Traceback" not in errors
