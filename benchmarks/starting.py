"""How long a user waits for the command line: the first run, which compiles, and those after it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import linkrisk
from benchmarks.table import Row
from linkrisk.datasets import census_like

COMMAND = (sys.executable, "-c", "from linkrisk.cli.main import start; start()")
LEARNED = "weighted_mean,owa,choquet,bilinear_psd"
N_RECORDS, N_ATTRIBUTES = 400, 7

PROFILE = """
import json, sys, time
from numba.core import event
found, begun = [], []
class Listener(event.Listener):
    def on_start(self, told):
        begun.append(time.process_time())
    def on_end(self, told):
        seconds = time.process_time() - begun.pop()
        if not begun:
            found.append((seconds, told.data["dispatcher"].py_func.__name__))
event.register("numba:compile", Listener())
from linkrisk.attack import compiling
for task in compiling.TASKS.values():
    task()
print(json.dumps(sorted(found, reverse=True)))
"""


def run(*arguments: str, cache: str | None = None) -> float:
    """Seconds a command takes; with ``cache``, machine code is looked for in that folder only."""
    environment = os.environ if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    start = time.perf_counter()
    subprocess.run([*COMMAND, *arguments], check=True, capture_output=True, env=environment)  # noqa: S603  (our own command)
    return time.perf_counter() - start


def start_rows() -> list[Row]:
    """Time commands, each after a run that warms the caches: the help, 400 records with two learners, and the demo."""
    run("--help")
    helping = min(run("--help") for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "demo")
        learning = ["assess", *_files(Path(folder), "mdav", 5), "--attackers", "weighted_mean,owa"]
        run(*learning)
        run("demo", "--out", out)
        second, demo = run(*learning), run("demo", "--out", out, "--overwrite")
    return [
        Row("linkrisk --help", helping, "s", goal="under 0.5 s"),
        Row("second assess, 400 microaggregated records, weighted_mean and owa", second, "s", goal="under 1.5 s"),
        Row("demo on 1,000 records, compiled", demo, "s", goal="under 4 s"),
    ]


def cold_rows() -> list[Row]:
    """Time first runs, with nothing compiled, and second ones; then list the kernels that take longest to compile."""
    with tempfile.TemporaryDirectory() as folder:
        files = _files(Path(folder), "noise", N_ATTRIBUTES)
        rows = []
        for name, goal, more in (("default attackers", "15 s", ()), (LEARNED, "45 s", ("--attackers", LEARNED))):
            cache = str(Path(folder) / name)
            for turn in ("first", "second"):
                seconds = run("assess", *files, "--time-limit", "1", *more, cache=cache)
                rows.append(Row(f"{turn} assess, {name}", seconds, "s", goal=goal if turn == "first" else ""))
    return [*rows, *_profile_rows()]


def _files(folder: Path, method: str, n_attributes: int) -> tuple[str, str]:
    """Write a small file and its protected version: with noise, or microaggregated in two groups as M5-38."""
    people = census_like(N_RECORDS, 1).iloc[:, :n_attributes]
    names = list(people.columns)
    options = {"p": 30, "secret_seed": 1} if method == "noise" else {"groups": [names[:3], names[3:]], "k": [3, 8]}
    protected = linkrisk.protect(people, method, **options).data
    paths = folder / "original.csv", folder / "protected.csv"
    for path, data in zip(paths, (people, protected), strict=True):
        data.to_csv(path, index=False)
    return str(paths[0]), str(paths[1])


def _profile_rows(most: int = 12) -> list[Row]:
    """Return the kernels, with all that is compiled into them, by the processor time that compiling them takes."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-W", "ignore", "-c", PROFILE]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603  (ours)
    found = json.loads(done.stdout)
    total = sum(seconds for seconds, _ in found)
    rows = [Row(f"compiling {name}", seconds, "s", "all", seconds / total) for seconds, name in found[:most]]
    return [Row(f"compiling all {len(found)} kernels, processor time", total, "s"), *rows]
