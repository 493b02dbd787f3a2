"""Studies: how long they take on both engines, how soon a finished one is resumed, and what survives being killed.

python -m benchmarks studies       engines side by side (needs Census), and a finished study of 10^5 cells
python -m benchmarks study-kills   100 studies, each killed at random moments until it is done, against one left alone
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.table import Row
from linkrisk.errors import InputError
from linkrisk.study import make_specification, run, show
from linkrisk.study.papers import specification
from linkrisk.study.specification.cells import cells
from linkrisk.study.specification.specification import Specification
from linkrisk.study.store.store import Store

N_STUDIES = 100
"""Studies that are killed until they are done."""

MOMENTS = (0.3, 3.0)
"""Seconds after which a run is killed: before it has begun, or when it is nearly done."""

LONG_REPEATS = 30
"""Repeats of the study in which starting a cluster matters little; the paper has 10."""

TURNS = ("local", "dask", "dask", "local")
"""The order in which engines do the same study, so that a machine that slows down slows both alike."""

TABLES = ("RankSwap", "Mic2", "Noise")
"""The protections of abril2012-weights.txt, Tables 2 to 4."""

PARTS = ("data", "protection")
"""The tables of a specification."""

SMALL: dict[str, Any] = {
    "name": "small",
    "seed": 7,
    "repeats": 2,
    "attackers": ["mean", "weighted_mean"],
    "data": [
        {
            "name": "people",
            "generated": "census_like",
            "records": 60,
            "sample": 25,
            "columns": ["AGI", "FEDTAX", "PTOTVAL"],
        }
    ],
    "protection": [
        {"name": "noise", "method": "noise", "grid": {"p": [5, 60]}},
        {"name": "clusters", "method": "mdav", "grid": {"k": [3, 6]}},
    ],
}
"""16 cells that take a moment each."""

LONG: dict[str, Any] = {
    "name": "many",
    "seed": 1,
    "repeats": 1000,
    "attackers": ["mean", "weighted_mean", "owa", "kernel", "choquet"],
    "ties": ["unique", "expected"],
    "data": [{"name": "people", "generated": "census_like", "records": 40, "columns": ["AGI", "FEDTAX"]}],
    "protection": [{"name": "noise", "method": "noise", "grid": {"p": list(range(1, 11))}}],
}
"""10^5 cells."""


def study_rows() -> list[Row]:
    """Time the same study on both engines, and one that is finished."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_engine_rows(Path(folder)), *_resume_rows(Path(folder))]


def _engine_rows(folder: Path) -> list[Row]:
    """Learn the 330 weightings of Tables 2 to 4, and some times as many, on both engines, with the same results."""
    rows = []
    for name, study in (("10 repeats", _tables_2_to_4()), (f"{LONG_REPEATS} repeats", _longer(_tables_2_to_4()))):
        seconds = dict.fromkeys(TURNS, 0.0)
        found: list[Any] = []
        for turn, engine in enumerate(TURNS):
            store = folder / f"{engine}-{name}-{turn}.study"
            start = time.perf_counter()
            run(study, store=store, engine=engine)
            seconds[engine] += (time.perf_counter() - start) / TURNS.count(engine)
            found.append(_rows_of(store))
        if any(each != found[0] for each in found):
            raise RuntimeError("the engines do not agree")
        n = sum(row[5] == "weighted_mean" for row in found[0])
        what = f"abril2012-weights.txt, Tables 2 to 4, {name}, {n:,} problems, in turns"
        ratio = seconds["dask"] / seconds["local"]
        rows += [
            Row(f"{what}, local", seconds["local"], "s", goal="330 in 15 min"),
            Row(f"{what}, dask", seconds["dask"], "s", "local", ratio, goal="within 1.1 x"),
        ]
    return rows


def _tables_2_to_4() -> Specification:
    whole = specification("weights", Path(os.environ["LINKRISK_CENSUS"]))
    kept = tuple(each for each in whole.protections if each.name in TABLES)
    return Specification(whole.name, whole.seed, whole.data, kept)


def _longer(study: Specification) -> Specification:
    """Return a study with more repeats, so that starting a cluster does not matter."""
    longer = (replace(each, measuring=replace(each.measuring, repeats=LONG_REPEATS)) for each in study.protections)
    return replace(study, protections=tuple(longer))


def _resume_rows(folder: Path) -> list[Row]:
    """Fill a store with 10^5 cells, and run the study again as a user does."""
    store, path = folder / "many.study", folder / "many.toml"
    with Store.create(store) as opened:
        opened.note({"name": str(LONG["name"])})
        opened.settle_seed(int(LONG["seed"]))
        rows = [_row(cell) for cell in cells(make_specification(LONG))]
        opened._connection.execute("BEGIN")  # noqa: SLF001  (a transaction for each would take minutes)
        opened._connection.executemany(f"INSERT INTO cell VALUES ({', '.join('?' * 14)})", rows)  # noqa: S608, SLF001
        opened._connection.execute("COMMIT")  # noqa: SLF001
    path.write_text(_toml(LONG), encoding="utf-8")
    command = [sys.executable, "-m", "linkrisk", "study", "run", str(path), "--store", str(store)]
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own command)
        seconds.append(time.perf_counter() - start)
    return [Row(f"resume a finished study of {len(rows):,} cells, the command", min(seconds), "s", goal="under 1 s")]


def _row(cell: Any) -> tuple[Any, ...]:
    v = cell.variant
    known = (cell.key, cell.data, cell.protection, json.dumps(cell.parameters), v.measure, v.attacker, v.scale, v.ties)
    return (*known, cell.repeat, None, '{"rate": 0.5, "people": 40}', "{}", 0.01, "")


def _toml(contents: dict[str, Any]) -> str:
    """Write a specification as TOML."""
    plain = {name: value for name, value in contents.items() if name not in PARTS}
    own = [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
    for part in PARTS:
        for table in contents[part]:
            own += [f"[[{part}]]", *(f"{name} = {_value(value)}" for name, value in table.items())]
    return "\n".join([*own, ""])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {json.dumps(each)}" for name, each in value.items()) + " }"
    return json.dumps(value)


def kill_rows() -> list[Row]:
    """Kill studies at random moments until each is done; tell how many differ from one that was left alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(SMALL, store=folder / "alone.study", workers=1)
        alone = _rows_of(folder / "alone.study")
        (folder / "small.toml").write_text(_toml(SMALL), encoding="utf-8")
        with ThreadPoolExecutor(2) as pool:
            n_kills = sum(pool.map(lambda number: _kill(folder, number), range(N_STUDIES)))
        n_different = sum(_rows_of(folder / f"{number}.study") != alone for number in range(N_STUDIES))
        n_other, n_dead = _cluster_loses_a_worker(folder, alone)
    return [
        Row(f"a Dask cluster of 2 workers, {n_dead} of them killed: rows that differ", n_other, "", goal="0"),
        Row(f"{N_STUDIES} studies of {len(alone)} cells, kills by SIGKILL", n_kills, ""),
        Row("studies whose rows are not those of the one left alone", n_different, "", goal="0"),
    ]


def _kill(folder: Path, number: int) -> int:
    """Kill a study at random moments until it is done; return how often."""
    moments = random.Random(number)  # noqa: S311  (no secret)
    n_kills = 0
    while not _runs_to_its_end(folder / "small.toml", folder / f"{number}.study", moments.uniform(*MOMENTS)):
        n_kills += 1
    return n_kills


def _cluster_loses_a_worker(folder: Path, alone: list[tuple[Any, ...]]) -> tuple[int, int]:
    """Run the study on a cluster, and kill a worker once a cell is over; return how many rows differ, and of deaths."""
    store = folder / "cluster.study"
    command = [sys.executable, "-m", "linkrisk", "study", "run", str(folder / "small.toml"), "--store", str(store)]
    process = subprocess.Popen(  # noqa: S603  (our own command)
        [*command, "--engine", "dask", "--workers", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None and _n_finished(store) == 0:
        time.sleep(0.01)
    workers = [number for number in _descendants(process.pid) if b"spawn_main" in _command_line(number)][:1]
    for number in workers:
        os.kill(number, signal.SIGKILL)
    process.wait()
    rows = _rows_of(store)
    return sum(a != b for a, b in zip(rows, alone, strict=True)), len(workers)


def _descendants(number: int) -> list[int]:
    """Return the processes that a process has started, on Linux."""
    told = Path(f"/proc/{number}/task").glob("*/children")
    own = [int(child) for path in told for child in path.read_text(encoding="ascii").split()]
    return [each for child in own for each in (child, *_descendants(child))]


def _command_line(number: int) -> bytes:
    return Path(f"/proc/{number}/cmdline").read_bytes()


def _n_finished(store: Path) -> int:
    """Return how many cells are over; a store that is not there has none."""
    try:
        with Store.open(store) as opened:
            return opened.n_finished()
    except (InputError, OSError):
        return 0


def _runs_to_its_end(path: Path, store: Path, seconds: float) -> bool:
    """Run a study, and kill it after some time; say whether it was done before."""
    command = [sys.executable, "-m", "linkrisk", "study", "run", str(path), "--store", str(store), "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  (our own)
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return False


def _rows_of(store: Path) -> list[tuple[Any, ...]]:
    """Return the rows of a store without times."""
    return [
        (
            row.key,
            row.data,
            row.protection,
            row.parameters,
            row.measure,
            row.attacker,
            row.scale,
            row.ties,
            row.repeat,
            row.problem,
            {name: value for name, value in row.figures.items() if name != "learning_seconds"},
            row.details,
        )
        for row in show(store).rows
    ]
