"""Ctrl-C is remembered until it is handled."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time

import pytest

from linkrisk.engine import interrupt
from linkrisk.engine.threads import for_chunks


def press() -> None:
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def swallow() -> None:
    """Press Ctrl-C where the exception gets lost, as in an import or a destructor."""
    with contextlib.suppress(KeyboardInterrupt):
        press()


def test_swallowed_interrupt_is_raised_again() -> None:
    """Every check raises until somebody handles it, and none afterwards."""
    with interrupt.listening():
        interrupt.check()
        swallow()
        assert interrupt.is_pending()
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                interrupt.check()
        interrupt.handled()
        interrupt.check()
        assert not interrupt.is_pending()


def test_interrupt_lost_in_a_destructor(capsys: pytest.CaptureFixture[str]) -> None:
    """Python would print a traceback and go on; here it is pending, and nothing is printed."""

    class Dying:
        def __del__(self) -> None:
            press()

    with interrupt.listening():
        Dying()
        assert interrupt.is_pending()
    assert capsys.readouterr().err == ""


def test_the_handler_before_comes_back() -> None:
    """Outside the command line nothing is changed, and nothing stays pending."""
    before = signal.getsignal(signal.SIGINT)
    with interrupt.listening():
        assert signal.getsignal(signal.SIGINT) is not before
        swallow()
    assert signal.getsignal(signal.SIGINT) is before
    interrupt.check()


def test_other_threads_cannot_listen() -> None:
    """They go on without: only the main thread receives signals."""
    handlers = []

    def work() -> None:
        with interrupt.listening(), interrupt.deferred():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]


def test_deferred_interrupt_waits_for_a_check() -> None:
    """It does not come out of nowhere, and is not lost."""
    with interrupt.listening():
        with interrupt.deferred():
            press()
        with pytest.raises(KeyboardInterrupt):
            interrupt.check()


def test_chunks_stop_at_an_interrupt() -> None:
    """Those under way finish, the others are never begun, and the wait ends at once."""
    begun = []
    is_pressed = threading.Event()

    def work(piece: slice) -> None:
        begun.append(piece.start)
        is_pressed.wait(5.0)

    def progress(done: int, total: int) -> None:
        raise AssertionError(f"{done} of {total} done before Ctrl-C")

    def press_soon() -> None:
        time.sleep(0.05)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.3)
        is_pressed.set()

    with interrupt.listening():
        threading.Thread(target=press_soon).start()
        with pytest.raises(KeyboardInterrupt):
            for_chunks(work, 100, 1, threads=2, progress=progress)
    assert len(begun) <= 4


def test_an_interrupt_during_short_work_is_not_lost() -> None:
    """The caller does it himself, and hears of Ctrl-C when it is done; progress is told once."""
    told, threads = [], []

    def work(piece: slice) -> None:
        threads.append((threading.current_thread() is threading.main_thread(), piece.stop))
        if is_pressed:
            press()

    for is_pressed in (False, True):
        with interrupt.listening(), pytest.raises(KeyboardInterrupt) if is_pressed else contextlib.nullcontext():
            for_chunks(work, 3, 5, progress=lambda *done: told.append(done), is_short=True)
    assert threads == [(True, 3)] * 2
    assert told == [(3, 3)] * 2


SECOND = """
import signal, time
from linkrisk.engine import interrupt
interrupt.LAST_SECONDS = 0.2
with interrupt.listening():
    for _ in range(2):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            interrupt.handled()
    print("cleaned up", flush=True)
    while True:
        time.sleep(0.01)
"""


def test_second_interrupt_ends_the_process() -> None:
    """It may clean up for a moment, but not go on, even if it swallows both."""
    found = subprocess.run(  # noqa: S603  (our own interpreter and code)
        [sys.executable, "-c", SECOND], capture_output=True, text=True, timeout=30, check=False
    )
    assert found.returncode == 130
    assert found.stdout.strip() == "cleaned up"
    assert found.stderr == ""


@pytest.mark.usefixtures("heard_signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_every_signal_ends_as_ctrl_c_does(number: int, code: int) -> None:
    """It is raised and remembered, and its exit code is 128 + its number."""
    with interrupt.listening():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        assert interrupt.is_pending()
        assert interrupt.exit_code() == code
        if number != signal.SIGINT:
            signal.raise_signal(number)  # `timeout` sends it twice: nothing new
    assert interrupt.exit_code() == code


def test_what_is_ignored_stays_ignored() -> None:
    """As ``nohup`` asks for."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupt.listening():
            signal.raise_signal(signal.SIGHUP)
            assert not interrupt.is_pending()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_search_in_a_program_of_others_leaves_their_signals_alone() -> None:
    """SIGTERM still ends a notebook; only Ctrl-C is remembered."""
    before = signal.getsignal(signal.SIGTERM)
    with interrupt.remembered():
        assert signal.getsignal(signal.SIGTERM) is before
        press()
        assert interrupt.is_pending()
    assert not interrupt.is_pending()
