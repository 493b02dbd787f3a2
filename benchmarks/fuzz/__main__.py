"""Fuzz the learner: python -m benchmarks.fuzz --minutes 5 [--jobs 2] [--families owa,choquet] [--kinds whole,missing].

Exit code 1 if anything is wrong, crashed, unsettled or late. `--only SEED:NUMBER` runs one instance and tells all.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

from benchmarks.fuzz.check import TIME_LIMIT
from benchmarks.fuzz.draw import KINDS
from benchmarks.fuzz.instance import FAMILIES
from benchmarks.fuzz.report import Report
from benchmarks.fuzz.run import Plan, run_apart, run_here, run_number, shrunk


def main() -> int:
    """Run what was asked for, print the table and the failures, and return the exit code."""
    asked = _parser().parse_args()
    warnings.simplefilter("ignore")
    started = time.perf_counter()
    for name, known in ((asked.families, FAMILIES), (asked.kinds, KINDS)):
        if not set(name.split(",")) <= set(known):
            print(f"{name} is not among {', '.join(known)}", file=sys.stderr)
            return 2
    plan = Plan(
        seed=asked.seed,
        families=tuple(asked.families.split(",")),
        kinds=tuple(asked.kinds.split(",")),
        minutes=asked.minutes,
        n_instances=asked.instances,
        time_limit=asked.time_limit,
    )
    if asked.only:
        return _run_one(plan, asked.only, asked.shrink)
    report = run_here(plan) if asked.jobs == 1 else run_apart(plan, asked.jobs)
    _show_failures(report, plan, asked.shrink)
    print(report.text(time.perf_counter() - started))
    return int(report.has_failed)


def _run_one(plan: Plan, only: str, n_shrunk: int) -> int:
    seed, number = map(int, only.split(":"))
    one = Plan(seed=seed, time_limit=plan.time_limit)
    report = Report()
    report.failures += run_number(one, number, report)
    _show_failures(report, one, n_shrunk)
    print(report.text(0.0))
    return int(report.has_failed)


def _show_failures(report: Report, plan: Plan, n_shrunk: int) -> None:
    """Print all failures; of each way to fail in a family, the first is made small."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for failure in sorted(report.failures, key=lambda failure: failure.number):
        key = (failure.instance.family, failure.outcome.signature)
        if key not in seen and len(seen) < n_shrunk:
            seen.add(key)
            shrunk(failure, plan.shrinking, plan.time_limit)
        print(failure.text(), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long instances are drawn")
    parser.add_argument("--instances", type=int, help="how many are drawn, instead of minutes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--families", default=",".join(FAMILIES), help="names, separated by commas")
    parser.add_argument("--kinds", default=",".join(KINDS), help="names, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="processes; with 2 or more, one that hangs is ended")
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT, help="seconds for learning one instance")
    parser.add_argument("--shrink", type=int, default=20, help="how many ways to fail are made small")
    parser.add_argument("--only", help="SEED:NUMBER, one instance")
    return parser


if __name__ == "__main__":
    sys.exit(main())
