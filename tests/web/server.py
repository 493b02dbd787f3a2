"""A server as a user starts it, in a process of its own, and requests to it over the loopback interface."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

START = "from linkrisk.cli.main import start; start()"


@dataclass
class Server:
    """A server that runs, and the folder of the system for temporary files that it was given."""

    process: subprocess.Popen[str]
    start_address: str
    temporary: Path

    @classmethod
    def start(cls, temporary: Path, *options: str, code: str = START) -> Server:
        """Start one, and wait for its address."""
        process = subprocess.Popen(  # noqa: S603  (our own code)
            [sys.executable, "-c", code, "serve", "--no-browser", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("The page is at "), line + process.stdout.read()
        return cls(process, line.split()[-1], temporary)

    @property
    def base(self) -> str:
        """The address of the page, without the token."""
        parts = urlsplit(self.start_address)
        return f"{parts.scheme}://{parts.netloc}{parts.path.removesuffix('/enter')}"

    @property
    def folders(self) -> list[Path]:
        """The private folders that are there."""
        return list(self.temporary.glob("linkrisk-page-*"))

    def workers(self) -> list[int]:
        """Return the processes that do jobs, those included that wait for one; on Linux."""
        number = self.process.pid
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal, and return exit code and what was said since the start."""
        self.process.send_signal(number)
        said = self.process.communicate(timeout=20)[0]
        return self.process.returncode, said

    @contextlib.contextmanager
    def browser(self) -> Iterator[httpx.Client]:
        """Open the start address, and keep the key that it is exchanged for."""
        with httpx.Client(headers={"sec-fetch-site": "same-origin", "origin": "null"}, timeout=30) as client:
            assert client.get(self.start_address).status_code == 303
            yield client
