"""Learning from many people: links, proven and statistical bounds, seconds and memory, by how many people there are.

``python -m benchmarks many`` takes 10^4 and 10^5 people, ``million`` 10^6 (an hour and a half). Files are
`linkrisk.datasets.census_like`, 7 attributes, with noise of 10 % or microaggregated in groups of 2, 2 and 3 attributes
with k = 5. Each run is a process of its own, so that memory is that of one. Beside them what a user could do instead:
learn on 400 people drawn at random, exactly, and take their share for that of all.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

import linkrisk
from benchmarks.table import Row
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.learning.learn import learn
from linkrisk.learning.search import State

FAMILIES: dict[str, Family] = {"weighted_mean": WeightedMeanFamily(), "owa": OWAFamily()}

PROTECTIONS = ("noise", "mdav")

GAPS = (0.05, 0.02, 0.01)
"""Shares of the people between links and bound, the seconds to which are told."""

SUBSAMPLE = 400

GOALS = {10_000: "1 point, 60 s, 1 GB", 1_000_000: "5 points, 30 min, 4 GB"}

Case = tuple[int, str, str, float]
"""People, family, protection, seconds."""


def many_rows() -> list[Row]:
    """Learn from 10^4 people in a minute, and from 10^5 in three."""
    cases = [(n, seconds, name) for n, seconds in ((10_000, 60.0), (100_000, 180.0)) for name in FAMILIES]
    return [row for n, seconds, name in cases for how in PROTECTIONS for row in _rows((n, name, how, seconds))]


def million_rows() -> list[Row]:
    """Learn from 10^6 people in half an hour, by noise; and in five minutes, for what a sample says."""
    cases = [(seconds, name) for name in FAMILIES for seconds in (300.0, 1800.0)]
    return [row for seconds, name in cases for row in _rows((1_000_000, name, "noise", seconds))]


def _rows(case: Case) -> list[Row]:
    n, name, how, seconds = case
    command = [sys.executable, "-m", "benchmarks.many", *map(str, case)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603  (our own module)
    what = f"{n:,} people, {how}, {name}, {seconds:.0f} s"
    reached = ", ".join(f"{100 * float(gap):g} points after {told:.0f} s" for gap, told in found["reached"].items())
    likely = "none" if found["likely"] is None else f"{100 * found['likely']:.1f} %"
    return [
        Row(f"{what}: links", 100 * found["links"], "%"),
        Row(f"{what}: proven bound ({reached or 'no gap of 5 points'})", 100 * found["bound"], "%"),
        Row(f"{what}: gap, statistical bound {likely}", 100 * (found["bound"] - found["links"]), "points"),
        Row(f"{what}: seconds in all", found["seconds"], "s", goal=GOALS.get(n, "")),
        Row(f"{what}: memory", found["gigabytes"], "GB"),
        Row(f"{what}: share told by {SUBSAMPLE} people", 100 * found["subsample"], "%"),
    ]


def _comparison(n: int, how: str) -> Comparison:
    people = linkrisk.datasets.census_like(n, seed=1).iloc[:, :7]
    names = list(people.columns)
    groups = ";".join(f"{','.join(part)}:5" for part in (names[:2], names[2:4], names[4:]))
    options: dict[str, Any] = {"p": 10, "secret_seed": 1} if how == "noise" else {"groups": groups}
    return make_comparison(pair_files(people, linkrisk.protect(people, how, **options).data), "separate")


def _learn(n: int, name: str, how: str, seconds: float) -> dict[str, Any]:
    comparison, family = _comparison(n, how), FAMILIES[name]
    learn(family, _comparison(300, how), time_limit=1.0)  # compiles
    few = learn(family, _comparison(SUBSAMPLE, how), time_limit=20.0)
    reached: dict[str, float] = {}

    def watch(state: State) -> None:
        for gap in GAPS:
            if state.bound - state.best <= gap * n:
                reached.setdefault(str(gap), state.seconds)

    begun = time.perf_counter()
    found = learn(family, comparison, time_limit=seconds, watcher=watch)
    told = None if found.partition is None else found.partition.statistical
    return {
        "links": found.links / n,
        "bound": found.bound / n,
        "likely": None if told is None else told.bound / n,
        "reached": reached,
        "seconds": time.perf_counter() - begun,
        "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "subsample": few.links / SUBSAMPLE,
    }


if __name__ == "__main__":
    print(json.dumps(_learn(int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]))))
