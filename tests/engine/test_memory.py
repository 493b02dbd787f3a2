"""How much memory is free: as Linux, a container or another system tells it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from linkrisk.engine import memory


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with what a Linux machine with 8 GiB available tells, without any limit."""
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n")
    (tmp_path / "proc" / "self" / "cgroup").write_text("0::/user/job\n")
    (tmp_path / "groups" / "user" / "job").mkdir(parents=True)
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "groups")
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


def test_what_the_kernel_calls_available(system: Path) -> None:
    """In bytes; a control group without a limit changes nothing."""
    assert memory.available_memory() == 8 << 30
    (system / "groups" / "user" / "job" / "memory.max").write_text("max\n")
    assert memory.available_memory() == 8 << 30


def test_the_limit_of_a_container(system: Path) -> None:
    """The narrowest of all groups around the process counts; files in the cache can be let go of."""
    for folder, limit, used in ((system / "groups" / "user", 6 << 30, 3 << 30), (system / "groups", 9 << 30, 1 << 30)):
        (folder / "memory.max").write_text(f"{limit}\n")
        (folder / "memory.current").write_text(f"{used}\n")
    (system / "groups" / "user" / "memory.stat").write_text(f"anon 5\ninactive_file {1 << 30}\n")
    assert memory.available_memory() == 4 << 30


def test_the_older_kind_of_limit(system: Path) -> None:
    """Control groups of version 1 have a folder for memory."""
    folder = system / "groups" / "memory"
    folder.mkdir()
    (folder / "memory.limit_in_bytes").write_text(f"{2 << 30}\n")
    (folder / "memory.usage_in_bytes").write_text(f"{1 << 30}\n")
    assert memory.available_memory() == 1 << 30


def test_another_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of all memory where nothing else is told, and None where nothing is."""
    monkeypatch.setattr(memory, "PROC", tmp_path)
    monkeypatch.setattr(memory, "CGROUPS", tmp_path)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert memory.available_memory() == 2 << 30
    monkeypatch.setattr(os, "sysconf", lambda _: int("no"))
    assert memory.available_memory() is None
    monkeypatch.setattr(sys, "platform", "win32")
    assert memory.available_memory() is None  # not told here; there Windows is asked
