"""How long a user waits for the command line: help, and the demo once installed and compiled."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.table import Row

COMMAND = (sys.executable, "-c", "from linkrisk.cli.main import main; main()")


def run(*arguments: str) -> float:
    """Seconds a command takes."""
    start = time.perf_counter()
    subprocess.run([*COMMAND, *arguments], check=True, capture_output=True)  # noqa: S603  (our own command)
    return time.perf_counter() - start


def start_rows() -> list[Row]:
    """Time `linkrisk --help` and the demo on 1,000 records, each after a run that warms the caches."""
    run("--help")
    helping = min(run("--help") for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "demo")
        run("demo", "--out", out)
        demo = run("demo", "--out", out, "--overwrite")
    return [
        Row("linkrisk --help", helping, "s", goal="under 0.5 s"),
        Row("demo on 1,000 records, compiled", demo, "s", goal="under 10 s"),
    ]
