"""Jobs one at a time, whatever becomes of their processes; these stand-ins behave as their job says."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from linkrisk.web.work.job import Job, State
from linkrisk.web.work.process import WorkProcess
from linkrisk.web.work.queue import Queue

STAND_IN = r"""
import json, os, signal, sys, time
stopped = []
signal.signal(signal.SIGINT, lambda *_: stopped.append(1))
def tell(say, **contents):
    print(json.dumps({"say": say, **contents}), flush=True)
tell("ready", catalogue={"attackers": []})
folder = sys.stdin.readline().strip()
request = json.load(open(os.path.join(folder, "job.json")))
tell("step", label=request["kind"])
if request["kind"] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if request["kind"] == "crashed":
    os._exit(3)
if request["kind"] == "nonsense":
    print("this is no message", flush=True)
    os._exit(0)
if request["kind"] == "failed":
    tell("failed", sentence="a.csv is empty; give another", mistakes=[["k", "must be 2"]])
    os._exit(0)
while request["kind"] in ("long", "deaf") and not (stopped and request["kind"] == "long"):
    time.sleep(0.01)
open(os.path.join(folder, "summary.json"), "w").write(json.dumps({"kind": request["kind"], "umask": 1}))
tell("done", is_complete=not stopped)
os._exit(0)
"""


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start stand-ins in place of the process that does jobs."""

    async def start() -> WorkProcess:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-S",
            "-c",
            STAND_IN,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        return WorkProcess(process)

    monkeypatch.setattr(WorkProcess, "start", start)


def carry_out(folder: Path, do: Callable[[Queue], Awaitable[None]]) -> Queue:
    """Let a queue work while something is done with it."""

    async def run() -> Queue:
        queue = Queue(folder)
        async with queue.working():
            await asyncio.wait_for(do(queue), 20)
        return queue

    return asyncio.run(run())


async def until(job: Job, *states: State) -> None:
    """Wait until a job is in one of some states, or has ended."""
    while job.state not in states and not job.has_ended:
        await asyncio.sleep(0.01)


def test_jobs_are_done_in_their_order(tmp_path: Path) -> None:
    """One after the other, each in a folder for its owner alone; what can be chosen from is known by then."""

    async def do(queue: Queue) -> None:
        first, second = queue.add("short", "First", {"n": 1}), queue.add("short", "Second", {"n": 2})
        assert (queue.place(first), queue.place(second)) == (0, 1)
        await until(second, State.DONE)
        assert first.state is second.state is State.DONE
        assert first.summary()["kind"] == "short"
        assert first.folder.stat().st_mode & 0o777 == 0o700
        assert (first.folder / "job.json").stat().st_mode & 0o777 == 0o600
        assert first.progress.label == "short"

    assert carry_out(tmp_path, do).catalogue == {"attackers": []}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("killed", "memory of this machine was not enough"),
        ("crashed", "exit code 3"),
        ("nonsense", "ended unexpectedly"),
        ("failed", "a.csv is empty; give another"),
    ],
)
def test_a_process_that_dies_is_told_and_the_queue_goes_on(tmp_path: Path, kind: str, said: str) -> None:
    """In one plain sentence; the next job is done, and one that needed the result is not begun."""

    async def do(queue: Queue) -> None:
        job = queue.add(kind, "Dies", {})
        needing, other = queue.add("short", "Needs it", {}, needs=job), queue.add("short", "Other", {})
        await until(other, State.DONE)
        assert (job.state, needing.state, other.state) == (State.FAILED, State.FAILED, State.DONE)
        assert said in job.sentence
        assert "no result" in needing.sentence
        assert job.mistakes == ((("k", "must be 2"),) if kind == "failed" else ())
        assert not needing.folder.exists()

    carry_out(tmp_path, do)


def test_a_job_that_is_stopped_keeps_what_it_has(tmp_path: Path) -> None:
    """It hears Ctrl-C, and tells that it is not complete."""

    async def do(queue: Queue) -> None:
        job = queue.add("long", "Long", {})
        await until(job, State.RUNNING)
        while not job.progress.label:
            await asyncio.sleep(0.01)
        queue.stop(job)
        states = [job.state]
        await until(job, State.PARTIAL)
        assert [*states, job.state] == [State.STOPPING, State.PARTIAL]
        assert job.has_result

    carry_out(tmp_path, do)


def test_a_job_that_does_not_hear_is_ended(tmp_path: Path) -> None:
    """The second time at once."""

    async def do(queue: Queue) -> None:
        job = queue.add("deaf", "Deaf", {})
        while not job.progress.label:
            await asyncio.sleep(0.01)
        queue.stop(job)
        queue.stop(job)
        await until(job, State.STOPPED)
        assert job.state is State.STOPPED
        assert "nothing is kept" in job.sentence

    carry_out(tmp_path, do)


def test_a_job_that_waits_is_stopped_and_never_begun(tmp_path: Path) -> None:
    """Nor does it hold up others."""

    async def do(queue: Queue) -> None:
        long, waiting, last = queue.add("long", "1", {}), queue.add("short", "2", {}), queue.add("short", "3", {})
        queue.stop(waiting)
        while not long.progress.label:
            await asyncio.sleep(0.01)
        queue.stop(long)
        await until(last, State.DONE)
        assert (waiting.state, last.state) == (State.STOPPED, State.DONE)

    carry_out(tmp_path, do)


def test_a_job_that_is_forgotten_leaves_nothing(tmp_path: Path) -> None:
    """Its process is ended, its folder removed."""

    async def do(queue: Queue) -> None:
        job = queue.add("deaf", "Deaf", {})
        while not job.progress.label:
            await asyncio.sleep(0.01)
        await queue.forget(job)
        assert not job.folder.exists()
        assert not queue.jobs
        await until(job, State.STOPPED)

    carry_out(tmp_path, do)


def test_a_process_that_dies_while_it_waits_costs_no_job(tmp_path: Path) -> None:
    """Another one takes its place."""

    async def do(queue: Queue) -> None:
        first = queue.add("short", "First", {})
        await until(first, State.DONE)
        assert queue._spare is not None
        spare = await queue._spare
        spare.kill()
        await spare.ended()
        second = queue.add("short", "Second", {})
        await until(second, State.DONE)
        assert second.state is State.DONE, second.sentence

    carry_out(tmp_path, do)


def test_no_process_is_left_at_the_end(tmp_path: Path) -> None:
    """Neither the one at work, nor the one that waits."""
    found: list[int] = []

    async def do(queue: Queue) -> None:
        job = queue.add("deaf", "Deaf", {})
        while not job.progress.label:
            await asyncio.sleep(0.01)
        assert queue._running is not None
        assert queue._spare is not None
        spare = await queue._spare
        found.extend(process._process.pid for process in (queue._running[1], spare))

    carry_out(tmp_path, do)
    for number in found:
        with pytest.raises(ProcessLookupError):
            os.kill(number, signal.SIG_DFL)
