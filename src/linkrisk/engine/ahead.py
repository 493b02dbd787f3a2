"""Compiling kernels ahead of their use, on all cores: each task in a process of its own, which fills the cache.

Kernels of different tasks do not hang on each other, and numba compiles under a lock, so that threads would not help.
What was compiled is remembered by an empty file, a stamp, in the folder of the cache: no process is started again
for it. A task that fails costs nothing: what is missing is compiled when it is needed, as ever.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from linkrisk.engine import interrupt
from linkrisk.engine.machine_code import (
    PACKAGE,
    SHIPPED,
    Target,
    all_sources,
    are_as_imported,
    cache_place,
    made_with,
    native_target,
    shipped_target,
)
from linkrisk.engine.threads import default_threads

PATIENCE = 0.05
"""Seconds between two looks at the processes."""


def are_done(tasks: Sequence[str]) -> bool:
    """Tell whether the machine code of all these tasks is kept on this machine or shipped."""
    return all(_is_done(task) for task in tasks)


def _is_done(task: str) -> bool:
    return any(stamp.exists() for stamp in _stamps(task))


def missing(tasks: Sequence[str]) -> list[str]:
    """Return the tasks whose machine code is neither kept on this machine nor shipped, for the kernels as they are.

    None where nothing can be kept.
    """
    return [task for task in tasks if cache_place() is not None and not _is_done(task)]


def done(task: str) -> None:
    """Remember that a task is done on this machine."""
    place = cache_place()
    if place is not None and are_as_imported(_sources()):
        _stamp(place, task, native_target()).touch()


def _stamps(task: str) -> list[Path]:
    """Return the files that tell whether a task is done."""
    place, shipped = cache_place(), shipped_target()
    here = [] if place is None else [_stamp(place, task, native_target())]
    return here if shipped is None else [*here, _stamp(SHIPPED, task, shipped)]


def _stamp(place: Path, task: str, target: Target) -> Path:
    told = "\n".join((_sources_digest(), made_with(), *target))
    return place / f"linkrisk-compiled-{task}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"


@cache
def _sources_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_sources()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _sources() -> frozenset[Path]:
    """Return the files of all kernels, of what they are made of, and of this package's way to compile them."""
    kernels = PACKAGE.rglob("*kernel*.py")
    return frozenset((PACKAGE / "engine").glob("*.py")).union(*(all_sources(path) for path in kernels))


def run_ahead(module: str, tasks: Sequence[str], tell: Callable[[str], None]) -> None:
    """Let ``python -m module task`` do the tasks that were not done yet, one on each core; return when all have ended.

    ``tell`` gets a line whenever a task begins.
    """
    waiting = missing(tasks)
    if not waiting or not sys.executable:
        return
    n_tasks, running = len(waiting), list[subprocess.Popen[bytes]]()
    try:
        while waiting or running:
            interrupt.check()
            running = [process for process in running if process.poll() is None]
            while waiting and len(running) < default_threads():
                task = waiting.pop(0)
                tell(f"compiling kernels, once on this machine: {task} ({n_tasks - len(waiting)} of {n_tasks})")
                running.append(_start(module, task))
            time.sleep(PATIENCE)
    finally:
        for process in running:
            process.kill()
            process.wait()


def _start(module: str, task: str) -> subprocess.Popen[bytes]:
    """Start a task with the linkrisk of this process, wherever it was imported from; it says nothing."""
    paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-P", "-W", "ignore", "-m", module, task]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, env=environment)  # noqa: S603  (ours)
