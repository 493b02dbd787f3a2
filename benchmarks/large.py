"""A large mixed file assessed from the command line, and the demo: seconds by step.

``python -m benchmarks large`` protects a file like Adult (32,561 records of 15 attributes) by a plan of several methods
and assesses it, once with nothing published and once with the record of what was done. Each run is a process of its
own. A step has seconds of the clock, and of the processor: of all cores, and of the main thread, on which other cores
wait. On a machine that is busy with other work, what two free cores would take is about the main thread's seconds and
half of the others'.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import linkrisk
from benchmarks.table import Row

PLAN = (
    "age,education-num,hours-per-week: rank_swap 5; fnlwgt: noise 20; capital-gain,capital-loss: mdav k=5; "
    "workclass,education,marital-status,occupation,relationship,race,sex,native-country: pram 0.8; income: leave"
)
GOAL, DEMO_GOAL = "under 20 s", "under 4 s"

STEPS = {
    "reading": ("data.read.open_file", "data.pair.pair_files"),
    "scales": ("differences.comparison.make_comparison",),
    "compiling looked after": ("attack.reporter.warm_up",),
    "nearest records": ("linkage.search.nearest",),
    "one to one": ("linkage.one_to_one.link_one_to_one",),
    "recognising the method": ("informed.recognise.recognition.recognised",),
    "informed, terms": ("informed.model.make_terms",),
    "informed, candidates": ("informed.candidates.score_pairs",),
    "informed, belief": ("linkage.matching.posterior.posterior",),
    "informed, bayes": ("linkage.matching.bayes.bayes_links",),
    "informed, assignment": ("linkage.matching.assignment.assign_pairs",),
    "attributes one by one": ("assessment.attributes.attribute_risks",),
    "faults": ("assessment.faults.find_faults",),
    "disclosure": (
        "assessment.interval_disclosure.interval_disclosure",
        "assessment.anonymity.anonymity",
        "assessment.diversity.diversity",
    ),
}
"""Functions that are a step; those of one to one are steps inside it, and so are nearest records of attributes."""

Clock = tuple[float, float, float]
"""Seconds of the clock, of all cores, and of the main thread."""


def large_rows() -> list[Row]:
    """Assess the large file twice, and run the demo, each once before so that all is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        original, protected, record = (
            str(Path(folder) / name) for name in ("people.csv", "release.csv", "record.json")
        )
        linkrisk.datasets.adult_like().to_csv(original, index=False)
        _run("protect", original, "--plan", PLAN, "--out", protected, "--record", record, "--secret-seed", "1")
        demo = ("demo", "--out", str(Path(folder) / "demo"), "--overwrite")
        runs = {
            "large file, nothing published": (("assess", original, protected), GOAL),
            "large file, record published": (("assess", original, protected, "--published", record), GOAL),
            "demo": (demo, DEMO_GOAL),
        }
        rows = []
        for name, (arguments, goal) in runs.items():
            _run(*arguments)
            rows += _rows(name, _run(*arguments), goal)
    return rows


def _rows(name: str, clocks: dict[str, Clock], goal: str) -> list[Row]:
    """Return the time of a run, and that of its steps that take any."""
    whole = clocks.pop("whole")
    rows = [Row(f"{name}: {_told(whole)}", whole[0], "s", goal=goal)]
    rows += [
        Row(f"  {step}: {_told(clock)}", clock[0], "s", "all", clock[0] / whole[0])
        for step, clock in clocks.items()
        if clock[1] >= 0.005
    ]
    return rows


def _told(clock: Clock) -> str:
    _, processor, main = clock
    return f"{processor:.2f} processor, {main:.2f} main thread, two free cores {main + (processor - main) / 2:.2f}"


def _run(*arguments: str) -> dict[str, Clock]:
    """Run a command in a process of its own and return the time of its steps."""
    with tempfile.NamedTemporaryFile(suffix=".json") as found:
        command = [sys.executable, "-m", "benchmarks.large", found.name, *arguments]
        subprocess.run(command, check=True, capture_output=True, env=dict(os.environ))  # noqa: S603  (our own module)
        return {step: (*clock,) for step, clock in json.loads(Path(found.name).read_text(encoding="utf-8")).items()}


def _now() -> Clock:
    return time.perf_counter(), time.process_time(), time.thread_time()


def _timed(function: Callable[..., Any], clocks: dict[str, list[float]], step: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def timed(*arguments: Any, **options: Any) -> Any:
        before = _now()
        try:
            return function(*arguments, **options)
        finally:
            for place, (start, end) in enumerate(zip(before, _now(), strict=True)):
                clocks[step][place] += end - start

    return timed


def _watch(clocks: dict[str, list[float]]) -> None:
    """Put a watch on each step, wherever its function was imported."""
    for step, names in STEPS.items():
        clocks[step] = [0.0, 0.0, 0.0]
        for name in names:
            module, _, function_name = f"linkrisk.{name}".rpartition(".")
            function = getattr(importlib.import_module(module), function_name)
            timed = _timed(function, clocks, step)
            for other in [module for name, module in sys.modules.items() if name.startswith("linkrisk")]:
                for held in [held for held, value in vars(other).items() if value is function]:
                    setattr(other, held, timed)


def main(path: str, *arguments: str) -> None:
    """Run a command of linkrisk and write the time of its steps."""
    before = _now()
    clocks: dict[str, list[float]] = {}
    importlib.import_module("linkrisk.cli.assess")
    importlib.import_module("linkrisk.assessment.assess")
    _watch(clocks)
    clocks["imports"] = [end - start for start, end in zip(before, _now(), strict=True)]
    sys.argv = ["linkrisk", *arguments]
    try:
        importlib.import_module("linkrisk.cli.main").main()
    finally:
        clocks["whole"] = [end - start for start, end in zip(before, _now(), strict=True)]
        Path(path).write_text(json.dumps(clocks), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
