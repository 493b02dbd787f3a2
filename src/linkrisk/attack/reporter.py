"""Reports on what an assessment is doing, and on kernels that are being compiled."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import learned_families
from linkrisk.distances.family import Family
from linkrisk.engine.ahead import are_done, run_ahead
from linkrisk.learning.compiling import compile_learning
from linkrisk.learning.search import State
from linkrisk.linkage.warm_up import compile_kernels, compile_sieve


class Reporter(Protocol):
    """Told what an assessment is doing."""

    def expect(self, limits: Sequence[float]) -> None:
        """Learn of steps to come: how many, and how many seconds each may take (0: no limit)."""

    def aside(self, label: str) -> None:
        """Tell of work that is no step of its own."""

    def step(self, label: str) -> None:
        """Begin a step."""

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""

    def search(self, state: State) -> None:
        """Tell where a search for the best parameters stands."""


class SilentReporter:
    """Reports nothing."""

    def expect(self, limits: Sequence[float]) -> None:
        """Ignore the steps to come."""

    def aside(self, label: str) -> None:
        """Ignore the work."""

    def step(self, label: str) -> None:
        """Ignore the step."""

    def progress(self, done: int, total: int) -> None:
        """Ignore the progress."""

    def search(self, state: State) -> None:
        """Ignore the search."""


COMPILING = "linkrisk.attack.compiling"
"""The module that compiles; it attacks a toy file, so that nothing here imports it."""


def _needs_boxes(family: Family) -> bool:
    """Whether boxes are searched to learn a family, or one that it starts from."""
    return family.is_boxed or any(_needs_boxes(weaker) for weaker, _ in family.weaker())


def _tasks(attackers: Sequence[Attacker], *, is_mixed: bool) -> list[str]:
    """Return the tasks of that module which some attackers need, the longest first."""
    families = learned_families(attackers)
    needed = {
        "boxes": any(_needs_boxes(family) for family in families),
        "linking": True,
        "cover": bool(families),
        "informed": any(not attacker.is_scaled for attacker in attackers),
        "categories": is_mixed,
        "forms": any(family.is_signed for family in families),
    }
    return [task for task, is_needed in needed.items() if is_needed]


def compile_ahead(reporter: Reporter, attackers: Sequence[Attacker] = (), *, is_mixed: bool = True) -> bool:
    """Compile what some attackers need and was never compiled on this machine, in side processes on all cores.

    Return whether all of it is at hand now. Nothing is loaded here: this is for who has others do the work.
    """
    tasks = _tasks(attackers, is_mixed=is_mixed)
    run_ahead(COMPILING, tasks, reporter.aside)
    return are_done(tasks)


def warm_up(reporter: Reporter, attackers: Sequence[Attacker] = (), *, is_mixed: bool = True) -> None:
    """Compile the kernels, and say so, unless their machine code is at hand.

    Attackers who learn then do so once on a toy file, so that time limits count learning only. ``is_mixed``: a file has
    categories, ranks, texts or missing values. What was never compiled on this machine is compiled first, on all cores.
    """
    families = learned_families(attackers)
    if compile_ahead(
        reporter, attackers, is_mixed=is_mixed
    ):  # kernels are loaded where they are first called, which takes a moment
        return
    timer = threading.Timer(1.0, reporter.aside, ["compiling kernels, once on this machine"])
    timer.daemon = True
    timer.start()
    try:
        compile_kernels()
        if is_mixed:
            compile_sieve()
        for family in families:
            compile_learning(family)
    finally:
        timer.cancel()
