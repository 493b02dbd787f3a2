"""Running a kernel over many records on this machine's cores, with progress and a clean stop."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

from linkrisk.engine.progress import Progress, no_progress


def default_threads() -> int:
    """Cores this process may use.

    >>> default_threads() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def for_chunks(
    work: Callable[[slice], None],
    n_items: int,
    chunk: int,
    *,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> None:
    """Call ``work`` on consecutive slices of ``range(n_items)``, several at a time.

    The kernels release the interpreter lock, so threads run side by side. Each slice writes to places of its
    own, so the result does not depend on the number of threads. Ctrl-C stops before the next slice.
    """
    slices = [slice(start, min(start + chunk, n_items)) for start in range(0, n_items, chunk)]
    done = 0
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        futures = {pool.submit(work, piece): piece for piece in slices}
        try:
            for future in as_completed(futures):
                future.result()
                piece = futures[future]
                done += piece.stop - piece.start
                progress(done, n_items)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
