"""Compiling all that learning needs, before its time is limited."""

from __future__ import annotations

from functools import cache

import numpy as np

from linkrisk.data.pair import pair_files
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.distances.family import Family
from linkrisk.learning.boxes.rows import rows_on_rays
from linkrisk.learning.boxes.search import search_boxes
from linkrisk.learning.large.search import search_large
from linkrisk.learning.learn import learn
from linkrisk.learning.lines.search import search_along_lines
from linkrisk.learning.lines.walk import Walk
from linkrisk.learning.problem.problem import make_problem
from linkrisk.learning.search import Clock
from linkrisk.linkage.ties import Ties

COMPILING_SECONDS = 600.0
"""Time for learning on a toy file, compilation included: it takes a moment once everything is compiled."""


def compile_learning(family: Family) -> None:
    """Learn a family on a toy file, which compiles or loads all kernels of learning, also those no toy needs.

    Weaker families that it starts from are compiled, too.
    """
    for weaker, _ in family.weaker():
        compile_learning(weaker)
    compile_cover(family)
    if family.is_boxed:
        compile_boxes(family)


def compile_cover(family: Family) -> None:
    """Learn a toy file, whose records are few, so that covers are searched; and walk along lines."""
    learned = learn(family, _toy(), time_limit=COMPILING_SECONDS)
    walk = Walk(learned.problem, learned.feasibility, np.random.default_rng(0))
    walk.follow(walk.count(learned.problem.parameters.interior))


def compile_boxes(family: Family) -> None:
    """Search boxes of a toy problem, and a partition of it."""
    search_large(family, _toy(), Ties.EXPECTED, None, tolerance=family.tolerance, clock=Clock(COMPILING_SECONDS))
    rows, errors = rows_on_rays(make_problem(family, _toy()))
    point = search_along_lines(rows)
    search_boxes(
        rows,
        incumbent_theta=point.theta,
        incumbent_links=point.links,
        clock=Clock(COMPILING_SECONDS),
        errors=errors,
        is_recording=True,
    )


@cache
def _toy() -> Comparison:
    random = np.random.default_rng(0)
    values = random.normal(size=(12, 2))
    return make_comparison(pair_files(values, values + random.normal(size=values.shape)))
