"""How much memory is free: what the machine has, or what a container leaves of it."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

PROC, CGROUPS = Path("/proc"), Path("/sys/fs/cgroup")
"""Where Linux tells of memory, and of the limits of a container."""

FREE_SHARE = 0.5
"""Share of the memory of a machine that is taken to be free where the system does not tell."""


class _Users:
    """How many processes share what is free."""

    number = 1


def share_memory(number: int) -> None:
    """Take note that as many processes as this one, itself included, share what is free (`linkrisk.engine.copies`)."""
    _Users.number = number


def available_memory() -> int | None:
    """Return the bytes that can be used without taking memory from others; None where the system does not tell.

    On Linux what the kernel says is available, or less where a control group (a container) has a limit; on Windows the
    free physical memory; elsewhere half of all memory. A part of it where several share it (`share_memory`). Cost: a
    few small files are read.

    >>> (available_memory() or 1) > 0
    True
    """
    if sys.platform == "win32":
        return _windows_memory()
    known = [amount for amount in (_linux_memory(), _group_memory()) if amount is not None]
    free = min(known) if known else _half_of_all()
    return None if free is None else free // _Users.number


def _linux_memory() -> int | None:
    """Return what ``/proc/meminfo`` calls available."""
    for line in _lines(PROC / "meminfo"):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    return None


def _group_memory() -> int | None:
    """Return what is left to the control group of this process, and to those around it; None without limits."""
    folders = [
        (CGROUPS / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        *((folder, "memory.max", "memory.current", "inactive_file") for folder in _group_folders()),
    ]
    left = []
    for folder, most, used, cached in folders:
        limit, usage = _number(folder / most), _number(folder / used)
        if limit is not None and usage is not None:
            left.append(max(0, limit - usage + _entry(folder / "memory.stat", cached)))
    return min(left, default=None)


def _group_folders() -> list[Path]:
    """Return the folder of this process's control group (version 2), and all folders above it."""
    for line in _lines(PROC / "self" / "cgroup"):
        if line.startswith("0::"):
            folder = CGROUPS / line[3:].strip().lstrip("/")
            return [path for path in (folder, *folder.parents) if path == CGROUPS or CGROUPS in path.parents]
    return [CGROUPS]


def _half_of_all() -> int | None:
    try:
        return int(FREE_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # not told by this system
        return None


_WINDOWS_FIGURES = ("total", "free", "pages", "free_pages", "space", "free_space", "more")


class _WindowsStatus(ctypes.Structure):
    """What Windows tells of memory, as GlobalMemoryStatusEx writes it."""

    _fields_ = (
        ("length", ctypes.c_ulong),
        ("load", ctypes.c_ulong),
        *((name, ctypes.c_ulonglong) for name in _WINDOWS_FIGURES),
    )


def _windows_memory() -> int | None:
    status = _WindowsStatus()
    status.length = ctypes.sizeof(status)
    library = getattr(ctypes, "windll", None)
    is_told = library is not None and library.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.free) if is_told else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _number(path: Path) -> int | None:
    """Return the whole number that a file holds; None where there is no file, or it says that there is no limit."""
    lines = _lines(path)
    return int(lines[0]) if lines and lines[0].isdigit() else None


def _entry(path: Path, name: str) -> int:
    """Return an entry of a file of names and numbers; 0 where it has none."""
    found = [line.split() for line in _lines(path)]
    return next((int(entry[1]) for entry in found if len(entry) == 2 and entry[0] == name), 0)
