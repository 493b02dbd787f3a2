"""Work beside the main thread: one job after the other in a thread of its own, while the main thread goes on."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Generic, TypeVar

from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.engine.threads import default_threads

T = TypeVar("T")


class Job(Generic[T]):
    """Something that is being done beside the main thread; how far it is can be looked at from there."""

    def __init__(self) -> None:
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._future: Future[T] | None = None
        self._told = (0, 0)

    def progress(self, done: int, total: int) -> None:
        """Take note of how far the job is."""
        self._told = done, total

    def settle(self, future: Future[T]) -> None:
        """Take note of what came of the job, and tell who waits."""
        self._future = future
        self._bell.put(None)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or an error, already."""
        return self._future is not None

    def result(self, progress: Progress = no_progress) -> T:
        """Wait for the job and return its result, or raise its error; Ctrl-C ends the wait."""
        with interrupt.deferred():
            while self._future is None:
                interrupt.check()
                try:
                    self._bell.get(timeout=interrupt.PATIENCE)
                except Empty:
                    if self._told[1]:
                        progress(*self._told)
        return self._future.result()

    def outcome(self) -> T | None:
        """Wait for the job, whatever is pressed, and return its result; None if it was interrupted."""
        try:
            with interrupt.set_aside():
                return self.result()
        except KeyboardInterrupt:
            return None


class Beside:
    """A thread for jobs, which are done in the order in which they come.

    Kernels release the interpreter lock, so a job and the main thread run side by side on two cores. Jobs see what the
    jobs before them have done. On one core a job is done at once, by the main thread. Leaving the ``with`` statement
    gives up what has not been done.

    >>> with Beside(threads=2) as beside:
    ...     job = beside.submit(lambda progress: sum(range(5)))
    ...     job.result()
    10
    """

    def __init__(self, threads: int | None = None) -> None:
        self._pool = None if (threads or default_threads()) == 1 else ThreadPoolExecutor(1)
        self._given_up = threading.Event()

    def __enter__(self) -> Beside:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_up()
        if self._pool is not None:
            with interrupt.deferred():
                self._pool.shutdown(wait=True, cancel_futures=True)

    def give_up(self) -> None:
        """End the jobs that are not kept: the one that is running at its next look at `interrupt.check`."""
        self._given_up.set()

    def submit(
        self, work: Callable[[Progress], T], *, is_kept: bool = False, progress: Progress = no_progress
    ) -> Job[T]:
        """Have some work done, which is handed a function to tell how far it is.

        Where it ``is_kept``, a Ctrl-C does not end it: it is what a partial result is made of. ``progress`` is told
        where the work is done at once; otherwise who waits for the job is.
        """
        job: Job[T] = Job()
        if self._pool is None:
            future: Future[T] = Future()
            future.set_result(_done(work, progress, is_kept=is_kept))
            job.settle(future)
        else:
            with interrupt.deferred():
                context = contextvars.copy_context()
                done = self._pool.submit(context.run, self._work, work, job.progress, is_kept=is_kept)
                done.add_done_callback(job.settle)
        return job

    def _work(self, work: Callable[[Progress], T], progress: Progress, *, is_kept: bool) -> T:
        with interrupt.given_up(self._given_up):
            if not is_kept:
                interrupt.check()
            return _done(work, progress, is_kept=is_kept)


def _done(work: Callable[[Progress], T], progress: Progress, *, is_kept: bool) -> T:
    if not is_kept:
        return work(progress)
    with interrupt.deferred(), interrupt.set_aside():
        return work(progress)
