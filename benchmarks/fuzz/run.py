"""Running many instances, in one process or in several that are watched."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait

import numpy as np

from benchmarks.fuzz.check import TIME_LIMIT, Outcome, check
from benchmarks.fuzz.draw import KINDS, draw
from benchmarks.fuzz.instance import FAMILIES, Instance
from benchmarks.fuzz.laws import check_engines, check_laws, check_linkage
from benchmarks.fuzz.report import Failure, Report
from benchmarks.fuzz.shrink import shrink
from linkrisk.learning.compiling import compile_learning

SHARE = 10
"""One instance in so many is also certified, linked and rewritten; one in five times as many has a larger file."""

HANGING = 90.0
"""Seconds after which a process that says nothing is ended."""


@dataclass(frozen=True)
class Plan:
    """What is run: the numbers of a seed, of some families and kinds."""

    seed: int
    families: tuple[str, ...] = FAMILIES
    kinds: tuple[str, ...] = KINDS
    minutes: float = 1.0
    n_instances: int | None = None
    time_limit: float = TIME_LIMIT
    shrinking: float = 20.0

    def numbers(self, start: int = 0) -> Iterator[int]:
        """Yield the numbers of the families and kinds asked for."""
        number = start
        while True:
            family, kind = FAMILIES[number % len(FAMILIES)], KINDS[number // len(FAMILIES) % len(KINDS)]
            if family in self.families and kind in self.kinds:
                yield number
            number += 1


def run_number(plan: Plan, number: int, report: Report) -> list[Failure]:
    """Run one instance with all that hangs on its number, and count it."""
    instance = draw(plan.seed, number)
    turn = number // (len(FAMILIES) * len(KINDS))
    is_chosen = (number + turn) % SHARE == 0
    outcome = check(instance, has_certificate=is_chosen, time_limit=plan.time_limit)
    report.add(instance.family, instance.kind, outcome)
    results: list[tuple[str, Instance, Outcome]] = [(instance.family, instance, outcome)]
    if is_chosen:
        results.append(("linkage", instance, check_linkage(instance)))
        random = np.random.default_rng([plan.seed, number, 2])
        results.append(("laws", instance, check_laws(instance, random)))
    if (number + turn) % (5 * SHARE) == 1:
        results.append(("engines", *check_engines(plan.seed, number)))
    for family, other, found in results[1:]:
        report.add(family, other.kind, found)
    return [Failure(plan.seed, number, other, found) for _, other, found in results if found.problems]


def shrunk(failure: Failure, seconds: float, time_limit: float) -> Failure:
    """Return a failure with its smallest version."""
    what = failure.outcome.signature[0]
    if what in {"law", "engines"}:
        return failure

    def fails(instance: Instance) -> bool:
        if what == "linkage":
            return bool(check_linkage(instance).problems)
        return what in check(instance, has_certificate="certificate" in what, time_limit=min(time_limit, 3.0)).signature

    failure.smallest = failure.instance
    if what != "overrun" and fails(failure.instance):
        failure.smallest = shrink(failure.instance, fails, seconds)
    return failure


def run_here(plan: Plan) -> Report:
    """Run a plan in this process."""
    _compile(plan)
    report, end = Report(), time.perf_counter() + 60.0 * plan.minutes
    for done, number in enumerate(plan.numbers()):
        if done == plan.n_instances or (plan.n_instances is None and time.perf_counter() > end):
            break
        report.failures += run_number(plan, number, report)
    return report


def run_apart(plan: Plan, n_jobs: int) -> Report:
    """Run a plan in several processes; one that hangs is ended, its instance counted as an overrun, and replaced."""
    total, end = Report(), time.perf_counter() + 60.0 * plan.minutes
    numbers = plan.numbers()
    left = plan.n_instances
    workers = [_Worker(plan) for _ in range(n_jobs if left is None else min(n_jobs, left))]
    for worker in workers:
        worker.start(next(numbers))
        left = None if left is None else left - 1
    while busy := [worker for worker in workers if worker.number >= 0]:
        ready = wait([worker.connection for worker in busy], timeout=1.0)
        for worker in busy:
            if worker.connection in ready:
                total.merge(worker.result())
            elif worker.is_hanging:
                total.merge(worker.ended())
            else:
                continue
            is_over = left <= 0 if left is not None and plan.n_instances is not None else time.perf_counter() > end
            if not is_over:
                worker.start(next(numbers))
                left = None if left is None else left - 1
    for worker in workers:
        worker.close()
    return total


class _Worker:
    """A process that runs one number after the other."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.number = -1
        self._make()

    def _make(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(self.plan, other), daemon=True)
        self.process.start()
        self.since = time.perf_counter() + 300.0  # the first instance waits for compilation

    def start(self, number: int) -> None:
        """Give the process a number to run."""
        self.number = number
        self.connection.send(number)
        self.since = max(self.since, time.perf_counter())

    def result(self) -> Report:
        """Return what the process has counted."""
        try:
            report: Report = self.connection.recv()
        except EOFError:
            return self.ended()
        self.number, self.since = -1, time.perf_counter()
        return report

    @property
    def is_hanging(self) -> bool:
        """Whether nothing was heard for long."""
        return time.perf_counter() - self.since > 3.0 * self.plan.time_limit + HANGING

    def ended(self) -> Report:
        """End the process, begin another, and return the report of an instance that hangs."""
        number, self.number = self.number, -1
        self.process.kill()
        self._make()
        instance, outcome, report = draw(self.plan.seed, number), Outcome(), Report()
        outcome.add("overrun", "the process hung or died")
        report.add(instance.family, instance.kind, outcome)
        report.failures.append(Failure(self.plan.seed, number, instance, outcome))
        return report

    def close(self) -> None:
        """End the process."""
        self.process.kill()


def _compile(plan: Plan) -> None:
    """Compile what the families of a plan need: compilation is no time of an instance."""
    instance = draw(plan.seed, 0)
    for name in plan.families:
        compile_learning(replace(instance, family=name).learned_family())


def _work(plan: Plan, connection: Connection) -> None:
    _compile(plan)
    while True:
        report = Report()
        report.failures += run_number(plan, connection.recv(), report)
        connection.send(report)
