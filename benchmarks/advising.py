"""Advice on a mixed file: how long `linkrisk compare` and `linkrisk tune` take on 5,000 records like Adult.

python -m benchmarks advising           four releases compared, a plan tuned, one method tuned; some minutes
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.starting import run
from benchmarks.table import Row
from linkrisk.datasets import adult_like

N_RECORDS, SEED = 5_000, 1
TARGET = "0.05"
NUMBERS = "age,fnlwgt,education-num,capital-gain,capital-loss,hours-per-week"
CATEGORIES = "workclass,education,marital-status,occupation,relationship,race,sex,native-country,income"
PLANS = {
    "noise-10": f"{NUMBERS}: noise 10; {CATEGORIES}: pram 0.9",
    "swap-20": f"{NUMBERS}: rank_swap 20; {CATEGORIES}: pram 0.7",
    "mdav-10": f"{NUMBERS}: mdav k=10; {CATEGORIES}: pram 0.5",
    "noise-60": f"{NUMBERS}: noise 60; {CATEGORIES}: pram 0.4",
}
"""From weak to strong."""

KINDS = ("--numeric", "education-num")
OPEN_PLAN = f"{NUMBERS}: noise; {CATEGORIES}: pram"
TUNED = {"a plan of noise and pram": ("--plan", OPEN_PLAN), "mdav": ("--method", "mdav")}


def advising_rows() -> list[Row]:
    """Time compare and tune with what they do by default, in processes of their own, once they are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        original, *releases = write_files(Path(folder))
        run("compare", original, *releases, "--time-limit", "0.1")  # compiles
        seconds = run("compare", original, *releases)
        rows = [Row(f"compare of {len(releases)} releases, {N_RECORDS:,} records", seconds, "s", goal="under 40 s")]
        for name, how in TUNED.items():
            told = Path(folder) / "tuning.json"
            fixed = (*KINDS, "--target-rate", TARGET, "--secret-seed", "1", "--overwrite", "--json", str(told))
            seconds = run("tune", original, *how, *fixed)
            n_trials = len(json.loads(told.read_text(encoding="utf-8"))["trials"])
            rows.append(Row(f"tune of {name}, {n_trials} trials", seconds, "s", goal="under 90 s"))
    return rows


def write_files(folder: Path) -> list[str]:
    """Write the original and the releases as the command line makes them; return their paths, the original first."""
    original = folder / "adult.csv"
    adult_like(N_RECORDS, SEED).to_csv(original, index=False)
    paths = [original, *(folder / f"{name}.csv" for name in PLANS)]
    for path, plan in zip(paths[1:], PLANS.values(), strict=True):
        run("protect", str(original), *KINDS, "--plan", plan, "--secret-seed", "1", "--out", str(path))
    return [str(path) for path in paths]
