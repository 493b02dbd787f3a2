"""Running a kernel over many records on this machine's cores, with progress and a clean stop."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from queue import Empty, SimpleQueue

from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress

SHORT = 4_000_000
"""Pairs of records that take a few tenths of a second at most, by whatever rule they are compared."""


class _Users:
    """How many processes share the cores."""

    number = 1


def share_cores(number: int) -> None:
    """Take note that as many processes as this one, itself included, share the cores of this machine."""
    _Users.number = number


def default_threads() -> int:
    """Cores this process may use: a part of them where several share them (`share_cores`), one at least.

    >>> default_threads() >= 1
    True
    """
    return max(1, n_cores() // _Users.number)


def n_cores() -> int:
    """Cores of this machine that this process may run on, however many share them.

    >>> n_cores() >= default_threads()
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def for_chunks(
    work: Callable[[slice], None],
    n_items: int,
    chunk: int,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
    pool: ThreadPoolExecutor | None = None,
    is_short: bool = False,
) -> None:
    """Call ``work`` on consecutive slices of ``range(n_items)``, several at a time.

    The kernels release the interpreter lock, so threads run side by side. Each slice writes to places of its
    own, so the result does not depend on the number of threads. Ctrl-C stops before the next slice. Without a ``pool``
    threads are started for this call, which takes longer than a millisecond of work is worth. Work that ``is_short``, a
    few tenths of a second in all, is done by the caller himself where it is one slice: meanwhile no signal is heard.
    """
    slices = [slice(start, min(start + chunk, n_items)) for start in range(0, n_items, chunk)]
    if is_short and len(slices) <= 1:
        with interrupt.deferred():
            for piece in slices:
                progress(_work_on(work, piece), n_items)
            interrupt.check()
        return
    finished: SimpleQueue[Future[int]] = SimpleQueue()
    # An exception out of nowhere could leave a lock of the pool held, and its threads waiting for ever.
    with interrupt.deferred(), _opened(pool, threads) as workers:
        try:
            for piece in slices:
                context = copy_context()  # an interrupt that is set aside here is so there
                workers.submit(context.run, _work_on, work, piece).add_done_callback(finished.put)
            done = 0
            while done < n_items:
                interrupt.check()
                try:
                    future = finished.get(timeout=interrupt.PATIENCE)
                except Empty:
                    continue
                done += future.result()
                progress(done, n_items)
        except BaseException:
            workers.shutdown(wait=True, cancel_futures=True)
            raise


def _opened(pool: ThreadPoolExecutor | None, threads: int | None) -> AbstractContextManager[ThreadPoolExecutor]:
    """Return the pool given, to be left open, or a new one."""
    return ThreadPoolExecutor(threads or default_threads()) if pool is None else nullcontext(pool)


def _work_on(work: Callable[[slice], None], piece: slice) -> int:
    work(piece)
    return int(piece.stop - piece.start)
