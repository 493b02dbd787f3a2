"""Workers on the cores of this machine, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Any, Self, cast

from linkrisk.engine import interrupt
from linkrisk.engine.threads import default_threads
from linkrisk.engine.workers.channel import Answer, Beginning, receive, send
from linkrisk.engine.workers.interface import MOST_TRIES, Finished, Work, died

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What libraries read that would otherwise use all cores in each worker."""

_Inbox = SimpleQueue[tuple["_Worker", Answer | None]]
"""Answers of workers; None of one that has ended."""


@dataclass(eq=False)
class _Try:
    """A task, and how many workers have died over it."""

    task: Any
    n_deaths: int = 0


class _Worker:
    """A process, and a thread that listens to it."""

    def __init__(self, beginning: Beginning, inbox: _Inbox) -> None:
        paths = [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, **dict.fromkeys(_ONE_THREAD, "1")}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-m", "linkrisk.engine.workers.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,
        )
        self.at_work: _Try | None = None
        self._tell(beginning)
        threading.Thread(target=self._listen, args=(inbox,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def give(self, one: _Try) -> None:
        """Give it a task; of a worker that has ended, its listener tells."""
        self.at_work = one
        self._tell(one.task)

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        with contextlib.suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()
        self._process.wait()

    def _tell(self, message: Any) -> None:
        with contextlib.suppress(OSError):
            send(cast("IO[bytes]", self._process.stdin), message)

    def _listen(self, inbox: _Inbox) -> None:
        answers = cast("IO[bytes]", self._process.stdout)
        with answers, contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                inbox.put((self, receive(answers)))
        inbox.put((self, None))


class LocalWorkers:
    """Processes of this machine: as many as it has cores, unless told otherwise.

    They are started when they are first needed, and import what tasks need then. Each uses one core. See `Workers`.
    """

    def __init__(self, n_workers: int | None = None) -> None:
        self.n_workers = n_workers or default_threads()
        self._workers: list[_Worker] = []
        self._inbox: _Inbox = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes."""
        return tuple(worker.pid for worker in self._workers)

    def prepare(self, make_ready: Callable[[Any], None], shared: Any) -> None:
        """Call the function here: what it compiles is kept on disk, where the workers find it."""
        make_ready(shared)

    def each(self, work: Work, shared: Any, next_task: Callable[[], Any]) -> Iterator[Finished | None]:
        """Do tasks; see `Workers.each`. All calls must be for the same work."""
        beginning = Beginning(work, shared, self.n_workers)
        again: list[_Try] = []
        while True:
            self._give(beginning, again, next_task)
            if all(worker.at_work is None for worker in self._workers):
                return
            interrupt.check()
            try:
                worker, answer = self._inbox.get(timeout=interrupt.PATIENCE)
            except Empty:
                yield None
                continue
            done, worker.at_work = worker.at_work, None
            if answer is None:
                self._leave(worker)
            if done is None:  # an idle worker has ended
                continue
            if answer is not None:
                yield Finished(done.task, answer.result, answer.problem)
                continue
            done.n_deaths += 1
            if done.n_deaths < MOST_TRIES:
                again.append(done)
            else:
                yield Finished(done.task, problem=died(done.n_deaths))

    def _give(self, beginning: Beginning, again: list[_Try], next_task: Callable[[], Any]) -> None:
        """Give a task to each worker that has none; start one where there is a task and too few of them."""
        while True:
            idle = next((worker for worker in self._workers if worker.at_work is None), None)
            if idle is None and len(self._workers) >= self.n_workers:
                return
            task = None if again else next_task()
            one = again.pop() if again else None if task is None else _Try(task)
            if one is None:
                return
            if idle is None:
                idle = _Worker(beginning, self._inbox)
                self._workers.append(idle)
            idle.give(one)

    def _leave(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.end()
