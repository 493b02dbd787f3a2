"""Compiling kernels before they are used: ``python -m linkrisk.attack.compiling [task ...]``.

Without a task: all that a first assessment needs and that is missing. ``everything``: all tasks. ``ship``: all tasks,
for many processors, into the package, for a wheel to bring along. What no task needs (large files, rare methods) is
compiled when it is first called.

`make install` calls it, and `linkrisk.attack.reporter.warm_up` where that was not done. Each task does with a toy file
what a command would do, which compiles the kernels on the way.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from linkrisk.attack.attack import make_attack, make_informed_attack
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import COMPILING
from linkrisk.attackers.informed import Informed
from linkrisk.attackers.kernel import Kernel
from linkrisk.attackers.mean import Mean
from linkrisk.attackers.probabilistic import Probabilistic
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.differences.comparison import make_comparison
from linkrisk.distances.bilinear import BilinearFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily, mean_distance
from linkrisk.engine.ahead import done, missing, run_ahead
from linkrisk.engine.machine_code import LEVEL, SHIPPED, shipped_target
from linkrisk.informed.description import Description, Treatment
from linkrisk.learning.compiling import COMPILING_SECONDS, compile_boxes, compile_cover
from linkrisk.linkage.one_to_one import link_one_to_one
from linkrisk.linkage.warm_up import compile_auctions, compile_kernels, compile_sieve

TOY = 24
"""Records of the toy file."""

PLAN = AttackPlan(one_to_one=True, threads=1)


@cache
def _toy() -> FilePair:
    random = np.random.default_rng(0)
    values = random.normal(size=(TOY, 2))
    return pair_files(values, values + random.normal(size=values.shape))


def compile_linking() -> None:
    """Link the toy file by both ways of searching, and one to one, with all pairs and with lists of the nearest."""
    compile_kernels()
    comparison = make_comparison(_toy())
    for attacker in (Mean(), Kernel()):
        make_attack(attacker, comparison, PLAN)
    link_one_to_one(mean_distance(comparison), max_listed=0, threads=1)
    compile_auctions()


def compile_informed() -> None:
    """Attack the toy file as one who knows that noise was added."""
    names = tuple(pair.name for pair in _toy().attributes)
    description = Description((Treatment("noise", names, {"p": dict.fromkeys(names, 100.0)}),))
    make_informed_attack(Informed(description), _toy(), PLAN)


def compile_agreement() -> None:
    """Attack the toy file by levels of agreement."""
    make_attack(Probabilistic(), make_comparison(_toy()), PLAN)


def compile_protection() -> None:
    """Protect a toy file by the methods that need kernels."""
    from linkrisk.protection.protect import protect  # noqa: PLC0415  (not where attacks are compiled)

    values = np.random.default_rng(0).normal(size=(TOY, 2))
    protect(values, "mdav", k=3)
    for variant in ("permutation", "pairs"):
        protect(values, "rank_swap", p=20, variant=variant, secret_seed=0)


def compile_tables() -> None:
    """Judge the matches of two toy samples, by dynamic programming and by a chain."""
    from linkrisk.tables import categorical_population, draw_sample, make_evidence, publish_table  # noqa: PLC0415
    from linkrisk.tables.match import match  # noqa: PLC0415
    from linkrisk.tables.posterior.exact import exact_posteriors  # noqa: PLC0415
    from linkrisk.tables.unique_matches import unique_matches  # noqa: PLC0415

    people = categorical_population(40, {"a": 2, "b": 6, "c": 4, "d": 2})
    samples = [draw_sample(people, 12, list(names), seed=seed) for seed, names in enumerate(("abc", "bcd"))]
    tables = [publish_table(people, list(names), "exact") for names in ("ab", "bc")]
    match(samples, tables, population=len(people), posterior="exact")
    evidence = make_evidence(samples, tables, population=len(people))
    exact_posteriors(evidence, unique_matches(evidence).cells[:1], method="chain", time_limit=COMPILING_SECONDS)


FIRST_TASKS: Mapping[str, Callable[[], None]] = {
    "boxes": lambda: compile_boxes(WeightedMeanFamily()),
    "linking": compile_linking,
    "cover": lambda: compile_cover(WeightedMeanFamily()),
    "informed": compile_informed,
    "categories": compile_sieve,
}
"""What assessments need, which can be compiled side by side, the longest first."""

TASKS: Mapping[str, Callable[[], None]] = {
    **FIRST_TASKS,
    "forms": lambda: compile_cover(BilinearFamily()),
    "agreement": compile_agreement,
    "tables": compile_tables,
    "protection": compile_protection,
}
"""All tasks."""


def main(words: Sequence[str]) -> None:
    """Do some tasks and remember that they are done; see the top of this module."""
    if list(words) == ["ship"]:
        _ship()
        return
    wanted = list(TASKS) if list(words) == ["everything"] else list(words) or list(FIRST_TASKS)
    if wanted != list(words):
        run_ahead(COMPILING, wanted, print)
        wanted = missing(wanted)
    for task in wanted:
        TASKS[task]()
        done(task)


def _ship() -> None:
    """Compile everything for `LEVEL` into the package; nothing where this processor is not of that level."""
    shutil.rmtree(SHIPPED, ignore_errors=True)
    if shipped_target() is None:
        print(f"no machine code is shipped: it is made on processors of {LEVEL}")  # noqa: T201  (a chore of the maker)
        return
    target = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(SHIPPED)}
    command = [sys.executable, "-P", "-W", "ignore", "-m", COMPILING, "everything"]
    subprocess.run(command, check=True, env={**os.environ, **target})  # noqa: S603  (ourselves)


if __name__ == "__main__":
    main(sys.argv[1:])
