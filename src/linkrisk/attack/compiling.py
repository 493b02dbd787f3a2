"""Compiling what attacks need: ``python -m linkrisk.attack.compiling [task ...]``, by default all that is missing.

`make install` calls it, and `linkrisk.attack.reporter.warm_up` where that was not done. Each task attacks a toy file as
an assessment would, which compiles all kernels on the way.
"""

from __future__ import annotations

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
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.differences.comparison import make_comparison
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.engine.ahead import done, missing, run_ahead
from linkrisk.informed.description import Description, Treatment
from linkrisk.learning.compiling import compile_boxes, compile_cover
from linkrisk.linkage.warm_up import compile_kernels, compile_sieve

TOY = 24
"""Records of the toy file."""

PLAN = AttackPlan(one_to_one=True, threads=1)


@cache
def _toy() -> FilePair:
    random = np.random.default_rng(0)
    values = random.normal(size=(TOY, 2))
    return pair_files(values, values + random.normal(size=values.shape))


def compile_linking() -> None:
    """Link the toy file by both ways of searching, and one to one."""
    compile_kernels()
    for attacker in (Mean(), Kernel()):
        make_attack(attacker, make_comparison(_toy()), PLAN)


def compile_informed() -> None:
    """Attack the toy file as one who knows that noise was added."""
    names = tuple(pair.name for pair in _toy().attributes)
    description = Description((Treatment("noise", names, {"p": dict.fromkeys(names, 100.0)}),))
    make_informed_attack(Informed(description), _toy(), PLAN)


TASKS: Mapping[str, Callable[[], None]] = {
    "boxes": lambda: compile_boxes(WeightedMeanFamily()),
    "linking": compile_linking,
    "cover": lambda: compile_cover(WeightedMeanFamily()),
    "informed": compile_informed,
    "categories": compile_sieve,
}
"""What can be compiled side by side, the longest first."""


def main(tasks: Sequence[str]) -> None:
    """Do some tasks and remember that they are done; without any, all that are missing, on all cores."""
    if not tasks:
        run_ahead(COMPILING, list(TASKS), print)
    for task in tasks or missing(list(TASKS)):
        TASKS[task]()
        done(task)


if __name__ == "__main__":
    main(sys.argv[1:])
