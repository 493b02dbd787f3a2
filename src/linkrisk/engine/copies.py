"""Copies of this process that work side by side, each on something of its own, and tell what they find.

On small files most of an attack is Python, which uses one core however many threads there are. A copy (``fork``) has
everything that this process has made so far, and begins at once; only what it finds has to be sent back.

Copies are made on Linux alone, and only where the process is known to do nothing else (`allow`, which the command line
says): a copy has no other threads than the one that made it, and whatever these held stays locked in it. HiGHS shows
it: in a copy it solves linear programmes, but one with whole numbers may wait for threads that are not there.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from linkrisk.engine import interrupt
from linkrisk.engine.memory import share_memory

Tell = Callable[[Any], None]
"""Sends something to the process that made the copy; anything that can be pickled."""

_NUMBER, _AT_ONCE = 4, 1024
"""Bytes of the number of a task, and bytes that are put into a pipe at once, which holds at least as many."""

_PARENT_DIED = 1
"""What Linux calls the signal that a process is sent when the one that made it has ended (prctl)."""


class Enough(Exception):  # noqa: N818  (no error: who hears of it wants no more)
    """Raised by who hears what copies send: nothing else is needed, and they end."""


class _Allowed:
    """Whether this process may be copied."""

    is_allowed = False


@dataclass(frozen=True)
class _Begun:
    """A copy has taken a task."""

    number: int


@dataclass(frozen=True)
class _Said:
    """A copy tells something of the task that it has taken."""

    message: Any


@dataclass(frozen=True)
class _Done:
    """A copy has done the task that it had taken."""


@dataclass(frozen=True)
class _Failure:
    """The error that ended a copy."""

    problem: BaseException


@dataclass(eq=False)
class _Copy:
    """A copy at work, what it sends, and the task that it has taken."""

    process: int
    messages: Any  # a Connection, which is not imported before it is needed
    task: int | None = None


def allow() -> None:
    """Say that this process runs linkrisk and nothing else, so that copies of it may be made."""
    _Allowed.is_allowed = True


def are_allowed() -> bool:
    """Whether copies may be made here.

    >>> are_allowed()
    False
    """
    return _Allowed.is_allowed and sys.platform == "linux"


def work_side_by_side(
    tasks: Sequence[Callable[[Tell], None]], hear: Callable[[int, Any], None], *, at_once: int
) -> list[int]:
    """Do tasks in some copies of this process; return the numbers of those that were lost.

    Each copy takes the next task when it has done one. A task sends what it finds, and ``hear`` is called here with its
    number and each message. Lost is a task whose copy was ended by others, or that no copy was left for; whoever asked
    may do it here. An error in a task is raised here, and the copies end; so do they where ``hear`` raises `Enough`.
    After Ctrl-C they are asked to end, which is to them as if it had been pressed there; what they still send is heard,
    and no task is begun.

    >>> words = []
    >>> tasks = [lambda tell: tell("a word"), lambda tell: tell("another")]
    >>> work_side_by_side(tasks, lambda number, word: words.append((number, word)), at_once=1)
    []
    >>> words
    [(0, 'a word'), (1, 'another')]
    """
    return _Company(tasks, hear).run(min(at_once, len(tasks)))


class _Company:
    """Copies at work on tasks, whose numbers they read from a pipe that they share."""

    def __init__(self, tasks: Sequence[Callable[[Tell], None]], hear: Callable[[int, Any], None]) -> None:
        self._tasks = tasks
        self._hear = hear
        self._open = set(range(len(tasks)))
        self._unsaid = b"".join(number.to_bytes(_NUMBER, "big") for number in range(len(tasks)))
        self._ending: int | None = None  # where numbers are put into the pipe
        self._at_work: list[_Copy] = []

    def run(self, n_copies: int) -> list[int]:
        """Make copies, listen to them until the last has ended, and return what they have not done."""
        from multiprocessing.connection import wait  # noqa: PLC0415  (takes a moment to load)

        with interrupt.remembered():
            try:
                self._begin(n_copies)
                is_ending = False
                while self._at_work:
                    self._fill()
                    if interrupt.is_pending() and not is_ending:
                        is_ending = True
                        self._signal(interrupt.END_COPY)
                    copies = {id(copy.messages): copy for copy in self._at_work}
                    for ready in wait([copy.messages for copy in self._at_work], timeout=interrupt.PATIENCE):
                        self._listen(copies[id(ready)])
            except Enough:
                pass
            finally:
                self._signal(signal.SIGKILL)  # who is still at work is not listened to any more
                for copy in list(self._at_work):
                    self._leave(copy)
                self._fill()  # nobody is left: it ends
        return sorted(self._open)

    def _begin(self, n_copies: int) -> None:
        """Make copies that read the numbers of their tasks from one pipe."""
        numbers, self._ending = os.pipe()
        os.set_blocking(self._ending, False)
        for _ in range(n_copies):
            with contextlib.suppress(OSError):  # too many processes, or too little memory for one more
                self._at_work.append(_make_copy(self._tasks, (numbers, self._ending), n_copies))
        os.close(numbers)

    def _fill(self) -> None:
        """Put numbers of tasks into the pipe, as many as it holds; it ends with the last one."""
        if self._ending is None:
            return
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            while self._unsaid:
                self._unsaid = self._unsaid[os.write(self._ending, self._unsaid[:_AT_ONCE]) :]
        if not self._unsaid or not self._at_work:
            os.close(self._ending)
            self._ending = None

    def _listen(self, copy: _Copy) -> None:
        """Take the next message of a copy; leave one that has ended."""
        try:
            message = copy.messages.recv()
        except (EOFError, OSError):
            self._leave(copy)
            return
        if isinstance(message, _Failure):
            raise message.problem
        if isinstance(message, _Begun):
            copy.task = message.number
        elif isinstance(message, _Done):
            self._open.discard(cast("int", copy.task))
        else:
            self._hear(cast("int", copy.task), message.message)

    def _leave(self, copy: _Copy) -> None:
        self._at_work.remove(copy)
        copy.messages.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(copy.process, 0)

    def _signal(self, number: int) -> None:
        for copy in self._at_work:
            with contextlib.suppress(ProcessLookupError):
                os.kill(copy.process, number)


def _make_copy(tasks: Sequence[Callable[[Tell], None]], pipe: tuple[int, int], n_copies: int) -> _Copy:
    """Make a copy of this process, one of several, that does tasks whose numbers it reads from a pipe."""
    from multiprocessing.connection import Pipe  # noqa: PLC0415

    receiver, sender = Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of other threads: that which shows progress is not needed
        process = os.fork()
    if process == 0:
        try:
            receiver.close()
            os.close(pipe[1])  # the process that made it says when there are no more
            share_memory(n_copies)
            _live(tasks, pipe[0], sender)
        finally:
            os._exit(0)  # without any of the things that the process itself does at its end
    sender.close()
    return _Copy(process, receiver)


def _live(tasks: Sequence[Callable[[Tell], None]], numbers: int, sender: Any) -> None:
    """Do tasks in a copy until none is left."""
    try:
        interrupt.listen_as_copy()
        end_with_parent()
        while place := os.read(numbers, _NUMBER):
            number = int.from_bytes(place, "big")
            sender.send(_Begun(number))
            tasks[number](lambda message: sender.send(_Said(message)))
            sender.send(_Done())
            interrupt.check()
    except KeyboardInterrupt:
        pass  # it was asked for
    except BaseException as problem:
        with contextlib.suppress(Exception):  # nobody listens any more; or it cannot be sent: then the task is lost
            sender.send(_sendable(problem))


def _sendable(problem: BaseException) -> _Failure:
    """Return an error as it can be sent, with the lines that led to it; raise another one where it cannot be."""
    problem.add_note("in a copy of the process:\n" + "".join(traceback.format_tb(problem.__traceback__)))
    failure = _Failure(problem)
    pickle.loads(pickle.dumps(failure))  # noqa: S301  (our own)
    return failure


def end_with_parent() -> None:
    """Have the system end this process when the one that made it ends, however that comes; on Linux alone."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415  (only where it is needed)

    ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
