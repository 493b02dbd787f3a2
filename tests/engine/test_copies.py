"""Copies of a process: what they send is heard, what they lose is said, and they end when they are told to."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import partial

import pytest

from linkrisk.engine import copies, interrupt
from linkrisk.engine.copies import Tell, work_side_by_side
from linkrisk.engine.memory import _Users, available_memory
from linkrisk.errors import OptionError, ParameterError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")


def nothing(number: int, message: object) -> None:
    """Hear nothing of interest."""
    del number, message


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_all_is_heard_in_order(at_once: int) -> None:
    """Each task once, in another process, and its messages in the order in which it sent them."""
    heard: dict[int, list[int]] = {}

    def task(number: int, tell: Tell) -> None:
        for message in (10 * number, 10 * number + 1, os.getpid()):
            tell(message)

    tasks = [lambda tell, number=number: task(number, tell) for number in range(7)]
    lost = work_side_by_side(tasks, lambda number, word: heard.setdefault(number, []).append(word), at_once=at_once)
    assert lost == []
    assert {number: words[:2] for number, words in heard.items()} == {n: [10 * n, 10 * n + 1] for n in range(7)}
    processes = {words[2] for words in heard.values()}
    assert os.getpid() not in processes
    assert len(processes) <= at_once


def test_what_a_copy_changes_stays_there() -> None:
    """It is a copy: only what it sends comes back."""
    here: list[int] = []
    work_side_by_side([lambda _: here.append(1)], nothing, at_once=1)
    assert here == []


def test_an_error_is_raised_here() -> None:
    """As if the task had been done here; nobody is left behind."""

    def fail(tell: Tell) -> None:
        del tell
        raise ParameterError("a mistake of the user")

    with pytest.raises(ParameterError, match="a mistake of the user"):
        work_side_by_side([lambda _: time.sleep(60), fail], nothing, at_once=2)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


class _UnsendableError(ParameterError):
    """An error that is made of more than its text."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def test_an_error_that_cannot_be_sent_loses_the_task() -> None:
    """It is done here, where the error comes again; others travel with the lines that led to them."""

    def fail(problem: Exception, tell: Tell) -> None:
        del tell
        raise problem

    assert work_side_by_side([partial(fail, _UnsendableError("a", "b"))], nothing, at_once=1) == [0]
    with pytest.raises(OptionError) as told:
        work_side_by_side([partial(fail, OptionError([("margin", "must be a number")]))], nothing, at_once=1)
    assert told.value.mistakes == (("margin", "must be a number"),)
    assert "in fail" in "".join(told.value.__notes__)


def test_tasks_may_be_many() -> None:
    """More than a pipe would hold."""
    heard: list[int] = []
    assert work_side_by_side([lambda tell: tell(1)] * 17_000, lambda number, _: heard.append(number), at_once=2) == []
    assert sorted(heard) == list(range(17_000))


def test_copies_share_the_memory() -> None:
    """What is free is divided among those who may take it."""
    heard: list[int] = []
    free = available_memory()
    assert free is not None
    work_side_by_side([lambda tell: tell(available_memory())] * 4, lambda _, each: heard.append(each), at_once=4)
    assert all(each < free / 2 for each in heard)
    assert _Users.number == 1


def test_a_copy_that_is_killed_loses_its_task_alone() -> None:
    """The others go on, and it is said what was lost; where no copy is left, so is the rest."""
    heard: list[int] = []

    def die(tell: Tell) -> None:
        tell("last words")
        os.kill(os.getpid(), signal.SIGKILL)

    tasks = [die, lambda tell: tell("alive"), lambda tell: tell("alive")]
    assert work_side_by_side(tasks, lambda number, _: heard.append(number), at_once=2) == [0]
    assert sorted(heard) == [0, 1, 2]
    assert work_side_by_side(tasks, nothing, at_once=1) == [0, 1, 2]


def test_no_copy_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system refuses, all tasks are said to be lost."""

    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    assert work_side_by_side([lambda tell: tell(1)], nothing, at_once=2) == [0]


def test_ctrl_c_reaches_the_copies_once() -> None:
    """What was begun ends as it would after Ctrl-C there, its last words are heard, and nothing else begins."""
    heard: list[object] = []

    def wait(tell: Tell) -> None:
        try:
            tell("begun")
            while True:
                time.sleep(0.01)
                interrupt.check()
        except KeyboardInterrupt:
            tell("ended")
            raise

    def press(number: int, message: object) -> None:
        heard.append((number, message))
        if message == "begun" and len(heard) == 2:
            signal.raise_signal(signal.SIGINT)

    with interrupt.listening():
        lost = work_side_by_side([wait, wait, wait], press, at_once=2)
        assert interrupt.is_pending()
        interrupt.handled()
    assert lost == [0, 1, 2]
    assert sorted(heard[2:]) == [(0, "ended"), (1, "ended")]  # type: ignore[type-var]


def test_copies_are_made_where_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that uses linkrisk is not copied unless it says so."""
    assert not copies.are_allowed()
    monkeypatch.setattr(copies._Allowed, "is_allowed", False)
    copies.allow()
    assert copies.are_allowed()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not copies.are_allowed()
