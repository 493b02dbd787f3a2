"""A process that does one job: started ahead, so that it has imported what it needs, and ended by signals."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

LONGEST_MESSAGE = 1 << 22
"""Bytes of the longest message: what can be chosen from, told once."""


class WorkProcess:
    """A process that waits for the folder of a job, does it, tells how far it is, and ends."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> WorkProcess:
        """Start one. It has a session of its own: Ctrl-C in the terminal is for the server, which ends it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "linkrisk.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=LONGEST_MESSAGE,
        )
        return cls(process)

    async def give(self, folder: Path) -> None:
        """Tell it which job to do; one that has died cannot hear it."""
        assert self._process.stdin is not None  # noqa: S101  (it is a pipe)
        with contextlib.suppress(OSError):
            self._process.stdin.write(f"{folder}\n".encode())
            await self._process.stdin.drain()

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what it tells, until it ends."""
        assert self._process.stdout is not None  # noqa: S101  (it is a pipe)
        with contextlib.suppress(ValueError):  # a line that is no message: it is not to be trusted any more
            async for line in self._process.stdout:
                yield json.loads(line)

    def interrupt(self) -> None:
        """Have it end with what it has found so far."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        """End it, and the processes that it has started, at once."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def end(self) -> None:
        """End it at once, and wait until it has ended."""
        self.kill()
        await self.ended()

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, as far as is known now."""
        return self._process.returncode is not None

    async def ended(self) -> int:
        """Wait for its end, and return its exit code; that of a signal is negative."""
        return await self._process.wait()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
