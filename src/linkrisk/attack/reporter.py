"""Reports on what an assessment is doing, and on kernels that are being compiled."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import learned_families
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


def warm_up(reporter: Reporter, attackers: Sequence[Attacker] = (), *, is_mixed: bool = False) -> None:
    """Load the kernels, and say so if they must first be compiled, which takes a while.

    Attackers who learn do so once on a toy file, so that time limits count learning only. ``is_mixed``: a file has
    categories, ranks, texts or missing values.
    """
    timer = threading.Timer(1.0, reporter.aside, ["compiling kernels, once on this machine"])
    timer.daemon = True
    timer.start()
    try:
        compile_kernels()
        if is_mixed:
            compile_sieve()
        for family in learned_families(attackers):
            compile_learning(family)
    finally:
        timer.cancel()
