"""Ctrl-C, and being told to end (SIGTERM) or to hang up (SIGHUP), that do not get lost.

Python turns Ctrl-C into a KeyboardInterrupt wherever the program happens to be. Raised inside an import, a
destructor or a callback of a library, the exception may be swallowed there, and the run goes on as if nothing had
been pressed. While `listening`, an interrupt is therefore also remembered until whoever ends the run says that it is
`handled`; long work calls `check` now and then.

A second Ctrl-C raises once more and ends the process shortly afterwards, whatever it is doing. A second SIGTERM or
SIGHUP says nothing new: ``timeout`` sends its signal to the process and to its group, and a terminal that closes is
told of by the system and by the shell.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, NoReturn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What ends a run: Ctrl-C, the end of a time limit or a service, a terminal that closes (Windows has no SIGHUP)."""

END_COPY = getattr(signal, "SIGUSR1", signal.SIGINT)
"""What a copy of the process is told to end by (`linkrisk.engine.copies`)."""

PATIENCE = 0.1
"""Seconds to wait for other threads or processes before looking whether Ctrl-C was pressed."""

LAST_SECONDS = 1.0
"""Time to clean up after a second Ctrl-C."""


_is_aside: ContextVar[bool] = ContextVar("is_aside", default=False)
"""Whether what was pressed is set aside here; threads that are given this context share that."""

_given_up: ContextVar[threading.Event | None] = ContextVar("given_up", default=None)
"""Set once nobody waits any longer for what is done here."""


class _State:
    """What has been pressed, in this process."""

    n_pressed = 0
    number: int = signal.SIGINT
    is_pending = False
    is_deferred = False
    is_remembered = False
    is_listening = False


def is_pending() -> bool:
    """Tell whether Ctrl-C was pressed and nobody has dealt with it yet; not where it is `set_aside`.

    Where nobody waits any longer for what is done here (`given_up`), it is as if Ctrl-C had been pressed.

    >>> is_pending()
    False
    """
    if _is_aside.get():
        return False
    event = _given_up.get()
    return _State.is_pending or (event is not None and event.is_set())


def exit_code() -> int:
    """Return the exit code of a process that a signal ends: 128 + the number of the last one.

    >>> exit_code()  # Ctrl-C, where none came yet
    130
    """
    return 128 + _State.number


def check() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed and nobody has dealt with it yet; not while it is `remembered`.

    Cheap enough for every round of a loop. A caller that catches KeyboardInterrupt to return a partial result leaves
    the interrupt pending, so that the next check further up ends the run as well; only the caller that ends the run
    calls `handled`.
    """
    if is_pending() and not (_State.is_remembered and _is_main_thread()):
        raise KeyboardInterrupt


def handled() -> None:
    """Forget the interrupt: the run is ending because of it, and what still has to be done may be done."""
    _State.is_pending = False


@contextmanager
def deferred() -> Iterator[None]:
    """Within, the first Ctrl-C is only remembered, for a later `check` to raise.

    For code that would be left with a lock held if an exception came out of nowhere. It must check often. Other threads
    than the main one are never interrupted: there it changes nothing.
    """
    if not _is_main_thread():
        yield
        return
    before, _State.is_deferred = _State.is_deferred, True
    try:
        yield
    finally:
        _State.is_deferred = before


@contextmanager
def remembered() -> Iterator[None]:
    """Within, the first Ctrl-C is only remembered, whether anybody is `listening` already or not.

    For a search that ends by itself when `is_pending` and returns what it has found. Outside a run that listens, the
    interrupt is forgotten afterwards: the search has dealt with it.
    """
    if not _is_main_thread():
        yield
        return
    before, _State.is_remembered = _State.is_remembered, True
    try:
        if _State.is_listening:
            with deferred():
                yield
        else:
            # Other signals keep what they mean to the program that has called: a run is told to end by them, not this.
            with listening((signal.SIGINT,)), deferred():
                yield
    finally:
        _State.is_remembered = before


@contextmanager
def set_aside() -> Iterator[None]:
    """Within, nothing is pending: for what must still be done before a partial result can be returned.

    That holds for this thread, and for others that run in a copy of its context (`contextvars.copy_context`).
    """
    token = _is_aside.set(True)
    try:
        yield
    finally:
        _is_aside.reset(token)


@contextmanager
def given_up(event: threading.Event) -> Iterator[None]:
    """Within, and in threads that run in a copy of the context, the end is near once an event is set."""
    token = _given_up.set(event)
    try:
        yield
    finally:
        _given_up.reset(token)


@contextmanager
def listening(signals: Sequence[int] = SIGNALS) -> Iterator[None]:
    """Remember signals besides raising KeyboardInterrupt. Only the main thread can; elsewhere nothing changes.

    A signal other than Ctrl-C that is ignored, as ``nohup`` does with SIGHUP, stays ignored.
    """
    if not _is_main_thread():
        yield
        return
    _State.n_pressed, _State.is_pending, _State.is_deferred, _State.number = 0, False, False, signal.SIGINT
    heard = [one for one in signals if one == signal.SIGINT or signal.getsignal(one) != signal.SIG_IGN]
    handlers, hook = {one: signal.signal(one, _remember_and_raise) for one in heard}, sys.unraisablehook
    sys.unraisablehook = _without_interrupts(hook)
    _State.is_listening = True
    try:
        yield
    finally:
        _State.is_pending = _State.is_listening = False
        sys.unraisablehook = hook
        for one, handler in handlers.items():
            signal.signal(one, signal.SIG_DFL if handler is None else handler)


def listen_as_copy() -> None:
    """In a copy of a process: be interrupted by that process alone, once.

    Signals go to all processes of a terminal. What they mean is for the first of them to say.
    """
    _State.n_pressed, _State.is_pending, _State.is_deferred, _State.is_remembered = 0, False, False, False
    _State.is_listening = True
    for one in SIGNALS:
        signal.signal(one, signal.SIG_IGN)
    signal.signal(END_COPY, _remember_and_raise)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _remember_and_raise(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  (what signal calls)
    if number != signal.SIGINT and _State.n_pressed:
        return  # the same once more
    _State.n_pressed += 1
    _State.is_pending = True
    _State.number = number
    if _State.n_pressed == 1:
        if not _State.is_deferred:
            raise KeyboardInterrupt
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a third one ends the process without our help
    _thread.start_new_thread(_end_soon, ())  # not threading.Thread, whose locks the main thread may hold
    raise KeyboardInterrupt


def _without_interrupts(hook: Callable[[Any], None]) -> Callable[[Any], None]:
    """Say nothing of an interrupt lost in a destructor or a callback: it is remembered."""

    def quiet_hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            hook(lost)

    return quiet_hook


def _end_soon() -> NoReturn:
    time.sleep(LAST_SECONDS)
    os._exit(exit_code())
