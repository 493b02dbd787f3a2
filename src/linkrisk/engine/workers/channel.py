"""Messages between this process and its workers: pickled, each behind its length."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import IO, Any

_LENGTH = 8
"""Bytes of the length of a message."""


@dataclass(frozen=True)
class Beginning:
    """What a worker is told first: how to do tasks, what they share, and how many workers share the machine."""

    work: Any
    shared: Any
    n_workers: int


@dataclass(frozen=True)
class Answer:
    """What came of a task: its result, or why there is none."""

    result: Any = None
    problem: str | None = None


def send(stream: IO[bytes], message: Any) -> None:
    """Send one message; OSError where nobody listens."""
    contents = pickle.dumps(message)
    stream.write(len(contents).to_bytes(_LENGTH, "big") + contents)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Wait for a message and return it; EOFError where none can come any more."""
    length = int.from_bytes(_read(stream, _LENGTH), "big")
    return pickle.loads(_read(stream, length))  # noqa: S301  (from our own process)


def _read(stream: IO[bytes], n_bytes: int) -> bytes:
    contents = stream.read(n_bytes)
    if len(contents) < n_bytes:
        raise EOFError
    return contents
