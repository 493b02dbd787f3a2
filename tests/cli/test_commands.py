"""The command as users start it: help, version, demo, pipes; quick where nothing is to be computed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from linkrisk import __version__
from tests.cli.command import linkrisk_command

START = "from linkrisk.cli.main import start; start()"
HEAVY = ("numba", "pandas", "pyarrow", "pydantic", "scipy")


def python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run some code in a Python of its own."""
    return subprocess.run(  # noqa: S603  (our own interpreter and code)
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **environment},
    )


def test_help_imports_nothing_heavy() -> None:
    """What takes long to import is imported when it is needed."""
    code = f"""
import sys
from linkrisk.cli.commands import make_app
try:
    make_app()(["--help"])
except SystemExit:
    pass
print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""
    found = python(code)
    assert found.stderr.strip() == "[]"
    for command in ("assess", "run", "demo", "verify"):
        assert command in found.stdout


def test_version() -> None:
    """The version of the package, and nothing else."""
    assert linkrisk_command("--version").output == f"{__version__}\n"


@pytest.mark.slow
def test_mistake_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Exit code 2, one line on stderr, nothing on stdout."""
    result = python(START, "assess", str(tmp_path / "gone.csv"), str(tmp_path / "gone.csv"))
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "linkrisk: gone.csv does not exist; check the path.\n"


@pytest.mark.slow
def test_any_terminal_can_print_a_result(tmp_path: Path) -> None:
    """Where the terminal cannot print a character, the result is still shown, without a traceback."""
    (tmp_path / "o.csv").write_text("größe,日本\n1,2\n3,5\n4,4\n", encoding="utf-8")
    arguments = ("assess", str(tmp_path / "o.csv"), str(tmp_path / "o.csv"), "--attackers", "mean")
    result = python(START, *arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0, result.stderr[-500:]
    assert "The strongest intruder finds 3 of 3 people (100.0%) by mean" in " ".join(result.stdout.split())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a small demo."""
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    outcome = linkrisk_command("demo", "--out", folder, "--records", "60")
    outcome.check_success()
    assert "strongest attack" in outcome.output
    return folder


@pytest.mark.slow
def test_demo_writes_everything(demo: Path) -> None:
    """Data, assessment file, results; the original and the results for their owner alone."""
    names = {path.name for path in demo.iterdir()}
    files = {"original.csv", "protected.csv", "assessment.toml", "assessment.json", "records.csv"}
    published = {"microaggregation.json", "noise.json"}
    assert names == {*files, *published, "certificates"}
    for name in ("original.csv", "assessment.json", "records.csv"):
        assert stat.S_IMODE((demo / name).stat().st_mode) == 0o600
    contents = json.loads((demo / "assessment.json").read_text(encoding="utf-8"))
    assert contents["status"] == "complete"
    assert [scenario["n_people"] for scenario in contents["scenarios"]] == [60, 6]


@pytest.mark.slow
def test_demo_keeps_what_is_there(demo: Path) -> None:
    """A second demo in the same folder needs --overwrite, and then gives the same, but for what the clock stops."""
    before = {path.name: path.read_bytes() for path in demo.iterdir() if path.suffix == ".csv"}
    assert len(before) >= 3
    linkrisk_command("demo", "--out", demo, "--records", "60").check_mistake("exists already", "--overwrite")
    linkrisk_command("demo", "--out", demo, "--records", "60", "--overwrite").check_success()
    after = {path.name: path.read_bytes() for path in demo.iterdir() if path.suffix == ".csv"}
    assert after.keys() == before.keys()
    assert all(after[name] == before[name] for name in before if name != "records.csv")


@pytest.mark.slow
def test_demo_assessment_can_be_run_again(demo: Path) -> None:
    """The assessment file of the demo is an example that works."""
    linkrisk_command("run", demo / "assessment.toml").check_success()


def test_attributes_with_commas_in_their_names(tmp_path: Path) -> None:
    """They are named in quotation marks, as in CSV."""
    (tmp_path / "o.csv").write_text('"a,b",c,d\n1,2,3\n2,1,3\n3,3,9\n', encoding="utf-8")
    (tmp_path / "p.csv").write_text('"a,b",c,d\n1,3,2\n2,2,3\n4,3,9\n', encoding="utf-8")
    names = ["--attributes", '"a,b", c', "--scenario", 'one="a,b"']
    run = linkrisk_command("assess", tmp_path / "o.csv", tmp_path / "p.csv", *names, "--attackers", "mean")
    run.check_success()
    assert "Attributes: a,b, c." in run.output


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    """A file of that name is there."""
    (tmp_path / "there").write_text("x", encoding="utf-8")
    linkrisk_command("demo", "--out", tmp_path / "there").check_mistake("there is a file", "choose another")
