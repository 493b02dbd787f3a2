"""A job: what is asked of a process, where it writes what it finds, and how it ended."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from linkrisk.web.work.progress import Progress

REQUEST = "job.json"
SUMMARY = "summary.json"
"""What a view shows of a result; the process writes it last but for the files to be sent back."""


class State(StrEnum):
    """Where a job stands. A job that was stopped and kept what it had found is ``PARTIAL``."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    PARTIAL = "partial"
    STOPPED = "stopped"
    FAILED = "failed"


ENDED = (State.DONE, State.PARTIAL, State.STOPPED, State.FAILED)


@dataclass(eq=False)
class Job:
    """One job.

    ``request`` are plain values, which its process reads from ``job.json``; ``needs`` is a job without whose result it
    cannot be done. ``sentence`` says why there is no result, and ``mistakes`` which options were wrong, with what is
    wrong.
    """

    number: int
    kind: str
    title: str
    folder: Path
    request: Mapping[str, Any]
    needs: Job | None = None
    state: State = State.WAITING
    progress: Progress = field(default_factory=Progress)
    sentence: str = ""
    mistakes: tuple[tuple[str, str], ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ENDED

    @property
    def has_result(self) -> bool:
        """Whether something was found, all of it or the best so far."""
        return self.state in (State.DONE, State.PARTIAL)

    def write_request(self) -> None:
        """Write what is asked into the folder of the job, which is made."""
        self.folder.mkdir(mode=0o700)
        contents = json.dumps({"kind": self.kind, **self.request}, ensure_ascii=True)
        descriptor = os.open(self.folder / REQUEST, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(contents)

    def summary(self) -> dict[str, Any]:
        """Return what the process found, as it wrote it down for the views."""
        found: dict[str, Any] = json.loads((self.folder / SUMMARY).read_text(encoding="utf-8"))
        return found
