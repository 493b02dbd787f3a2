"""Attacks that are being counted beside those that begin: taken up and handed on in the same order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType

from linkrisk.attack.reporter import Reporter
from linkrisk.attack.result import Attack
from linkrisk.differences.scale import Scale
from linkrisk.engine.beside import Beside, Job
from linkrisk.engine.progress import Progress

Key = tuple[Scale | None, str]
"""A scale, or None for who takes values as they are, and the label of an attacker."""


@dataclass(frozen=True)
class _Waiting:
    """An attack whose second half is being made; where it ``is_kept`` an interrupt does not end that."""

    key: Key
    name: str
    job: Job[Attack]
    is_kept: bool


class Pipeline:
    """Second halves of attacks, made one after the other beside the main thread (`linkrisk.engine.beside`)."""

    def __init__(self, reporter: Reporter, threads: int | None) -> None:
        self._reporter = reporter
        self._beside = Beside(threads)
        self._waiting: deque[_Waiting] = deque()

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._beside.__exit__(kind, problem, trace)

    def begin(self, key: Key, name: str, work: Callable[[Progress], Attack], *, is_kept: bool = False) -> None:
        """Have the second half of an attack made, under a name to tell; one that ``is_kept`` outlives a Ctrl-C."""
        job = self._beside.submit(work, is_kept=is_kept, progress=self._reporter.progress)
        self._waiting.append(_Waiting(key, name, job, is_kept))

    def finished(self, *, is_awaited: bool) -> Iterator[tuple[Key, Attack]]:
        """Hand on the attacks that are finished; all that were begun, in the end, if they are awaited."""
        while self._waiting and (is_awaited or self._waiting[0].job.is_done):
            first = self._waiting[0]
            if not first.job.is_done:
                self._reporter.aside(first.name)
            yield first.key, first.job.result(self._reporter.progress)
            self._waiting.popleft()

    def kept(self) -> Iterator[tuple[Key, Attack]]:
        """Hand on what survives a Ctrl-C: what was finished before it, and what is kept."""
        self._beside.give_up()
        for first in self._waiting:
            made = first.job.outcome() if first.is_kept or first.job.is_done else None
            if made is not None:
                yield first.key, made
