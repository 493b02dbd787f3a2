"""Who takes part in the work on a store, and whether he is still there."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SECONDS_UNSEEN = 120.0
"""After which a run of another machine counts as gone; one that works is seen every few seconds."""

SECONDS_BETWEEN = 5.0
"""Between two times at which a run tells that it is alive."""


@dataclass(frozen=True)
class Run:
    """A process that works on a store: its machine, its number, when it began, and when it was last seen."""

    host: str
    process: int
    began: str
    seen: float
    number: int | None = None


def this_run() -> Run:
    """Return this process, seen now."""
    return Run(_host(), os.getpid(), began(os.getpid()) or "", time.time())


def is_alive(run: Run) -> bool:
    """Whether a run is still there: on this machine the process is asked for, on others it was seen not long ago."""
    if run.host != _host():
        return time.time() - run.seen < SECONDS_UNSEEN
    now = began(run.process)
    return now is not None and now == run.began


def began(process: int) -> str | None:
    """Return when a process of this machine began, so that no other of that number is taken for it; None: it is gone.

    Where the system does not tell, an empty text for every process that is there.

    >>> began(os.getpid()) is not None
    True
    """
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return _exists(process) if not Path("/proc/self/stat").exists() else None
    return None if told[0] in "ZX" else told[19]  # the state; 20 places behind the name, when it began


def _exists(process: int) -> str | None:
    if os.name == "nt":  # there is no way to ask without further libraries: who was seen not long ago is there
        return ""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return None
    except OSError:
        return ""
    return ""


@cache
def _host() -> str:
    """Return what tells this machine from others, and from itself before it was started anew."""
    start = Path("/proc/sys/kernel/random/boot_id")
    return f"{socket.gethostname()} {start.read_text(encoding='ascii').strip() if start.exists() else ''}"
