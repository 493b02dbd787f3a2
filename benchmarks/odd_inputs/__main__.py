"""Run the odd inputs: ``python -m benchmarks.odd_inputs [--only TEXT] [--every N]``; exit code 1 where one has a fault.

All cases run one after the other in a second process, which is begun anew after a case that it does not survive.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.odd_inputs.cases import Case, all_cases
from benchmarks.odd_inputs.judge import FAULTS, faults_of
from benchmarks.odd_inputs.run import SECONDS, run_case

PATIENCE = 3.0 * SECONDS
"""Seconds without a word after which the second process is ended."""

COMPILING = 900.0
"""Seconds that it may take to compile all kernels, once on a machine."""

WARM_UP = Case("compile", ("assess", "original.csv", "protected.csv", "--attackers", "mean,informed,weighted_mean"))


def chosen(only: str, every: int) -> list[Case]:
    """Return the cases whose names hold a text, of these one of so many."""
    return [case for case in all_cases() if only in case.name][::every]


def work(cases: Sequence[Case]) -> None:
    """Run cases, and print what is wrong with each as a line of JSON; first of all one that compiles the kernels."""
    run_case(WARM_UP, COMPILING)
    print("ready", flush=True)
    for case in cases:
        print(json.dumps(list(faults_of(case, run_case(case)))), flush=True)


def judged(cases: Sequence[Case], only: str, every: int) -> Iterator[tuple[Case, list[list[str]]]]:
    """Yield every case with its faults."""
    place = 0
    while place < len(cases):
        command = [sys.executable, "-m", "benchmarks.odd_inputs", "--only", only, "--every", str(every)]
        with subprocess.Popen([*command, "--from", str(place)], stdout=subprocess.PIPE) as process:  # noqa: S603  (this module)
            lines = _lines(process)
            next(lines, None)  # it is ready
            for line in lines:
                yield cases[place], json.loads(line)
                place += 1
            if place < len(cases):
                yield cases[place], [["hang", "the process did not survive the case"]]
                place += 1


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    """Yield lines until the process ends, or says nothing for too long."""
    assert process.stdout is not None  # noqa: S101  (it was asked for)
    patience = COMPILING
    waiting = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(patience):
            found = os.read(process.stdout.fileno(), 1 << 16)  # nothing is kept in a buffer that select does not see
            if not found:
                return
            *lines, waiting = (waiting + found).split(b"\n")
            for line in lines:
                yield line.decode()
                patience = PATIENCE
    process.kill()


def main() -> int:
    """Run the cases asked for and print totals."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odd_inputs")
    parser.add_argument("--only", default="", help="Cases whose names hold this text.")
    parser.add_argument("--every", type=int, default=1, help="One of so many cases.")
    parser.add_argument("--from", dest="first", type=int, default=None, help="Used by this script.")
    asked = parser.parse_args()
    cases = chosen(asked.only, asked.every)
    if asked.first is not None:
        work(cases[asked.first :])
        return 0
    counts: Counter[str] = Counter()
    start = time.perf_counter()
    for case, faults in judged(cases, asked.only, asked.every):
        for fault, shown in faults:
            counts[fault] += 1
            print(f"{fault}: {case.name}: {' '.join(case.arguments)!r}\n    {shown}", flush=True)
    totals = ", ".join(f"{fault} {counts[fault]}" for fault in FAULTS)
    print(f"{len(cases)} cases in {time.perf_counter() - start:.0f} s: {totals}")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
