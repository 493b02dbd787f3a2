"""Two checkouts in one sitting: what a user waits for, before and after, command by command in turns.

python -m benchmarks.sitting BEFORE AFTER [--limit 600] [--only NAME ...]

BEFORE and AFTER are folders with a checkout in which ``make install`` was run. The commands are those of the user, each
in a process of its own, with the virtual environment of the checkout; the files are made by the checkout this runs in.
A command that takes longer than the limit is ended, and its row says so. "First" rows find no machine code but what
came along with the installation; those that say "nothing compiled" not even that.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import linkrisk
from benchmarks import adult_matches, advising, large, starting
from benchmarks.table import Row, show_and_save

QUICK = ("--time-limit", "1")


@dataclass(frozen=True)
class Wait:
    """A command that a user waits for: how often it is timed (the least counts), and what compiled code it may find."""

    name: str
    arguments: Sequence[str]
    goal: str
    n_runs: int = 1
    compiled: bool = True
    settles: bool = True
    """Is the command run once before it is timed?"""


def main() -> None:
    """Time every command in both checkouts, in turns, and show the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sitting", description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for wait in _waits(Path(folder)):
            if not asked.only or any(word in wait.name for word in asked.only):
                rows += _rows(wait, asked.before, asked.after, asked.limit)
        show_and_save(rows)


def _waits(folder: Path) -> Iterator[Wait]:
    """Make the files of each command when its turn comes."""
    noise, clusters = folder / "noise", folder / "clusters"
    for place, method, n_attributes in ((noise, "noise", 7), (clusters, "mdav", 5)):
        place.mkdir()
        starting._files(place, method, n_attributes)  # noqa: SLF001  (the files of the other benchmark)
    small = (str(noise / "original.csv"), str(noise / "protected.csv"))
    learners = ("--attackers", starting.LEARNED)
    for name, goal, more in (("default attackers", "15 s", ()), ("four learners", "45 s", learners)):
        yield Wait(f"first assess, {name}", ("assess", *small, *QUICK, *more), goal, settles=False)
        yield Wait(
            f"first assess, {name}, nothing compiled",
            ("assess", *small, *QUICK, *more),
            goal,
            compiled=False,
            settles=False,
        )
    other = (str(clusters / "original.csv"), str(clusters / "protected.csv"))
    yield Wait(
        "second assess, 400 records, weighted_mean and owa",
        ("assess", *other, "--attackers", "weighted_mean,owa"),
        "1.5 s",
        3,
    )
    yield Wait("warm demo", ("demo", "--out", str(folder / "demo"), "--overwrite"), "4 s", 3)
    yield Wait("default assess, 32,561 x 15", ("assess", *_large(folder)), "20 s")
    yield Wait("match, two exact tables", ("match", *_samples(folder)), "10 s")
    original, *releases = advising.write_files(folder)
    yield Wait("compare, 4 x 5,000", ("compare", original, *releases), "40 s", settles=False)
    how = ("--plan", advising.OPEN_PLAN, *advising.KINDS, "--target-rate", advising.TARGET, "--secret-seed", "1")
    yield Wait("tune, 5,000", ("tune", original, *how, "--overwrite"), "90 s", settles=False)


def _large(folder: Path) -> tuple[str, str]:
    original, protected = str(folder / "people.csv"), str(folder / "release.csv")
    linkrisk.datasets.adult_like().to_csv(original, index=False)
    starting.run("protect", original, "--plan", large.PLAN, "--out", protected, "--secret-seed", "1")
    return original, protected


def _samples(folder: Path) -> tuple[str, ...]:
    """Write the two samples and tables of the first design; return how the command names them."""
    people = linkrisk.datasets.adult_like().fillna("none")
    people["age"] = pd.cut(people["age"], adult_matches.AGES).astype(str)
    first, second, designed = adult_matches.DESIGNS["two exact tables"]
    paths = []
    for seed, names in ((1, first), (2, second)):
        paths.append(folder / f"sample-{seed}.csv")
        linkrisk.tables.draw_sample(people, adult_matches.N_DRAWN, names, seed=seed).to_csv(paths[-1], index=False)
    for place, (names, how, base) in enumerate(designed):
        table = linkrisk.tables.publish_table(people, names, how, base=base, seed=5)
        paths.append(folder / f"table-{place}.csv")
        table.source.to_csv(paths[-1], index=False)
    tables = folder / "tables.toml"
    tables.write_text("".join(f'[[table]]\nfile = "{path.name}"\nmechanism = "exact"\n' for path in paths[2:]))
    return *(str(path) for path in paths[:2]), "--tables", str(tables), "--population", str(len(people))


def _rows(wait: Wait, before: Path, after: Path, limit: float) -> list[Row]:
    places = {"before": before, "after": after}
    if wait.settles:
        for place in places.values():
            _seconds(place, wait, limit)
    least = dict.fromkeys(places, float("inf"))
    for _ in range(wait.n_runs):
        for name, place in places.items():
            least[name] = min(least[name], _seconds(place, wait, limit))
    ended = {name: ", ended at its limit" if seconds > limit else "" for name, seconds in least.items()}
    return [
        Row(f"{wait.name}, {name}{ended[name]}", seconds, "s", "before", seconds / least["before"], goal=wait.goal)
        for name, seconds in least.items()
    ]


def _seconds(checkout: Path, wait: Wait, limit: float) -> float:
    """Run the command of a checkout; say whether it failed."""
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ) if wait.compiled else {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [str(checkout / ".venv" / "bin" / "linkrisk"), *wait.arguments]
        start = time.perf_counter()
        process = subprocess.Popen(  # noqa: S603  (our own command)
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, start_new_session=True
        )
        try:
            told = process.communicate(timeout=limit)[1]
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        else:
            if process.returncode not in (0, 1):
                raise RuntimeError(told.decode()[-500:])
        seconds = time.perf_counter() - start
    print(f"{wait.name}: {checkout.name} {seconds:.2f} s", flush=True)
    return seconds


if __name__ == "__main__":
    main()
