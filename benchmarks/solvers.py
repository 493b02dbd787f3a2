"""HiGHS and SCIP on the papers' MILP, with the papers' big-M and with tight ones, side by side with our learner.

    python -m benchmarks.solvers                                   the twelve instances named, 600 s each
    python -m benchmarks.solvers M4-33:weighted_mean --limit 60    one instance, a small limit
    python -m benchmarks.solvers --solvers highs --big-ms tight    some columns only

Files: the seven of abril2012-choquet.txt, 400 Census records, scale separate, ties unique. Seconds are those of the
solver alone. The best of the solvers and big-Ms counts, so that none gets longer than the best one before it took.
Census is looked for as in the tests (see CONTRIBUTING.md).
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.table import Row, show_and_save
from linkrisk.data import pair_files
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import METRIC_FLOOR, WeightedMeanFamily
from linkrisk.learning.compiling import compile_learning
from linkrisk.learning.learn import learn
from linkrisk.learning.papers import BigM, MilpResult, Solver, minimise_wrong_links
from linkrisk.protection import microaggregate

CENSUS = Path(os.environ.get("LINKRISK_CENSUS", Path(__file__).parents[2] / "shared" / "data" / "census.csv"))

FILES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "M4-33": ((2, 2), (3, 3)),
    "M4-28": ((2, 2), (2, 8)),
    "M4-82": ((2, 2), (8, 2)),
    "M5-38": ((3, 2), (3, 8)),
    "M6-385": ((2, 2, 2), (3, 8, 5)),
    "M6-853": ((2, 2, 2), (8, 5, 3)),
    "M7-999": ((3, 3, 1), (3, 3, 3)),
}
"""Sizes of the groups of attributes, and a k for each: abril2012-choquet.txt, section 4."""

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        WeightedMeanFamily(),
        WeightedMeanFamily(METRIC_FLOOR),
        OWAFamily(),
        ChoquetFamily(),
        ChoquetFamily(is_metric=True),
        BilinearFamily(Form.NONNEGATIVE),
        BilinearFamily(Form.FREE),
    )
}

INSTANCES = (
    "M4-33:weighted_mean",
    "M5-38:weighted_mean",
    "M4-33:owa",
    "M4-28:owa",
    "M6-853:owa",
    "M5-38:owa",
    "M4-33:choquet",
    "M4-28:choquet",
    "M5-38:choquet",
    "M4-33:choquet_metric",
    "M6-385:bilinear",
    "M4-82:bilinear_free",
)
"""The twelve instances compared: every attacker, easy and hard files."""

LIMIT = 600.0
"""Seconds a solver gets; a stop counts as that many."""

OURS = "linkrisk"
"""Our learner, in the table."""

Learned = tuple[float, float, str, float]
"""Links, bound, status, seconds."""

Learn = Callable[[Family, Comparison], Learned]
"""Our own learner, as it is plugged in."""


@dataclass(frozen=True)
class Line:
    """One line of the table; ``claimed`` is what a solver says its parameters link."""

    instance: str
    who: str
    links: float
    claimed: float
    bound: float
    status: str
    seconds: float

    def __str__(self) -> str:
        doubt = "" if self.claimed <= self.links else f" claimed {self.claimed:g}"
        return (
            f"{self.instance:<22} {self.who:<20} {self.links:>5g} links, at most {self.bound:>5g}  {self.status:<10} "
            f"{self.seconds:>8.2f} s{doubt}"
        )


def papers_comparison(name: str) -> Comparison:
    """Make one of the seven files: a sample of Census, microaggregated on raw values."""
    sizes, k = FILES[name]
    chosen = np.random.default_rng(0).choice(1080, 400, replace=False)
    original = pd.read_csv(CENSUS).iloc[chosen, : sum(sizes)].reset_index(drop=True)
    ends = list(itertools.accumulate(sizes))
    groups = [list(original.columns[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
    return make_comparison(pair_files(original, microaggregate(original, groups, k, raw=True, continuous=True).data))


def solver_line(instance: str, result: MilpResult) -> Line:
    """Return the line of a solver."""
    who = f"{result.solver}, {result.big_m}"
    return Line(instance, who, result.links, result.claimed, result.bound, result.status, result.seconds)


def run(
    instances: Iterable[str] = INSTANCES,
    limit: float = LIMIT,
    solvers: Sequence[Solver] = tuple(Solver),
    big_ms: Sequence[BigM] = tuple(BigM),
    learner: Learn | None = None,
) -> list[Line]:
    """Run the solvers, and our learner if it is given, on instances "file:attacker"; print each line as it comes."""
    lines: list[Line] = []
    for instance in instances:
        file, name = instance.split(":")
        family, comparison = FAMILIES[name], papers_comparison(file)
        if learner is not None:
            links, bound, status, seconds = learner(family, comparison)
            lines.append(Line(instance, OURS, links, links, bound, status, seconds))
            print(lines[-1], flush=True)
        best = limit
        for big_m, solver in itertools.product(sorted(big_ms, reverse=True), solvers):  # tight ones first
            result = minimise_wrong_links(family, comparison, solver=solver, big_m=big_m, time_limit=best)
            lines.append(solver_line(instance, result))
            best = min(best, counted_seconds(lines[-1], limit))
            print(lines[-1], flush=True)
    return lines


def counted_seconds(line: Line, limit: float) -> float:
    """Return what a line counts: the whole limit for a solver that was stopped or did not make the links it claims."""
    is_done = line.status == "optimal" and line.claimed <= line.links
    return line.seconds if is_done or line.who == OURS else max(limit, line.seconds)


def speedups(lines: Sequence[Line], limit: float = LIMIT) -> dict[str, float]:
    """Return for each instance how many times longer the best of the solvers took than our learner."""
    ours = {line.instance: line.seconds for line in lines if line.who == OURS}
    best: dict[str, float] = {}
    for line in lines:
        if line.who != OURS and line.instance in ours:
            seconds = counted_seconds(line, limit)
            best[line.instance] = min(seconds, best.get(line.instance, seconds))
    return {instance: seconds / ours[instance] for instance, seconds in best.items()}


def rows(lines: Sequence[Line], limit: float = LIMIT) -> list[Row]:
    """Return one row a line for the table of benchmarks; speedups and their geometric mean where we took part."""
    result = [
        Row(f"{line.instance}, {line.who}: {line.links:g} of {line.bound:g}, {line.status}", line.seconds, "s")
        for line in lines
    ]
    ratios = speedups(lines, limit)
    result += [Row(f"{instance}, best solver", ratio, "x", OURS, ratio) for instance, ratio in ratios.items()]
    if ratios:
        mean = float(np.exp(np.mean(np.log(list(ratios.values())))))
        result.append(Row("geometric mean, best solver", mean, "x", OURS, mean, "at least 100 x"))
    return result


def our_learner(family: Family, comparison: Comparison) -> tuple[float, float, str, float]:
    """Learn with linkrisk itself."""
    learned = learn(family, comparison, ties="unique")
    return learned.links, learned.bound, str(learned.status), learned.seconds


def machine() -> str:
    """Tell where the figures were measured."""
    return f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    """Run what was asked for, print it and save it under benchmarks/output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__.splitlines()[0])
    known = [f"{file}:{name}" for file in FILES for name in FAMILIES]
    parser.add_argument("instances", nargs="*", help="file:attacker, such as M4-33:choquet; twelve by default")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds a solver gets")
    parser.add_argument("--solvers", nargs="+", choices=list(Solver), default=list(Solver))
    parser.add_argument("--big-ms", nargs="+", choices=list(BigM), default=list(BigM))
    options = parser.parse_args()
    unknown = [name for name in options.instances if name not in known]
    if unknown:
        parser.error(f"unknown instance {unknown[0]!r}; files: {', '.join(FILES)}; attackers: {', '.join(FAMILIES)}")
    if not CENSUS.exists():
        parser.error("no census.csv: export CASCrefmicrodata of the R package sdcMicro, name it in LINKRISK_CENSUS")
    print(machine())
    chosen = options.instances or INSTANCES
    for name in {instance.split(":")[1] for instance in chosen}:
        compile_learning(FAMILIES[name])
    solvers, big_ms = [Solver(s) for s in options.solvers], [BigM(m) for m in options.big_ms]
    lines = run(chosen, options.limit, solvers, big_ms, our_learner)
    show_and_save(rows(lines, options.limit))


if __name__ == "__main__":
    main()
