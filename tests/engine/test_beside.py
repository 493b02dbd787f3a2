"""Jobs beside the main thread: their order, their errors, and what becomes of them after Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from functools import partial

import pytest

from linkrisk.engine import interrupt
from linkrisk.engine.beside import Beside
from linkrisk.engine.progress import Progress


@pytest.mark.parametrize("threads", [1, 2])
def test_jobs_are_done_in_order(threads: int) -> None:
    """Each sees what those before it have done."""
    done: list[int] = []

    def work(number: int, _: Progress) -> int:
        done.append(number)
        return len(done)

    with Beside(threads) as beside:
        jobs = [beside.submit(partial(work, number)) for number in range(5)]
        assert [job.result() for job in jobs] == [1, 2, 3, 4, 5]
    assert done == list(range(5))


def test_a_job_runs_beside_the_main_thread() -> None:
    """The main thread goes on, and is told how far the job is once it waits."""
    go, told = threading.Event(), []

    def work(progress: Progress) -> str:
        progress(1, 2)
        go.wait(5.0)
        return threading.current_thread().name

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        go.set()

    with Beside(2) as beside:
        job = beside.submit(work)
        is_done = job.is_done
        assert job.result(progress) != threading.main_thread().name
        assert (is_done, job.is_done) == (False, True)
    assert told == [(1, 2)]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_reaches_who_waits(threads: int) -> None:
    """It is raised where the result is asked for, or at once where there is one core."""

    def work(_: Progress) -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"), Beside(threads) as beside:
        beside.submit(work).result()


def ends(_: Progress) -> str:
    """Go on until Ctrl-C is noticed, 5 seconds at most."""
    for _turn in range(500):
        interrupt.check()
        time.sleep(0.01)
    return "never noticed"


def slow(_: Progress) -> str:
    """Take a moment, with looks at Ctrl-C."""
    for _turn in range(20):
        interrupt.check()
        time.sleep(0.01)
    return "done"


def press_soon() -> None:
    """Press Ctrl-C in a moment."""
    time.sleep(0.05)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def test_ctrl_c_ends_the_wait_and_jobs_that_are_not_kept() -> None:
    """What is kept is waited for, whatever is pressed; the other job has no outcome."""
    with interrupt.listening(), Beside(2) as beside:
        ended, kept = beside.submit(ends), beside.submit(slow, is_kept=True)
        threading.Thread(target=press_soon).start()
        with pytest.raises(KeyboardInterrupt):
            kept.result()
        assert (ended.outcome(), kept.outcome()) == (None, "done")


def test_jobs_are_given_up_when_nobody_waits_any_longer() -> None:
    """Without anybody who listens for signals, too: a notebook is interrupted by an exception alone."""
    begun = time.perf_counter()
    with Beside(2) as beside:
        jobs = [beside.submit(ends), beside.submit(ends), beside.submit(slow, is_kept=True)]
        beside.give_up()
        assert [job.outcome() for job in jobs] == [None, None, "done"]
    assert time.perf_counter() - begun < 4.0


def test_other_threads_do_not_defer_for_the_main_one() -> None:
    """A thread that leaves its own part late must not leave the main thread deaf."""
    inside, leave = threading.Event(), threading.Event()

    def work() -> None:
        with interrupt.deferred(), interrupt.remembered():
            inside.set()
            leave.wait(5.0)

    thread = threading.Thread(target=work)
    with interrupt.listening():
        with interrupt.deferred():
            thread.start()
            inside.wait(5.0)
        leave.set()
        thread.join()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
